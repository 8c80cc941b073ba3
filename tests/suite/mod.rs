//! What each routine of `low` promises, as checks that take the routine: every tier runs them.
//!
//! A check returns the first broken promise, inputs in hex, so that a test can also show that the
//! check fails on a faulty routine.
#![allow(dead_code)] // each test binary uses its part

use crate::model::*;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsPoint};
use curve25519_dalek::montgomery::MontgomeryPoint;
use curve25519_dalek::scalar::Scalar;
use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::fmt::Debug;

pub type Checked = Result<(), String>;

/// `got` is `want`, or a sentence that says for which input it is not.
fn expect<T: PartialEq + Debug, I: Debug>(got: T, want: T, input: I) -> Checked {
    if got == want { Ok(()) } else { Err(format!("{input:x?}: got {got:x?}, want {want:x?}")) }
}

/// `count` values of a strategy, the same in every run.
pub fn samples<T: Debug>(strategy: impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// 256-bit integers, word by word: uniform, with few ones or few zeros, or one of the two ends.
pub fn any_words() -> impl Strategy<Value = Words> {
    let three = || any::<[u64; 3]>();
    let word = || {
        prop_oneof![
            4 => any::<u64>(),
            1 => three().prop_map(|[a, b, c]| a & b & c),
            1 => three().prop_map(|[a, b, c]| a | b | c),
            1 => Just(0),
            1 => Just(u64::MAX),
        ]
    };
    [word(), word(), word(), word()]
}

/// −x mod p, for any input.
pub fn bignum_neg_p25519(routine: fn(&Words) -> Words) -> Checked {
    let check = |x: &Words| expect(integer(&routine(x)), (2u8 * p() - integer(x) % p()) % p(), x);
    edge_elements().iter().try_for_each(check)?;
    samples(any_words(), 500).iter().try_for_each(check)
}

/// x·y mod p, for any inputs.
pub fn bignum_mul_p25519(routine: fn(&Words, &Words) -> Words) -> Checked {
    let check = |x: &Words, y: &Words| {
        expect(integer(&routine(x, y)), integer(x) * integer(y) % p(), (x, y))
    };
    for x in edge_elements() {
        edge_elements().iter().try_for_each(|y| check(&x, y))?;
    }
    samples((any_words(), any_words()), 20_000).iter().try_for_each(|(x, y)| check(x, y))
}

/// x² mod p, for any input.
pub fn bignum_sqr_p25519(routine: fn(&Words) -> Words) -> Checked {
    let check = |x: &Words| expect(integer(&routine(x)), integer(x) * integer(x) % p(), x);
    edge_elements().iter().try_for_each(check)?;
    samples(any_words(), 20_000).iter().try_for_each(check)
}

/// 1/x mod p, and 0 for 0, for any input.
pub fn bignum_inv_p25519(routine: fn(&Words) -> Words) -> Checked {
    let check = |x: &Words| {
        let (n, z) = (integer(x) % p(), integer(&routine(x)));
        let one = BigUint::from(u8::from(n != BigUint::ZERO));
        expect((n * &z % p(), z < p()), (one, true), x)?;
        // 0 has no inverse that the product could check.
        if integer(x) % p() == BigUint::ZERO { expect(z, BigUint::ZERO, x) } else { Ok(()) }
    };
    edge_elements().iter().try_for_each(check)?;
    samples(any_words(), 5_000).iter().try_for_each(check)
}

/// The Legendre symbol of x, and the even root of 1/x where there is one; 0 for 0.
pub fn bignum_invsqrt_p25519(routine: fn(&Words) -> (i64, Words)) -> Checked {
    let check = |x: &Words| {
        let n = integer(x) % p();
        let power = n.modpow(&((p() - 1u8) / 2u8), &p());
        let want = if power == p() - 1u8 { -1 } else { i64::from(power != BigUint::ZERO) };
        let (symbol, z) = routine(x);
        expect(symbol, want, x)?;
        let z = integer(&z);
        expect((z < p(), z.bit(0)), (true, false), x)?;
        match symbol {
            1 => expect(&z * &z * n % p(), 1u8.into(), x),
            0 => expect(z, BigUint::ZERO, x),
            _ => Ok(()), // z has no meaning
        }
    };
    edge_elements().iter().try_for_each(check)?;
    samples(any_words(), 200).iter().try_for_each(check)
}

/// x mod L, for any number of words.
pub fn bignum_mod_n25519(routine: fn(&[u64]) -> Words) -> Checked {
    let check = |x: &[u64]| expect(integer(&routine(x)), integer(x) % l(), x);
    for k in 0..12 {
        check(&vec![0; k])?;
        check(&vec![u64::MAX; k])?;
    }
    // Multiples of L and their neighbours at every length: where a quotient word is off by one.
    for k in 0..8 {
        for factor in [1u64, 2, 8, 15, 16, u64::MAX] {
            let multiple: BigUint = (l() * factor) << (64 * k);
            for near in [&multiple - 1u8, multiple.clone(), &multiple + 1u8] {
                check(&near.iter_u64_digits().collect::<Vec<_>>())?;
            }
        }
    }
    // The lengths of a scalar, which a routine of its own may take.
    edge_scalars().iter().try_for_each(|x| check(x))?;
    edge_elements().iter().try_for_each(|x| check(x))?;
    samples(any_words(), 500).iter().try_for_each(|x| check(x))?;
    // 2^252 ≤ r < L on top: where the quotient of the next word does not fit a word.
    for low in [0, 1, u64::MAX] {
        for top in [two_to(252), l() - 2u8, l() - 1u8] {
            let [r0, r1, r2, r3] = words(&top);
            check(&[low, r0, r1, r2, r3])?;
            check(&[low, low, r0, r1, r2, r3])?;
        }
    }
    samples(prop::collection::vec(any::<u64>(), 0..20), 500).iter().try_for_each(|x| check(x))
}

/// (x·y + c) mod L, for any inputs.
pub fn bignum_madd_n25519(routine: fn(&Words, &Words, &Words) -> Words) -> Checked {
    let check = |x: &Words, y: &Words, c: &Words| {
        let want = (integer(x) * integer(y) + integer(c)) % l();
        expect(integer(&routine(x, y, c)), want, (x, y, c))
    };
    for x in edge_scalars() {
        for y in edge_scalars() {
            for c in [[0; 4], [u64::MAX; 4], words(&(l() - 1u8))] {
                check(&x, &y, &c)?;
            }
        }
    }
    samples((any_words(), any_words(), any_words()), 500)
        .iter()
        .try_for_each(|(x, y, c)| check(x, y, c))
}

/// The 32 bytes of every y near a boundary, with both signs, and random ones.
pub fn encodings() -> Vec<[u8; 32]> {
    let mut ys: Vec<BigUint> = (0..20u8).map(BigUint::from).collect();
    ys.extend((0..40u8).map(|i| p() - 20u8 + i).filter(|y| y < &two_to(255)));
    ys.extend([(p() - 1u8) / 2u8, two_to(254), two_to(255) - 1u8]);
    let mut all: Vec<[u8; 32]> = ys.iter().map(|y| bytes(&words(y))).collect();
    all.extend(edge_points().iter().map(|point| Point::from_affine(point).encode()));
    all.extend(samples(any::<[u8; 32]>(), 60));
    for i in 0..all.len() {
        let mut other_sign = all[i];
        other_sign[31] ^= 0x80;
        all.push(other_sign);
    }
    all
}

/// Decoding that accepts the canonical encodings only.
pub fn edwards25519_decode(routine: fn(&[u8; 32]) -> Option<Affine>) -> Checked {
    decode(routine, Encodings::Canonical)
}

/// Decoding that accepts y ≥ p, and x = 0 with the sign bit.
pub fn edwards25519_decode_permissive(routine: fn(&[u8; 32]) -> Option<Affine>) -> Checked {
    for c in encodings() {
        let ours = routine(&c).map(|point| Point::from_affine(&point).encode());
        let dalek = CompressedEdwardsY(c).decompress().map(|point| point.compress().0);
        expect(ours, dalek, c)?;
    }
    decode(routine, Encodings::Any)
}

/// Tolerant decoding of two: every encoding as the first, and as the second, beside itself and four others.
pub fn edwards25519_decode_permissive_pair(
    routine: fn(&[u8; 32], &[u8; 32]) -> [Option<Affine>; 2],
) -> Checked {
    let all: Vec<_> = encodings()
        .into_iter()
        .map(|c| (c, Point::decode(&c, Encodings::Any).map(|point| point.to_affine())))
        .collect();
    for shift in [0, 1, all.len() / 2, all.len() / 2 + 1, 41] {
        for (i, (c, first)) in all.iter().enumerate() {
            let (e, second) = &all[(i + shift) % all.len()];
            expect(routine(c, e), [*first, *second], (c, e))?;
        }
    }
    Ok(())
}

fn decode(routine: fn(&[u8; 32]) -> Option<Affine>, accept: Encodings) -> Checked {
    encodings().iter().try_for_each(|c| {
        expect(routine(c), Point::decode(c, accept).map(|point| point.to_affine()), c)
    })
}

/// The canonical encoding of affine points.
pub fn edwards25519_encode(routine: fn(&Affine) -> [u8; 32]) -> Checked {
    let decoded = encodings().into_iter().filter_map(|c| Point::decode(&c, Encodings::Any));
    edge_points()
        .into_iter()
        .chain(decoded.map(|point| point.to_affine()))
        .try_for_each(|point| expect(routine(&point), Point::from_affine(&point).encode(), point))
}

/// scalar·B, for any 256-bit scalar.
pub fn edwards25519_scalarmulbase(routine: fn(&Words) -> Affine) -> Checked {
    let base = Point::base();
    for scalar in edge_scalars() {
        expect(routine(&scalar), base.mul(&integer(&scalar)).to_affine(), scalar)?;
    }
    // Every digit in every window, alone: each table entry is reached.
    for window in 0..63 {
        for digit in 1..16u8 {
            let scalar = words(&(BigUint::from(digit) << (4 * window)));
            against_dalek(routine, &scalar)?;
        }
    }
    samples(any_words(), 200).iter().try_for_each(|scalar| against_dalek(routine, scalar))
}

fn against_dalek(routine: fn(&Words) -> Affine, scalar: &Words) -> Checked {
    let dalek = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(bytes(scalar)));
    expect(Point::from_affine(&routine(scalar)).encode(), dalek.compress().0, scalar)
}

