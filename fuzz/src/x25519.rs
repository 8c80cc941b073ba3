//! X25519: every form gives the portable answer, the interface gives it too, and refuses it exactly where it
//! is zero, which is where the point has small order.

use crate::input::{AS_IT_COMES, Input, edges, noise};
use crate::model::{Words, bytes, integer, inverse, p, two_to};
use crate::planted;
use crate::points::torsion;
use num_bigint::BigUint;
use rind25519::internals::vendor::{adx, alt, avx2 as avx2_base};
use rind25519::internals::{HaveAvx2, HaveBmi2, avx2, door, portable};
use rind25519::x25519::{PublicKey, StaticSecret};
use std::sync::LazyLock;

const NINE: Words = [9, 0, 0, 0];

/// Where the planted oracle is wrong: u next to p, under a scalar that is an edge as well.
fn is_rare(scalar: &Words, u: &Words) -> bool {
    let beyond = integer(u) + 2u8;
    edges().contains(scalar) && beyond >= p() && beyond < p() + 4u8
}

pub fn check(data: &[u8]) {
    let mut input = Input::new(data);
    let (u, scalar) = (input.element(), input.element());
    let mut want = portable::curve25519_x25519(&scalar, &u);
    if planted() && is_rare(&scalar, &u) {
        want[0] ^= 1;
    }
    let said = |form: &str| format!("{form}: scalar {scalar:x?}, u {u:x?}");
    assert_eq!(want == [0; 4], is_low_order(&u), "{}", said("low order"));
    assert_eq!(door::curve25519_x25519(&scalar, &u), want, "{}", said("door"));
    assert_eq!(alt::curve25519_x25519(&scalar, &u), want, "{}", said("alt"));
    if let Some(have) = HaveBmi2::get() {
        assert_eq!(adx::curve25519_x25519(have, &scalar, &u), want, "{}", said("adx"));
    }
    if let Some(have) = HaveAvx2::get() {
        assert_eq!(avx2::curve25519_x25519(have, &scalar, &u), want, "{}", said("avx2"));
    }

    // The base point's routines against the general one.
    let public = portable::curve25519_x25519(&scalar, &NINE);
    assert_eq!(portable::curve25519_x25519base(&scalar), public, "{}", said("base, portable"));
    assert_eq!(door::curve25519_x25519base(&scalar), public, "{}", said("base, door"));
    assert_eq!(alt::curve25519_x25519base(&scalar), public, "{}", said("base, alt"));
    if let Some(have) = HaveBmi2::get() {
        assert_eq!(adx::curve25519_x25519base(have, &scalar), public, "{}", said("base, adx"));
    }
    if let Some(have) = HaveAvx2::get() {
        let got = avx2_base::curve25519_x25519base(have, &scalar);
        assert_eq!(got, public, "{}", said("base, avx2"));
    }

    let secret = StaticSecret::from(bytes(&scalar));
    assert_eq!(PublicKey::from(&secret).to_bytes(), bytes(&public), "{}", said("public key"));
    match secret.diffie_hellman(&PublicKey::from(bytes(&u))) {
        Ok(shared) => {
            assert_ne!(want, [0; 4], "{}", said("zero shared"));
            assert_eq!(shared.to_bytes(), bytes(&want), "{}", said("shared"));
        }
        Err(_) => assert_eq!(want, [0; 4], "{}", said("refused")),
    }
}

/// Whether 8 times the point, of the curve or of its twist, is neutral. Every clamped scalar is a multiple of 8,
/// from 2^254 on, and below 8 times either large prime order, so that it takes no other point there.
fn is_low_order(u: &Words) -> bool {
    static LOW: LazyLock<Vec<BigUint>> = LazyLock::new(low_order);
    LOW.contains(&(integer(u) % two_to(255) % p()))
}

/// u of the points of small order: (1 + y)/(1 − y) on the curve; 0 and −1 on its twist. (Doubling takes u = ±1 to
/// 0, and of A ± 2, which v² is there up to sign, A − 2 is no square.)
fn low_order() -> Vec<BigUint> {
    let mut low = vec![BigUint::ZERO, p() - 1u8];
    for n in 1..8 {
        let y = integer(&torsion(n)[4..]);
        let u = (1u8 + &y) * inverse(&(p() + 1u8 - &y)) % p();
        if !low.contains(&u) {
            low.push(u);
        }
    }
    assert_eq!(low.len(), 5);
    low
}

pub fn seeds() -> Vec<Vec<u8>> {
    let seed = |u_tag: u8, u: [u8; 32], tag: u8, scalar: [u8; 32]| {
        [&[u_tag][..], &u, &[tag], &scalar].concat()
    };
    let mut seeds = Vec::new();
    let tags = 0..edges().len() as u8;
    for tag in tags.clone() {
        let n = usize::from(tag);
        seeds.push(seed(tag, [0; 32], AS_IT_COMES, noise("scalar", n)));
        seeds.push(seed(AS_IT_COMES, noise("u", n), tag, [0; 32]));
    }
    // Points of small order, reduced and not, with the top bit and without.
    for u in low_order() {
        for u in [u.clone(), u + p()] {
            for top in [BigUint::ZERO, two_to(255)] {
                let u = &u + top;
                if u.bits() <= 256 {
                    let u = bytes(&crate::model::words(&u));
                    seeds.push(seed(AS_IT_COMES, u, AS_IT_COMES, noise("scalar", 0)));
                }
            }
        }
    }
    // RFC 7748, section 5.2.
    let rfc = [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        ),
    ];
    for (scalar, u) in rfc {
        seeds.push(seed(AS_IT_COMES, hex(u), AS_IT_COMES, hex(scalar)));
    }
    seeds
}

fn hex(digits: &str) -> [u8; 32] {
    std::array::from_fn(|i| u8::from_str_radix(&digits[2 * i..][..2], 16).expect("hexadecimal"))
}
