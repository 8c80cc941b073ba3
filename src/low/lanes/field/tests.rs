//! Every operation at the extremes of its stated bounds, and between, against big integers; on emulated
//! lanes, where a sum that leaves its bits panics, and on AVX2 where there is any.

use super::super::{Emu, Lanes, halves};
use super::*;
use num_bigint::BigInt;
use std::vec::Vec;

type Words = [[u64; 4]; 5];

fn prime() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// The largest magnitude of limb i at this many units.
fn extreme(i: usize, units: i64) -> i64 {
    units * ((1 << (bits(i) - 1)) + (1 << (bits(i) - 13)))
}

fn element(limb: impl Fn(usize, usize) -> i64) -> Words {
    core::array::from_fn(|k| {
        core::array::from_fn(|lane| halves(limb(lane, 2 * k) as i32, limb(lane, 2 * k + 1) as i32))
    })
}

fn value(x: &Words, lane: usize) -> BigInt {
    (0..10).rev().fold(BigInt::ZERO, |n, i| {
        let limb = (x[i / 2][lane] >> (32 * (i & 1))) as i32;
        n + (BigInt::from(limb) << position(i))
    })
}

/// 0 ≤ n < p, congruent.
fn modulo(n: BigInt) -> BigInt {
    ((n % prime()) + prime()) % prime()
}

/// Elements of `units`: all limbs at one extreme, each alone at one, signs in turn, then random ones of
/// which half are extreme. Lanes differ.
fn elements(units: i64, seed: u64) -> Vec<Words> {
    let mut all = Vec::new();
    for sign in [-1, 1] {
        all.push(element(|lane, i| if lane == 3 { 0 } else { sign * extreme(i, units) }));
        all.push(element(|lane, i| {
            if (i + lane) % 2 == 0 { sign * extreme(i, units) } else { -sign * extreme(i, units) }
        }));
        for one in 0..10 {
            all.push(element(
                |lane, i| if (i + lane) % 10 == one { sign * extreme(i, units) } else { 0 },
            ));
        }
    }
    let state = core::cell::Cell::new(seed | 1);
    let random = || {
        let mut x = state.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        state.set(x);
        x
    };
    for _ in 0..300 {
        all.push(element(|_, i| match random() % 6 {
            0 | 1 => extreme(i, units),
            2 => -extreme(i, units),
            3 => 0,
            _ => (random() % (2 * extreme(i, units) as u64 + 1)) as i64 - extreme(i, units),
        }));
    }
    all
}

fn words<V: Lanes<Words = [u64; 4]>>(x: Fe<V>) -> Words {
    x.0.map(|vector| vector.store())
}

/// `got` has 1 unit and is `want` mod p in each lane.
#[track_caller]
fn expect<V: Lanes<Words = [u64; 4]>>(got: Fe<V>, want: impl Fn(usize) -> BigInt, what: &str) {
    assert!(got.is_within(1), "{what}: beyond 1 unit: {:x?}", words(got));
    for lane in 0..4 {
        let found = modulo(value(&words(got), lane));
        assert_eq!(found, modulo(want(lane)), "{what}, lane {lane}: {:x?}", words(got));
    }
}

/// All of it, on one kind of lanes.
fn check<V: Lanes<Words = [u64; 4]>>(proof: V::Proof) {
    let fe = |x: &Words| Fe::<V>::load(proof, x);
    for (u, v) in [(4, 3), (3, 3), (2, 2), (1, 3), (4, 1)] {
        for (x, y) in elements(u, 0x1234_5678).iter().zip(elements(v, 0x9abc_def0).iter().rev()) {
            expect(fe(x).mul(fe(y)), |lane| value(x, lane) * value(y, lane), "mul");
        }
        // Like signs in every product: the columns at their largest.
        for (x, y) in elements(u, 1).iter().zip(&elements(v, 1)) {
            expect(fe(x).mul(fe(y)), |lane| value(x, lane) * value(y, lane), "mul");
        }
    }
    for x in elements(2, 0x0f1e_2d3c) {
        expect(fe(&x).square(), |lane| value(&x, lane) * value(&x, lane), "square");
    }
    for x in elements(1, 0x4b5a_6978) {
        for lane in 0..4 {
            let integer = fe(&x).to_words(lane);
            let n = integer.iter().rev().fold(BigInt::ZERO, |n, &word| (n << 64) + word);
            assert_eq!(modulo(n), modulo(value(&x, lane)), "to_words, {x:x?}");
        }
    }
}

#[test]
fn operations_match_integers_on_emulated_lanes() {
    check::<Emu<4>>(());
}

#[cfg(rind_asm)]
#[test]
fn operations_match_integers_on_avx2() {
    use crate::low::x86_64::{avx2::X4, cpu::HaveAvx2};
    match HaveAvx2::get() {
        Some(have) => check::<X4>(have),
        None => std::println!("skipped: no avx2 here"),
    }
}

/// What the bound check is there to find.
#[test]
fn a_limb_beyond_its_bound_is_seen() {
    for i in 0..10 {
        for sign in [-1, 1] {
            let x =
                element(|lane, j| if (lane, j) == (2, i) { sign * (extreme(i, 2) + 1) } else { 0 });
            assert!(!Fe::<Emu<4>>::load((), &x).is_within(2), "limb {i}");
            assert!(Fe::<Emu<4>>::load((), &x).is_within(3), "limb {i}");
        }
    }
}

/// One unit more than allowed, and a column leaves its bits: the bounds are not idle.
#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beyond 3 units")]
fn a_factor_beyond_its_bound_is_refused() {
    let x = Fe::<Emu<4>>::load((), &element(|_, i| extreme(i, 4)));
    x.mul(x);
}

/// The bias is Σ half(i)·2^position(i) mod p, and the columns can bear what is added to them.
#[test]
fn bias_is_the_centre_and_bounds_the_columns() {
    let sum = |column: fn(usize) -> u64| {
        (0..10).map(|i| BigInt::from(column(i)) << position(i)).sum::<BigInt>()
    };
    assert_eq!(modulo(sum(bias)), modulo(sum(half)));
    for k in 0..10 {
        // 12 units² in every product of the column.
        let largest: BigInt = (0..10)
            .map(|i| {
                let j = (10 + k - i) % 10;
                let wrapped = if i > k { 19 } else { 1 };
                let both_odd = if i % 2 == 1 && j % 2 == 1 { 2 } else { 1 };
                BigInt::from(wrapped * both_odd * extreme(i, 4)) * extreme(j, 3)
            })
            .sum();
        assert!(largest < BigInt::from(bias(k)), "column {k} may be negative");
        let top = BigInt::from(bias(k)) + largest + (1u64 << 37);
        assert!(top < BigInt::from(1) << if k == 9 { 57 } else { 63 }, "column {k}");
    }
}

/// `lanes` keeps any 256-bit integers mod p, within 1 unit.
#[test]
fn integers_become_elements() {
    let edges =
        [[0; 4], [u64::MAX; 4], [u64::MAX - 18, u64::MAX, u64::MAX, u64::MAX >> 1], [1 << 25; 4]];
    for rotation in 0..4 {
        let [a, b, c, d] = core::array::from_fn(|i| &edges[(i + rotation) % 4]);
        let x = Fe::<Emu<4>>::load((), &lanes([a, b, c, d]));
        expect(
            x,
            |lane| [a, b, c, d][lane].iter().rev().fold(BigInt::ZERO, |n, &w| (n << 64) + w),
            "lanes",
        );
    }
}
