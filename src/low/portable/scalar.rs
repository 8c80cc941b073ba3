//! Integers mod L = 2^252 + c, the order of the base point, c = 27742317777372353535851937790883648493.
//!
//! Radix 2^64, four words. Reduction is long division, a word at a time from the top: with r < L in
//! hand and w the next word, t = 2^64·r + w < 2^64·L is brought below L by one quotient word, and
//! since c < 2^125 that takes two multiplications. Constant time in the values; the number of words
//! is public.

use zeroize::Zeroize;

/// c = L − 2^252 < 2^125.
const C: u128 = 27742317777372353535851937790883648493;
const C_WORDS: [u64; 2] = [C as u64, (C >> 64) as u64];

/// L, the order of the base point.
pub const L: [u64; 4] = [C_WORDS[0], C_WORDS[1], 0, 1 << 60];

/// Clears the low three bits and bit 255 and sets bit 254, so that the integer is a multiple of 8
/// in [2^254, 2^255). Constant time.
///
/// Source: RFC 8032, section 5.1.5, step 2; RFC 7748, section 5.
pub fn clamp(scalar: &mut [u64; 4]) {
    scalar[0] &= !7;
    scalar[3] &= u64::MAX >> 1;
    scalar[3] |= 1 << 62;
}

/// (x·y + c) mod L, for any inputs.
pub fn bignum_madd_n25519(x: &[u64; 4], y: &[u64; 4], c: &[u64; 4]) -> [u64; 4] {
    // (2^256 − 1)² + 2^256 − 1 < 2^512: eight words hold it.
    let mut t = [0; 8];
    t[..4].copy_from_slice(c);
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            (t[i + j], carry) = mac(t[i + j], x[i], y[j], carry);
        }
        t[i + 4] = carry;
    }
    let z = bignum_mod_n25519(&t);
    t.zeroize();
    z
}

/// x mod L, for any number of words.
pub fn bignum_mod_n25519(x: &[u64]) -> [u64; 4] {
    // Three words are below 2^192 < L as they stand.
    let (low, top) = x.split_at(x.len().saturating_sub(3));
    let mut r = [0; 4];
    r[..top.len()].copy_from_slice(top);
    for &w in low.iter().rev() {
        r = shift_in(&r, w);
    }
    r
}

/// (2^64·r + w) mod L.
///
/// in: r < L; out: < L
#[inline(always)]
fn shift_in(r: &[u64; 4], w: u64) -> [u64; 4] {
    debug_assert!(sub(r, &L).1 == 1);
    // t = 2^64·r + w < 2^64·L. q = min(t div 2^252, 2^64 − 1); t div 2^252 reaches 2^64 only with
    // r ≥ 2^252, which is bit 60 of r[3].
    let over = r[3] >> 60;
    let q = (r[3] << 4 | r[2] >> 60) | over.wrapping_neg();
    // u = t − 2^252·q: < 2^252, and where q was cut short < 2^252 + 2^64·c.
    let u = [w, r[0], r[1], (r[2] & ((1 << 60) - 1)) | over << 60];
    // t − q·L = u − q·c lies in [−L, L): q·c < 2^189, and where q was cut short
    // u − q·c < 2^252 + 2^64·c − (2^64 − 1)·c = L.
    let (qc0, carry) = mac(0, q, C_WORDS[0], 0);
    let (qc1, qc2) = mac(0, q, C_WORDS[1], carry);
    let (v, borrow) = sub(&u, &[qc0, qc1, qc2, 0]);
    add_masked(&v, &L, borrow.wrapping_neg())
}

/// a + x·y + carry as (low, high): at most (2^64 − 1)² + 2·(2^64 − 1) = 2^128 − 1.
#[inline(always)]
fn mac(a: u64, x: u64, y: u64, carry: u64) -> (u64, u64) {
    let t = u128::from(x) * u128::from(y) + u128::from(a) + u128::from(carry);
    (t as u64, (t >> 64) as u64)
}

/// a − b mod 2^256, and the borrow, 0 or 1.
#[inline(always)]
fn sub(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], u64) {
    let (mut z, mut borrow) = ([0; 4], 0);
    for i in 0..4 {
        let t = u128::from(a[i]).wrapping_sub(u128::from(b[i])).wrapping_sub(borrow);
        z[i] = t as u64;
        borrow = t >> 127;
    }
    (z, borrow as u64)
}

/// a + (b & mask) mod 2^256.
#[inline(always)]
fn add_masked(a: &[u64; 4], b: &[u64; 4], mask: u64) -> [u64; 4] {
    let (mut z, mut carry) = ([0; 4], 0);
    for i in 0..4 {
        let t = u128::from(a[i]) + u128::from(b[i] & mask) + carry;
        z[i] = t as u64;
        carry = t >> 64;
    }
    z
}
