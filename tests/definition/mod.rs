//! The rules over big integers, each from its definition: what the library's verdicts are judged by.
//!
//! Nothing here is the library's: points are those of `model`, small order is \[8\]P = O, a canonical
//! encoding is one that comes back, and the equation is evaluated with the group law as it is written.

use super::corpus::Case;
use super::model::{Encodings, Point, l, two_to};
use num_bigint::BigUint;
use rind25519::ed25519::{
    Equation, KeyEncoding, PointEncoding, Predicate, Rejection, ScalarRange, SmallOrder,
};
use sha2::{Digest as _, Sha512};
use std::{cell::OnceCell, collections::HashMap, rc::Rc};

/// How R is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum R {
    Bytes,
    AnyPoint,
    CanonicalPoint,
}

/// One row of the table of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// S is below 2^253 and not below L.
    pub wide_s: bool,
    pub canonical_a: bool,
    /// A is encoded anew before it is hashed.
    pub rehash: bool,
    pub r: R,
    pub cofactor: u8,
    pub small_a_rejected: bool,
    pub small_r_rejected: bool,
}

/// The rules by name, read from [`ROWS`].
pub fn definition(name: &str) -> Definition {
    let row = ROWS.iter().find(|row| row.0 == name).unwrap_or_else(|| panic!("{name} is no rule"));
    let &(_, s, a, r, cofactor, small, hash) = row;
    // Whether a word is the second of its column's two; another word is a fault of the table.
    let is = |word: &str, first: &str, second: &str| {
        assert!(word == first || word == second, "{name}: {word:?}");
        word == second
    };
    let small_rejected = is(small, "small allowed", "small A, R refused");
    Definition {
        wide_s: is(s, "S < L", "S < 2^253"),
        canonical_a: is(a, "any A", "canonical A"),
        rehash: is(hash, "A as it came", "A encoded anew"),
        r: match r {
            "bytes" => R::Bytes,
            "any point" => R::AnyPoint,
            "canonical point" => R::CanonicalPoint,
            other => panic!("{name}: {other:?}"),
        },
        cofactor,
        small_a_rejected: small_rejected,
        small_r_rejected: small_rejected,
    }
}

/// Name, range of S, encodings of A, how R is compared, cofactor, small order, which A is hashed.
type Row = (&'static str, &'static str, &'static str, &'static str, u8, &'static str, &'static str);

