//! The verification equation: R' = \[S\]B − \[k\]A, compared with R as bytes, as a point, or up to
//! small order.
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

use super::half_size::{HalfSize, half_size_vartime, shift_left};
use super::scalar;
use crate::low::door;

/// R, as an equation compares R' with it.
pub(crate) enum Commitment<'a> {
    /// R' encodes as these bytes, which need not be an encoding of anything; and the point of which they
    /// are the canonical encoding, if there is one.
    Encoded(&'a [u8; 32], Option<[u64; 8]>),
    /// R' is this point, affine and reduced.
    Point([u64; 8]),
    /// \[8\]R' = \[8\]R for this point R, affine and reduced.
    Cofactored([u64; 8]),
}

/// The point that these bytes encode, leniently (y mod p, and x = 0 with the sign bit is x = 0),
/// affine and reduced, or `None` where they encode no point. Variable time: keys and commitments are
/// public.
pub(crate) fn decode_vartime(encoding: &[u8; 32]) -> Option<[u64; 8]> {
    door::edwards25519_decode_permissive(encoding)
}

/// [`decode_vartime`] of both; in assembly, in less time than one after the other.
pub(crate) fn decode_pair_vartime(a: &[u8; 32], r: &[u8; 32]) -> [Option<[u64; 8]>; 2] {
    door::edwards25519_decode_permissive_pair(a, r)
}

/// −P = (−x, y), affine and reduced for such a P. Constant time.
pub(crate) fn negate(point: &[u64; 8]) -> [u64; 8] {
    let [x0, x1, x2, x3, y @ ..] = *point;
    let [x0, x1, x2, x3] = door::bignum_neg_p25519(&[x0, x1, x2, x3]);
    let [y0, y1, y2, y3] = y;
    [x0, x1, x2, x3, y0, y1, y2, y3]
}

/// Whether R' = \[S\]B + \[k\](−A) is R, in the sense that `r` has. Variable time: all inputs are
/// public.
///
/// Half-size scalars wherever k has a short relation, which nearly every k has: on every tier that is the
/// faster way (ALGORITHMS.md, "Half-size scalars").
///
/// in: `minus_a` affine and reduced, of any order; `k` an integer < L; `s` any of 256 bits, which acts
/// mod L since B has that order.
pub(crate) fn holds_vartime(
    minus_a: &[u64; 8],
    k: &[u64; 4],
    s: &[u64; 4],
    r: &Commitment<'_>,
) -> bool {
    match half_size_vartime(k) {
        Some(relation) => holds_half_size_vartime(minus_a, &relation, s, r),
        None => holds_full_size_vartime(minus_a, k, s, r),
    }
}

/// The equation as it stands: [`holds_vartime`] where there is no short relation, and the oracle of the
/// other way.
pub(crate) fn holds_full_size_vartime(
    minus_a: &[u64; 8],
    k: &[u64; 4],
    s: &[u64; 4],
    r: &Commitment<'_>,
) -> bool {
    let sum = door::edwards25519_scalarmuldouble_vartime(k, minus_a, s);
    match r {
        Commitment::Encoded(bytes, _) => door::edwards25519_encode(&sum) == **bytes,
        Commitment::Point(point) => sum == *point,
        Commitment::Cofactored(point) => door::edwards25519_same_coset_vartime(&sum, point),
    }
}

