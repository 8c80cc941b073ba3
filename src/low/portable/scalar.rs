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

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;
    use std::vec;
    use std::vec::Vec;

    fn integer(x: &[u64]) -> BigUint {
        let bytes: Vec<u8> = x.iter().flat_map(|w| w.to_le_bytes()).collect();
        BigUint::from_bytes_le(&bytes)
    }

    fn check_mod(x: &[u64]) {
        assert_eq!(integer(&bignum_mod_n25519(x)), integer(x) % integer(&L), "x = {x:x?}");
    }

    /// Multiples of L and their neighbours, at every length: where a quotient word is off by one.
    #[test]
    fn mod_n25519_beside_multiples() {
        for k in 0..12 {
            check_mod(&vec![0; k]);
            check_mod(&vec![u64::MAX; k]);
        }
        for k in 4..12 {
            for factor in [1u64, 2, 8, 15, 16, u64::MAX] {
                let multiple: BigUint = (integer(&L) * factor) << (64 * (k - 4));
                for off in 0u32..3 {
                    let near: BigUint = &multiple + off - 1u32;
                    check_mod(&near.iter_u64_digits().collect::<Vec<_>>());
                }
            }
        }
    }

    /// 2^252 ≤ r < L in hand is where the quotient of a step reaches 2^64 and is cut.
    #[test]
    fn mod_n25519_cuts_the_quotient() {
        for low in [0, 1, C_WORDS[0] - 1, u64::MAX] {
            for next in [0, 1, u64::MAX] {
                check_mod(&[next, low, C_WORDS[1] - 1, 0, 1 << 60]);
                check_mod(&[next, C_WORDS[0] - 1, C_WORDS[1], 0, 1 << 60]);
            }
        }
    }

    proptest! {
        #[test]
        fn mod_n25519_matches_bigint(x in prop::collection::vec(any::<u64>(), 0..20)) {
            check_mod(&x);
        }

        #[test]
        fn madd_n25519_matches_bigint(x: [u64; 4], y: [u64; 4], c: [u64; 4], full in 0u8..8) {
            let pick = |v, bit: u8| if full >> bit & 1 == 1 { [u64::MAX; 4] } else { v };
            let (x, y, c) = (pick(x, 0), pick(y, 1), pick(c, 2));
            let expected = (integer(&x) * integer(&y) + integer(&c)) % integer(&L);
            prop_assert_eq!(integer(&bignum_madd_n25519(&x, &y, &c)), expected);
        }
    }
}
