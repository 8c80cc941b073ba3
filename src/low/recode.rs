//! Scalars as digits, for the routines of every tier.
//!
//! Two forms: the width-w non-adjacent form (wNAF; Solinas, "Efficient arithmetic on Koblitz curves",
//! 2000), short and irregular, for public scalars; and fixed signed radix-16 windows, for secret ones.

/// Digits of a wNAF: a 256-bit integer has up to 257.
pub const WNAF_DIGITS: usize = 257;

/// The width-`W` non-adjacent form: scalar = Σ dᵢ·2^i, each dᵢ zero or odd with |dᵢ| < 2^(W−1), and of
/// any `W` digits in a row at most one nonzero. VARIABLE TIME: public scalars.
///
/// in: any 256-bit integer, taken as it is, never mod L; 2 ≤ `W` ≤ 9
pub fn wnaf_vartime<const W: u32>(scalar: &[u64; 4]) -> [i16; WNAF_DIGITS] {
    let mut digits = [0; WNAF_DIGITS];
    wnaf_digits_vartime::<W>(scalar, |i, digit| digits[i] = digit);
    digits
}

/// The same form, its nonzero digits one by one, upwards: `put(i, dᵢ)`. VARIABLE TIME: public scalars.
///
/// in: as above
#[inline(always)]
pub fn wnaf_digits_vartime<const W: u32>(scalar: &[u64; 4], mut put: impl FnMut(usize, i16)) {
    const { assert!(2 <= W && W <= 9) };
    // The bit below the word at hand, in its place on top.
    let mut below = 0;
    // How many of its low bits the last digit has taken.
    let mut taken = 0;
    for word in 0..=4 {
        let bit = |i: usize| scalar.get(i).copied().unwrap_or(0);
        let (this, above) = (bit(word), bit(word + 1));
        // What a digit leaves above itself is a carry, the top bit of its window. A rest whose lowest bit equals
        // the carry is even and passes it on; so the next digit is where a bit first differs from the one below.
        let mut changes = (this ^ (this << 1 | below >> 63)) & u64::MAX << taken;
        (below, taken) = (this, 0);
        while changes != 0 {
            let at = changes.trailing_zeros();
            let bits = this >> at | (above << 1) << (63 - at);
            // The window's lowest bit and the carry are 1 together; its top bit has the weight −2^(W−1).
            // From position 257 − W on, that is one of the zeros above the scalar: no carry leaves the last digit.
            let digit = (bits << (64 - W)) as i64 >> (64 - W) | 1;
            put(64 * word + at as usize, digit as i16);
            let end = at + W;
            if end >= 64 {
                taken = end - 64;
                break;
            }
            changes &= u64::MAX << end;
        }
    }
}

/// Signed radix-16 digits: scalar = Σ dᵢ·16^i with dᵢ in [−8, 8) for i < 63 and d₆₃ in [0, 8].
/// Constant time; the digits are as secret as the scalar, and the caller's to wipe.
///
/// in: scalar < 2^255
pub fn signed_radix16(digits: &mut [i8; 64], scalar: &[u64; 4]) {
    debug_assert!(scalar[3] >> 63 == 0);
    // Adding 8 to each of the low 63 digits moves them into [0, 16): then they are plain nibbles.
    const EIGHTS: [u64; 4] =
        [u64::MAX / 15 * 8, u64::MAX / 15 * 8, u64::MAX / 15 * 8, u64::MAX / 15 / 16 * 8];
    let mut carry = 0;
    for (i, &word) in scalar.iter().enumerate() {
        let t = u128::from(word) + u128::from(EIGHTS[i]) + carry;
        carry = t >> 64;
        for (j, digit) in digits[16 * i..][..16].iter_mut().enumerate() {
            *digit = (t as u64 >> (4 * j) & 15) as i8 - 8;
        }
    }
    digits[63] += 8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint, Sign};
    use proptest::prelude::*;
    use std::vec::Vec;

    const EDGES: [[u64; 4]; 10] = [
        [0; 4],
        [1, 0, 0, 0],
        [8, 0, 0, 0],
        [u64::MAX; 4],
        [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1],
        [0, 0, 0, 1 << 63],
        [0, 0, 0, 1 << 60],
        [0x8888_8888_8888_8888; 4],
        [0x7777_7777_7777_7777; 4],
        [u64::MAX, 0, u64::MAX, 0],
    ];

    fn integer(scalar: &[u64; 4]) -> BigInt {
        let bytes: Vec<u8> = scalar.iter().flat_map(|w| w.to_le_bytes()).collect();
        BigInt::from_biguint(Sign::Plus, BigUint::from_bytes_le(&bytes))
    }

    /// Σ dᵢ·2^(step·i).
    fn value<D: Copy + Into<BigInt>>(digits: &[D], step: usize) -> BigInt {
        digits.iter().rev().fold(BigInt::ZERO, |sum, &d| (sum << step) + d.into())
    }

    fn check_wnaf<const W: u32>(scalar: &[u64; 4]) {
        let digits = wnaf_vartime::<W>(scalar);
        assert_eq!(value(&digits, 1), integer(scalar), "W = {W}, scalar = {scalar:x?}");
        for (i, &d) in digits.iter().enumerate() {
            assert!(d == 0 || (d % 2 != 0 && i32::from(d).abs() < 1 << (W - 1)), "{scalar:x?}");
            let next = &digits[i + 1..(i + W as usize).min(WNAF_DIGITS)];
            assert!(d == 0 || next.iter().all(|&e| e == 0), "W = {W}, scalar = {scalar:x?}");
        }
    }

    fn check_radix16(scalar: &[u64; 4]) {
        let scalar = [scalar[0], scalar[1], scalar[2], scalar[3] & u64::MAX >> 1];
        let mut digits = [0; 64];
        signed_radix16(&mut digits, &scalar);
        assert_eq!(value(&digits, 4), integer(&scalar), "{scalar:x?}");
        assert!(digits[..63].iter().all(|d| (-8..8).contains(d)), "{scalar:x?}");
        assert!((0..=8).contains(&digits[63]), "{scalar:x?}");
    }

    #[test]
    fn digits_recompose_edges() {
        for scalar in &EDGES {
            check_wnaf::<2>(scalar);
            check_wnaf::<5>(scalar);
            check_wnaf::<8>(scalar);
            check_wnaf::<9>(scalar);
            check_radix16(scalar);
        }
    }

    /// A 256-bit integer needs the 257th digit; a form cut at 256 would lose it.
    #[test]
    fn wnaf_reaches_digit_256() {
        assert_eq!(wnaf_vartime::<5>(&[u64::MAX; 4])[256], 1);
        assert_eq!(wnaf_vartime::<9>(&[u64::MAX; 4])[256], 1);
    }

    proptest! {
        /// Words of all ones or all zeros make the long runs that carries travel along.
        #[test]
        fn digits_recompose(scalar: [u64; 4], ones in 0u8..16, zeros in 0u8..16) {
            let mut scalar = scalar;
            for (i, word) in scalar.iter_mut().enumerate() {
                if ones >> i & 1 == 1 { *word |= *word << 1 | u64::MAX << 20 }
                if zeros >> i & 1 == 1 { *word &= *word << 2 }
            }
            check_wnaf::<2>(&scalar);
            check_wnaf::<5>(&scalar);
            check_wnaf::<8>(&scalar);
            check_wnaf::<9>(&scalar);
            check_radix16(&scalar);
        }
    }
}