/// scalar·P + bscalar·B, for P of any order: the scalar of P is never reduced mod L.
pub fn edwards25519_scalarmuldouble_vartime(
    routine: fn(&Words, &Affine, &Words) -> Affine,
) -> Checked {
    let base = Point::base();
    let edges = edge_scalars();
    let of_base: Vec<Point> = edges.iter().map(|bscalar| base.mul(&integer(bscalar))).collect();
    // Each scalar for each kind of point; the scalar of B takes its turn.
    for (i, point) in edge_points().iter().enumerate() {
        for (j, scalar) in edges.iter().enumerate() {
            let k = (7 * i + j) % edges.len();
            let bscalar = &edges[k];
            let sum = Point::from_affine(point).mul(&integer(scalar)).add(&of_base[k]);
            expect(routine(scalar, point, bscalar), sum.to_affine(), (scalar, point, bscalar))?;
        }
    }
    // k·P + s·B against curve25519-dalek, where P has order L and k may be reduced.
    for (scalar, bscalar, a) in samples((any_words(), any_words(), any_words()), 100) {
        let dalek_scalar = |x: &Words| Scalar::from_bytes_mod_order(bytes(x));
        let point = EdwardsPoint::mul_base(&dalek_scalar(&a));
        let dalek = EdwardsPoint::vartime_double_scalar_mul_basepoint(
            &dalek_scalar(&scalar),
            &point,
            &dalek_scalar(&bscalar),
        );
        let Some(point) = Point::decode(&point.compress().0, Encodings::Canonical) else {
            return Err(format!("curve25519-dalek's {point:?} does not decode"));
        };
        let sum = routine(&scalar, &point.to_affine(), &bscalar);
        expect(Point::from_affine(&sum).encode(), dalek.compress().0, (scalar, a, bscalar))?;
    }
    Ok(())
}