/// Each rule in the words of what it was read from, which is named above it.
///
/// "Taming": Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs", ePrint 2020/1244, section 5, and its
/// data, `novifinancial/ed25519-speccheck`. "Run": by `rule-peers`, on every signature of the corpus.
pub const ROWS: &[Row] = &[
    // Run: ed25519-dalek 3 `verify`, ring 0.17, OpenSSL 3.0. Taming: BoringSSL, Go. The equation without
    // the 8: RFC 8032, section 5.1.7, the last sentence of step 3.
    ("STANDARD", "S < L", "any A", "bytes", 1, "small allowed", "A as it came"),
    // Run: ed25519-dalek 3 `verify_strict`. Of version 2, SIMD-0376, "Backwards compatibility": A of any
    // encoding, R as bytes. Taming: Dalek strict.
    ("STRICT", "S < L", "any A", "bytes", 1, "small A, R refused", "A as it came"),
    // ZIP 215, "Specification". Run: ed25519-zebra 5. Taming: Zebra.
    ("ZIP215", "S < L", "any A", "any point", 8, "small allowed", "A as it came"),
    // RFC 8032, section 5.1.7, steps 1 to 3, with the decoding of 5.1.3: steps 1 (y < p) and 4 (x = 0).
    ("RFC8032", "S < L", "canonical A", "canonical point", 8, "small allowed", "A as it came"),
    // Run: aws-lc-rs 1.19, graviola 0.4.4, SunEC of JDK 17. Taming: Hacl*, Bouncy Castle.
    ("AWS_LC", "S < L", "canonical A", "bytes", 1, "small allowed", "A as it came"),
    // Brendel, Cremers, Jackson, Zhao, ePrint 2020/823: Ed25519-LibS. libsodium's ChangeLog, 1.0.16: keys in
    // non-canonical form are rejected, as those of low order were. Run: 1.0.18.
    ("LIBSODIUM", "S < L", "canonical A", "bytes", 1, "small A, R refused", "A as it came"),
    // firedancer-io/firedancer, pull request 471 (2023): A and R of small order rejected, as by the dalek of
    // its day; that this one compared points: dalek-cryptography/ed25519-dalek, issue 267.
    ("FIREDANCER", "S < L", "any A", "any point", 1, "small A, R refused", "A as it came"),
    // solana-foundation/solana-improvement-documents, pull request 616 (September 2026): the four points of
    // its description, steps 1 to 7 of proposals/0376-verify-strict.md.
    (
        "SIMD0376",
        "S < L",
        "canonical A",
        "canonical point",
        8,
        "small A, R refused",
        "A as it came",
    ),
    // Brendel et al.: Ed25519-Original. Taming: ref10. Run: ed25519-dalek 2.2 with `legacy_compatibility`.
    ("REF10", "S < 2^253", "any A", "bytes", 1, "small allowed", "A as it came"),
    // Taming: ed25519-java, 0.3.0. S < L: the fork's 0.3.1, for CVE-2020-36843 (str4d/ed25519-java, issue 82;
    // bloxbean/ed25519-java, README).
    ("EDDSA_JAVA", "S < L", "any A", "bytes", 1, "small allowed", "A encoded anew"),
];

/// Every rule that the fields can make.
pub fn compositions() -> Vec<Predicate> {
    let mut rules = vec![];
    for scalar in [ScalarRange::BelowL, ScalarRange::Below253Bits] {
        for key in [KeyEncoding::Any, KeyEncoding::Reencoded, KeyEncoding::Canonical] {
            for equation in [
                Equation::Bytes,
                Equation::Point,
                Equation::Cofactored(PointEncoding::Any),
                Equation::Cofactored(PointEncoding::Canonical),
            ] {
                for small_order in
                    [SmallOrder::Allowed, SmallOrder::KeyRejected, SmallOrder::Rejected]
                {
                    rules.push(Predicate { scalar, key, equation, small_order });
                }
            }
        }
    }
    rules
}

/// A composed rule in the words of the model.
pub fn define(rule: &Predicate) -> Definition {
    Definition {
        wide_s: rule.scalar == ScalarRange::Below253Bits,
        canonical_a: rule.key == KeyEncoding::Canonical,
        rehash: rule.key == KeyEncoding::Reencoded,
        r: match rule.equation {
            Equation::Bytes => R::Bytes,
            Equation::Point | Equation::Cofactored(PointEncoding::Any) => R::AnyPoint,
            Equation::Cofactored(PointEncoding::Canonical) => R::CanonicalPoint,
        },
        cofactor: if matches!(rule.equation, Equation::Cofactored(_)) { 8 } else { 1 },
        small_a_rejected: rule.small_order != SmallOrder::Allowed,
        small_r_rejected: rule.small_order == SmallOrder::Rejected,
    }
}

/// A decoded point, with what is asked of it more than once.
struct Decoded {
    point: Point,
    canonical: [u8; 32],
    small: bool,
    /// 2^i·P.
    doubles: OnceCell<Vec<Point>>,
}

impl Decoded {
    fn new(encoding: &[u8; 32]) -> Option<Self> {
        let point = Point::decode(encoding, Encodings::Any)?;
        Some(Self {
            canonical: point.encode(),
            small: point.mul(&8u8.into()).is_identity(),
            point,
            doubles: OnceCell::new(),
        })
    }

