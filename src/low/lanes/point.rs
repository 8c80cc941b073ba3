//! One point of edwards25519, its coordinates in the four lanes of a vector.
//!
//! Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited" (2008), sections 3 and 4, for
//! a = −1, where the paper shows that a sum or a double is two rounds of four products side by side. They
//! are complete: right for the identity, for equal points and for points with torsion.
//!
//! The order of the lanes is chosen so that most moves stay within 128 bits, where they are fast:
//!
//! | type | lanes 0, 1, 2, 3 | bound | stands for |
//! |---|---|---|---|
//! | [`Projective`] | X, Z, X, Y | 1 | x = X/Z, y = Y/Z; the second X is there to become X + Y |
//! | [`Extended`] | T, Z, X, Y | 1 | the same, and T = X·Y/Z |
//! | [`Completed`] | G, F, E, H | 2, 4, 3, 2 | x = E/G, y = H/F |
//! | [`Cached`] | 2d·T, 2·Z, Y − X, Y + X | 2 | an addend |
//!
//! A doubling is a squaring and a product of vectors, an addition two products.

#![allow(
    clippy::should_implement_trait,
    reason = "bounds and types that the operators do not have"
)]

use super::field::{Fe, debug_bound, each, lanes};
use super::{Quad, halves, order};

/// 2·d mod p, d = −121665/121666.
const D2: [u64; 4] =
    [0xebd69b9426b2f159, 0x00e0149a8283b156, 0x198e80f2eef3d130, 0x2406d9dc56dffce7];

const ZERO: [u64; 4] = [0; 4];
const ONE: [u64; 4] = [1, 0, 0, 0];

/// (X : Y : Z).
#[derive(Clone, Copy)]
pub struct Projective<V>(Fe<V>);

/// (X : Y : Z : T).
#[derive(Clone, Copy)]
pub struct Extended<V>(Fe<V>);

/// ((E : G), (H : F)): a sum or a double before its last products.
#[derive(Clone, Copy)]
pub struct Completed<V>(Fe<V>);

/// An addend.
#[derive(Clone, Copy)]
pub struct Cached<V>(Fe<V>);

/// The signs of four lanes, in both halves.
#[inline(always)]
fn signs<V: Quad>(x: V, signs: [i32; 4]) -> V {
    let [a, b, c, d] = signs;
    x.vector(&[halves(a, a), halves(b, b), halves(c, c), halves(d, d)])
}

impl<V: Quad> Projective<V> {
    /// The neutral point (0, 1).
    #[inline(always)]
    pub fn identity(proof: V::Proof) -> Self {
        const WORDS: [[u64; 4]; 5] = lanes([&ZERO, &ONE, &ZERO, &ONE]);
        Self(Fe::load(proof, &WORDS))
    }

    /// 2·self.
    #[inline(always)]
    pub fn double(self) -> Completed<V> {
        // A = X², C = Z², S = (X + Y)², B = Y²
        let squares = each!(self.0, v => v.add_halves(v.third_from_fourth())).square();
        // With the paper's E, F, G, H: −G = A − B, −F = A − B + 2C, −E = A + B − S, −H = A + B. All four
        // products of `to_…` are as they should be.
        Completed(each!(squares, v => {
            let a = v.permute::<{ order(0, 0, 0, 0) }>();
            let b = v.permute::<{ order(3, 3, 3, 3) }>();
            let sums = a.add_halves(b.signed(signs(v, [-1, -1, 1, 1])));
            sums.add_halves(v.signed(signs(v, [0, 1, -1, 0])).double_second())
        }))
    }

    /// X, Y and Z, each < 2^256 and congruent mod p.
    #[inline(always)]
    pub fn to_words(self) -> [[u64; 4]; 3] {
        [self.0.to_words(0), self.0.to_words(3), self.0.to_words(1)]
    }
}

impl<V: Quad> Completed<V> {
    /// (X, Z, X, Y) = (E·F, G·F, E·F, G·H).   in: E ≤ 3, F ≤ 4, G ≤ 2, H ≤ 2   out: 1
    #[inline(always)]
    pub fn to_projective(self) -> Projective<V> {
        Projective(self.products::<{ order(1, 1, 1, 3) }>())
    }

    /// (T, Z, X, Y) = (E·H, G·F, E·F, G·H).   in: E ≤ 3, F ≤ 4, G ≤ 2, H ≤ 2   out: 1
    #[inline(always)]
    pub fn to_extended(self) -> Extended<V> {
        Extended(self.products::<{ order(3, 1, 1, 3) }>())
    }

    /// E, G, E, G by F and H in some order: the second factor has the smaller bound, 3.
    #[inline(always)]
    fn products<const F_AND_H: i32>(self) -> Fe<V> {
        let x = each!(self.0, v => v.permute::<F_AND_H>());
        x.mul(each!(self.0, v => v.permute::<{ order(2, 0, 2, 0) }>()))
    }
}

impl<V: Quad> Extended<V> {
    /// An affine point.   in: any words, taken mod p
    #[inline(always)]
    pub fn from_affine(proof: V::Proof, point: &[u64; 8]) -> Self {
        let [x0, x1, x2, x3, y @ ..] = *point;
        let x = [x0, x1, x2, x3];
        let left = Fe::<V>::load(proof, &lanes([&x, &ONE, &x, &y]));
        Self(left.mul(Fe::load(proof, &lanes([&y, &ONE, &ONE, &ONE]))))
    }

    /// (X, Z, X, Y) of (T, Z, X, Y).
    #[inline(always)]
    pub fn to_projective(self) -> Projective<V> {
        Projective(each!(self.0, v => v.permute::<{ order(2, 1, 2, 3) }>()))
    }

    /// (T, Z, Y − X, Y + X).   out: 2
    #[inline(always)]
    fn sum_and_difference(self) -> Fe<V> {
        each!(self.0, v => {
            let kept = v.signed(signs(v, [1, 1, -1, 1]));
            kept.add_halves(v.swap_neighbours().signed(signs(v, [0, 0, 1, 1])))
        })
    }

    /// As an addend.
    #[inline(always)]
    pub fn to_cached(self, proof: V::Proof) -> Cached<V> {
        const FACTORS: [[u64; 4]; 5] = lanes([&D2, &[2, 0, 0, 0], &ONE, &ONE]);
        Cached(self.sum_and_difference().mul(Fe::load(proof, &FACTORS)))
    }

    /// self + q.
    #[inline(always)]
    pub fn add(self, q: Cached<V>) -> Completed<V> {
        debug_bound!(q.0, 2);
        // C = T·2d·T', D = Z·2Z', A = (Y − X)(Y' − X'), B = (Y + X)(Y' + X')
        let products = self.sum_and_difference().mul(q.0);
        // G = C + D, F = D − C, E = B − A, H = A + B
        Completed(each!(products, v => {
            let kept = v.signed(signs(v, [1, 1, -1, 1]));
            kept.add_halves(v.swap_neighbours().signed(signs(v, [1, -1, 1, 1])))
        }))
    }
}

impl<V: Quad> Cached<V> {
    /// An affine multiple from a table: (2·d·x·y, 2, y − x, y + x).   in: limbs of at most 2 units
    #[inline(always)]
    pub fn load(proof: V::Proof, entry: &[[u64; 4]; 5]) -> Self {
        Self(Fe::load(proof, entry))
    }

    /// −self, if `negative`: Y − X and Y + X change places, T its sign.
    #[inline(always)]
    pub fn negate_if(self, negative: bool) -> Self {
        Self(each!(self.0, v => v.negate_if(negative)))
    }
}
