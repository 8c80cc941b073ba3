//! Which byte strings are the encoding that RFC 8032, section 5.1.2, gives to a point.

use super::words;

const ONES: u64 = u64::MAX;

/// p = 2^255 − 19.
pub(super) const P: [u64; 4] = [ONES - 18, ONES, ONES, ONES >> 1];

/// Whether this encoding, if it is a point's at all, is the canonical one: y < p, and no sign bit
/// where x = 0, which is at y = 1 and y = −1. Variable time: encodings of keys are public.
///
/// Source: RFC 8032, section 5.1.3, steps 1 and 4.
pub(crate) fn is_canonical_vartime(encoding: &[u8; 32]) -> bool {
    let mut y: [u64; 4] = words::from_bytes(encoding);
    let sign = y[3] >> 63 == 1;
    y[3] &= ONES >> 1;
    let x_is_zero = y == [1, 0, 0, 0] || y == [P[0] - 1, P[1], P[2], P[3]];
    y.iter().rev().lt(P.iter().rev()) && !(sign && x_is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::low::{door, portable};

    /// The strict and the tolerant decoder differ on exactly the encodings that are not canonical.
    #[test]
    fn canonical_is_what_the_strict_decoder_takes() {
        let (mut canonical, mut others) = (0, 0);
        let edges = (0..19).map(|n| [P[0].wrapping_add(n), P[1], P[2], P[3]]);
        let near = (0..40).flat_map(|n| [[n, 0, 0, 0], [P[0] - n, P[1], P[2], P[3]]]);
        for y in edges.chain(near) {
            for sign in [0, 0x80] {
                let mut encoding = words::to_bytes(&y);
                encoding[31] |= sign;
                if door::edwards25519_decode_permissive(&encoding).is_none() {
                    continue;
                }
                let strict = portable::edwards25519_decode(&encoding).is_some();
                assert_eq!(is_canonical_vartime(&encoding), strict, "{encoding:x?}");
                *if strict { &mut canonical } else { &mut others } += 1;
            }
        }
        assert!(canonical > 40 && others > 10, "{canonical} canonical, {others} not");
    }
}
