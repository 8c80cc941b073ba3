//! Every operation against big integers: at the extremes of its stated bounds, at edge values,
//! on limbs weighted to all-zeros and all-ones, and uniform.

use super::*;
use num_bigint::BigUint;
use proptest::{array::uniform5, prelude::*};
use std::{vec, vec::Vec};

fn p() -> BigUint {
    (BigUint::from(1u8) << 255) - 19u8
}

fn from_limbs(x: &[u64; 5]) -> BigUint {
    x.iter().rev().fold(BigUint::ZERO, |n, limb| (n << 51) + limb)
}

fn from_words(w: &[u64; 4]) -> BigUint {
    w.iter().rev().fold(BigUint::ZERO, |n, word| (n << 64) + word)
}

fn to_words(n: &BigUint) -> [u64; 4] {
    let mut w = [0; 4];
    for (w, digit) in w.iter_mut().zip(n.iter_u64_digits()) {
        *w = digit;
    }
    w
}

/// `got` is tight and equals `want` modulo p.
#[track_caller]
fn check(got: &Fe, want: BigUint, what: &str) {
    assert!(got.0.iter().all(|&limb| limb < TIGHT), "{what}: not tight: {got:x?}");
    assert_eq!(from_limbs(&got.0) % p(), want % p(), "{what}: wrong value: {got:x?}");
    assert_eq!(from_words(&got.to_words()), from_limbs(&got.0) % p(), "{what}: not canonical");
}

/// `got` is loose and equals `want` modulo p; so does its carry.
#[track_caller]
fn check_loose(got: &FeLoose, want: BigUint, what: &str) {
    assert!(got.0.iter().all(|&limb| limb < LOOSE), "{what}: not loose: {got:x?}");
    assert_eq!(from_limbs(&got.0) % p(), &want % p(), "{what}: wrong value: {got:x?}");
    check(&got.carry(), want, what);
}

/// All operations on tight operands.
fn check_tight(a: &Fe, b: &Fe) {
    let (na, nb) = (from_limbs(&a.0), from_limbs(&b.0));
    let minus = |n: &BigUint| p() - n % p();
    check(&a.mul(b), &na * &nb, "mul");
    check(&a.square(), &na * &na, "square");
    check(&a.neg(), minus(&na), "neg");
    check_loose(&a.add(b), &na + &nb, "add");
    check_loose(&a.sub(b), &na + minus(&nb), "sub");
    check_loose(&a.double(), &na + &na, "double");
    check(&a.mul_tight(b), &na * &nb, "mul_tight");
    let big = Fe::sum([a, b], [a, b]);
    let want = &na + 121_666u32 * from_limbs(&big.0);
    check_loose(&a.add_small_multiple::<121_666>(&big), want, "add_small_multiple");
    check_loose(&Fe::sum([a, a, a, b, b, b, b], []), 3u8 * &na + 4u8 * &nb, "sum 7 + 0");
    check_loose(&Fe::sum([a], [b, b, a]), &na + minus(&nb) + minus(&nb) + minus(&na), "sum 1 - 3");
    check_loose(&Fe::sum([], [a, b, b]), minus(&na) + minus(&nb) + minus(&nb), "sum 0 - 3");
    check(&a.sub(b).mul(&a.add(b)), (&na + minus(&nb)) * (&na + &nb), "loose by loose");
    check(&a.mul(&a.add(b)), &na * (&na + &nb), "tight by loose");

    let (ra, rb) = (&na % p(), &nb % p());
    assert_eq!(bool::from(a.ct_eq(b)), ra == rb);
    assert_eq!(bool::from(a.is_zero()), ra == BigUint::ZERO);
    assert_eq!(bool::from(a.is_negative()), ra.bit(0));
    assert_eq!(Fe::conditional_select(a, b, Choice::from(0)).0, a.0);
    assert_eq!(Fe::conditional_select(a, b, Choice::from(1)).0, b.0);
    assert_eq!(from_words(&Fe::from_bytes(&a.to_bytes()).to_words()), ra);
}

/// The products on loose operands.
fn check_products(a: &FeLoose, b: &FeLoose) {
    let (na, nb) = (from_limbs(&a.0), from_limbs(&b.0));
    check(&a.mul(b), &na * &nb, "mul");
    check(&a.square(), &na * &na, "square");
    check(&a.carry(), na.clone(), "carry");
    let want = BigUint::from(5u8) + ((1u32 << 17) - 1) * na;
    let five = Fe([5, 0, 0, 0, 0]);
    check_loose(&five.add_small_multiple::<{ (1 << 17) - 1 }>(a), want, "add_small_multiple");
}