/// scalar₀·P₀ + scalar₁·P₁ + scalar₂·B as (X, Y, Z), for points of any order.
pub fn edwards25519_scalarmultriple_vartime(
    routine: fn(&[Words; 3], &[Affine; 2]) -> [Words; 3],
) -> Checked {
    let check = |scalars: [Words; 3], points: [Affine; 2], want: Affine| {
        let [x, y, z] = routine(&scalars, &points).map(|words| integer(&words));
        let reduced = x < p() && y < p() && z < p() && z != BigUint::ZERO;
        expect(reduced, true, (scalars, points))?;
        let [xz, yz] = [&want[..4], &want[4..]].map(|words| integer(words) * &z % p());
        expect((x, y), (xz, yz), (scalars, points))
    };
    let base = Point::base();
    let mut edges = edge_scalars();
    // Where the halves of the scalar of B meet.
    for near in [two_to(128) - 1u8, two_to(128), two_to(128) + 1u8, two_to(256) - two_to(128)] {
        edges.push(words(&near));
    }
    let of_base: Vec<Point> = edges.iter().map(|scalar| base.mul(&integer(scalar))).collect();
    let points = edge_points();
    let multiples: Vec<Vec<Point>> = points
        .iter()
        .map(|point| {
            let point = Point::from_affine(point);
            edges.iter().map(|scalar| point.mul(&integer(scalar))).collect()
        })
        .collect();
    for i in 0..points.len() {
        for j in 0..edges.len() {
            // The second point, its scalar, and that of B take their turns.
            let (q, k, b) = (
                (5 * i + 3 * j) % points.len(),
                (7 * i + 5 * j) % edges.len(),
                (i + 11 * j) % edges.len(),
            );
            let sum = multiples[i][j].add(&multiples[q][k]).add(&of_base[b]);
            check([edges[j], edges[k], edges[b]], [points[i], points[q]], sum.to_affine())?;
        }
        // P − P + 0·B, the end of a verification that succeeds.
        let minus: Affine = core::array::from_fn(|w| match w {
            0..4 => words::<4>(&((p() - integer(&points[i][..4])) % p()))[w],
            _ => points[i][w],
        });
        let [zero, many] = [[0; 4], words(&(two_to(128) - 5u8))];
        check([many, many, zero], [points[i], minus], Point::identity().to_affine())?;
    }
    for (scalar, other, bscalar) in samples((any_words(), any_words(), any_words()), 30) {
        let (first, second) = (points[points.len() - 1], points[points.len() / 2]);
        let sum = Point::from_affine(&first)
            .mul(&integer(&scalar))
            .add(&Point::from_affine(&second).mul(&integer(&other)))
            .add(&base.mul(&integer(&bscalar)));
        check([scalar, other, bscalar], [first, second], sum.to_affine())?;
    }
    Ok(())
}

