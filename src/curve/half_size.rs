//! Half-size scalars: c0 and c1 of about 128 bits with c1·k ≡ c0 (mod 8·L), for verification.
//!
//! The equation \[S\]B − \[k\]A = R, multiplied by c1, is \[c1·S mod L\]B − \[c0\]A − \[c1\]R = O,
//! with half the doublings. Nothing is lost on the way, whatever the torsion of A and R:
//!
//! - every point has an order that divides 8·L, so \[c1·k\]A = \[c0\]A for every A. Modulo L that
//!   would hold for A of order L only;
//! - c1 is odd and 0 < c1 < L, so it is prime to 8·L, and multiplying by it maps no point but O to O.
//!   An even c1 would let a point of order 2 vanish;
//! - B has order L, so its scalar may be reduced mod L.
//!
//! The pairs (c0, c1) with c1·k ≡ c0 are a lattice of determinant 8·L, and Euclid's algorithm on
//! (8·L, k) walks along its short vectors. The use is from T. Pornin, "Optimized lattice basis reduction
//! in dimension 2, and fast Schnorr and EdDSA signature verification", 2020; the steps are D. H. Lehmer's,
//! "Euclid's algorithm for large numbers", 1938: quotients come from the leading 64 bits, for as long as
//! these hold 32 bits of what is left. A quotient that is off by one costs nothing but a little
//! length, since any integer combination of determinant ±1 spans the same lattice.
//!
//! VARIABLE TIME throughout: k is public.

use super::scalar::L;

/// 8·L < 2^256.
const EIGHT_L: [u64; 4] =
    [L[0] << 3, L[1] << 3 | L[0] >> 61, L[2] << 3 | L[1] >> 61, L[3] << 3 | L[2] >> 61];

/// The longest c0 and c1 that are used: a choice, below the crossover with the full-size equation. With 128
/// bits that is 3.4 µs slower, and each bit more costs about 0.05 µs, a doubling (ALGORITHMS.md, section
/// Half-size scalars): the two would meet near 190 bits. Of 4,096 random k none needed more than 132.
const MOST_BITS: u32 = 160;

/// c1·k ≡ c0 (mod 8·L).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfSize {
    /// |c0| < 2^160.
    pub c0: [u64; 4],
    /// Whether c0 is below 0.
    pub c0_is_negative: bool,
    /// 0 < c1 < 2^160, odd.
    pub c1: [u64; 4],
}

/// The relation for k, or `None` for the few k whose lattice has a very short vector with even c1, so
/// that those with odd c1 are long: k = L − 1 and (8, −8), say. VARIABLE TIME.
///
/// in: k < 2^255, so that a difference has its sign in the top bit. Verification asks for k < L < 2^253.
pub fn half_size_vartime(k: &[u64; 4]) -> Option<HalfSize> {
    debug_assert!(!is_negative(k), "k = {k:x?}");
    // v and w span the lattice, v.r ≥ w.r ≥ 0, and v.r·|w.t| is about 8·L.
    let mut v = Vector { r: EIGHT_L, t: [0; 3] };
    let mut w = Vector { r: *k, t: [1, 0, 0] };
    while w.r[2] | w.r[3] != 0 {
        (v, w) = v.reduce(&w);
    }
    // They span (k, 1), whose t is odd, so one of the two has an odd t.
    if w.t[0] & 1 == 1 { w.relation() } else { v.minus_multiple(&w)?.relation() }
}

/// A vector (r, t) of the lattice: r ≡ t·k (mod 8·L).
#[derive(Clone, Copy)]
struct Vector {
    /// 0 ≤ r < 2^255, but 8·L in the first v, just above; a difference before [`Self::with_positive_r`] is in
    /// two's complement, |r| < 2^255.
    r: [u64; 4],
    /// In two's complement, |t| < 2^191.
    t: [u64; 3],
}

impl Vector {
    /// Steps of Euclid's algorithm, at least one. Needs 2^128 ≤ w.r ≤ self.r; stops where w.r gets
    /// below 2^128.
    fn reduce(&self, w: &Self) -> (Self, Self) {
        // a is the leading 64 bits of self.r, and b those of w.r in the same place.
        let shift = bit_length(&self.r) - 64;
        let (mut a, mut b) = (from_bit(&self.r, shift), from_bit(&w.r, shift));
        // Of a smaller b the bits that were cut off could change a quotient by more than one.
        let least = 1 << 128u32.saturating_sub(shift).max(32);
        // How a and b came from the two at the start: magnitudes, at most 2^65 / least. The signs of x and y differ,
        // and so do those of u and v; that of a vector as a whole is set at the end.
        let ([mut x, mut y], [mut u, mut v]) = ([1, 0], [0, 1]);
        // All ones where the last remainder was taken from above: then x and u, and y and v, have one sign.
        let mut same = 0u64;
        while b >= least {
            let (quotient, remainder) = (a / b, a % b);
            // Of the quotients on both sides the nearer one: three tenths of the steps less, and no branch.
            let above = b - remainder;
            let up = above < remainder;
            let nearest = quotient + u64::from(up);
            (a, b) = (b, above.min(remainder));
            let (next_u, next_v) = (
                (nearest * u).wrapping_add((x ^ same).wrapping_sub(same)),
                (nearest * v).wrapping_add((y ^ same).wrapping_sub(same)),
            );
            ([x, y], [u, v]) = ([u, v], [next_u, next_v]);
            same = u64::from(up).wrapping_neg();
        }
        if y == 0 {
            return self.reduce_by_shift(w);
        }
        in_order(combine(x, self, y, w).with_positive_r(), combine(u, self, v, w).with_positive_r())
    }

