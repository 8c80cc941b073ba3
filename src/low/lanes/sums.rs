//! Sums of multiples, one point in the lanes: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs, as in `portable`: width 5 for a point of the input, with 8 odd multiples,
//! width 8 for B and 2^128·B, with 64. Results are X, Y and Z, each < 2^256, congruent mod p.

use super::Quad;
use super::point::{Cached, Extended, Projective};
use crate::low::recode::{WNAF_DIGITS, wnaf_vartime};
use crate::low::tables::{BASE_ODD_HIGH_LANES, BASE_ODD_LANES, LanesNiels};

/// scalar·P + bscalar·B. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine. P may have any order up to 8·L, so its scalar acts as the integer
/// that it is and is never reduced mod L.
#[inline(always)]
pub fn scalarmuldouble_vartime<V: Quad>(
    proof: V::Proof,
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [[u64; 4]; 3] {
    let terms = [Term::<V>::new(proof, scalar, point)];
    sum(proof, &terms, &[BaseTerm::new(bscalar, &BASE_ODD_LANES.0)])
}

/// scalar₀·P₀ + scalar₁·P₁ + scalar₂·B. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P₀ and P₁ affine; scalar₂ is taken in halves
#[inline(always)]
pub fn scalarmultriple_vartime<V: Quad>(
    proof: V::Proof,
    scalars: &[[u64; 4]; 3],
    points: &[[u64; 8]; 2],
) -> [[u64; 4]; 3] {
    let [a, b, [low0, low1, high0, high1]] = scalars;
    let terms = [Term::<V>::new(proof, a, &points[0]), Term::new(proof, b, &points[1])];
    let base = [
        BaseTerm::new(&[*low0, *low1, 0, 0], &BASE_ODD_LANES.0),
        BaseTerm::new(&[*high0, *high1, 0, 0], &BASE_ODD_HIGH_LANES.0),
    ];
    sum(proof, &terms, &base)
}

/// The sum of all terms.
#[inline(always)]
fn sum<V: Quad, const N: usize, const M: usize>(
    proof: V::Proof,
    terms: &[Term<V>; N],
    base: &[BaseTerm; M],
) -> [[u64; 4]; 3] {
    let mut used = WNAF_DIGITS;
    while used > 0 && is_zero(terms, base, used - 1) {
        used -= 1;
    }
    let mut acc = Projective::identity(proof);
    for i in (0..used).rev() {
        let mut sum = acc.double();
        for term in terms {
            if term.digits[i] != 0 {
                let multiple = term.odd[entry(term.digits[i]) & 7];
                sum = sum.to_extended().add(multiple.negate_if(term.digits[i] < 0));
            }
        }
        for term in base {
            if term.digits[i] != 0 {
                let multiple = Cached::load(proof, &term.odd[entry(term.digits[i]) & 63]);
                sum = sum.to_extended().add(multiple.negate_if(term.digits[i] < 0));
            }
        }
        acc = sum.to_projective();
    }
    acc.to_words()
}

/// Whether no term has a digit at place i.
#[inline(always)]
fn is_zero<V, const N: usize, const M: usize>(
    terms: &[Term<V>; N],
    base: &[BaseTerm; M],
    i: usize,
) -> bool {
    let mut digits = 0;
    for term in terms {
        digits |= term.digits[i];
    }
    for term in base {
        digits |= term.digits[i];
    }
    digits == 0
}

/// |digit| = 2·j + 1 is entry j.
#[inline(always)]
fn entry(digit: i8) -> usize {
    usize::from(digit.unsigned_abs() / 2)
}

/// A scalar and P, 3P … 15P.
struct Term<V> {
    digits: [i8; WNAF_DIGITS],
    odd: [Cached<V>; 8],
}

impl<V: Quad> Term<V> {
    #[inline(always)]
    fn new(proof: V::Proof, scalar: &[u64; 4], point: &[u64; 8]) -> Self {
        let mut multiple = Extended::from_affine(proof, point);
        let twice = multiple.to_projective().double().to_extended().to_cached(proof);
        let mut odd = [multiple.to_cached(proof); 8];
        for entry in &mut odd[1..] {
            multiple = multiple.add(twice).to_extended();
            *entry = multiple.to_cached(proof);
        }
        Self { digits: wnaf_vartime::<5>(scalar), odd }
    }
}

/// A scalar and a point whose odd multiples are in a table.
struct BaseTerm {
    digits: [i8; WNAF_DIGITS],
    odd: &'static [LanesNiels; 64],
}

impl BaseTerm {
    #[inline(always)]
    fn new(scalar: &[u64; 4], odd: &'static [LanesNiels; 64]) -> Self {
        Self { digits: wnaf_vartime::<8>(scalar), odd }
    }
}
