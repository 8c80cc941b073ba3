//! Points of edwards25519, −x² + y² = 1 + d·x²·y² over the integers mod p, and their addition law.
//!
//! Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited" (2008), a = −1, with
//! the paper's letters. d is no square, so they are complete: right for every pair of points, the
//! identity, equal points and points with torsion included.
//!
//! | type | holds | stands for |
//! |---|---|---|
//! | [`Extended`] | X, Y, Z, T | x = X/Z, y = Y/Z, x·y = T/Z |
//! | [`Projective`] | X, Y, Z | the same; enough for a doubling, which reads no T |
//! | [`Completed`] | E, F, G, H | x = E/G, y = H/F: a sum or a double before its last products |
//! | [`Cached`] | Y + X, Y − X, Z, 2d·T | an addend that is used more than once |
//! | [`Niels`] | y + x, y − x, 2d·x·y | the same with Z = 1 |
//!
//! | operation | M | S |
//! |---|---|---|
//! | double | – | 4 |
//! | add `Cached`         | 4 | – |
//! | add `Niels`         | 3 | – |
//! | completed to projective | 3 | – |
//! | completed to extended | 4 | – |

use subtle::{Choice, ConditionallySelectable};
use zeroize::{Zeroize, Zeroizing};

use super::field::{Fe, FeLoose};
use crate::low::tables::PackedNiels;

/// d = −121665/121666.
pub(super) const D: Fe = Fe::from_words(&[
    0x75eb4dca135978a3,
    0x00700a4d4141d8ab,
    0x8cc740797779e898,
    0x52036cee2b6ffe73,
]);
/// 2·d mod p.
const D2: Fe = Fe::from_words(&[
    0xebd69b9426b2f159,
    0x00e0149a8283b156,
    0x198e80f2eef3d130,
    0x2406d9dc56dffce7,
]);

/// (X : Y : Z : T) with x = X/Z, y = Y/Z and T·Z = X·Y.
#[derive(Clone, Copy)]
pub(super) struct Extended {
    pub x: Fe,
    pub y: Fe,
    pub z: Fe,
    pub t: Fe,
}

/// (X : Y : Z) with x = X/Z, y = Y/Z.
#[derive(Clone, Copy)]
pub(super) struct Projective {
    pub x: Fe,
    pub y: Fe,
    pub z: Fe,
}

/// ((E : G), (H : F)) with x = E/G, y = H/F.
pub(super) struct Completed {
    pub e: FeLoose,
    pub f: FeLoose,
    pub g: FeLoose,
    pub h: FeLoose,
}

/// An addend (Y + X, Y − X, Z, 2d·T).
#[derive(Clone, Copy)]
pub(super) struct Cached {
    y_plus_x: FeLoose,
    y_minus_x: FeLoose,
    z: Fe,
    t2d: FeLoose,
}

/// An affine addend (y + x, y − x, 2d·x·y).
#[derive(Clone, Copy)]
pub(super) struct Niels {
    pub y_plus_x: Fe,
    pub y_minus_x: Fe,
    pub xy2d: FeLoose,
}

impl Extended {
    /// An affine point.
    pub fn from_affine(point: &[u64; 8]) -> Self {
        let (x, y) = point.split_at(4);
        // Both halves are four words by the split.
        let coordinate = |w: &[u64]| Fe::from_words(&[w[0], w[1], w[2], w[3]]);
        let (x, y) = (coordinate(x), coordinate(y));
        Self { x, y, z: Fe::ONE, t: x.mul(&y) }
    }

    #[inline(always)]
    pub fn to_projective(self) -> Projective {
        Projective { x: self.x, y: self.y, z: self.z }
    }

    /// As an addend, and the addend −self: one product.
    #[inline(always)]
    pub fn to_cached(self) -> (Cached, Cached) {
        let y_plus_x = self.y.add(&self.x);
        let y_minus_x = self.y.sub(&self.x);
        let t2d = self.t.mul(&D2);
        (
            Cached { y_plus_x, y_minus_x, z: self.z, t2d: Fe::sum([&t2d], []) },
            Cached {
                y_plus_x: y_minus_x,
                y_minus_x: y_plus_x,
                z: self.z,
                t2d: Fe::sum([], [&t2d]),
            },
        )
    }

    /// self + q.
    #[inline(always)]
    pub fn add(&self, q: &Cached) -> Completed {
        let a = self.y.sub(&self.x).mul(&q.y_minus_x);
        let b = self.y.add(&self.x).mul(&q.y_plus_x);
        sum(&a, &b, &self.t.mul(&q.t2d), &self.z.mul(&q.z))
    }