    /// A step whose quotient is a power of two, for one that does not fit a word's half.
    fn reduce_by_shift(&self, w: &Self) -> (Self, Self) {
        // The leading bits are in the same place and cancel.
        let n = bit_length(&self.r) - bit_length(&w.r);
        let multiple = Self { r: shift_left(&w.r, n), t: shift_left(&w.t, n) };
        in_order(combine(1, self, 1, &multiple).with_positive_r(), *w)
    }

    /// self − j·w with the j that makes r and |t| about equal. As j grows r falls, from above 2^128, and |t| grows, from
    /// below: by |w.t| a step, at once where the two t differ in sign, else after the first.
    fn minus_multiple(&self, w: &Self) -> Option<Self> {
        let t = magnitude(&self.t);
        let distance = if is_negative(&self.t) == is_negative(&w.t) {
            add(&self.r, &t)
        } else {
            subtract(&self.r, &t)
        };
        let step = add(&w.r, &magnitude(&w.t));
        let shift = bit_length(&distance).max(bit_length(&step)).saturating_sub(63);
        let (a, b) = (from_bit(&distance, shift), from_bit(&step, shift));
        // A j of more than 31 bits would leave |t| near 2^160.
        let j = if b >> 32 == 0 { return None } else { (a + b / 2) / b };
        Some(combine(1, self, j, w).with_positive_r())
    }

    /// Up to sign, with r ≥ 0.
    fn with_positive_r(self) -> Self {
        let negative = is_negative(&self.r);
        Self { r: negate_if(negative, &self.r), t: negate_if(negative, &self.t) }
    }

    /// Up to sign, with c1 = t > 0.
    fn relation(self) -> Option<HalfSize> {
        let c1 = magnitude(&self.t);
        debug_assert!(c1[0] & 1 == 1);
        let short = bit_length(&self.r).max(bit_length(&c1)) <= MOST_BITS;
        short.then_some(HalfSize { c0: self.r, c0_is_negative: is_negative(&self.t), c1 })
    }
}

/// x·a − y·b.
fn combine(x: u64, a: &Vector, y: u64, b: &Vector) -> Vector {
    Vector { r: multiply_subtract(x, &a.r, y, &b.r), t: multiply_subtract(x, &a.t, y, &b.t) }
}

/// The longer r first.
fn in_order(a: Vector, b: Vector) -> (Vector, Vector) {
    if a.r.iter().rev().lt(b.r.iter().rev()) { (b, a) } else { (a, b) }
}

/// |t|.
fn magnitude(t: &[u64; 3]) -> [u64; 4] {
    let [t0, t1, t2] = negate_if(is_negative(t), t);
    [t0, t1, t2, 0]
}

// Integers of N words mod 2^(64·N), little-endian; signed ones in two's complement.

/// x·a − y·b.
#[inline(always)]
fn multiply_subtract<const N: usize>(x: u64, a: &[u64; N], y: u64, b: &[u64; N]) -> [u64; N] {
    let (mut high_a, mut high_b, mut borrow) = (0, 0, false);
    core::array::from_fn(|i| {
        let xa = u128::from(x) * u128::from(a[i]) + u128::from(high_a);
        let yb = u128::from(y) * u128::from(b[i]) + u128::from(high_b);
        (high_a, high_b) = ((xa >> 64) as u64, (yb >> 64) as u64);
        let (difference, under) = (xa as u64).overflowing_sub(yb as u64);
        let (difference, again) = difference.overflowing_sub(u64::from(borrow));
        borrow = under | again;
        difference
    })
}

fn subtract<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    multiply_subtract(1, a, 1, b)
}

/// −a or a. No branch: half of all are negative.
fn negate_if<const N: usize>(negative: bool, a: &[u64; N]) -> [u64; N] {
    let mask = u64::from(negative).wrapping_neg();
    subtract(&a.map(|word| word ^ mask), &[mask; N])
}

fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    subtract(a, &negate_if(true, b))
}

fn is_negative<const N: usize>(a: &[u64; N]) -> bool {
    a[N - 1] >> 63 == 1
}

/// The number of bits up to the highest one that is set.
fn bit_length<const N: usize>(a: &[u64; N]) -> u32 {
    let lengths = a.iter().zip(1..).map(|(&word, i)| (word != 0, 64 * i - word.leading_zeros()));
    lengths.fold(0, |below, (used, length)| if used { length } else { below })
}

