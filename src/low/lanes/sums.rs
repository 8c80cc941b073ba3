//! Sums of multiples, one point in the lanes: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs, as in `portable`: width 5 for a point of the input, with 8 odd multiples,
//! width 9 for B and 2^128·B, with 128. Results are X, Y and Z, each < 2^256, congruent mod p.

use super::Quad;
use super::point::{Cached, Completed, odd_multiples};
use crate::low::recode::{WNAF_DIGITS, wnaf_digits_vartime};
use crate::low::tables::{BASE_ODD_HIGH_LANES, BASE_ODD_LANES, LanesNiels, Table};

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
    let mut digits = Digits::new();
    digits.write::<5>(0, scalar);
    digits.write::<9>(1, bscalar);
    let Table([multiples]) = &odd_multiples::<V, 1>(proof, [point]);
    sum::<V>(proof, &digits, &[multiples, &BASE_ODD_LANES.0, &[], &[]])
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
    let mut digits = Digits::new();
    digits.write::<5>(0, a);
    digits.write::<5>(1, b);
    digits.write::<9>(2, &[*low0, *low1, 0, 0]);
    digits.write::<9>(3, &[*high0, *high1, 0, 0]);
    let Table([p, q]) = &odd_multiples::<V, 2>(proof, [&points[0], &points[1]]);
    sum::<V>(proof, &digits, &[p, q, &BASE_ODD_LANES.0, &BASE_ODD_HIGH_LANES.0])
}

/// Σ digit·2^i·P over all digits, of which |digit| = 2·j + 1 stands for entry j of its term's table.
#[inline(always)]
fn sum<V: Quad>(
    proof: V::Proof,
    digits: &Digits,
    tables: &[&[LanesNiels]; TERMS],
) -> [[u64; 4]; 3] {
    let mut sum = Completed::<V>::identity(proof);
    let mut next = digits.below(WORDS * 64);
    let mut place = next.map_or(0, |at| at / TERMS);
    loop {
        let doublings = place - next.map_or(0, |at| at / TERMS);
        for _ in 0..doublings {
            sum = sum.to_projective().double();
        }
        let Some(at) = next else { break };
        place = at / TERMS;
        let digit = digits.values[at];
        let multiple =
            Cached::load(proof, &tables[at % TERMS][usize::from(digit.unsigned_abs() / 2)]);
        sum = sum.to_extended().add(multiple.negate_if(digit < 0));
        next = digits.below(at);
    }
    sum.to_projective().to_words()
}

/// How many terms a sum may have.
const TERMS: usize = 4;
/// A bit for each digit.
const WORDS: usize = (TERMS * WNAF_DIGITS).div_ceil(64);

/// The digits of all terms: digit i of term t is at `TERMS`·i + t.
struct Digits {
    values: [i16; WORDS * 64],
    /// Which are not zero.
    used: [u64; WORDS],
}

impl Digits {
    #[inline(always)]
    fn new() -> Self {
        Self { values: [0; WORDS * 64], used: [0; WORDS] }
    }

    /// The wNAF of width `W` for this term.
    #[inline(always)]
    fn write<const W: u32>(&mut self, term: usize, scalar: &[u64; 4]) {
        wnaf_digits_vartime::<W>(scalar, |i, digit| {
            let at = TERMS * i + term;
            self.values[at] = digit;
            self.used[at / 64] |= 1 << (at % 64);
        });
    }

    /// Where the last digit before `at` is that is not zero.
    #[inline(always)]
    fn below(&self, at: usize) -> Option<usize> {
        let (mut word, bit) = (at / 64, at % 64);
        let mut rest = if bit == 0 { 0 } else { self.used[word] & ((1 << bit) - 1) };
        while rest == 0 {
            word = word.checked_sub(1)?;
            rest = self.used[word];
        }
        Some(word * 64 + 63 - rest.leading_zeros() as usize)
    }
}
