//! Sums of multiples, for verification: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs: width 5 for points that come with the input, with 8 odd multiples of each,
//! made here; width 9 for B and 2^128·B, with 128 odd multiples of each, in tables. The doublings are as
//! many as the longest scalar has bits; for random scalars of n bits there are n/6 and n/9 additions.

use subtle::Choice;

use super::edwards::{Cached, Extended, Niels, Projective};
use crate::low::recode::{WNAF_DIGITS, wnaf_vartime};
use crate::low::tables::{BASE_ODD, BASE_ODD_HIGH, PackedNiels};

/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine. P may have any order up to 8·L, so its scalar acts as the
/// integer that it is and is never reduced mod L.
pub fn edwards25519_scalarmuldouble_vartime(
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [u64; 8] {
    let terms = [Term::new(scalar, point)];
    let base = [BaseTerm::new(bscalar, &BASE_ODD.0)];
    sum(&terms, &base).to_affine()
}

/// scalar₀·P₀ + scalar₁·P₁ + scalar₂·B, exact for points with torsion, as (X, Y, Z) with x = X/Z,
/// y = Y/Z, Z ≠ 0, each below p. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P₀ and P₁ affine. The shorter the longer of scalar₀ and scalar₁, the faster,
/// down to 128 bits: scalar₂ is taken in halves.
pub fn edwards25519_scalarmultriple_vartime(
    scalars: &[[u64; 4]; 3],
    points: &[[u64; 8]; 2],
) -> [[u64; 4]; 3] {
    let [a, b, [low0, low1, high0, high1]] = scalars;
    let terms = [Term::new(a, &points[0]), Term::new(b, &points[1])];
    let base = [
        BaseTerm::new(&[*low0, *low1, 0, 0], &BASE_ODD.0),
        BaseTerm::new(&[*high0, *high1, 0, 0], &BASE_ODD_HIGH.0),
    ];
    let Projective { x, y, z } = sum(&terms, &base);
    [x.to_words(), y.to_words(), z.to_words()]
}

/// The sum of all terms.
#[inline(always)]
fn sum<const N: usize, const M: usize>(terms: &[Term; N], base: &[BaseTerm; M]) -> Projective {
    let is_used = |i: &usize| {
        terms.iter().any(|term| term.digits[*i] != 0) || base.iter().any(|b| b.digits[*i] != 0)
    };
    let used = (0..WNAF_DIGITS).rev().find(is_used);

    let mut acc = Projective::IDENTITY;
    for i in (0..used.map_or(0, |top| top + 1)).rev() {
        let mut sum = acc.double();
        for term in terms {
            if term.digits[i] != 0 {
                sum = sum.to_extended().add(term.odd.multiple(term.digits[i]));
            }
        }
        for term in base {
            if term.digits[i] != 0 {
                sum = sum.to_extended().add_niels(&term.multiple(term.digits[i]));
            }
        }
        acc = sum.to_projective();
    }
    acc
}

/// A scalar and a point of the input.
struct Term {
    digits: [i16; WNAF_DIGITS],
    odd: OddMultiples,
}

impl Term {
    fn new(scalar: &[u64; 4], point: &[u64; 8]) -> Self {
        let odd = OddMultiples::new(&Extended::from_affine(point));
        Self { digits: wnaf_vartime::<5>(scalar), odd }
    }
}

/// A scalar and a point whose odd multiples are in a table.
struct BaseTerm {
    digits: [i16; WNAF_DIGITS],
    odd: &'static [PackedNiels; 128],
}

impl BaseTerm {
    fn new(scalar: &[u64; 4], odd: &'static [PackedNiels; 128]) -> Self {
        Self { digits: wnaf_vartime::<9>(scalar), odd }
    }

    /// The multiple by an odd digit in −255..=255.
    #[inline(always)]
    fn multiple(&self, digit: i16) -> Niels {
        // |digit| = 2·j + 1 is entry j.
        Niels::unpack(
            &self.odd[usize::from(digit.unsigned_abs() / 2) & 127],
            Choice::from((digit < 0) as u8),
        )
    }
}

/// −15P, −13P … 15P.
struct OddMultiples([Cached; 16]);

impl OddMultiples {
    fn new(point: &Extended) -> Self {
        let (twice, _) = point.to_projective().double().to_extended().to_cached();
        let mut multiple = *point;
        let (one, minus_one) = multiple.to_cached();
        let mut table = [one; 16];
        table[7] = minus_one;
        for i in 1..8 {
            multiple = multiple.add(&twice).to_extended();
            (table[8 + i], table[7 - i]) = multiple.to_cached();
        }
        Self(table)
    }

    /// digit·P, for an odd digit in −15..=15.
    #[inline(always)]
    fn multiple(&self, digit: i16) -> &Cached {
        &self.0[((digit + 15) as usize / 2) & 15]
    }
}
