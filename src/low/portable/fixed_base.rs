//! Multiples of the base point by secret scalars. Constant time: every look-up reads its whole row.

use subtle::{Choice, ConditionallyNegatable};
use zeroize::{Zeroize, Zeroizing};

use super::edwards::{Niels, Projective};
use super::scalar::bignum_mod_n25519;
use crate::low::recode::signed_radix16;
use crate::low::tables::{BASE_WINDOWS, PackedNiels};

/// scalar·B for any 256-bit scalar; affine, reduced. Constant time.
pub fn edwards25519_scalarmulbase(scalar: &[u64; 4]) -> [u64; 8] {
    let mut point = mul_base(scalar);
    let affine = point.to_affine();
    point.zeroize();
    affine
}

/// X25519 of the base point u = 9 (RFC 7748): clamps the scalar. Constant time.
///
/// u = (1 + y)/(1 − y) takes edwards25519 to curve25519 and B to 9 (RFC 7748, section 4.1).
pub fn curve25519_x25519base(scalar: &[u64; 4]) -> [u64; 4] {
    let mut clamped = *scalar;
    clamped[0] &= !7;
    clamped[3] = clamped[3] & (u64::MAX >> 1) | 1 << 62;
    let mut point = mul_base(&clamped);
    clamped.zeroize();
    // y ≠ 1: a clamped scalar is 8·m with 0 < m < 2^252 < L, no multiple of L.
    let u = point.z.add(&point.y).mul(&point.z.sub(&point.y).carry().invert());
    point.zeroize();
    u.to_words()
}

/// scalar·B: 63 mixed additions, no doublings.
fn mul_base(scalar: &[u64; 4]) -> Projective {
    // B has order L, so the scalar may be reduced; then it has 253 bits and the top digit is small.
    let reduced = Zeroizing::new(bignum_mod_n25519(scalar));
    let mut digits = Zeroizing::new([0; 64]);
    signed_radix16(&mut digits, &reduced);
    let term = |i: usize| look_up(&BASE_WINDOWS.0[i], digits[i]);

    let mut acc = term(0).to_completed().to_extended();
    for i in 1..63 {
        acc = acc.add_niels(&term(i)).to_extended();
    }
    let sum = acc.add_niels(&term(63)).to_projective();
    acc.zeroize();
    sum
}

/// digit·U, where `row` holds U, 2U … 8U.
///
/// in: −8 ≤ digit ≤ 8
#[inline(always)]
fn look_up(row: &[PackedNiels; 8], digit: i8) -> Niels {
    debug_assert!((-8..=8).contains(&digit));
    let sign = digit >> 7;
    // One bit, at |digit|. The optimiser cannot see what it is, so it has no branch to make of it.
    let one_hot = core::hint::black_box(1u64 << ((digit ^ sign) - sign));
    let mask = |j: usize| (one_hot >> j & 1).wrapping_neg();
    let mut entry: PackedNiels = [1 & mask(0), 0, 0, 0, 1 & mask(0), 0, 0, 0, 0, 0, 0, 0];
    for (j, multiple) in row.iter().enumerate() {
        for (word, from) in entry.iter_mut().zip(multiple) {
            *word |= from & mask(j + 1);
        }
    }
    // −(x, y) = (−x, y) swaps y + x with y − x and changes the sign of the product.
    let negate = core::hint::black_box(i64::from(sign) as u64);
    for k in 0..4 {
        let swap = (entry[k] ^ entry[k + 4]) & negate;
        entry[k] ^= swap;
        entry[k + 4] ^= swap;
    }
    let mut niels = Niels::unpack(&entry);
    niels.xy2d.conditional_negate(Choice::from(negate as u8 & 1));
    niels
}
