//! Each assembly routine answers as the big integers, as the portable tier, and as s2n-bignum's own.
//! Supports row C14 of `SOUNDNESS.md`.

#![cfg(rind_asm)]

mod model;
mod skip;
mod suite;

use model::*;
use rind25519::cpu::Tier;
use rind25519::internals::HaveAdx;
use rind25519::internals::vendor::{adx, alt, base};

/// The token, or a visible skip.
fn adx() -> Option<HaveAdx> {
    skip::tier(Tier::Adx, HaveAdx::get(), "bmi2 and adx")
}

/// `routine(inputs)`: one test for each form, of the check of that name in the suite.
macro_rules! both_forms {
    ($($routine:ident($($input:ident),*) $(-> $convert:ident)?)*) => { $(
        mod $routine {
            use super::*;
            #[test]
            fn adx_keeps_its_contract() {
                if adx().is_some() {
                    suite::$routine(|$($input),*| {
                        $($convert)?(adx::$routine(HaveAdx::get().unwrap(), $($input),*))
                    })
                    .unwrap();
                }
            }
            #[test]
            fn alt_keeps_its_contract() {
                suite::$routine(|$($input),*| $($convert)?(alt::$routine($($input),*))).unwrap();
            }
        }
    )* };
}

/// What decoding says, as the portable tier says it.
fn decoded((status, point): (u64, Affine)) -> Option<Affine> {
    (status == 0).then_some(point)
}

both_forms! {
    bignum_invsqrt_p25519(x)
    bignum_madd_n25519(x, y, c)
    bignum_mul_p25519(x, y)
    bignum_sqr_p25519(x)
    curve25519_x25519(scalar, point)
    curve25519_x25519base(scalar)
    edwards25519_decode(c) -> decoded
    edwards25519_decode_permissive(c) -> decoded
    edwards25519_scalarmulbase(scalar)
    edwards25519_scalarmuldouble_vartime(scalar, point, bscalar)
}

#[test]
fn bignum_inv_p25519_keeps_its_contract() {
    suite::bignum_inv_p25519(base::bignum_inv_p25519).unwrap();
}
#[test]
fn bignum_mod_n25519_keeps_its_contract() {
    suite::bignum_mod_n25519(base::bignum_mod_n25519).unwrap();
}
#[test]
fn bignum_mod_n25519_4_keeps_its_contract() {
    // The general routine's check, on the lengths that this one has.
    suite::bignum_mod_n25519(|x| match x.try_into() {
        Ok(four) => base::bignum_mod_n25519_4(four),
        Err(_) => base::bignum_mod_n25519(x),
    })
    .unwrap();
}
#[test]
fn edwards25519_encode_keeps_its_contract() {
    suite::edwards25519_encode(base::edwards25519_encode).unwrap();
}

/// s2n-bignum's own routines, as `aws-lc-sys` links them: written to the same contracts, by others.
/// Where the `adx` forms cannot run, the tests above say so, once each.
mod s2n {
    use super::*;
    use aws_lc_sys as _;
    use proptest::prelude::*;

    /// One row a routine: the inputs, with a strategy for each, and the output.
    macro_rules! agree {
        ($($routine:ident = $symbol:literal($($input:ident: $type:ty = $strategy:expr),+) -> $out:ty;)*) => {
            $(mod $routine {
                use super::*;
                unsafe extern "C" {
                    #[link_name = concat!("aws_lc_0_47_0_", $symbol)]
                    fn theirs(out: *mut $out, $($input: *const $type),+);
                }
                proptest! {
                    #![proptest_config(ProptestConfig::with_cases(256))]
                    #[test]
                    fn agrees_with_s2n_bignum($($input in $strategy),+) {
                        let mut want = [0; _];
                        // SAFETY: the arrays have the lengths of the contract (`vendor/README.md`), and
                        // the symbol is the form that any x86-64 CPU runs.
                        unsafe { theirs(&mut want, $(&$input),+) };
                        prop_assert_eq!(alt::$routine($(&$input),+), want);
                        if let Some(token) = HaveAdx::get() {
                            prop_assert_eq!(adx::$routine(token, $(&$input),+), want);
                        }
                    }
                }
            })*
        };
    }

