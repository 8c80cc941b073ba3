//! The sum of two multiples, one point in the lanes: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs, as in `portable`: width 5 for P with 8 odd multiples, width 8 for B with 64.

use super::Quad;
use super::point::{Cached, Extended, Projective};
use crate::low::recode::{WNAF_DIGITS, wnaf_vartime};
use crate::low::tables::BASE_ODD_LANES;

/// X, Y and Z of scalar·P + bscalar·B, each < 2^256, congruent mod p. VARIABLE TIME: public inputs.
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
    let odd = odd_multiples::<V>(proof, point);
    let digits = wnaf_vartime::<5>(scalar);
    let bdigits = wnaf_vartime::<8>(bscalar);
    let used = (0..WNAF_DIGITS).rev().find(|&i| digits[i] != 0 || bdigits[i] != 0);

    let mut acc = Projective::identity(proof);
    for i in (0..used.map_or(0, |top| top + 1)).rev() {
        let mut sum = acc.double();
        // |digit| = 2·j + 1 is entry j.
        let entry = |digit: i8| usize::from(digit.unsigned_abs() / 2);
        if digits[i] != 0 {
            let q = odd[entry(digits[i]) & 7].negate_if(digits[i] < 0);
            sum = sum.to_extended().add(q);
        }
        if bdigits[i] != 0 {
            let q = Cached::load(proof, &BASE_ODD_LANES.0[entry(bdigits[i]) & 63]);
            sum = sum.to_extended().add(q.negate_if(bdigits[i] < 0));
        }
        acc = sum.to_projective();
    }
    acc.to_words()
}

/// P, 3P … 15P.
#[inline(always)]
fn odd_multiples<V: Quad>(proof: V::Proof, point: &[u64; 8]) -> [Cached<V>; 8] {
    let mut multiple = Extended::from_affine(proof, point);
    let twice = multiple.to_projective().double().to_extended().to_cached(proof);
    let mut table = [multiple.to_cached(proof); 8];
    for entry in &mut table[1..] {
        multiple = multiple.add(twice).to_extended();
        *entry = multiple.to_cached(proof);
    }
    table
}
