//! Each method of the vectors does what it does on plain arrays.

use super::*;
use crate::low::lanes::{Emu, order};

/// Words that differ in every lane and half, and at the ends of what the methods take.
fn inputs() -> impl Iterator<Item = [u64; 4]> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let random = core::iter::from_fn(move || {
        Some(core::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Halves within ±2^29, so that no sum and no double leaves its half.
            state & 0x1fff_ffff_1fff_ffff ^ if state >> 63 == 1 { 0xe000_0000_e000_0000 } else { 0 }
        }))
    });
    let fixed = [[0; 4], [1, 2, 3, 4], [u64::MAX, 0, 1 << 32, 0xffff_ffff], [5 << 32 | 6; 4]];
    fixed.into_iter().chain(random.take(500))
}

#[test]
fn methods_match_emulated_lanes() {
    let Some(have) = HaveAvx2::get() else {
        std::println!("skipped: no avx2 here");
        return;
    };
    for (a, b) in inputs().zip(inputs().skip(7)) {
        let (x, y) = (X4::load(have, &a), X4::load(have, &b));
        let (u, v) = (<Emu<4> as Lanes>::load((), &a), <Emu<4> as Lanes>::load((), &b));
        macro_rules! same {
            ($($method:ident$(::<$k:literal>)?($($argument:expr),*) ;)*) => { $({
                // `x` and `y` of each kind in turn.
                let of_vectors = {
                    let (x, y) = (x, y);
                    let _ = y;
                    same!(@ x y $method$(::<$k>)?($($argument),*))
                };
                let of_arrays = {
                    let (x, y) = (u, v);
                    let _ = y;
                    same!(@ x y $method$(::<$k>)?($($argument),*))
                };
                assert_eq!(of_vectors, of_arrays, concat!(stringify!($method), " {:x?} {:x?}"), a, b);
            })* };
            (@ $x:ident $y:ident $method:ident$(::<$k:literal>)?($($argument:expr),*)) => {
                $x.$method$(::<$k>)?($($argument($x, $y)),*).store()
            };
        }
        fn second<T>(_: T, y: T) -> T {
            y
        }
        fn first<T>(x: T, _: T) -> T {
            x
        }
        fn bits<T: Lanes>(x: T, _: T) -> T {
            x.shr::<8>().shl::<8>()
        }
        same! {
            mul_low(second); mul_low(first); and(second); add_halves(second); sub_halves(second);
            join(second); join(first); and(bits);
            shr::<25>(); shr::<26>(); shr::<32>(); shl::<32>(); shl::<7>();
            third_from_fourth(); swap_neighbours(); double_second(); signed(second); signed(first);
        }
        assert_eq!(x.splat(a[1]).store(), u.splat(a[1]).store());
        assert_eq!(x.vector(&b).store(), b);
        // Columns: unsigned, with room for a product of either sign.
        let column = a.map(|word| (word >> 4) + (1 << 61));
        let (c, d) = (X4::load(have, &column), <Emu<4> as Lanes>::load((), &column));
        assert_eq!(c.add(c).store(), d.add(d).store());
        assert_eq!(c.add(y.shr::<4>()).store(), d.add(v.shr::<4>()).store());
        assert_eq!(c.add_product(x, y).store(), d.add_product(u, v).store());
        let (c, d) = (x.shr::<32>(), u.shr::<32>());
        assert_eq!(c.mul_low_unsigned(19).store(), d.mul_low_unsigned(19).store());
        for negative in [false, true] {
            assert_eq!(x.negate_if(negative).store(), u.negate_if(negative).store());
        }
    }
}

/// Every order that the points use, and some that they do not.
#[test]
fn permutations_match_emulated_lanes() {
    let Some(have) = HaveAvx2::get() else {
        std::println!("skipped: no avx2 here");
        return;
    };
    let words = [10, 11, 12, 13];
    let (x, u) = (X4::load(have, &words), <Emu<4> as Lanes>::load((), &words));
    macro_rules! orders {
        ($($a:literal $b:literal $c:literal $d:literal;)*) => { $({
            let want = [$a, $b, $c, $d].map(|lane: usize| words[lane]);
            assert_eq!(x.permute::<{ order($a, $b, $c, $d) }>().store(), want);
            assert_eq!(u.permute::<{ order($a, $b, $c, $d) }>().store(), want);
        })* };
    }
    orders! {
        0 0 0 0; 3 3 3 3; 2 0 2 0; 1 1 1 3; 3 1 1 3; 2 1 2 3;
        0 1 2 3; 3 2 1 0; 1 2 3 0; 2 3 0 1; 1 0 3 2; 0 2 1 3;
    }
    assert_eq!(x.swap_neighbours().store(), [11, 10, 13, 12]);
    assert_eq!(x.third_from_fourth().store(), [0, 0, 13, 0]);
    assert_eq!(x.double_second().store(), [10, 22, 12, 13]);
}
