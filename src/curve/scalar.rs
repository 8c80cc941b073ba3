//! Scalars: the subgroup order, the range test of a signature's S, and clamping.

use crate::low::portable::bignum_madd_n25519;
pub(crate) use crate::low::portable::{L, clamp};

/// x·y mod L. Constant time.
pub(crate) fn multiply(x: &[u64; 4], y: &[u64; 4]) -> [u64; 4] {
    bignum_madd_n25519(x, y, &[0; 4])
}

/// Whether s < L. Variable time: S of a signature is public.
///
/// Source: RFC 8032, section 5.1.7, step 1.
pub(crate) fn is_below_l_vartime(s: &[u64; 4]) -> bool {
    s.iter().rev().lt(L.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::words;

    #[test]
    fn range_ends_below_l() {
        let below = [L[0] - 1, L[1], L[2], L[3]];
        let above = [L[0] + 1, L[1], L[2], L[3]];
        for s in [[0; 4], [1, 0, 0, 0], [u64::MAX, 0, 0, 0], [0, 0, 0, L[3]], below] {
            assert!(is_below_l_vartime(&s), "{s:x?} < L");
        }
        for s in [L, above, [0, 0, 1, L[3]], [0, L[1] + 1, 0, L[3]], [0, 0, 0, 1 << 61]] {
            assert!(!is_below_l_vartime(&s), "{s:x?} >= L");
        }
        assert!(!is_below_l_vartime(&[u64::MAX; 4]));
    }

    #[test]
    fn clamp_fixes_the_five_bits_that_rfc_8032_names() {
        for fill in [0x00, 0xff, 0x5a] {
            let mut scalar = words::from_bytes(&[fill; 32]);
            clamp(&mut scalar);
            let mut expected = [fill; 32];
            expected[0] &= 0b1111_1000;
            expected[31] = expected[31] & 0b0111_1111 | 0b0100_0000;
            assert_eq!(words::to_bytes(&scalar), expected);
        }
    }
}
