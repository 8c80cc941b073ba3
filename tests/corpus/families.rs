//! How each family of the corpus is made.

use super::challenge;
use super::points::{
    Encoding, both_signs, decode, encode, is_canonical, no_points, p_plus, small, small_order,
    unknown_logarithm,
};
use curve25519_dalek::{
    constants::{ED25519_BASEPOINT_POINT as B, EIGHT_TORSION},
    edwards::EdwardsPoint,
    scalar::Scalar,
};
use num_bigint::BigUint;
use sha2::{Digest as _, Sha512};

/// Key, message, signature.
type Triple = (Encoding, Vec<u8>, [u8; 64]);

/// Name, what it exercises, how it is made.
type Family = (&'static str, &'static str, fn() -> Vec<Triple>);

pub const FAMILIES: &[Family] = &[
    ("honest", "keys and signatures as RFC 8032 makes them", honest),
    ("mixed A, mixed R", "each torsion of A with each of R, each k mod 8", mixed),
    ("mixed A, small R", "R any of the 14, S = k·a, each k mod 8", mixed_key_small_r),
    ("small A, mixed R", "A any of the 14, S = r, each k mod 8", small_key_mixed_r),
    ("small A, small R", "14 by 14, S = 0, each k mod 8", small_both),
    ("re-encoded A", "six second encodings, k of the first, each k mod 8", reencoded),
    ("edges of S", "S at 0, L, 2L, 2^252 … 2^256, the equation true mod L", edges_of_s),
    ("S + n·L", "honest signatures, every n that fits 256 bits", multiples_of_l),
    ("unknown logarithm", "y = p + 2 … p + 18, as A and as R", unknown),
    ("no point", "A or R encodes nothing", nothing),
    ("damaged", "one bit of key, R, S or message flipped", damaged),
    ("noise", "hash output for A, R and S", noise),
];

/// 32 bytes, the `n`-th of this label.
pub fn bytes(label: &str, n: u64) -> Encoding {
    let hash = Sha512::new().chain_update(label).chain_update(n.to_le_bytes()).finalize();
    core::array::from_fn(|i| hash[i])
}

/// A scalar that only the label's owner knows.
fn scalar(label: &str, n: u64) -> Scalar {
    Scalar::from_bytes_mod_order(bytes(label, n))
}

fn join(r: &Encoding, s: &[u8; 32]) -> [u8; 64] {
    core::array::from_fn(|i| if i < 32 { r[i] } else { s[i - 32] })
}

/// The first message, of a counter, for which k mod 8 is this.
fn message_for(r: &Encoding, a: &Encoding, k_mod_8: u8) -> Vec<u8> {
    (0u32..)
        .map(|n| n.to_le_bytes().to_vec())
        .find(|message| challenge(r, a, message).as_bytes()[0] & 7 == k_mod_8)
        .expect("one in eight")
}

/// What a signer who knows a and r makes of the key A and the commitment R: S = r + k·a.
fn sign(a: &Scalar, key: Encoding, r: &Scalar, commitment: Encoding, k_mod_8: u8) -> Triple {
    let message = message_for(&commitment, &key, k_mod_8);
    let s = r + challenge(&commitment, &key, &message) * a;
    (key, message, join(&commitment, &s.to_bytes()))
}

/// RFC 8032's signature, for a secret scalar and a nonce that come from elsewhere.
fn honest_one(n: u64, length: usize) -> Triple {
    let (a, r) = (scalar("secret", n), scalar("nonce", 1000 * n + length as u64));
    let (key, commitment) = (encode(&(B * a)), encode(&(B * r)));
    let message: Vec<u8> = (0..length).map(|i| bytes("message", i as u64)[0]).collect();
    let s = r + challenge(&commitment, &key, &message) * a;
    (key, message, join(&commitment, &s.to_bytes()))
}

fn honest() -> Vec<Triple> {
    let lengths = [0, 1, 31, 47, 48, 63, 64, 111, 112, 128, 175, 176, 1232];
    (0..5).flat_map(|n| lengths.map(|length| honest_one(n, length))).collect()
}

/// r·B + T for each T of small order.
fn with_each_torsion(point: &EdwardsPoint) -> impl Iterator<Item = Encoding> {
    EIGHT_TORSION.iter().map(move |torsion| encode(&(point + torsion)))
}

fn mixed() -> Vec<Triple> {
    let a = scalar("mixed key", 0);
    let mut cases = vec![];
    for (i, key) in with_each_torsion(&(B * a)).enumerate() {
        let r = scalar("mixed nonce", i as u64);
        for commitment in with_each_torsion(&(B * r)) {
            cases.extend((0..8).map(|k_mod_8| sign(&a, key, &r, commitment, k_mod_8)));
        }
    }
    cases
}

fn mixed_key_small_r() -> Vec<Triple> {
    let a = scalar("mixed key", 1);
    let mut cases = vec![];
    for key in with_each_torsion(&(B * a)) {
        for commitment in small_order() {
            cases.extend((0..8).map(|k_mod_8| sign(&a, key, &Scalar::ZERO, commitment, k_mod_8)));
        }
    }
    cases
}

fn small_key_mixed_r() -> Vec<Triple> {
    let mut cases = vec![];
    for (i, key) in small_order().into_iter().enumerate() {
        let r = scalar("nonce of a small key", i as u64);
        for commitment in with_each_torsion(&(B * r)) {
            cases.extend((0..8).map(|k_mod_8| sign(&Scalar::ZERO, key, &r, commitment, k_mod_8)));
        }
    }
    cases
}

