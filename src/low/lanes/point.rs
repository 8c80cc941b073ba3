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
//! | [`Projective`] | X, Z, Y, X | 1 | x = X/Z, y = Y/Z; the second X is there to become X + Y |
//! | [`Extended`] | Z, T, X, Y | 1 | the same, and T = X·Y/Z |
//! | [`Completed`] | G, F, H, E | 2, 4, 2, 3 | x = E/G, y = H/F |
//! | [`Cached`] | 2·Z, 2d·T, Y + X, Y − X | 2 | an addend |
//!
//! A doubling is a squaring and a product of vectors, an addition two products.

#![allow(
    clippy::should_implement_trait,
    reason = "bounds and types that the operators do not have"
)]

use super::field::{Fe, debug_bound, each, lanes};
use super::{Quad, order};
use crate::low::tables::{LanesNiels, Table};

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

impl<V: Quad> Projective<V> {
    /// 2·self.
    #[inline(always)]
    pub fn double(self) -> Completed<V> {
        // A = X², C = Z², B = Y², S = (X + Y)²
        let squares = each!(self.0, v => {
            v.swap_neighbours().mul_add(v.vector(&[0.0, 0.0, 0.0, 1.0]), v)
        })
        .square();
        // With the paper's E, F, G, H: −G = A − B, −F = A − B + 2C, −H = A + B, −E = A + B − S. All four
        // products of `to_…` are as they should be.
        Completed(each!(squares, v => {
            let a = v.permute::<{ order(0, 0, 0, 0) }>();
            let b = v.permute::<{ order(2, 2, 2, 2) }>();
            let sums = b.mul_add(v.vector(&[-1.0, -1.0, 1.0, 1.0]), a);
            v.mul_add(v.vector(&[0.0, 2.0, 0.0, -1.0]), sums)
        }))
    }

    /// X, Y and Z, each < 2^256 and congruent mod p.
    #[inline(always)]
    pub fn to_words(self) -> [[u64; 4]; 3] {
        [self.0.to_words(0), self.0.to_words(2), self.0.to_words(1)]
    }
}

impl<V: Quad> Completed<V> {
    /// The neutral point (0, 1).
    #[inline(always)]
    pub fn identity(proof: V::Proof) -> Self {
        const DOUBLES: [[f64; 4]; 6] = lanes([&ONE, &ONE, &ONE, &ZERO]);
        Self(Fe::load(proof, &DOUBLES))
    }

    /// (X, Z, Y, X) = (F·E, G·F, H·G, E·F).   in: G ≤ 2, F ≤ 4, H ≤ 2, E ≤ 3   out: 1
    #[inline(always)]
    pub fn to_projective(self) -> Projective<V> {
        let left = each!(self.0, v => v.permute::<{ order(1, 0, 2, 3) }>());
        Projective(left.mul(each!(self.0, v => v.permute::<{ order(3, 1, 0, 1) }>())))
    }

    /// (Z, T, X, Y) = (G·F, E·H, E·F, G·H).   in: G ≤ 2, F ≤ 4, H ≤ 2, E ≤ 3   out: 1
    #[inline(always)]
    pub fn to_extended(self) -> Extended<V> {
        let f_and_h = each!(self.0, v => v.permute::<{ order(1, 2, 1, 2) }>());
        Extended(f_and_h.mul(each!(self.0, v => v.permute::<{ order(0, 3, 3, 0) }>())))
    }
}

impl<V: Quad> Extended<V> {
    /// Affine points, one or two.   in: any words, taken mod p
    #[inline(always)]
    pub fn from_affine<const N: usize>(proof: V::Proof, points: [&[u64; 8]; N]) -> [Self; N] {
        const { assert!(N == 1 || N == 2) };
        let mut extended = [Self(Fe::load(proof, &[[0.0; 4]; 6])); N];
        for (point, extended) in points.into_iter().zip(&mut extended) {
            let [x0, x1, x2, x3, y @ ..] = *point;
            *extended = Self(Fe::load(proof, &lanes([&ONE, &ONE, &[x0, x1, x2, x3], &y])));
        }
        // Lanes 0 and 1 are of the first, lanes 2 and 3 of the second.
        let (first, last) = (extended[0].0, extended[N - 1].0);
        let x = each!(first, last; v, w => {
            v.permute::<{ order(2, 2, 2, 2) }>().blend::<0b1100>(w.permute::<{ order(2, 2, 2, 2) }>())
        });
        let y = each!(first, last; v, w => {
            v.permute::<{ order(3, 3, 3, 3) }>().blend::<0b1100>(w)
        });
        let t = x.mul(each!(y, last; v, w => v.blend::<0b0100>(w.swap_neighbours())));
        extended[N - 1] =
            Self(each!(last, t; v, t => v.blend::<0b0010>(t.permute::<{ order(0, 2, 2, 3) }>())));
        extended[0] = Self(each!(first, t; v, t => v.blend::<0b0010>(t)));
        extended
    }

