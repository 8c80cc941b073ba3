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
    edwards25519_scalarmuldouble_vartime(scalar, point, bscalar)
}

#[test]
fn bignum_inv_p25519_keeps_its_contract() {
    suite::bignum_inv_p25519(|x| base::bignum_inv_p25519(x)).unwrap();
}

/// s2n-bignum's own routines, as `aws-lc-sys` links them. They were written to the same contracts.
mod s2n {
    use super::*;
    use aws_lc_sys as _;
    use proptest::prelude::*;

    unsafe extern "C" {
        #[link_name = "aws_lc_0_47_0_edwards25519_scalarmuldouble_alt"]
        fn scalarmuldouble(
            res: *mut Affine,
            scalar: *const Words,
            point: *const Affine,
            bscalar: *const Words,
        );
        #[link_name = "aws_lc_0_47_0_curve25519_x25519_alt"]
        fn x25519(res: *mut Words, scalar: *const Words, point: *const Words);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn curve25519_x25519_agrees(scalar in any_words(), point in any_words()) {
            let mut theirs = [0; 4];
            // SAFETY: the arrays have the lengths of the routine's contract (DESIGN.md section 4).
            unsafe { x25519(&mut theirs, &scalar, &point) };
            prop_assert_eq!(alt::curve25519_x25519(&scalar, &point), theirs);
            if let Some(token) = adx() {
                prop_assert_eq!(adx::curve25519_x25519(token, &scalar, &point), theirs);
            }
        }

        #[test]
        fn edwards25519_scalarmuldouble_agrees(
            scalar in any_words(), bscalar in any_words(), i in 0..edge_points().len(),
        ) {
            let point = edge_points()[i];
            let mut theirs = [0; 8];
            // SAFETY: the arrays have the lengths of the routine's contract (DESIGN.md section 4).
            unsafe { scalarmuldouble(&mut theirs, &scalar, &point, &bscalar) };
            prop_assert_eq!(alt::edwards25519_scalarmuldouble_vartime(&scalar, &point, &bscalar), theirs);
            if let Some(token) = adx() {
                let ours = adx::edwards25519_scalarmuldouble_vartime(token, &scalar, &point, &bscalar);
                prop_assert_eq!(ours, theirs);
            }
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