fn small_both() -> Vec<Triple> {
    let (zero, mut cases) = (Scalar::ZERO, vec![]);
    for key in small_order() {
        for commitment in small_order() {
            cases.extend((0..8).map(|k_mod_8| sign(&zero, key, &zero, commitment, k_mod_8)));
        }
    }
    cases
}

/// What is hashed to choose k mod 8 is the point's other encoding; the signature comes with this one.
fn reencoded() -> Vec<Triple> {
    let zero = Scalar::ZERO;
    let mut cases = vec![];
    for key in small_order().into_iter().filter(|key| !is_canonical(key)) {
        let first = encode(&decode(&key).expect("a point"));
        for commitment in with_each_torsion(&(B * zero)) {
            for k_mod_8 in 0..8 {
                let (_, message, signature) = sign(&zero, first, &zero, commitment, k_mod_8);
                cases.push((key, message, signature));
            }
        }
    }
    cases
}

/// L, the order of B.
fn l() -> BigUint {
    (BigUint::from(1u8) << 252) + 27742317777372353535851937790883648493u128
}

fn bytes_of(n: &BigUint) -> [u8; 32] {
    let mut bytes = n.to_bytes_le();
    bytes.resize(32, 0);
    bytes.try_into().expect("256 bits")
}

/// \[S\]B = R for S in and out of range, under keys for which k·A = O: whether S is taken decides.
fn edges_of_s() -> Vec<Triple> {
    let two_to = |n: u32| BigUint::from(1u8) << n;
    let centres = [
        l(),
        2u8 * l(),
        4u8 * l(),
        8u8 * l(),
        15u8 * l(),
        two_to(252),
        two_to(253),
        two_to(254),
        two_to(255),
    ];
    let around = centres.iter().flat_map(|n| [n - 1u8, n.clone(), n + 1u8]);
    let ends = [BigUint::ZERO, 1u8.into(), 2u8.into(), two_to(256) - 1u8];
    let mut cases = vec![];
    for s in around.chain(ends) {
        let point = B * Scalar::from_bytes_mod_order(bytes_of(&s));
        for key in [encode(&EIGHT_TORSION[0]), encode(&EIGHT_TORSION[1]), encode(&EIGHT_TORSION[2])]
        {
            for commitment in [encode(&point), encode(&(point + EIGHT_TORSION[4]))] {
                let message = message_for(&commitment, &key, 0);
                cases.push((key, message, join(&commitment, &bytes_of(&s))));
            }
        }
    }
    cases
}

fn multiples_of_l() -> Vec<Triple> {
    let mut cases = vec![];
    for i in 0..8 {
        let (key, message, signature) = honest_one(i, 32);
        let (r, s) = signature.split_at(32);
        let (r, s) = (r.try_into().expect("32 bytes"), BigUint::from_bytes_le(s));
        for n in 1u8..16 {
            let s = &s + n * l();
            if s.bits() <= 256 {
                cases.push((key, message.clone(), join(&r, &bytes_of(&s))));
            }
        }
    }
    cases
}

/// Nobody can make such a signature valid; what differs between the rules is the reason.
fn unknown() -> Vec<Triple> {
    let (honest_key, message, signature) = honest_one(0, 3);
    let honest_r: Encoding = core::array::from_fn(|i| signature[i]);
    let mut scalars = vec![[0; 32], Scalar::ONE.to_bytes()];
    scalars.push(core::array::from_fn(|i| signature[32 + i]));
    let mut cases = vec![];
    for odd in unknown_logarithm() {
        for s in &scalars {
            for r in [honest_r, small(1), small(0), odd] {
                cases.push((odd, message.clone(), join(&r, s)));
            }
            for key in [honest_key, small(1), p_plus(1), encode(&EIGHT_TORSION[1])] {
                cases.push((key, message.clone(), join(&odd, s)));
            }
        }
    }
    cases
}

/// With S in range and out of it, beside an honest other half and an odd one: which reason comes first.
fn nothing() -> Vec<Triple> {
    let (honest_key, message, signature) = honest_one(1, 3);
    let honest_r: Encoding = core::array::from_fn(|i| signature[i]);
    let honest_s: [u8; 32] = core::array::from_fn(|i| signature[32 + i]);
    let no_points = no_points();
    let mut cases = vec![];
    for (i, no_point) in no_points.iter().enumerate() {
        for s in [honest_s, [0; 32], [0xff; 32]] {
            for r in [honest_r, p_plus(1), no_points[(i + 1) % no_points.len()]] {
                cases.push((*no_point, message.clone(), join(&r, &s)));
            }
            for key in [honest_key, small(1), p_plus(0)] {
                cases.push((key, message.clone(), join(no_point, &s)));
            }
        }
    }
    cases
}

fn damaged() -> Vec<Triple> {
    let (key, message, signature) = honest_one(2, 16);
    let whole = [&key[..], &signature, &message].concat();
    (0..8 * whole.len())
        .map(|bit| {
            let mut wrong = whole.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            let (key, rest) = wrong.split_at(32);
            let (signature, message) = rest.split_at(64);
            (
                key.try_into().expect("32 bytes"),
                message.to_vec(),
                signature.try_into().expect("64 bytes"),
            )
        })
        .collect()
}

/// S with its top three bits cleared in half of the cases, so that not all fail by it.
fn noise() -> Vec<Triple> {
    (0..256)
        .flat_map(|n| {
            let mut s = bytes("noise S", n);
            if n % 2 == 0 {
                s[31] &= 0x1f;
            }
            let (key, r) = (bytes("noise A", n), bytes("noise R", n));
            let [_, other] = both_signs(r);
            [(key, vec![n as u8], join(&r, &s)), (key, vec![n as u8], join(&other, &s))]
        })
        .collect()
}
