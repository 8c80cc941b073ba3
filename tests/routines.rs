//! Each assembly routine answers as the big integers, as the portable tier, and as s2n-bignum's own.
//! SOUNDNESS row: routines.

#![cfg(target_arch = "x86_64")]

mod model;
mod suite;

use model::*;
use rind25519::internals::HaveAdx;
use rind25519::internals::vendor::{adx, alt, base};

/// The token, or a visible skip; a machine that `RIND_REQUIRE_TIERS` says has the tier must have it.
fn adx() -> Option<HaveAdx> {
    let token = HaveAdx::get();
    if token.is_none() {
        let required = std::env::var("RIND_REQUIRE_TIERS").unwrap_or_default();
        assert!(!required.split(',').any(|tier| tier == "adx"), "adx is required, and not here");
        println!("skipped: no bmi2 and adx here");
    }
    token
}

/// `routine(inputs)`: one test for each form, of the check of that name in the suite.
macro_rules! both_forms {
    ($($routine:ident($($input:ident),*))*) => { $(
        mod $routine {
            use super::*;
            #[test]
            fn adx_keeps_its_contract() {
                if adx().is_some() {
                    suite::$routine(|$($input),*| {
                        adx::$routine(HaveAdx::get().unwrap(), $($input),*)
                    })
                    .unwrap();
                }
            }
            #[test]
            fn alt_keeps_its_contract() {
                suite::$routine(|$($input),*| alt::$routine($($input),*)).unwrap();
            }
        }
    )* };
}

both_forms! {
    bignum_mul_p25519(x, y)
    bignum_sqr_p25519(x)
    curve25519_x25519(scalar, point)
    curve25519_x25519base(scalar)
    edwards25519_scalarmulbase(scalar)
    edwards25519_scalarmuldouble_vartime(scalar, point, bscalar)
}

#[test]
fn bignum_inv_p25519_keeps_its_contract() {
    suite::bignum_inv_p25519(|x| base::bignum_inv_p25519(x)).unwrap();
}

/// s2n-bignum's own routines, as `aws-lc-sys` links them: written to the same contracts, by others.
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
                        // SAFETY: the arrays have the lengths of the contract (DESIGN.md section 4), and
                        // the symbol is the form that any x86-64 CPU runs.
                        unsafe { theirs(&mut want, $(&$input),+) };
                        prop_assert_eq!(alt::$routine($(&$input),+), want);
                        if let Some(token) = adx() {
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

    agree! {
        curve25519_x25519 = "curve25519_x25519_alt"(
            scalar: Words = any_words(), point: Words = any_words()) -> Words;
        curve25519_x25519base = "curve25519_x25519base_alt"(scalar: Words = any_words()) -> Words;
        edwards25519_scalarmulbase = "edwards25519_scalarmulbase_alt"(
            scalar: Words = any_words()) -> Affine;
        edwards25519_scalarmuldouble_vartime = "edwards25519_scalarmuldouble_alt"(
            scalar: Words = any_words(), point: Affine = points(), bscalar: Words = any_words()) -> Affine;
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
