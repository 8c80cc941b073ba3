//! Each assembly routine answers as the big integers, as the portable tier, and as s2n-bignum's own.
//! Supports row C14 of `SOUNDNESS.md`.

#![cfg(rind_asm)]

mod model;
mod skip;
mod suite;

use model::*;
use rind25519::cpu::Tier;
use rind25519::internals::vendor::{adx, alt, avx2, base};
use rind25519::internals::{HaveAdx, HaveAvx2, HaveBmi2, door, portable};

/// The token, or a visible skip.
fn bmi2() -> Option<HaveBmi2> {
    skip::tier(Tier::Adx, HaveBmi2::get(), "bmi2")
}

/// `routine(inputs)`: one test for each form, of the check of that name in the suite.
macro_rules! both_forms {
    ($($routine:ident($($input:ident),*) $(-> $convert:ident)?)*) => { $(
        mod $routine {
            use super::*;
            #[test]
            fn adx_keeps_its_contract() {
                if bmi2().is_some() {
                    suite::$routine(|$($input),*| {
                        $($convert)?(adx::$routine(HaveBmi2::get().unwrap(), $($input),*))
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

/// The same of two, bit i of the status for point i; a point that is none is zeros.
fn decoded_pair((status, points): (u64, [Affine; 2])) -> [Option<Affine>; 2] {
    assert!(status < 4, "{status}");
    [0, 1].map(|i| {
        let bad = status >> i & 1 == 1;
        assert!(!bad || points[i] == Affine::default());
        (!bad).then_some(points[i])
    })
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
    edwards25519_decode_permissive_pair(c, e) -> decoded_pair
    edwards25519_scalarmulbase(scalar)
    edwards25519_scalarmuldouble_vartime(scalar, point, bscalar)
    edwards25519_scalarmultriple_vartime(scalars, points)
}

/// The token, or a visible skip.
fn have_avx2() -> Option<HaveAvx2> {
    skip::tier(Tier::Avx2, HaveAvx2::get(), "avx2, fma and bmi2")
}

#[test]
fn edwards25519_scalarmulbase_avx2_keeps_its_contract() {
    if have_avx2().is_some() {
        let routine =
            |scalar: &Words| avx2::edwards25519_scalarmulbase(HaveAvx2::get().unwrap(), scalar);
        suite::edwards25519_scalarmulbase(routine).unwrap();
    }
}

#[test]
fn curve25519_x25519base_avx2_keeps_its_contract() {
    if have_avx2().is_some() {
        let routine =
            |scalar: &Words| avx2::curve25519_x25519base(HaveAvx2::get().unwrap(), scalar);
        suite::curve25519_x25519base(routine).unwrap();
    }
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

/// s2n-bignum's own routines, in both of its forms, as `aws-lc-sys` links them on these systems: written to
/// the same contracts, by others. Where the `adx` forms cannot run, the tests above say so, once each.
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod s2n {
    use super::*;
    use aws_lc_sys as _;
    use proptest::prelude::*;

    /// Any 256 bits, of any density; each third one an edge of p, 2p, L, 8L, 2^255 or 2^256.
    fn any_words() -> impl Strategy<Value = Words> {
        prop_oneof![
            4 => suite::any_words(),
            1 => proptest::sample::select(edge_elements()),
            1 => proptest::sample::select(edge_scalars()),
        ]
    }

    /// One row a routine: the inputs, with a strategy for each, and the output.
    macro_rules! agree {
        ($($routine:ident = $symbol:literal($($input:ident: $type:ty = $strategy:expr),+) -> $out:ty;)*) => {
            $(mod $routine {
                use super::*;
                unsafe extern "C" {
                    #[link_name = concat!("aws_lc_0_47_0_", $symbol)]
                    fn theirs(out: *mut $out, $($input: *const $type),+);
                    #[link_name = concat!("aws_lc_0_47_0_", $symbol, "_alt")]
                    fn theirs_alt(out: *mut $out, $($input: *const $type),+);
                }
                proptest! {
                    #![proptest_config(ProptestConfig::with_cases(256))]
                    #[test]
                    fn agrees_with_s2n_bignum($($input in $strategy),+) {
                        let mut want = [0; _];
                        // SAFETY: the arrays have the lengths of the contract (`vendor/README.md`), and
                        // the symbol is the form that any x86-64 CPU runs.
                        unsafe { theirs_alt(&mut want, $(&$input),+) };
                        prop_assert_eq!(alt::$routine($(&$input),+), want);
                        if let Some(token) = HaveBmi2::get() {
                            prop_assert_eq!(adx::$routine(token, $(&$input),+), want);
                        }
                        if HaveAdx::get().is_some() {
                            let mut plain = [0; _];
                            // SAFETY: as above; the token proves what their form needs, BMI2 and ADX.
                            unsafe { theirs(&mut plain, $(&$input),+) };
                            prop_assert_eq!(plain, want);
                        }
                    }
                }
            })*
        };
    }

    /// The identity, other points of small order, of order L and of mixed order; and any of order L.
    fn points() -> impl Strategy<Value = Affine> {
        prop_oneof![
            proptest::sample::select(edge_points()),
            suite::any_words().prop_map(|x| portable::edwards25519_scalarmulbase(&x)),
        ]
    }

    fn encodings() -> impl Strategy<Value = [u8; 32]> {
        prop_oneof![
            any_words().prop_map(|x| bytes(&x)),
            proptest::sample::select(suite::encodings()),
        ]
    }

    agree! {
        bignum_madd_n25519 = "bignum_madd_n25519"(
            x: Words = any_words(), y: Words = any_words(), c: Words = any_words()) -> Words;
        curve25519_x25519 = "curve25519_x25519"(
            scalar: Words = any_words(), point: Words = any_words()) -> Words;
        curve25519_x25519base = "curve25519_x25519base"(scalar: Words = any_words()) -> Words;
        edwards25519_scalarmulbase = "edwards25519_scalarmulbase"(
            scalar: Words = any_words()) -> Affine;
        edwards25519_scalarmuldouble_vartime = "edwards25519_scalarmuldouble"(
            scalar: Words = any_words(), point: Affine = points(), bscalar: Words = any_words()) -> Affine;
    }

    // Those that have one form, or a prototype of another shape.
    unsafe extern "C" {
        #[link_name = "aws_lc_0_47_0_edwards25519_decode_alt"]
        fn decode_alt(z: *mut Affine, c: *const [u8; 32]) -> u64;
        #[link_name = "aws_lc_0_47_0_edwards25519_decode"]
        fn decode(z: *mut Affine, c: *const [u8; 32]) -> u64;
        #[link_name = "aws_lc_0_47_0_edwards25519_encode"]
        fn encode(z: *mut [u8; 32], p: *const Affine);
        #[link_name = "aws_lc_0_47_0_bignum_neg_p25519"]
        fn neg_p25519(z: *mut Words, x: *const Words);
        #[link_name = "aws_lc_0_47_0_bignum_mod_n25519"]
        fn mod_n25519(z: *mut Words, k: u64, x: *const u64);
    }
    proptest! {
        #[test]
        fn edwards25519_decode_agrees_with_s2n_bignum(c in encodings()) {
            let mut point = [0; 8];
            // SAFETY: as above.
            let status = unsafe { decode_alt(&mut point, &c) };
            let want = decoded((status, point));
            prop_assert_eq!(decoded(alt::edwards25519_decode(&c)), want);
            if let Some(token) = HaveBmi2::get() {
                prop_assert_eq!(decoded(adx::edwards25519_decode(token, &c)), want);
            }
            if HaveAdx::get().is_some() {
                // SAFETY: as above, with the token.
                let status = unsafe { decode(&mut point, &c) };
                prop_assert_eq!(decoded((status, point)), want);
            }
        }
        #[test]
        fn edwards25519_encode_agrees_with_s2n_bignum(point in points()) {
            let mut want = [0; 32];
            // SAFETY: as above.
            unsafe { encode(&mut want, &point) };
            prop_assert_eq!(base::edwards25519_encode(&point), want);
        }
        /// Portable on every tier; its inputs are reduced.
        #[test]
        fn bignum_neg_p25519_agrees_with_s2n_bignum(x in any_words()) {
            let x: Words = words(&(integer(&x) % p()));
            let mut want = [0; 4];
            // SAFETY: as above.
            unsafe { neg_p25519(&mut want, &x) };
            prop_assert_eq!(door::bignum_neg_p25519(&x), want);
        }
        #[test]
        fn bignum_mod_n25519_agrees_with_s2n_bignum(
            x in proptest::collection::vec(any_words(), 0..4), cut in 0..4_usize
        ) {
            let x = x.concat();
            let x = &x[..x.len().saturating_sub(cut)];
            let mut want = [0; 4];
            // SAFETY: as above; the routine reads `k` words.
            unsafe { mod_n25519(&mut want, x.len() as u64, x.as_ptr()) };
            prop_assert_eq!(base::bignum_mod_n25519(x), want);
        }
    }
}

/// Planted faults: each check fails on a routine that is wrong in the way it is there to find.
mod faults {
    use super::*;
    use num_bigint::BigUint;

    /// z + modulus, where that still fits: the right residue, not reduced.
    fn not_reduced(z: Words, modulus: BigUint) -> Words {
        let sum = integer(&z) + modulus;
        if sum.bits() <= 256 { words(&sum) } else { z }
    }

    /// The lowest bit of word `I` the other way.
    fn wrong_word<const I: usize, const N: usize>(mut z: [u64; N]) -> [u64; N] {
        z[I] ^= 1;
        z
    }

    /// An input that random ones do not meet.
    fn is_rare(x: &[u64]) -> bool {
        !x.is_empty() && x.iter().all(|&word| word == u64::MAX)
    }

    /// For each routine, one word wrong for one rare input, and a result that is not reduced.
    macro_rules! found {
        ($($routine:ident($rare:ident $(, $input:ident)*), mod $modulus:ident, from $form:ident;)*) => { $(
            mod $routine {
                use super::*;
                #[test]
                fn wrong_word_for_a_rare_input_is_found() {
                    let first = suite::$routine(|$rare $(, $input)*| {
                        let z = $form::$routine($rare $(, $input)*);
                        if is_rare($rare) { wrong_word::<0, _>(z) } else { z }
                    });
                    let last = suite::$routine(|$rare $(, $input)*| {
                        let z = $form::$routine($rare $(, $input)*);
                        if is_rare($rare) { wrong_word::<3, _>(z) } else { z }
                    });
                    for error in [first, last] {
                        let error = error.unwrap_err();
                        assert!(error.contains("ffffffffffffffff"), "{error}");
                    }
                }
                #[test]
                fn result_that_is_not_reduced_is_found() {
                    suite::$routine(|$rare $(, $input)*| {
                        let mut z = $form::$routine($rare $(, $input)*);
                        let low: Words = z[..4].try_into().unwrap();
                        z[..4].copy_from_slice(&not_reduced(low, $modulus()));
                        z
                    })
                    .unwrap_err();
                }
            }
        )* };
    }
    found! {
        bignum_inv_p25519(x), mod p, from base;
        bignum_madd_n25519(x, y, c), mod l, from alt;
        bignum_mod_n25519(x), mod l, from base;
        bignum_mul_p25519(x, y), mod p, from alt;
        bignum_sqr_p25519(x), mod p, from alt;
        curve25519_x25519(scalar, point), mod p, from alt;
        curve25519_x25519base(scalar), mod p, from alt;
        edwards25519_scalarmulbase(scalar), mod p, from alt;
        edwards25519_scalarmuldouble_vartime(scalar, point, bscalar), mod p, from alt;
    }

    /// Only the smallest products have a second form below 2^255, which a mask of bit 255 lets through.
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

    #[test]
    fn other_root_wrong_symbol_or_root_that_is_not_reduced() {
        use suite::bignum_invsqrt_p25519 as check;
        let right = alt::bignum_invsqrt_p25519;
        check(right).unwrap();
        check(|x| {
            let (symbol, z) = alt::bignum_invsqrt_p25519(x);
            (symbol, words(&((p() - integer(&z)) % p())))
        })
        .unwrap_err();
        check(|x| {
            let (symbol, z) = alt::bignum_invsqrt_p25519(x);
            (symbol.abs(), z)
        })
        .unwrap_err();
        check(|x| {
            let (symbol, z) = alt::bignum_invsqrt_p25519(x);
            (symbol, not_reduced(z, p()))
        })
        .unwrap_err();
    }

    #[test]
    fn point_accepted_refused_or_not_reduced() {
        let right = |c: &[u8; 32]| decoded(alt::edwards25519_decode(c));
        suite::edwards25519_decode(right).unwrap();
        // Each rule where the other one is asked for, and a coordinate of p in place of 0.
        suite::edwards25519_decode(|c| decoded(alt::edwards25519_decode_permissive(c)))
            .unwrap_err();
        suite::edwards25519_decode_permissive(|c| decoded(alt::edwards25519_decode(c)))
            .unwrap_err();
        suite::edwards25519_decode(|c| {
            let mut point = decoded(alt::edwards25519_decode(c))?;
            if point[..4] == [0; 4] {
                point[..4].copy_from_slice(&words::<4>(&p()));
            }
            Some(point)
        })
        .unwrap_err();
    }

    #[test]
    fn sign_bit_left_out() {
        suite::edwards25519_encode(|point| {
            let mut c = base::edwards25519_encode(point);
            c[31] &= 0x7f;
            c
        })
        .unwrap_err();
    }
}
