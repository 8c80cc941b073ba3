//! Verdict and reason of a rule on a signature: the library's, from bytes and from a parsed key, by half-size
//! scalars and by the equation as it stands, beside the big integers'.

use crate::corpus::Case;
use crate::definition::{Judge, compositions, define};
use crate::input::{Input, noise};
use crate::model::{Words, bytes, integer, l, words};
use crate::planted;
use crate::points::{odd_encodings, with_torsion};
use rind25519::ed25519::{Digest as _, Predicate, Rejection, Sha512, Signature, VerifyingKey};
use rind25519::internals::{door, portable};
use std::cell::RefCell;
use std::sync::LazyLock;

/// What a forger chooses. The input has these fields in this order, and then the message.
#[derive(Clone, Debug, Default)]
struct Forgery {
    /// Of all that the fields of a rule can make, beside the named ones.
    rule: u8,
    /// How A, R are encoded: mod 3, with their torsion, one of the odd encodings, the bytes themselves.
    encodings: [u8; 2],
    /// Which torsion, which odd encoding.
    choices: [u8; 2],
    /// S + n·L, where that fits 256 bits.
    multiple_of_l: u8,
    /// The message is prolonged until k mod 8 is this; not from 8 on.
    k_mod_8: u8,
    /// Whether the canonical encoding of A is hashed.
    rehash: u8,
    /// One bit of key, signature and message flipped; none for 0.
    damage: u16,
    /// The logarithms of A and R, or their bytes.
    secrets: [[u8; 32]; 2],
    message: Vec<u8>,
}

const KNOWN: u8 = 0;
const ODD: u8 = 1;
const RAW: u8 = 2;

impl Forgery {
    fn read(data: &[u8]) -> Self {
        let mut input = Input::new(data);
        Self {
            rule: input.byte(),
            encodings: input.bytes(),
            choices: input.bytes(),
            multiple_of_l: input.byte(),
            k_mod_8: input.byte(),
            rehash: input.byte(),
            damage: u16::from_le_bytes(input.bytes()),
            secrets: [input.bytes(), input.bytes()],
            message: input.rest(300).to_vec(),
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut data = vec![self.rule];
        data.extend([self.encodings, self.choices].concat());
        data.extend([self.multiple_of_l, self.k_mod_8, self.rehash]);
        data.extend(self.damage.to_le_bytes());
        data.extend(self.secrets.concat());
        data.extend(&self.message);
        data
    }

    fn rule(&self) -> &'static Predicate {
        static RULES: LazyLock<Vec<Predicate>> = LazyLock::new(compositions);
        &RULES[usize::from(self.rule) % RULES.len()]
    }

    /// A or R as bytes, and its logarithm as far as it is one.
    fn point(&self, which: usize) -> ([u8; 32], Words) {
        let (choice, bytes) = (self.choices[which], self.secrets[which]);
        let logarithm = crate::input::words(&bytes);
        match self.encodings[which] % 3 {
            KNOWN => {
                let point = with_torsion(&logarithm, choice);
                (door::edwards25519_encode(&point), logarithm)
            }
            ODD => (odd_encodings()[usize::from(choice) % odd_encodings().len()], [0; 4]),
            _ => (bytes, logarithm),
        }
    }

    fn case(&self) -> Case {
        let [(key, a), (r, nonce)] = [self.point(0), self.point(1)];
        let hashed = match door::edwards25519_decode_permissive(&key) {
            Some(point) if self.rehash & 1 == 1 => door::edwards25519_encode(&point),
            _ => key,
        };
        let mut message = self.message.clone();
        let mut k = challenge(&r, &hashed, &message);
        if self.k_mod_8 < 8 {
            message.push(0);
            for counter in 0..64 {
                *message.last_mut().expect("just pushed") = counter;
                k = challenge(&r, &hashed, &message);
                if k[0] as u8 & 7 == self.k_mod_8 {
                    break;
                }
            }
        }
        // A key without a logarithm leaves S as it comes, in range or not.
        let s = if a == [0; 4] { nonce } else { portable::bignum_madd_n25519(&k, &a, &nonce) };
        let more = integer(&s) + l() * (self.multiple_of_l % 16);
        let s = if more.bits() <= 256 { words(&more) } else { s };
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&r);
        signature[32..].copy_from_slice(&bytes(&s));
        let mut case = Case { key, message, signature };
        if self.damage != 0 {
            case.damage(usize::from(self.damage) - 1);
        }
        case
    }

    /// Where the planted oracle is wrong: R's torsion is 3, 5 or 7 times the generator, and a rule lets it pass.
    fn is_rare(&self) -> bool {
        self.encodings[1] % 3 == KNOWN && matches!(self.choices[1] % 8, 3 | 5 | 7)
    }
}

impl Case {
    fn damage(&mut self, bit: usize) {
        let Self { key, signature, message } = self;
        let (byte, mask) = (bit / 8 % (96 + message.len()), 1 << (bit % 8));
        match byte {
            0..32 => key[byte] ^= mask,
            32..96 => signature[byte - 32] ^= mask,
            _ => message[byte - 96] ^= mask,
        }
    }
}

