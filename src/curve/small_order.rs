//! The fourteen byte strings that encode a point of small order.
//!
//! The eight points of order 1, 2, 4 and 8 have five values of y: 1, −1, 0 and ±y8, where y8 is
//! that of a point of order 8. A decoder that takes y mod p also takes y + p where that fits in 255
//! bits, here for 0 and 1. Seven strings of y and either sign bit make fourteen, for x = 0 with the
//! sign bit set decodes as x = 0. So small order is a property of the bytes, and a test over them
//! needs no square root.

use super::{encoding::P, words};

/// The smaller y of order 8: y8² is a root of d·y⁴ + 2·y² − 1 (doubling such a point gives y = 0).
/// A test below derives the orders again from the group law.
const Y8: [u64; 4] =
    [0xb027_b2c2_8f95_e826, 0xf098_eff2_89f4_c345, 0x3933_c6d3_05ac_dfd5, 0x05fc_536d_8802_38b1];

/// p − Y8. The lowest word of P alone is smaller than that of Y8, so one borrow runs.
const MINUS_Y8: [u64; 4] = {
    let (low, borrow) = P[0].overflowing_sub(Y8[0]);
    let (second, again) = P[1].overflowing_sub(Y8[1] + borrow as u64);
    assert!(!again && P[2] >= Y8[2] && P[3] > Y8[3]);
    [low, second, P[2] - Y8[2], P[3] - Y8[3]]
};

const Y: [[u64; 4]; 7] = [
    [0, 0, 0, 0],
    [1, 0, 0, 0],
    Y8,
    MINUS_Y8,
    [P[0] - 1, P[1], P[2], P[3]],
    P,
    [P[0] + 1, P[1], P[2], P[3]],
];

/// Whether these bytes decode, leniently, to a point of order 1, 2, 4 or 8.
/// Variable time: encodings of keys and commitments are public.
pub(crate) fn is_small_order_vartime(encoding: &[u8; 32]) -> bool {
    let mut y: [u64; 4] = words::from_bytes(encoding);
    y[3] &= u64::MAX >> 1;
    Y.contains(&y)
}

/// The fourteen.
#[cfg(test)]
pub(super) fn encodings() -> impl Iterator<Item = [u8; 32]> {
    Y.iter()
        .flat_map(|y| [y[3], y[3] | 1 << 63].map(|top| words::to_bytes(&[y[0], y[1], y[2], top])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::low::door;

    /// 8·A by the routine, and its encoding.
    fn times_eight(encoding: &[u8; 32]) -> [u8; 32] {
        let point = door::edwards25519_decode_permissive(encoding).expect("a point");
        door::edwards25519_encode(&door::edwards25519_scalarmuldouble_vartime(
            &[8, 0, 0, 0],
            &point,
            &[0; 4],
        ))
    }

    fn with_sign(y: &[u64; 4], sign: bool) -> [u8; 32] {
        let mut encoding = words::to_bytes(y);
        encoding[31] |= u8::from(sign) << 7;
        encoding
    }

    #[test]
    fn all_fourteen_have_order_dividing_eight() {
        let identity = with_sign(&[1, 0, 0, 0], false);
        for encoding in encodings() {
            assert_eq!(times_eight(&encoding), identity, "{encoding:x?}");
            assert!(is_small_order_vartime(&encoding), "{encoding:x?}");
        }
    }

    #[test]
    fn they_are_eight_distinct_points_and_so_all_of_them() {
        let mut points: std::vec::Vec<_> = encodings()
            .map(|encoding| door::edwards25519_decode_permissive(&encoding).expect("a point"))
            .collect();
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), 8);
    }

    #[test]
    fn other_points_and_non_points_are_not_of_small_order() {
        let base = with_sign(
            &[0x6666_6666_6666_6658, 0x6666666666666666, 0x6666666666666666, 0x6666666666666666],
            false,
        );
        assert!(!is_small_order_vartime(&base));
        // Every other non-canonical y, and the neighbours of the seven.
        for low in 2..19 {
            assert!(!is_small_order_vartime(&with_sign(&[P[0] + low, P[1], P[2], P[3]], false)));
        }
        for y in Y {
            let beside = [y[0] ^ 2, y[1], y[2], y[3]];
            assert!(Y.contains(&beside) || !is_small_order_vartime(&with_sign(&beside, true)));
            let far = [y[0], y[1] ^ 1, y[2], y[3]];
            assert!(!is_small_order_vartime(&with_sign(&far, true)));
        }
    }
}