/// X25519: clamps the scalar, ignores bit 255 of u, takes u mod p, and answers 0 for a low order.
pub fn curve25519_x25519(routine: fn(&Words, &Words) -> Words) -> Checked {
    let check = |scalar: &Words, u: &Words| {
        let dalek = MontgomeryPoint(bytes(u)).mul_clamped(bytes(scalar));
        expect(bytes(&routine(scalar, u)), dalek.0, (scalar, u))
    };
    for scalar in edge_scalars() {
        edge_elements().iter().try_for_each(|u| check(&scalar, u))?;
    }
    for (scalar, u) in edge_scalars().iter().cycle().zip(edge_elements()) {
        expect(integer(&routine(scalar, &u)), x25519(scalar, &u), (scalar, u))?;
    }
    for point in edge_points() {
        // Every order: (1 + y)/(1 − y) of a point of edwards25519.
        let y = integer(&point[4..]);
        let u = words(&((1u8 + &y) * inverse(&(p() + 1u8 - &y)) % p()));
        edge_scalars().iter().try_for_each(|scalar| check(scalar, &u))?;
    }
    samples((any_words(), any_words()), 200).iter().try_for_each(|(scalar, u)| check(scalar, u))
}

/// X25519 of u = 9: clamps the scalar itself.
pub fn curve25519_x25519base(routine: fn(&Words) -> Words) -> Checked {
    let check = |scalar: &Words| {
        let dalek = MontgomeryPoint::mul_base_clamped(bytes(scalar));
        expect(bytes(&routine(scalar)), dalek.0, scalar)
    };
    edge_scalars().iter().try_for_each(check)?;
    for scalar in edge_scalars() {
        expect(integer(&routine(&scalar)), x25519(&scalar, &[9, 0, 0, 0]), scalar)?;
    }
    samples(any_words(), 200).iter().try_for_each(check)
}