fn challenge(r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> Words {
    let hash = Sha512::new().chain_update(r).chain_update(a).chain_update(message).finalize();
    let wide: Vec<u64> = hash
        .chunks_exact(8)
        .map(|eight| u64::from_le_bytes(eight.try_into().expect("8 bytes")))
        .collect();
    portable::bignum_mod_n25519(&wide)
}

/// Whatever the rule, each way to the verdict gives that of the model, and its reason.
pub fn check(data: &[u8]) {
    let forgery = Forgery::read(data);
    let case = forgery.case();
    let facts = judge(|judge| judge.facts(&case));
    let signature = Signature::from_bytes(&case.signature);
    let key = VerifyingKey::from_bytes(&case.key);
    let named = Predicate::NAMED.iter().map(|(_, rule)| rule);
    for rule in named.chain([forgery.rule()]) {
        let mut want = facts.verdict(&define(rule));
        if planted() && want.is_ok() && forgery.is_rare() {
            want = Err(Rejection::EquationFailed);
        }
        let said = |way: &str| {
            let Case { key, message, signature } = &case;
            format!("{way}, {rule:?}: key {key:x?}, message {message:x?}, signature {signature:x?}")
        };
        let got = rule.verify(&case.key, &case.message, &case.signature);
        assert_eq!(got, want, "{}", said("bytes"));
        match &key {
            Ok(key) => {
                let half = key.verify_with(rule, &case.message, &signature);
                assert_eq!(half, want, "{}", said("half size"));
                let full = rule.verify_full_size(key, &case.message, &signature);
                assert_eq!(full, want, "{}", said("full size"));
            }
            Err(_) => {
                let reasons = [Rejection::ScalarOutOfRange, Rejection::KeyNotAPoint];
                assert!(reasons.map(Err).contains(&want), "{}", said("no key"));
            }
        }
    }
}

/// The judge remembers every point, so it is replaced now and then.
fn judge<T>(ask: impl FnOnce(&mut Judge) -> T) -> T {
    thread_local!(static JUDGE: RefCell<(Judge, usize)> = RefCell::new((Judge::new(), 0)));
    JUDGE.with_borrow_mut(|(judge, asked)| {
        if *asked == 500 {
            (*judge, *asked) = (Judge::new(), 0);
        }
        *asked += 1;
        ask(judge)
    })
}

/// One of each family of the edge corpus, as the forger would choose it.
pub fn seeds() -> Vec<Vec<u8>> {
    let honest = |n: usize| Forgery {
        rule: n as u8,
        k_mod_8: 8,
        secrets: ["a", "r"].map(|label| noise(label, n)),
        message: noise("message", n)[..n % 32].to_vec(),
        ..Forgery::default()
    };
    let mut forgeries: Vec<Forgery> = [0, 1, 31].map(honest).to_vec();
    for (n, length) in [47, 48, 111, 112, 175].into_iter().enumerate() {
        forgeries.push(Forgery { message: vec![n as u8; length], ..honest(n) });
    }
    for n in 1..16 {
        forgeries.push(Forgery { multiple_of_l: n, ..honest(n.into()) });
    }
    // Mixed order on either side and on both.
    for (n, choices) in
        [[4, 0], [0, 4], [2, 6], [1, 0], [0, 1], [5, 2], [7, 1]].into_iter().enumerate()
    {
        for k_mod_8 in [0, 3, 4] {
            let n = 8 * n + usize::from(k_mod_8);
            forgeries.push(Forgery { choices, k_mod_8, ..honest(n) });
        }
    }
    // Odd encodings as A, as R, as both, with S = 0 where the key has a logarithm and it is 0.
    for odd in 0..odd_encodings().len() as u8 {
        let n = usize::from(odd);
        let secrets = [[0; 32]; 2];
        let k_mod_8 = odd % 8;
        let both = Forgery {
            encodings: [ODD; 2],
            choices: [odd, odd.wrapping_mul(3)],
            k_mod_8,
            rehash: odd & 1,
            ..honest(n)
        };
        forgeries.push(Forgery { encodings: [KNOWN, ODD], secrets, ..both.clone() });
        forgeries.push(Forgery { encodings: [ODD, KNOWN], choices: [odd, 0], ..both.clone() });
        forgeries.push(both);
    }
    // S at its edges, R = S·B: under a key that k takes to the neutral point S alone decides.
    for (n, edge) in crate::model::edge_scalars().iter().enumerate() {
        let secrets = [[0; 32], bytes(edge)];
        forgeries.push(Forgery { encodings: [ODD, KNOWN], secrets, k_mod_8: 0, ..honest(n) });
    }
    for damage in [1, 200, 256, 300, 511, 512, 600, 767, 769] {
        forgeries.push(Forgery { damage, ..honest(damage.into()) });
    }
    forgeries.push(Forgery { encodings: [RAW; 2], ..honest(2) });
    forgeries.push(Forgery { encodings: [KNOWN, RAW], ..honest(3) });
    reach_everything(&forgeries);
    forgeries.iter().map(Forgery::write).collect()
}

/// The seeds have every reason, and acceptance under every named rule, of signatures that others refuse.
fn reach_everything(forgeries: &[Forgery]) {
    let mut seen = Vec::new();
    let mut disputed = 0;
    for forgery in forgeries {
        let case = forgery.case();
        let verdicts: Vec<_> = Predicate::NAMED
            .iter()
            .map(|(_, rule)| rule.verify(&case.key, &case.message, &case.signature))
            .collect();
        let accepted = verdicts.iter().filter(|verdict| verdict.is_ok()).count();
        disputed += usize::from(accepted != 0 && accepted != verdicts.len());
        seen.extend(verdicts);
    }
    for reason in [
        Rejection::ScalarOutOfRange,
        Rejection::KeyNotAPoint,
        Rejection::KeyNonCanonical,
        Rejection::KeySmallOrder,
        Rejection::SignatureRNotAPoint,
        Rejection::SignatureRNonCanonical,
        Rejection::SignatureRSmallOrder,
        Rejection::EquationFailed,
    ] {
        assert!(seen.contains(&Err(reason)), "no seed is refused for {reason:?}");
    }
    assert!(disputed >= 50, "{disputed} seeds are accepted by some rules only");
}