    /// (X, Z, Y, X) of (Z, T, X, Y).
    #[inline(always)]
    pub fn to_projective(self) -> Projective<V> {
        Projective(each!(self.0, v => v.permute::<{ order(2, 0, 3, 2) }>()))
    }

    /// (Z, T, Y + X, Y − X).   out: 2
    #[inline(always)]
    fn sum_and_difference(self) -> Fe<V> {
        // Lane 2 is X + Y, lane 3 is Y − X.
        each!(self.0, v => v.swap_neighbours().mul_add(v.vector(&[0.0, 0.0, 1.0, -1.0]), v))
    }

    /// As addends: one product by 2d for four points.   out: 2
    #[inline(always)]
    pub fn to_cached(proof: V::Proof, [a, b, c, d]: [Self; 4]) -> [Cached<V>; 4] {
        const D2S: [[f64; 4]; 6] = lanes([&D2; 4]);
        let ab = each!(a.0, b.0; v, w => v.swap_neighbours().blend::<0b0010>(w));
        let cd = each!(c.0, d.0; v, w => v.swap_neighbours().blend::<0b0010>(w));
        let t = each!(ab, cd; v, w => v.blend::<0b1100>(w.permute::<{ order(0, 1, 0, 1) }>()));
        let t = t.mul(Fe::load(proof, &D2S));
        [
            a.with_2dt(each!(t, v => v.swap_neighbours())),
            b.with_2dt(t),
            c.with_2dt(each!(t, v => v.permute::<{ order(2, 2, 2, 2) }>())),
            d.with_2dt(each!(t, v => v.permute::<{ order(3, 3, 3, 3) }>())),
        ]
    }

    /// (2Z, 2d·T, Y + X, Y − X), the second from lane 1 of `t`.
    #[inline(always)]
    fn with_2dt(self, t: Fe<V>) -> Cached<V> {
        Cached(each!(self.sum_and_difference(), t; v, t => {
            v.mul_add(v.vector(&[1.0, 0.0, 0.0, 0.0]), v).blend::<0b0010>(t)
        }))
    }

    /// self + q.
    #[inline(always)]
    pub fn add(self, q: Cached<V>) -> Completed<V> {
        debug_bound!(q.0, 2);
        // D = Z·2Z', C = T·2d·T', B = (Y + X)(Y' + X'), A = (Y − X)(Y' − X')
        let products = self.sum_and_difference().mul(q.0);
        // G = D + C, F = D − C, H = B + A, E = B − A
        Completed(each!(products, v => {
            v.mul_add(v.vector(&[1.0, -1.0, 1.0, -1.0]), v.swap_neighbours())
        }))
    }
}

impl<V: Quad> Cached<V> {
    /// An affine multiple from a table: (2, 2·d·x·y, y + x, y − x).   in: limbs of at most 2 units
    #[inline(always)]
    pub fn load(proof: V::Proof, entry: &[[f64; 4]; 6]) -> Self {
        Self(Fe::load(proof, entry))
    }

    /// −self, if `negative`: Y + X and Y − X change places, T its sign.
    #[inline(always)]
    pub fn negate_if(self, negative: bool) -> Self {
        Self(each!(self.0, v => v.negate_if(negative)))
    }
}

/// P, 3P … 15P of one point or two, as addends.
///
/// Two points take turns: the products of one fill the time in which those of the other wait for carries.
#[inline(always)]
pub fn odd_multiples<V: Quad, const N: usize>(
    proof: V::Proof,
    points: [&[u64; 8]; N],
) -> Table<[[LanesNiels; 8]; N]> {
    const { assert!(N == 1 || N == 2) };
    let mut multiples = Extended::<V>::from_affine(proof, points);
    let mut twice = multiples;
    for twice in &mut twice {
        *twice = twice.to_projective().double().to_extended();
    }
    let (first, last) = (twice[0], twice[N - 1]);
    let [first, _, _, last] = Extended::to_cached(proof, [first, first, last, last]);
    // As points first: 2d·T is had for four at a time.
    let mut tables = Table([[[[0.0; 4]; 6]; 8]; N]);
    for j in 0..8 {
        for ((table, multiple), twice) in tables.0.iter_mut().zip(&mut multiples).zip([first, last])
        {
            table[j] = multiple.0.store();
            if j < 7 {
                *multiple = multiple.add(twice).to_extended();
            }
        }
    }
    for table in &mut tables.0 {
        for entries in table.chunks_exact_mut(4) {
            let cached = Extended::<V>::to_cached(
                proof,
                [
                    Extended(Fe::load(proof, &entries[0])),
                    Extended(Fe::load(proof, &entries[1])),
                    Extended(Fe::load(proof, &entries[2])),
                    Extended(Fe::load(proof, &entries[3])),
                ],
            );
            for k in 0..4 {
                entries[k] = cached[k].0.store();
            }
        }
    }
    tables
}
