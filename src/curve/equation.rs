//! The verification equation without cofactor: R' = \[S\]B − \[k\]A, compared as bytes.
//!
//! **What −\[k\]A means.** A key may be A = a·B + T with T of small order, and then scalars that
//! agree mod L need not agree on A: the group has exponent 8L. Every implementation of the rules
//! here takes the hash mod L once, as RFC 8032 signers do, and from there k is *the integer* in
//! \[0, L): the point subtracted is A added to itself k times. This module computes \[k\](−A),
//! which is the same point because negation commutes with addition. What would not do:
//!
//! - \[L − k\]A, tempting because it saves the negation, is −\[k\]A + \[L\]A, and \[L\]A = \[5\]T,
//!   since L ≡ 5 (mod 8): a different point for every T ≠ O.
//! - the unreduced hash, or its residue mod 8L, differs from k by a multiple of L, so the result
//!   is off by a multiple of \[5\]T, zero only when that multiple is one of T's order.
//!
//! For keys of order L all of these agree, which is why honest test vectors cannot tell them apart;
//! `tests/peers_agree.rs` makes mixed-order keys whose verdicts do.

use crate::low::door;

/// −A for the A that these bytes encode, leniently (y mod p, and x = 0 with the sign bit is x = 0),
/// or `None` where they encode no point. Variable time: keys are public.
pub(crate) fn decode_negated_vartime(encoding: &[u8; 32]) -> Option<[u64; 8]> {
    door::edwards25519_decode_permissive(encoding).map(|point| negate(&point))
}

/// −P = (−x, y), affine and reduced for such a P. Constant time.
pub(crate) fn negate(point: &[u64; 8]) -> [u64; 8] {
    let [x0, x1, x2, x3, y @ ..] = *point;
    let [x0, x1, x2, x3] = door::bignum_neg_p25519(&[x0, x1, x2, x3]);
    let [y0, y1, y2, y3] = y;
    [x0, x1, x2, x3, y0, y1, y2, y3]
}

/// Whether encode(\[S\]B + \[k\](−A)) is, byte for byte, `r`. Variable time: all inputs are public.
///
/// in: `minus_a` affine and reduced, of any order; `k`, `s` integers < L.
pub(crate) fn holds_vartime(minus_a: &[u64; 8], k: &[u64; 4], s: &[u64; 4], r: &[u8; 32]) -> bool {
    let sum = door::edwards25519_scalarmuldouble_vartime(k, minus_a, s);
    door::edwards25519_encode(&sum) == *r
}
