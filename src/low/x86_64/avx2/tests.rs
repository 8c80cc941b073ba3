//! Each method of the vectors does what it does on plain arrays.

use super::*;
use crate::low::lanes::{Emu, order};

/// The token, or a visible skip; where `RIND_REQUIRE_TIERS` lists the tier there must be one.
pub fn have_or_skip() -> Option<HaveAvx2> {
    let have = HaveAvx2::get();
    if have.is_none() {
        let required = std::env::var("RIND_REQUIRE_TIERS").unwrap_or_default();
        assert!(!required.split(',').any(|tier| tier == "avx2"), "avx2 is required, not here");
        // Not `println!`, which the harness swallows.
        let line = b"skipped: no avx2, fma and bmi2 here (field and vectors)\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).expect("standard error");
    }
    have
}

/// Integers of up to 42 bits, either sign, that differ in every lane; and zeros.
fn inputs() -> impl Iterator<Item = [f64; 4]> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let random = core::iter::from_fn(move || {
        Some(core::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state as i64) >> (21 + state % 40)) as f64
        }))
    });
    let fixed = [[0.0; 4], [1.0, 2.0, 3.0, 4.0], [-1.0, 0.0, 4398046511103.0, -4398046511104.0]];
    fixed.into_iter().chain(random.take(500))
}

#[test]
fn methods_match_emulated_lanes() {
    let Some(have) = have_or_skip() else { return };
    let magnet = 1.5 * (1u64 << 52) as f64 * (1u64 << 43) as f64;
    for (a, b) in inputs().zip(inputs().skip(7)) {
        let (x, y) = (X4::load(have, &a), X4::load(have, &b));
        let (u, v) = (<Emu<4> as Lanes>::load((), &a), <Emu<4> as Lanes>::load((), &b));
        macro_rules! same {
            ($($x:ident $y:ident => $value:expr;)*) => { $({
                let vectors = { let ($x, $y) = (x, y); let _ = $y; $value };
                let arrays = { let ($x, $y) = (u, v); let _ = $y; $value };
                assert_eq!(vectors.store(), arrays.store(), concat!(stringify!($value), " {:?} {:?}"), a, b);
            })* };
        }
        same! {
            x y => x.add(y);
            x y => x.sub(y);
            x y => x.mul(x.splat(19.0));
            x y => x.mul_add(x.splat(-2.0), y);
            x y => x.mul_add_rounded(y, x.splat(magnet));
            x y => x.mul_add(y, x.splat(magnet).sub(x.mul_add_rounded(y, x.splat(magnet))));
            x y => x.sub_rounded(x.splat(magnet / (1u64 << 43) as f64 * 8.0));
            x y => x.add(x.splat(1.5 * (1u64 << 52) as f64)).floor(42);
            x y => x.add(x.splat(1.5 * (1u64 << 52) as f64)).floor(43).join((1 << 42) + 1536);
            x y => x.swap_neighbours();
            x y => x.vector(&b).add(x.splat(a[1]));
            x y => x.negate_if(false);
            x y => x.negate_if(true);
        }
    }
}

/// Every order that points and ladder use, and some that they do not; every blend; both choices.
#[test]
fn permutations_match_emulated_lanes() {
    let Some(have) = have_or_skip() else { return };
    let doubles = [10.0, 11.0, 12.0, 13.0];
    let (x, u) = (X4::load(have, &doubles), <Emu<4> as Lanes>::load((), &doubles));
    macro_rules! orders {
        ($($a:literal $b:literal $c:literal $d:literal;)*) => { $({
            let want = [$a, $b, $c, $d].map(|lane: usize| doubles[lane]);
            assert_eq!(x.permute::<{ order($a, $b, $c, $d) }>().store(), want);
            assert_eq!(u.permute::<{ order($a, $b, $c, $d) }>().store(), want);
        })* };
    }
    orders! {
        0 0 0 0; 2 2 2 2; 3 3 3 3; 1 0 2 3; 3 1 0 1; 0 2 2 3; 0 1 0 1; 1 2 1 2; 0 3 3 0; 2 0 3 2; 3 2 0 1;
        0 1 2 3; 3 2 1 0; 1 2 3 0; 2 3 0 1; 1 0 3 2; 0 2 1 3;
    }
    for lanes in [x.store(), u.store()] {
        assert_eq!(lanes, doubles);
    }
    let others = [20.0, 21.0, 22.0, 23.0];
    let (y, v) = (X4::load(have, &others), <Emu<4> as Lanes>::load((), &others));
    macro_rules! blends {
        ($($lanes:literal)*) => { $({
            let of = |i: usize| if $lanes >> i & 1 == 1 { others[i] } else { doubles[i] };
            assert_eq!(x.blend::<$lanes>(y).store(), [0, 1, 2, 3].map(of));
            assert_eq!(u.blend::<$lanes>(v).store(), [0, 1, 2, 3].map(of));
        })* };
    }
    blends! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
    for (choice, want) in [(0, [20.0, 21.0, 12.0, 13.0]), (1, others)] {
        assert_eq!(x.choose_upper(y, choice).store(), want);
        assert_eq!(u.choose_upper(v, choice).store(), want);
    }
    assert_eq!(x.swap_neighbours().store(), [11.0, 10.0, 13.0, 12.0]);
    assert_eq!(x.negate_if(true).store(), [10.0, -11.0, 13.0, 12.0]);
    assert_eq!(x.negate_if(false).store(), doubles);
}

/// Toward −∞, +∞ and zero; rounding that traps; and what the system starts a thread with.
#[test]
fn other_rounding_is_seen() {
    for rounding in 1..4 {
        assert!(!rounds_to_nearest(0x1f80 | rounding << 13));
    }
    assert!(!rounds_to_nearest(0x1f80 & !(1 << 12)));
    assert!(rounds_to_nearest(0x1f80) && rounds_to_nearest(0x9fff));
    assert!(rounds_to_nearest(mxcsr()));
}