/// The equation times c1, and times 8 where it is cofactored:
/// \[c1·S mod L\]B + \[c0\](−A) + \[c1\](−R) = O. That says the same, see [`super::half_size`].
fn holds_half_size_vartime(
    minus_a: &[u64; 8],
    relation: &HalfSize,
    s: &[u64; 4],
    r: &Commitment<'_>,
) -> bool {
    let (r, cofactor_bits) = match r {
        // What R' encodes as is canonical: other bytes equal none.
        Commitment::Encoded(_, None) => return false,
        Commitment::Encoded(_, Some(point)) | Commitment::Point(point) => (*point, 0),
        Commitment::Cofactored(point) => (*point, 3),
    };
    let a = if relation.c0_is_negative { negate(minus_a) } else { *minus_a };
    let b = scalar::multiply(&relation.c1, s);
    // 8·L < 2^256, and c0 and c1 are much shorter.
    let scalars = [relation.c0, relation.c1, b].map(|c| shift_left(&c, cofactor_bits));
    let [x, y, z] = door::edwards25519_scalarmultriple_vartime(&scalars, &[a, negate(&r)]);
    x == [0; 4] && y == z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{scalar::L, small_order, words};
    use crate::low::portable;
    use num_bigint::BigUint;
    use std::vec::Vec;

    fn integer(words: &[u64; 4]) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |n, &word| (n << 64) + word)
    }

    fn words_of(n: &BigUint) -> [u64; 4] {
        let mut digits = n.iter_u64_digits();
        core::array::from_fn(|_| digits.next().unwrap_or(0))
    }

    /// a·P + r·Q + b·B, affine.
    fn sum(scalars: &[[u64; 4]; 3], points: &[[u64; 8]; 2]) -> [u64; 8] {
        let [x, y, z] = door::edwards25519_scalarmultriple_vartime(scalars, points);
        let inverse = portable::bignum_inv_p25519(&z);
        let mut point = [0; 8];
        point[..4].copy_from_slice(&portable::bignum_mul_p25519(&x, &inverse));
        point[4..].copy_from_slice(&portable::bignum_mul_p25519(&y, &inverse));
        point
    }

    /// Both ways agree, whatever the torsion of A and R, for k with every kind of relation. The planted
    /// faults, a relation modulo L alone and one with even c1, do not.
    #[test]
    fn half_size_scalars_change_no_verdict() {
        let mut state = BigUint::from(3u8);
        let mut random = || {
            state = state.modpow(&5u8.into(), &integer(&L));
            words_of(&state)
        };
        let (zero, one) = ([0; 4], [1, 0, 0, 0]);
        let l = integer(&L);
        let special = [
            0u8.into(),
            1u8.into(),
            8u8.into(),
            &l - 1u8,
            &l >> 1,
            (&l >> 1) + 1u8,
            BigUint::from(1u8) << 127,  // a quotient of 128 bits
            &l * 10_946u32 / 17_711u32, // quotients of 1, then large ones
            (&l * 4_181u32 / 6_765u32) + (&l >> 128), // and of all sizes after that
        ];
        let mut torsion: Vec<_> = small_order::encodings()
            .map(|bytes| decode_vartime(&bytes).expect("a point"))
            .collect();
        torsion.sort();
        torsion.dedup();
        assert_eq!(torsion.len(), 8);
        // Each special k beside each torsion of A; random ones in turns.
        let mut ks: Vec<_> = special.iter().flat_map(|k| [words_of(k); 8]).collect();
        ks.extend((0..24).map(|_| random()));

        let (mut accepted, mut refused, mut modulo_l, mut even) = (0, 0, 0, 0);
        for (k, minus_t) in ks.iter().zip(torsion.iter().cycle()) {
            let minus_a = sum(&[one, zero, random()], &[*minus_t, *minus_t]);
            let s = random();
            let wrong = [
                half_size_vartime(&words_of(&(integer(k) + integer(&L)))),
                half_size_vartime(k).map(|relation| HalfSize {
                    c0: shift_left(&relation.c0, 1),
                    c1: shift_left(&relation.c1, 1),
                    ..relation
                }),
            ];
            for t in &torsion {
                // R' + T
                let r = sum(&[*k, one, s], &[minus_a, *t]);
                let bytes = door::edwards25519_encode(&r);
                for r in [
                    Commitment::Encoded(&bytes, Some(r)),
                    Commitment::Point(r),
                    Commitment::Cofactored(r),
                ] {
                    let full = holds_full_size_vartime(&minus_a, k, &s, &r);
                    assert_eq!(holds_vartime(&minus_a, k, &s, &r), full, "k = {k:x?}, T = {t:x?}");
                    *if full { &mut accepted } else { &mut refused } += 1;
                    let [by_l, by_even] = wrong.map(|relation| {
                        relation.is_some_and(|relation| {
                            holds_half_size_vartime(&minus_a, &relation, &s, &r) != full
                        })
                    });
                    modulo_l += i32::from(by_l);
                    even += i32::from(by_even);
                }
            }
        }
        assert!(accepted > 400 && refused > 400, "{accepted} accepted, {refused} refused");
        assert!(modulo_l > 50 && even > 50, "faults seen {modulo_l} and {even} times");
    }

    /// R = s·B for a small s, beside A = T of each small order, and k = 1: R' = s·B − T.
    #[test]
    fn each_comparison_of_r_sees_the_torsion_that_it_should() {
        let s = [5, 0, 0, 0];
        let point = door::edwards25519_scalarmulbase(&s);
        let bytes = door::edwards25519_encode(&point);
        let (mut exact, mut torsion) = (0, 0);
        for encoding in small_order::encodings() {
            let minus_t = negate(&decode_vartime(&encoding).expect("a point"));
            let holds = |k: u64, s, r| holds_vartime(&minus_t, &[k, 0, 0, 0], s, &r);
            for k in 0..9 {
                let same = holds(k, &s, Commitment::Encoded(&bytes, Some(point)));
                assert_eq!(holds(k, &s, Commitment::Point(point)), same);
                assert!(holds(k, &s, Commitment::Cofactored(point)));
                assert!(!holds(k, &[6, 0, 0, 0], Commitment::Cofactored(point)));
                *if same { &mut exact } else { &mut torsion } += 1;
            }
        }
        // k·T = O for k = 0 and 8; k = 4 where 4·T = O, and so on: orders 1, 1, 1, 1, 2, 2, 4 (four
        // times) and 8 (four times) over the fourteen encodings.
        assert_eq!(exact, 4 * 9 + 2 * 5 + 4 * 3 + 4 * 2);
        assert_eq!(exact + torsion, 14 * 9);
    }

    #[test]
    fn bytes_that_encode_nothing_equal_no_point() {
        let no_point: [u8; 32] = words::to_bytes(&[2, 0, 0, 0]);
        assert_eq!(decode_vartime(&no_point), None);
        let base = door::edwards25519_scalarmulbase(&[1, 0, 0, 0]);
        assert!(!holds_vartime(
            &base,
            &[1, 0, 0, 0],
            &[3; 4],
            &Commitment::Encoded(&no_point, None)
        ));
    }
}
