//! The AVX2 tier answers as the portable one, leaves no upper halves in use, and is what runs where it
//! should; its algorithms do the same on emulated lanes, on any machine.
//! Supports row C20 of `SOUNDNESS.md`.

mod model;
mod skip;
mod suite;

use model::{Affine, Words, integer, l, words};
use rind25519::internals::lanes;

#[test]
fn emulated_lanes_keep_the_contract_of_triple() {
    suite::edwards25519_scalarmultriple_vartime(lanes::edwards25519_scalarmultriple_vartime)
        .unwrap();
}

/// Planted fault: the second scalar reduced mod L.
#[test]
fn second_scalar_reduced_mod_l_is_found() {
    suite::edwards25519_scalarmultriple_vartime(|scalars, points| {
        let [a, b, c] = *scalars;
        let reduced = words(&(integer(&b) % l()));
        lanes::edwards25519_scalarmultriple_vartime(&[a, reduced, c], points)
    })
    .unwrap_err();
}

#[test]
fn emulated_lanes_keep_the_contract() {
    suite::edwards25519_scalarmuldouble_vartime(lanes::edwards25519_scalarmuldouble_vartime)
        .unwrap();
}

/// What the ladder answers for edges and random inputs; emulation is too slow for the whole suite.
fn ladder_agrees_with_portable(ladder: fn(&Words, &Words) -> Words) -> Result<(), String> {
    use rind25519::internals::portable::curve25519_x25519;
    let edges = model::edge_scalars().into_iter().zip(model::edge_elements().into_iter().cycle());
    let random = suite::samples((suite::any_words(), suite::any_words()), 12);
    for (scalar, u) in edges.chain(random) {
        if ladder(&scalar, &u) != curve25519_x25519(&scalar, &u) {
            return Err(format!("{scalar:x?} {u:x?}"));
        }
    }
    Ok(())
}

#[test]
fn emulated_ladder_agrees_with_portable() {
    ladder_agrees_with_portable(lanes::curve25519_x25519).unwrap();
}

/// Planted fault: a scalar's bit 3, the lowest that counts, ignored.
#[test]
fn ignored_scalar_bit_is_found() {
    ladder_agrees_with_portable(|&[k0, k1, k2, k3], point| {
        lanes::curve25519_x25519(&[k0 & !8, k1, k2, k3], point)
    })
    .unwrap_err();
}

/// Planted fault: the scalar of P reduced mod L, which only a point with torsion can tell.
#[test]
fn scalar_reduced_mod_l_is_found() {
    suite::edwards25519_scalarmuldouble_vartime(
        |scalar: &Words, point: &Affine, bscalar: &Words| {
            let reduced = words(&(integer(scalar) % l()));
            lanes::edwards25519_scalarmuldouble_vartime(&reduced, point, bscalar)
        },
    )
    .unwrap_err();
}

/// Planted fault: a multiple of L too many, for one scalar only.
#[test]
fn scalar_off_by_l_is_found() {
    suite::edwards25519_scalarmuldouble_vartime(
        |scalar: &Words, point: &Affine, bscalar: &Words| {
            let one_more = words(&(l() + 1u8));
            let scalar = if *scalar == [1, 0, 0, 0] { &one_more } else { scalar };
            lanes::edwards25519_scalarmuldouble_vartime(scalar, point, bscalar)
        },
    )
    .unwrap_err();
}

#[cfg(rind_asm)]
mod vectors {
    use super::*;
    use model::edge_points;
    use proptest::prelude::*;
    use rind25519::cpu::Tier;
    use rind25519::internals::{HaveAvx2, avx2, portable, vendor::alt};
    use suite::any_words;

    /// The token, or a visible skip; a machine that `RIND_REQUIRE_TIERS` says has the tier must have it.
    fn have() -> Option<HaveAvx2> {
        skip::tier(Tier::Avx2, HaveAvx2::get(), "avx2, fma and bmi2")
    }