    /// n·P, for the integer that n is.
    fn mul(&self, n: &BigUint) -> Point {
        let doubles = self.doubles.get_or_init(|| {
            let next = |point: &Point| Some(point.add(point));
            std::iter::successors(Some(self.point.clone()), next).take(256).collect()
        });
        (0..n.bits())
            .filter(|&i| n.bit(i))
            .fold(Point::identity(), |sum, i| sum.add(&doubles[i as usize]))
    }
}

/// Remembers points, of which the corpus has fewer than signatures.
pub struct Judge {
    base: Decoded,
    points: HashMap<[u8; 32], Option<Rc<Decoded>>>,
}

/// What the rules ask about one case.
pub struct Facts {
    s: BigUint,
    key: [u8; 32],
    r: [u8; 32],
    a: Option<Rc<Decoded>>,
    r_point: Option<Rc<Decoded>>,
    /// \[S\]B − \[k\]A, with the bytes hashed as they came and with A encoded anew.
    r_prime: [Option<Point>; 2],
}

impl Judge {
    pub fn new() -> Self {
        let base = Decoded::new(&Point::base().encode()).expect("B");
        Self { base, points: HashMap::new() }
    }

    fn point(&mut self, encoding: &[u8; 32]) -> Option<Rc<Decoded>> {
        self.points.entry(*encoding).or_insert_with(|| Decoded::new(encoding).map(Rc::new)).clone()
    }

    pub fn facts(&mut self, case: &Case) -> Facts {
        let (r, s) = case.signature.split_at(32);
        let r: [u8; 32] = r.try_into().expect("32 bytes");
        let s = BigUint::from_bytes_le(s);
        let (a, r_point) = (self.point(&case.key), self.point(&r));
        let r_prime = match &a {
            // Where no rule takes S, nobody asks.
            Some(a) if s < two_to(253) => {
                let s_b = self.base.mul(&s);
                let minus_k_a = |hashed: &[u8; 32]| {
                    let hash = Sha512::new()
                        .chain_update(r)
                        .chain_update(hashed)
                        .chain_update(&case.message)
                        .finalize();
                    s_b.add(&a.mul(&(BigUint::from_bytes_le(&hash) % l())).neg())
                };
                let first = minus_k_a(&case.key);
                let again = match a.canonical == case.key {
                    true => first.clone(),
                    false => minus_k_a(&a.canonical),
                };
                [Some(first), Some(again)]
            }
            _ => [None, None],
        };
        Facts { s, key: case.key, r, a, r_point, r_prime }
    }
}

impl Facts {
    /// The verdict under a rule, and the first check that fails.
    pub fn verdict(&self, rule: &Definition) -> Result<(), Rejection> {
        let end = if rule.wide_s { two_to(253) } else { l() };
        if self.s >= end {
            return Err(Rejection::ScalarOutOfRange);
        }
        let a = self.a.as_ref().ok_or(Rejection::KeyNotAPoint)?;
        if rule.canonical_a && a.canonical != self.key {
            return Err(Rejection::KeyNonCanonical);
        }
        if rule.small_a_rejected && a.small {
            return Err(Rejection::KeySmallOrder);
        }
        let r = self.r_point.as_ref();
        if rule.r != R::Bytes {
            let r = r.ok_or(Rejection::SignatureRNotAPoint)?;
            if rule.r == R::CanonicalPoint && r.canonical != self.r {
                return Err(Rejection::SignatureRNonCanonical);
            }
        }
        if rule.small_r_rejected && r.is_some_and(|r| r.small) {
            return Err(Rejection::SignatureRSmallOrder);
        }
        let r_prime = self.r_prime[usize::from(rule.rehash)].as_ref().expect("S < 2^253");
        let holds = match rule.r {
            R::Bytes => r_prime.encode() == self.r,
            R::AnyPoint | R::CanonicalPoint => {
                let difference = r_prime.add(&r.expect("a point").point.neg());
                difference.mul(&rule.cofactor.into()).is_identity()
            }
        };
        if holds { Ok(()) } else { Err(Rejection::EquationFailed) }
    }
}