    fn points() -> impl Strategy<Value = Affine> {
        proptest::sample::select(edge_points())
    }

    fn encodings() -> impl Strategy<Value = [u8; 32]> {
        prop_oneof![
            any_words().prop_map(|x| bytes(&x)),
            proptest::sample::select(suite::encodings()),
        ]
    }

    agree! {
        bignum_madd_n25519 = "bignum_madd_n25519_alt"(
            x: Words = any_words(), y: Words = any_words(), c: Words = any_words()) -> Words;
        curve25519_x25519 = "curve25519_x25519_alt"(
            scalar: Words = any_words(), point: Words = any_words()) -> Words;
        curve25519_x25519base = "curve25519_x25519base_alt"(scalar: Words = any_words()) -> Words;
        edwards25519_scalarmulbase = "edwards25519_scalarmulbase_alt"(
            scalar: Words = any_words()) -> Affine;
        edwards25519_scalarmuldouble_vartime = "edwards25519_scalarmuldouble_alt"(
            scalar: Words = any_words(), point: Affine = points(), bscalar: Words = any_words()) -> Affine;
    }

    // The three whose prototype is of another shape.
    unsafe extern "C" {
        #[link_name = "aws_lc_0_47_0_edwards25519_decode_alt"]
        fn decode(z: *mut Affine, c: *const [u8; 32]) -> u64;
        #[link_name = "aws_lc_0_47_0_edwards25519_encode"]
        fn encode(z: *mut [u8; 32], p: *const Affine);
        #[link_name = "aws_lc_0_47_0_bignum_mod_n25519"]
        fn mod_n25519(z: *mut Words, k: u64, x: *const u64);
    }
    proptest! {
        #[test]
        fn edwards25519_decode_agrees_with_s2n_bignum(c in encodings()) {
            let mut point = [0; 8];
            // SAFETY: as above.
            let status = unsafe { decode(&mut point, &c) };
            let want = decoded((status, point));
            prop_assert_eq!(decoded(alt::edwards25519_decode(&c)), want);
            if let Some(token) = HaveAdx::get() {
                prop_assert_eq!(decoded(adx::edwards25519_decode(token, &c)), want);
            }
        }
        #[test]
        fn edwards25519_encode_agrees_with_s2n_bignum(point in points()) {
            let mut want = [0; 32];
            // SAFETY: as above.
            unsafe { encode(&mut want, &point) };
            prop_assert_eq!(base::edwards25519_encode(&point), want);
        }
        #[test]
        fn bignum_mod_n25519_agrees_with_s2n_bignum(x in proptest::collection::vec(any::<u64>(), 0..12)) {
            let mut want = [0; 4];
            // SAFETY: as above; the routine reads `k` words.
            unsafe { mod_n25519(&mut want, x.len() as u64, x.as_ptr()) };
            prop_assert_eq!(base::bignum_mod_n25519(&x), want);
        }
    }
}

/// Planted faults: each check fails on a routine that is wrong in the way it is there to find.
mod faults {
    use super::*;

    #[test]
    fn product_off_by_p() {
        suite::bignum_mul_p25519(|x, y| {
            let z = alt::bignum_mul_p25519(x, y);
            if z[0] < 19 && z[1..] == [0; 3] { words(&(integer(&z) + p())) } else { z }
        })
        .unwrap_err();
    }

    #[test]
    fn inverse_of_zero_not_zero() {
        suite::bignum_inv_p25519(|x| {
            if integer(x) % p() == integer(&[0]) {
                [1, 0, 0, 0]
            } else {
                base::bignum_inv_p25519(x)
            }
        })
        .unwrap_err();
    }
}