/// The roots and powers, which are slower.
fn check_powers(a: &Fe, b: &Fe) {
    let (na, nb) = (from_limbs(&a.0) % p(), from_limbs(&b.0) % p());
    let pow = |n: &BigUint, e: &BigUint| n.modpow(e, &p());
    check(&a.invert(), pow(&na, &(p() - 2u8)), "invert");
    check(&a.pow22523(), pow(&na, &((BigUint::from(1u8) << 252) - 3u8)), "pow22523");
    check(&a.square_n(7), pow(&na, &BigUint::from(128u8)), "square_n");

    let half = (p() - 1u8) / 2u8;
    let (is_square, r) = Fe::sqrt_ratio(a, b);
    let ratio = &na * pow(&nb, &(p() - 2u8)) % p();
    let expect = na == BigUint::ZERO || pow(&ratio, &half) == BigUint::from(1u8);
    assert_eq!(bool::from(is_square), expect, "sqrt_ratio of {na:x} / {nb:x}");
    if expect {
        check(&b.mul(&r.square()), na, "sqrt_ratio");
    }
}

/// 256-bit integers on both sides of every wrap.
fn edge_words() -> Vec<[u64; 4]> {
    let two = |n: u32| BigUint::from(1u8) << n;
    let edges = [
        BigUint::ZERO,
        1u8.into(),
        2u8.into(),
        18u8.into(),
        19u8.into(),
        p() - 20u8,
        p() - 19u8,
        p() - 2u8,
        p() - 1u8,
        p(),
        p() + 1u8,
        p() + 18u8,
        two(255) - 1u8,
        two(255),
        two(255) + 18u8,
        2u8 * p() - 1u8,
        2u8 * p(),
        2u8 * p() + 1u8,
        two(256) - 1u8,
        two(51) - 1u8,
        two(51),
        two(204),
        two(252) - 3u8,
        (p() - 1u8) / 2u8,
        (p() + 1u8) / 2u8,
    ];
    edges.iter().map(to_words).collect()
}

fn edge_fes() -> Vec<Fe> {
    let mut all: Vec<Fe> = edge_words().iter().map(Fe::from_words).collect();
    let top = TIGHT - 1;
    all.extend([Fe([top; 5]), Fe([MASK; 5]), Fe([top, 0, 0, 0, 0]), Fe([0, 0, 0, 0, top])]);
    all.extend([Fe([MASK - 18, MASK, MASK, MASK, MASK]), Fe([top, MASK, MASK, MASK, MASK])]);
    all.push(Fe::SQRT_M1);
    all
}

#[test]
fn words_round_trip_at_the_edges() {
    for w in edge_words() {
        let x = Fe::from_words(&w);
        check(&x, from_words(&w), "from_words");
        assert_eq!(from_words(&x.to_words()), from_words(&w) % p());
    }
}

#[test]
fn operations_hold_at_the_edges() {
    for a in edge_fes() {
        for b in edge_fes() {
            check_tight(&a, &b);
        }
    }
}

#[test]
fn powers_hold_at_the_edges() {
    let edges = edge_fes();
    for (i, a) in edges.iter().enumerate() {
        check_powers(a, &edges[(7 * i + 3) % edges.len()]);
        check_powers(a, &Fe::ONE);
        check_powers(a, &Fe::ZERO);
    }
}

#[test]
fn products_hold_at_the_loose_bound() {
    let top = LOOSE - 1;
    let mut edges = vec![FeLoose([top; 5]), FeLoose([0; 5]), FeLoose([1; 5]), FeLoose([MASK; 5])];
    for i in 0..5 {
        let mut one = [0; 5];
        one[i] = top;
        let mut others = [top; 5];
        others[i] = 0;
        edges.extend([FeLoose(one), FeLoose(others)]);
    }
    for a in &edges {
        for b in &edges {
            check_products(a, b);
        }
    }
}

#[test]
fn sqrt_m1_squares_to_minus_one() {
    assert_eq!(from_words(&Fe::SQRT_M1.square().to_words()), p() - 1u8);
}

#[test]
fn zeroize_wipes_the_limbs() {
    let mut x = Fe([1, 2, 3, 4, 5]);
    x.zeroize();
    assert_eq!(x.0, [0; 5]);
}

/// A limb below `bound`: uniform, or one of the values around which carries turn.
fn limb(bound: u64) -> impl Strategy<Value = u64> {
    let edges = [0, 1, 18, 19, MASK - 19, MASK - 18, MASK - 1, MASK, bound - 2, bound - 1];
    prop_oneof![0..bound, proptest::sample::select(edges.to_vec())]
}

proptest! {
    #[test]
    fn operations_agree_with_big_integers(a in uniform5(limb(TIGHT)), b in uniform5(limb(TIGHT))) {
        check_tight(&Fe(a), &Fe(b));
    }

    #[test]
    fn products_agree_with_big_integers(a in uniform5(limb(LOOSE)), b in uniform5(limb(LOOSE))) {
        check_products(&FeLoose(a), &FeLoose(b));
    }

    #[test]
    fn powers_agree_with_big_integers(a in uniform5(limb(TIGHT)), b in uniform5(limb(TIGHT))) {
        check_powers(&Fe(a), &Fe(b));
    }
}
