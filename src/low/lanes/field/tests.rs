//! Every operation at the extremes of its stated bounds, and between, against big integers; on emulated
//! lanes, where an operation that should be exact and is not panics, and on AVX2 where there is any.

use super::super::{Emu, Lanes};
use super::*;
use num_bigint::BigInt;
use std::vec::Vec;

type Words = [[f64; 4]; 6];

fn prime() -> BigInt {
    (BigInt::from(1) << 255) - 19
}

/// The largest magnitude of limb i at this many units.
fn extreme(i: usize, units: i64) -> i64 {
    units * ((1 << (bits(i) - 1)) + (1 << (bits(i) - 27)))
}

fn element(limb: impl Fn(usize, usize) -> i64) -> Words {
    core::array::from_fn(|i| core::array::from_fn(|lane| limb(lane, i) as f64))
}

fn value(x: &Words, lane: usize) -> BigInt {
    (0..6).map(|i| BigInt::from(x[i][lane] as i64) << position(i)).sum()
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
        for one in 0..6 {
            all.push(element(
                |lane, i| if (i + lane) % 6 == one { sign * extreme(i, units) } else { 0 },
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

fn words<V: Lanes<Doubles = [f64; 4]>>(x: Fe<V>) -> Words {
    x.0.map(|vector| vector.store())
}

/// `got` has 1 unit and is `want` mod p in each lane.
#[track_caller]
fn expect<V: Lanes<Doubles = [f64; 4]>>(got: Fe<V>, want: impl Fn(usize) -> BigInt, what: &str) {
    assert!(got.is_within(1), "{what}: beyond 1 unit: {:?}", words(got));
    for lane in 0..4 {
        let found = modulo(value(&words(got), lane));
        assert_eq!(found, modulo(want(lane)), "{what}, lane {lane}: {:?}", words(got));
    }
}

/// All of it, on one kind of lanes.
fn check<V: Lanes<Doubles = [f64; 4]>>(proof: V::Proof) {
    let fe = |x: &Words| Fe::<V>::load(proof, x);
    for (u, v) in [(4, 3), (3, 4), (3, 3), (2, 2), (1, 3), (4, 1), (6, 2), (2, 4)] {
        for (x, y) in elements(u, 0x1234_5678).iter().zip(elements(v, 0x9abc_def0).iter().rev()) {
            expect(fe(x).mul(fe(y)), |lane| value(x, lane) * value(y, lane), "mul");
        }
        // Like signs in every product: the columns at their largest.
        for (x, y) in elements(u, 1).iter().zip(&elements(v, 1)) {
            expect(fe(x).mul(fe(y)), |lane| value(x, lane) * value(y, lane), "mul");
        }
    }
    for x in elements(3, 0x0f1e_2d3c) {
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
    use crate::low::x86_64::avx2::{X4, tests::have_or_skip};
    if let Some(have) = have_or_skip() {
        check::<X4>(have);
    }
}

/// What the bound check is there to find.
#[test]
fn a_limb_beyond_its_bound_is_seen() {
    for i in 0..6 {
        for sign in [-1, 1] {
            let x =
                element(|lane, j| if (lane, j) == (2, i) { sign * (extreme(i, 2) + 1) } else { 0 });
            assert!(!Fe::<Emu<4>>::load((), &x).is_within(2), "limb {i}");
            assert!(Fe::<Emu<4>>::load((), &x).is_within(3), "limb {i}");
        }
    }
}

/// One unit more than allowed in one lane, and a column leaves its bits: the bounds are not idle.
#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beyond 3 units")]
fn a_factor_beyond_its_bound_is_refused() {
    Fe::<Emu<4>>::load((), &element(|_, i| extreme(i, 4))).square();
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beyond 12 units²")]
fn factors_beyond_their_bound_in_one_lane_are_refused() {
    let x = element(|lane, i| extreme(i, if lane == 2 { 5 } else { 4 }));
    let y = element(|_, i| extreme(i, 3));
    Fe::<Emu<4>>::load((), &x).mul(Fe::load((), &y));
}

/// The columns keep within the half of their magnet that `carry` counts on, and the sums after them are
/// integers that a double holds.
#[test]
fn columns_keep_to_their_magnets() {
    let two = |k: u32| BigInt::from(1) << k;
    let largest: Vec<BigInt> = (0..6)
        .map(|k: usize| {
            (0..6)
                .map(|i| {
                    let j = (6 + k - i) % 6;
                    let wrapped = if i > k { 19 } else { 1 };
                    let both_odd = if i % 2 == 1 && j % 2 == 1 { 2 } else { 1 };
                    BigInt::from(wrapped * both_odd * extreme(i, 4)) * extreme(j, 3)
                })
                .sum()
        })
        .collect();
    for k in 0..6 {
        let lost = BigInt::from(6) << (bits(k) - 1);
        let next = (k + 1) % 6;
        // With half of the next limb's range, moved up, a column stays where its magnet rounds as it should.
        let high: BigInt = &largest[k] + &lost + (BigInt::from(half(next)) << bits(k));
        assert!(high < two(bits(k) + 51), "column {k}");
        assert_eq!(magnet(k) as u128, 3 << (bits(k) + 51), "column {k}");
        let from = (k + 5) % 6;
        let up = (&largest[from] + two(bits(from))) >> bits(from);
        if k == 0 {
            // What it goes without is made up for by q5; all of it is an integer that a double holds.
            assert!(BigInt::from(19) * (up + middle_from(5) as i64) + lost < two(52), "sum 0");
        } else {
            // Bits are those of an integer between 2^52 and 2^53, MIDDLE being in the middle.
            assert!(&up + lost + half(k) < two(51), "sum {k}");
        }
        // What moves up from there is small beside the range of the next limb.
        let moved = (if k == 0 { two(52) } else { two(51) } >> bits(k)) + 1;
        let room = extreme(next, 1) - half(next);
        let sum = if next == 0 { 19 * (moved + middle_from(5) as i64) } else { moved };
        assert!(sum < BigInt::from(room), "carry of {k}");
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
