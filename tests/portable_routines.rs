//! Each routine of the portable tier keeps its contract, which is what every other tier is held to.

mod model;
mod suite;

use model::*;
use rind25519::internals::portable;

macro_rules! keeps_its_contract {
    ($($routine:ident)*) => { $(
        #[test]
        fn $routine() {
            suite::$routine(portable::$routine).unwrap();
        }
    )* };
}

keeps_its_contract! {
    bignum_mul_p25519
    bignum_sqr_p25519
    bignum_neg_p25519
    bignum_inv_p25519
    bignum_invsqrt_p25519
    bignum_mod_n25519
    bignum_madd_n25519
    edwards25519_decode
    edwards25519_decode_permissive
    edwards25519_decode_permissive_pair
    edwards25519_encode
    edwards25519_scalarmulbase
    edwards25519_scalarmuldouble_vartime
    edwards25519_scalarmultriple_vartime
    curve25519_x25519
    curve25519_x25519base
}

/// Planted faults: each check fails on a routine that is wrong in the way it is there to find.
mod faults {
    use super::*;

    /// A result that is congruent, and not canonical where that is possible.
    fn unreduced(z: Words) -> Words {
        if integer(&z) < 18u8.into() { words(&(integer(&z) + p())) } else { z }
    }

    #[test]
    fn result_not_canonical() {
        suite::bignum_mul_p25519(|x, y| unreduced(portable::bignum_mul_p25519(x, y))).unwrap_err();
        suite::bignum_sqr_p25519(|x| unreduced(portable::bignum_sqr_p25519(x))).unwrap_err();
        suite::bignum_neg_p25519(|x| unreduced(portable::bignum_neg_p25519(x))).unwrap_err();
        suite::bignum_inv_p25519(|x| unreduced(portable::bignum_inv_p25519(x))).unwrap_err();
        suite::curve25519_x25519(|k, u| unreduced(portable::curve25519_x25519(k, u))).unwrap_err();
    }

    fn cut([a, b, c, d]: &Words) -> Words {
        [*a, *b, *c, d & (u64::MAX >> 1)]
    }

    #[test]
    fn bit_255_dropped() {
        suite::bignum_mul_p25519(|x, y| portable::bignum_mul_p25519(&cut(x), y)).unwrap_err();
        suite::bignum_inv_p25519(|x| portable::bignum_inv_p25519(&cut(x))).unwrap_err();
        suite::bignum_invsqrt_p25519(|x| portable::bignum_invsqrt_p25519(&cut(x))).unwrap_err();
    }

    #[test]
    fn root_of_the_other_parity() {
        suite::bignum_invsqrt_p25519(|x| {
            let (symbol, z) = portable::bignum_invsqrt_p25519(x);
            (symbol, portable::bignum_neg_p25519(&z))
        })
        .unwrap_err();
    }

    #[test]
    fn point_not_masked() {
        suite::curve25519_x25519(|scalar, point| {
            // Bit 255 counted, which is worth 19.
            let point = words(&(integer(point) % p()));
            portable::curve25519_x25519(scalar, &point)
        })
        .unwrap_err();
    }

    #[test]
    fn scalar_of_a_mixed_order_point_reduced_mod_l() {
        suite::edwards25519_scalarmuldouble_vartime(|scalar, point, bscalar| {
            let reduced = portable::bignum_mod_n25519(scalar);
            portable::edwards25519_scalarmuldouble_vartime(&reduced, point, bscalar)
        })
        .unwrap_err();
    }

    /// Both scalars of input points reduced mod L, the upper half of the base point's lost, coordinates
    /// of another point of the same x.
    #[test]
    fn triple_sum_that_is_wrong() {
        use portable::{
            bignum_mod_n25519 as reduced, edwards25519_scalarmultriple_vartime as triple,
        };
        let check = suite::edwards25519_scalarmultriple_vartime;
        check(|[a, r, b], points| triple(&[reduced(a), *r, *b], points)).unwrap_err();
        check(|[a, r, b], points| triple(&[*a, reduced(r), *b], points)).unwrap_err();
        // The base point has order L.
        check(|[a, r, b], points| triple(&[*a, *r, reduced(b)], points)).unwrap();
        check(|[a, r, b], points| triple(&[*a, *r, [b[0], b[1], 0, b[3]]], points)).unwrap_err();
        check(|scalars, points| {
            let [x, y, z] = triple(scalars, points);
            [x, portable::bignum_neg_p25519(&y), z]
        })
        .unwrap_err();
    }

    #[test]
    fn scalar_cut_to_255_bits() {
        suite::edwards25519_scalarmulbase(|scalar| {
            portable::edwards25519_scalarmulbase(&cut(scalar))
        })
        .unwrap_err();
        suite::edwards25519_scalarmuldouble_vartime(|scalar, point, bscalar| {
            portable::edwards25519_scalarmuldouble_vartime(&cut(scalar), point, bscalar)
        })
        .unwrap_err();
    }

    #[test]
    fn coordinate_with_bit_255() {
        suite::curve25519_x25519(|scalar, [a, b, c, d]| {
            let reduced = words(&(integer(&[*a, *b, *c, *d]) % p()));
            portable::curve25519_x25519(scalar, &reduced)
        })
        .unwrap_err();
    }

    #[test]
    fn scalar_not_clamped() {
        suite::curve25519_x25519base(|scalar| {
            let [_, _, _, _, y @ ..] = portable::edwards25519_scalarmulbase(scalar);
            let (y, p) = (integer(&y), p());
            words(&((1u8 + &y) * inverse(&(1u8 + &p - &y)) % p))
        })
        .unwrap_err();
    }

    #[test]
    fn decoding_under_the_other_rule() {
        suite::edwards25519_decode(portable::edwards25519_decode_permissive).unwrap_err();
        suite::edwards25519_decode_permissive(portable::edwards25519_decode).unwrap_err();
        suite::edwards25519_decode_permissive_pair(|c, e| {
            [portable::edwards25519_decode_permissive(c), portable::edwards25519_decode(e)]
        })
        .unwrap_err();
    }

    #[test]
    fn the_second_of_a_pair_decoded_like_the_first() {
        suite::edwards25519_decode_permissive_pair(|c, _| {
            [portable::edwards25519_decode_permissive(c); 2]
        })
        .unwrap_err();
    }

    #[test]
    fn encoding_without_the_sign() {
        suite::edwards25519_encode(|point| {
            let mut c = portable::edwards25519_encode(point);
            c[31] &= 0x7f;
            c
        })
        .unwrap_err();
    }

    #[test]
    fn remainder_not_below_l() {
        suite::bignum_mod_n25519(|x| match *x {
            [a, b, c, d] if d < 1 << 61 => [a, b, c, d],
            _ => portable::bignum_mod_n25519(x),
        })
        .unwrap_err();
    }

    #[test]
    fn sum_that_loses_a_carry() {
        suite::bignum_madd_n25519(|x, y, c| {
            let product = portable::bignum_madd_n25519(x, y, &[0; 4]);
            portable::bignum_mod_n25519(&[0, 1, 2, 3].map(|i| product[i].wrapping_add(c[i])))
        })
        .unwrap_err();
    }
}
