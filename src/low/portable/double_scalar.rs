//! The sum of two multiples, for verification: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs: width 5 for P with its 8 odd multiples, made here; width 8 for B with
//! its 64, in a table. About 253 doublings, 43 and 28 additions.

use subtle::Choice;

use super::edwards::{Cached, Extended, Niels, Projective};
use crate::low::recode::{WNAF_DIGITS, wnaf_vartime};
use crate::low::tables::BASE_ODD;

/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine. P may have any order up to 8·L, so its scalar acts as the
/// integer that it is and is never reduced mod L.
pub fn edwards25519_scalarmuldouble_vartime(
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [u64; 8] {
    let odd = OddMultiples::new(&Extended::from_affine(point));
    let digits = wnaf_vartime::<5>(scalar);
    let bdigits = wnaf_vartime::<8>(bscalar);
    let used = (0..WNAF_DIGITS).rev().find(|&i| digits[i] != 0 || bdigits[i] != 0);

    let mut acc = Projective::IDENTITY;
    for i in (0..used.map_or(0, |top| top + 1)).rev() {
        let mut sum = acc.double();
        if digits[i] != 0 {
            sum = sum.to_extended().add(odd.multiple(digits[i]));
        }
        if bdigits[i] != 0 {
            sum = sum.to_extended().add_niels(&base_multiple(bdigits[i]));
        }
        acc = sum.to_projective();
    }
    acc.to_affine()
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
    fn multiple(&self, digit: i8) -> &Cached {
        &self.0[((digit + 15) as usize / 2) & 15]
    }
}

/// digit·B, for an odd digit in −127..=127.
#[inline(always)]
fn base_multiple(digit: i8) -> Niels {
    // |digit| = 2·j + 1 is entry j.
    Niels::unpack(
        &BASE_ODD.0[usize::from(digit.unsigned_abs() / 2) & 63],
        Choice::from((digit < 0) as u8),
    )
}
