//! Multiples of the base point by secret scalars. Constant time: every look-up reads its whole row.

use core::hint::black_box;

use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

use super::edwards::{Niels, Projective};
use super::scalar::{bignum_mod_n25519, clamp};
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
    clamp(&mut clamped);
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
    let mut scan = Scan::new();
    let mut term = |i: usize| scan.look_up(&BASE_WINDOWS.0[i], digits[i]);

    let mut acc = term(0).to_completed().to_extended();
    for i in 1..63 {
        acc = acc.add_niels(&term(i)).to_extended();
    }
    let sum = acc.add_niels(&term(63)).to_projective();
    acc.zeroize();
    sum
}

/// A look-up that reads its whole row, and the memory that it leaves traces of the digit in.
struct Scan {
    masks: [u64; 9],
    entry: PackedNiels,
}

impl Scan {
    const fn new() -> Self {
        Self { masks: [0; 9], entry: [0; 12] }
    }

    /// digit·U, where `row` holds U, 2U … 8U.
    ///
    /// in: −8 ≤ digit ≤ 8
    #[inline(always)]
    fn look_up(&mut self, row: &[PackedNiels; 8], digit: i8) -> Niels {
        debug_assert!((-8..=8).contains(&digit));
        let sign = digit >> 7;
        let magnitude = (digit ^ sign) - sign;
        // All ones at |digit|, zeros elsewhere; in 32 bits, since a shift of 64 by a secret may take a
        // branch where registers have 32. `black_box` hides that each is one of two values:
        // seeing it, LLVM 22 tested the bits and branched around the loads (`tests/constant_time.rs`).
        for (j, mask) in self.masks.iter_mut().enumerate() {
            *mask = u64::from(1u32 << magnitude >> j & 1).wrapping_neg();
        }
        select(&mut self.entry, row, black_box(&self.masks));
        Niels::unpack(&self.entry, Choice::from(sign as u8 & 1))
    }
}

impl Drop for Scan {
    fn drop(&mut self) {
        self.masks.zeroize();
        self.entry.zeroize();
    }
}

/// The entry under the mask of ones: the identity for `masks[0]`, `row[j − 1]` for `masks[j]`.
///
/// A function of its own: inlined, LLVM 22 keeps all 96 words in flight and spills them.
#[inline(never)]
fn select(entry: &mut PackedNiels, row: &[PackedNiels; 8], masks: &[u64; 9]) {
    *entry = [1 & masks[0], 0, 0, 0, 1 & masks[0], 0, 0, 0, 0, 0, 0, 0];
    for (multiple, mask) in row.iter().zip(&masks[1..]) {
        for (word, from) in entry.iter_mut().zip(multiple) {
            *word |= from & mask;
        }
    }
}