    #[test]
    fn avx2_keeps_the_contract() {
        if have().is_some() {
            suite::edwards25519_scalarmuldouble_vartime(|scalar, point, bscalar| {
                let token = HaveAvx2::get().unwrap();
                avx2::edwards25519_scalarmuldouble_vartime(token, scalar, point, bscalar)
            })
            .unwrap();
        }
    }

    #[test]
    fn avx2_keeps_the_contract_of_triple() {
        if have().is_some() {
            suite::edwards25519_scalarmultriple_vartime(|scalars, points| {
                let token = HaveAvx2::get().unwrap();
                avx2::edwards25519_scalarmultriple_vartime(token, scalars, points)
            })
            .unwrap();
        }
    }

    #[test]
    fn avx2_keeps_the_contract_of_x25519() {
        if have().is_some() {
            suite::curve25519_x25519(|scalar, point| {
                avx2::curve25519_x25519(HaveAvx2::get().unwrap(), scalar, point)
            })
            .unwrap();
        }
    }

    /// Points of order L, of small order, and of mixed order.
    fn points() -> impl Strategy<Value = Affine> {
        prop_oneof![
            proptest::sample::select(edge_points()),
            any_words().prop_map(|scalar| portable::edwards25519_scalarmulbase(&scalar)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn avx2_agrees_with_portable_and_alt(k in any_words(), a in points(), s in any_words()) {
            if let Some(token) = have() {
                let sum = avx2::edwards25519_scalarmuldouble_vartime(token, &k, &a, &s);
                prop_assert_eq!(sum, portable::edwards25519_scalarmuldouble_vartime(&k, &a, &s));
                prop_assert_eq!(sum, alt::edwards25519_scalarmuldouble_vartime(&k, &a, &s));
            }
        }
    }

    /// (X/Z, Y/Z).
    fn affine([x, y, z]: [Words; 3]) -> [Words; 2] {
        let inverse = portable::bignum_inv_p25519(&z);
        [x, y].map(|coordinate| portable::bignum_mul_p25519(&coordinate, &inverse))
    }

    /// Two points, related or not: Q = m·P, so that sums meet doubles, opposites and the neutral point; with
    /// P of mixed order, m = L ± 1 adds some torsion.
    fn pairs() -> impl Strategy<Value = (Affine, Affine)> {
        let one = num_bigint::BigUint::from(1u8);
        let factors = [l() - &one, l() + &one, l() * 8u8 - &one].map(|m| words(&m));
        let small = (1..8u64).map(|m| [m, 0, 0, 0]);
        let factors: Vec<Words> = factors.into_iter().chain(small).collect();
        let related = (points(), proptest::sample::select(factors)).prop_map(|(p, m)| {
            (p, portable::edwards25519_scalarmuldouble_vartime(&m, &p, &[0; 4]))
        });
        prop_oneof![(points(), points()), related]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn triple_of_avx2_agrees_with_portable_and_alt(
            scalars in [any_words(), any_words(), any_words()], same in any::<bool>(), (p, q) in pairs()
        ) {
            if let Some(token) = have() {
                let [a, b, c] = scalars;
                let (scalars, points) = ([a, if same { a } else { b }, c], [p, q]);
                let sum = avx2::edwards25519_scalarmultriple_vartime(token, &scalars, &points);
                let sum = affine(sum);
                let of_portable = portable::edwards25519_scalarmultriple_vartime(&scalars, &points);
                prop_assert_eq!(sum, affine(of_portable));
                let of_alt = alt::edwards25519_scalarmultriple_vartime(&scalars, &points);
                prop_assert_eq!(sum, affine(of_alt));
            }
        }
    }

    /// A coordinate that is not reduced is taken mod p, as in the portable tier.
    #[test]
    fn coordinates_from_p_up_are_taken_mod_p() {
        let Some(token) = have() else { return };
        let (k, s) = ([5, 6, 7, 8], [9, 10, 11, 12]);
        let identity = [0, 0, 0, 0, 1, 0, 0, 0];
        let p = model::words::<4>(&model::p());
        let [p0, p1, p2, p3] = p;
        let shifted = [p0, p1, p2, p3, p0 + 1, p1, p2, p3];
        assert_eq!(
            avx2::edwards25519_scalarmuldouble_vartime(token, &k, &shifted, &s),
            avx2::edwards25519_scalarmuldouble_vartime(token, &k, &identity, &s),
        );
    }

    /// Whether the upper halves of some vector register are in use, by XGETBV with ECX = 1.
    ///
    /// # Safety
    ///
    /// The CPU must have XGETBV, enabled, and CPUID.(0DH,1):EAX bit 2.
    #[target_feature(enable = "xsave")]
    unsafe fn upper_halves_in_use() -> bool {
        // SAFETY: as the caller promises.
        unsafe { core::arch::x86_64::_xgetbv(1) & 1 << 2 != 0 }
    }

    /// The same, right after ones were put into the upper half of a register.
    ///
    /// # Safety
    ///
    /// As above, and the CPU must have AVX2.
    #[target_feature(enable = "avx2,xsave")]
    unsafe fn upper_halves_in_use_after_ones() -> bool {
        let state: u32;
        // SAFETY: as the caller promises; the registers written are declared.
        unsafe {
            core::arch::asm!("vpcmpeqd ymm15, ymm15, ymm15", "xgetbv", inout("ecx") 1 => _,
                out("eax") state, out("edx") _, out("ymm15") _, options(nomem, nostack));
        }
        state & 1 << 2 != 0
    }

    /// The same, after an instruction that clears them. A CPU may say so, and need not (Intel SDM 1, 13.6).
    ///
    /// # Safety
    ///
    /// As above.
    #[target_feature(enable = "avx2,xsave")]
    unsafe fn upper_halves_in_use_after_clearing() -> bool {
        // SAFETY: as the caller promises; the instruction changes upper halves only.
        unsafe {
            core::arch::asm!("vzeroupper", options(nomem, nostack, preserves_flags));
            upper_halves_in_use()
        }
    }

    #[test]
    #[allow(unused_unsafe)] // `__cpuid_count` is unsafe up to Rust 1.93
    fn upper_halves_are_clear_on_return() {
        let Some(token) = have() else { return };
        // SAFETY: AVX2 is here, so leaf 0DH is.
        let xgetbv1 = unsafe { core::arch::x86_64::__cpuid_count(0xd, 1) }.eax >> 2 & 1 == 1;
        if !xgetbv1 {
            skip::skip("no xgetbv with ecx = 1 here");
            return;
        }
        // SAFETY: AVX2 is here and with it XGETBV, and CPUID has said that it takes ECX = 1.
        if unsafe { upper_halves_in_use_after_ones() && upper_halves_in_use_after_clearing() } {
            skip::skip("this CPU counts upper halves as in use once they were, cleared or not");
            return;
        }
        let p = portable::edwards25519_scalarmulbase(&[7, 0, 0, 0]);
        let routines: [(&str, &dyn Fn()); 5] = [
            ("scalarmuldouble", &|| {
                let sum = avx2::edwards25519_scalarmuldouble_vartime(token, &[3; 4], &p, &[5; 4]);
                std::hint::black_box(sum);
            }),
            ("scalarmultriple", &|| {
                let sum = avx2::edwards25519_scalarmultriple_vartime(token, &[[3; 4]; 3], &[p; 2]);
                std::hint::black_box(sum);
            }),
            ("x25519", &|| {
                std::hint::black_box(avx2::curve25519_x25519(token, &[3; 4], &[9, 0, 0, 0]));
            }),
            ("scalarmulbase", &|| {
                std::hint::black_box(avx2::edwards25519_scalarmulbase(token, &[3; 4]));
            }),
            ("x25519base", &|| {
                std::hint::black_box(avx2::curve25519_x25519base(token, &[3; 4]));
            }),
        ];
        for (name, routine) in routines {
            // SAFETY: AVX2 is here and with it XGETBV, and CPUID has said that it takes ECX = 1.
            let (dirty, after) = unsafe {
                let dirty = upper_halves_in_use_after_ones();
                routine();
                (dirty, upper_halves_in_use())
            };
            assert!(dirty, "the question itself: ones in an upper half must be seen");
            assert!(!after, "{name} leaves upper halves of vector registers in use");
        }
    }
}