/// The 64 bits from bit `at` up.
fn from_bit<const N: usize>(a: &[u64; N], at: u32) -> u64 {
    let word = |i: u32| a.get(i as usize).copied().unwrap_or(0);
    let (i, shift) = (at / 64, at % 64);
    word(i) >> shift | (word(i + 1) << 1) << (63 - shift)
}

/// a·2^n.
pub(super) fn shift_left<const N: usize>(a: &[u64; N], n: u32) -> [u64; N] {
    let (words, shift) = ((n / 64) as usize, n % 64);
    let word = |i: usize| i.checked_sub(words).map_or(0, |i| a[i]);
    core::array::from_fn(|i| {
        let below = if i == 0 { 0 } else { word(i - 1) };
        word(i) << shift | (below >> 1) >> (63 - shift)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint, Sign};
    use proptest::prelude::*;

    fn integer(words: &[u64; 4]) -> BigInt {
        words.iter().rev().fold(BigInt::ZERO, |n, &word| (n << 64) + word)
    }

    fn words(n: &BigUint) -> [u64; 4] {
        let mut digits = n.iter_u64_digits();
        core::array::from_fn(|_| digits.next().unwrap_or(0))
    }

    fn l() -> BigInt {
        integer(&L)
    }

    /// What a relation is, and that one is found where the test says so. The length in bits.
    fn check(k: &[u64; 4]) -> Option<u64> {
        let HalfSize { c0, c0_is_negative, c1 } = half_size_vartime(k)?;
        let sign = if c0_is_negative { Sign::Minus } else { Sign::Plus };
        let c0 = BigInt::from_biguint(sign, integer(&c0).magnitude().clone());
        let c1 = integer(&c1);
        assert!(((&c1 * integer(k) - &c0) % (l() << 3)) == BigInt::ZERO, "k = {k:x?}");
        assert!(c1.bit(0) && c1 > BigInt::ZERO, "k = {k:x?}");
        assert!(c0.bits() <= 160 && c1.bits() <= 160, "k = {k:x?}");
        Some(c0.bits().max(c1.bits()))
    }

    #[test]
    fn small_and_special_k_have_the_expected_relation() {
        for k in 0..40 {
            assert_eq!(
                half_size_vartime(&[k, 0, 0, 0]),
                Some(HalfSize { c0: [k, 0, 0, 0], c0_is_negative: false, c1: [1, 0, 0, 0] })
            );
        }
        // L − 1 ≡ −1 mod L and ≡ 4 mod 8: c0 + c1 is an odd multiple of L.
        let below = [L[0] - 1, L[1], L[2], L[3]];
        assert_eq!(half_size_vartime(&below), None);
    }

    /// k ≡ a/b (mod 8·L) for short a and odd b, and its neighbours; near L/2^n and 2^n; and the
    /// quotients that take a whole word.
    #[test]
    fn adversarial_k_have_a_relation_or_none() {
        let modulus: BigInt = l() << 3;
        let mut found = 0;
        let mut none = 0;
        let mut try_near = |k: BigInt| {
            for offset in -3..=3 {
                let k: BigInt = ((&k + offset) % &modulus + &modulus) % &modulus;
                if k.bits() > 255 {
                    continue;
                }
                match check(&words(k.magnitude())) {
                    Some(_) => found += 1,
                    None => none += 1,
                }
            }
        };
        // 8·L/φ: every partial quotient is 1 as far as the size allows.
        let (mut fibonacci, mut next) = (BigInt::from(1), BigInt::from(1));
        while next < modulus {
            (fibonacci, next) = (next.clone(), fibonacci + next);
        }
        try_near(&modulus * &fibonacci / &next);
        for n in 0..256 {
            let power: BigInt = BigInt::from(1) << n;
            try_near(power.clone());
            try_near(l() / &power);
            try_near((l() << 3) / &power);
            try_near(l() * 2 / 3 - &power);
            let inverse = (&power + 1i32).modinv(&modulus);
            for numerator in [BigInt::from(1), BigInt::from(2), BigInt::from(-8), power] {
                if let Some(inverse) = &inverse {
                    try_near(inverse * numerator);
                }
            }
        }
        assert!(found > 10_000, "{found} found, {none} not");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// A random k has a relation, and hardly one takes more than 136 bits.
        #[test]
        fn random_k_has_a_short_relation(k: [u64; 4]) {
            let k: BigInt = integer(&k) % l();
            let k = words(k.magnitude());
            let length = check(&k);
            prop_assert!(length.is_some_and(|bits| bits < 150), "{length:?}");
        }

        /// Words of zeros and ones make long runs, and so large partial quotients.
        #[test]
        fn sparse_k_is_right(k: [u64; 4], masks: [u64; 4]) {
            let k: [u64; 4] = core::array::from_fn(|i| match masks[i] % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << (masks[i] >> 58),
                _ => k[i],
            });
            let k: BigInt = integer(&k) % (BigInt::from(1) << 255);
            check(&words(k.magnitude()));
        }
    }
}