    /// self + q.
    #[inline(always)]
    pub fn add_niels(&self, q: &Niels) -> Completed {
        let a = self.y.sub(&self.x).mul(&q.y_minus_x);
        let b = self.y.add(&self.x).mul(&q.y_plus_x);
        sum(&a, &b, &self.t.mul(&q.xy2d), &self.z)
    }
}

/// The end of an addition, from A, B, C and D/2: E = B − A, F = D − C, G = D + C, H = B + A.
#[inline(always)]
fn sum(a: &Fe, b: &Fe, c: &Fe, half_d: &Fe) -> Completed {
    Completed {
        e: b.sub(a),
        f: Fe::sum([half_d, half_d], [c]),
        g: Fe::sum([half_d, half_d, c], []),
        h: b.add(a),
    }
}

impl Projective {
    /// The neutral point (0, 1).
    pub const IDENTITY: Self = Self { x: Fe::ZERO, y: Fe::ONE, z: Fe::ONE };

    /// 2·self.
    #[inline(always)]
    pub fn double(&self) -> Completed {
        let a = self.x.square();
        let b = self.y.square();
        let zz = self.z.square();
        let s = self.x.add(&self.y).square();
        // The paper's F = B − A − 2Z² and H = −A − B, both negated: y = H/F is the same.
        Completed {
            e: Fe::sum([&s], [&a, &b]),
            f: Fe::sum([&zz, &zz, &a], [&b]),
            g: b.sub(&a),
            h: a.add(&b),
        }
    }

    /// The affine point, both coordinates below p. Z tells of the scalar behind the point, and its
    /// inverse does, so it is wiped.
    #[allow(clippy::wrong_self_convention, reason = "a point may be secret: no copy of it is made")]
    pub fn to_affine(&self) -> [u64; 8] {
        let inverse = Zeroizing::new(self.z.invert());
        let [x0, x1, x2, x3] = self.x.mul(&*inverse).to_words();
        let [y0, y1, y2, y3] = self.y.mul(&*inverse).to_words();
        [x0, x1, x2, x3, y0, y1, y2, y3]
    }
}

impl Completed {
    /// (E·F : G·H : F·G).
    #[inline(always)]
    pub fn to_projective(&self) -> Projective {
        Projective { x: self.e.mul(&self.f), y: self.g.mul(&self.h), z: self.f.mul(&self.g) }
    }

    /// (E·F : G·H : F·G : E·H).
    #[inline(always)]
    pub fn to_extended(&self) -> Extended {
        let Projective { x, y, z } = self.to_projective();
        Extended { x, y, z, t: self.e.mul(&self.h) }
    }
}

impl Niels {
    /// A table entry in this tier's radix, or its negative. Constant time.
    #[inline(always)]
    pub fn unpack(entry: &PackedNiels, negative: Choice) -> Self {
        let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3] = *entry;
        // −(x, y) = (−x, y) swaps y + x with y − x and changes the sign of the product.
        let (mut a, mut b) = ([a0, a1, a2, a3], [b0, b1, b2, b3]);
        let c = Fe::from_words(&[c0, c1, c2, c3]);
        for (a, b) in a.iter_mut().zip(&mut b) {
            u64::conditional_swap(a, b, negative);
        }
        Self {
            y_plus_x: Fe::from_words(&a),
            y_minus_x: Fe::from_words(&b),
            xy2d: FeLoose::conditional_select(&Fe::sum([&c], []), &Fe::sum([], [&c]), negative),
        }
    }

    /// The point itself: E/G = 2x/2, H/F = 2y/2.
    #[inline(always)]
    pub fn to_completed(self) -> Completed {
        let two = Fe::ONE.double();
        Completed {
            e: self.y_plus_x.sub(&self.y_minus_x),
            f: two,
            g: two,
            h: self.y_plus_x.add(&self.y_minus_x),
        }
    }
}

impl Zeroize for Extended {
    fn zeroize(&mut self) {
        let Self { x, y, z, t } = self;
        for coordinate in [x, y, z, t] {
            coordinate.zeroize();
        }
    }
}

impl Zeroize for Projective {
    fn zeroize(&mut self) {
        let Self { x, y, z } = self;
        for coordinate in [x, y, z] {
            coordinate.zeroize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d_is_minus_121665_over_121666() {
        let small = |n| Fe::from_words(&[n, 0, 0, 0]);
        assert_eq!(D.mul(&small(121666)).to_words(), small(121665).neg().to_words());
        assert_eq!(D2.to_words(), D.double().carry().to_words());
    }
}
