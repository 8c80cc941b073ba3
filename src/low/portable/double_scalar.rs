//! The sum of two multiples, for verification: VARIABLE TIME, public inputs.
//!
//! Straus's method over wNAFs: width 5 for P with its 8 odd multiples, made here; width 8 for B with
//! its 64, in a table. About 253 doublings, 43 and 28 additions.

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
    let odd = odd_multiples(&Extended::from_affine(point));
    let digits = wnaf_vartime::<5>(scalar);
    let bdigits = wnaf_vartime::<8>(bscalar);
    let used = (0..WNAF_DIGITS).rev().find(|&i| digits[i] != 0 || bdigits[i] != 0);

    let mut acc = Projective::IDENTITY;
    for i in (0..used.map_or(0, |top| top + 1)).rev() {
        let mut sum = acc.double();
        let (digit, bdigit) = (digits[i], bdigits[i]);
        // An odd multiple d is entry (|d| − 1)/2.
        let index = |d: i8| usize::from(d.unsigned_abs() / 2);
        if digit > 0 {
            sum = sum.to_extended().add(&odd[index(digit)]);
        } else if digit < 0 {
            sum = sum.to_extended().sub(&odd[index(digit)]);
        }
        if bdigit > 0 {
            sum = sum.to_extended().add_niels(&Niels::unpack(&BASE_ODD.0[index(bdigit)]));
        } else if bdigit < 0 {
            sum = sum.to_extended().sub_niels(&Niels::unpack(&BASE_ODD.0[index(bdigit)]));
        }
        acc = sum.to_projective();
    }
    acc.to_affine()
}

/// P, 3P … 15P.
fn odd_multiples(point: &Extended) -> [Cached; 8] {
    let twice = point.to_projective().double().to_extended().to_cached();
    let mut multiple = *point;
    core::array::from_fn(|i| {
        if i > 0 {
            multiple = multiple.add(&twice).to_extended();
        }
        multiple.to_cached()
    })
}
