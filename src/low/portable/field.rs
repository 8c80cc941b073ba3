//! Integers modulo p = 2^255 − 19, radix 2^51.
//!
//! An element is x0 + x1·2^51 + x2·2^102 + x3·2^153 + x4·2^204. The limbs of p are
//! (2^51 − 19, 2^51 − 1, 2^51 − 1, 2^51 − 1, 2^51 − 1). Two bounds are two types:
//!
//! | type | each limb | made by | taken by |
//! |---|---|---|---|
//! | [`Fe`] (tight) | < 2^51 + 2^15 | `mul`, `square`, `carry`, `from_words` | everything |
//! | [`FeLoose`] | < 2^54 | `sum`, `add`, `sub`, `double` | `mul`, `square`, `carry` |
//!
//! An addition takes tight operands only, and a product takes either, so a chain of operations
//! that could overflow is a type error. Several terms at once go through [`Fe::sum`], which
//! counts its terms when it is compiled.
//!
//! Everything here is constant time. Only `u64` and `u128` arithmetic is used, so it is right on
//! 32-bit targets too.

use core::ops::Neg;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// 2^51 − 1, one full limb.
const MASK: u64 = (1 << 51) - 1;
/// Every limb of an [`Fe`] is below this.
const TIGHT: u64 = (1 << 51) + (1 << 15);
/// Every limb of an [`FeLoose`] is below this.
const LOOSE: u64 = 1 << 54;
/// The limbs of 2p.
const TWO_P: [u64; 5] = [2 * (MASK - 18), 2 * MASK, 2 * MASK, 2 * MASK, 2 * MASK];

/// In debug builds, every limb is below the bound.
macro_rules! debug_bound {
    ($x:expr, $bound:expr) => {
        debug_assert!(
            $x[0] < $bound && $x[1] < $bound && $x[2] < $bound && $x[3] < $bound && $x[4] < $bound
        )
    };
}

/// A field element with tight limbs: each < 2^51 + 2^15. The value is not unique: it is below
/// 2p, and canonical only after [`Fe::to_words`] or [`Fe::to_bytes`].
#[derive(Clone, Copy, Debug)]
pub struct Fe([u64; 5]);

/// A field element with loose limbs: each < 2^54. It is good for multiplying and squaring.
#[derive(Clone, Copy, Debug)]
pub struct FeLoose([u64; 5]);

/// What a product may take: [`Fe`] or [`FeLoose`], so limbs < 2^54.
pub trait Factor: sealed::Sealed {
    #[doc(hidden)]
    fn limbs(&self) -> &[u64; 5];
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Fe {}
    impl Sealed for super::FeLoose {}
}

impl Factor for Fe {
    #[inline(always)]
    fn limbs(&self) -> &[u64; 5] {
        &self.0
    }
}

impl Factor for FeLoose {
    #[inline(always)]
    fn limbs(&self) -> &[u64; 5] {
        &self.0
    }
}

#[inline(always)]
const fn wide(x: u64, y: u64) -> u128 {
    x as u128 * y as u128
}

/// Columns of a product to limbs, modulo p.
///
/// in: c0, c1 < 2^114.3, c2 < 2^113.4, c3 < 2^112.6, c4 < 2^110.4
/// out: limb 1 < 2^51 + 2^13, limb 4 < 2^51 + 2^12, the others < 2^51
#[inline(always)]
const fn carry_columns(c0: u128, c1: u128, c2: u128, c3: u128, c4: u128) -> [u64; 5] {
    // Two chains side by side, c0 to c2 and c3 to c4, to halve the wait. Carries are < 2^64.
    let c1 = c1 + ((c0 >> 51) as u64) as u128; // < 2^115
    let c4 = c4 + ((c3 >> 51) as u64) as u128; // < 2^110.5
    let c2 = c2 + ((c1 >> 51) as u64) as u128; // < 2^113.4
    let x0 = (c0 as u64 & MASK) + 19 * (c4 >> 51) as u64; // < 2^51 + 19·2^59.5 < 2^63.8
    let x3 = (c3 as u64 & MASK) + (c2 >> 51) as u64; //      < 2^51 + 2^62.4
    let x1 = (c1 as u64 & MASK) + (x0 >> 51); //             < 2^51 + 2^12.8
    let x4 = (c4 as u64 & MASK) + (x3 >> 51); //             < 2^51 + 2^11.5
    [x0 & MASK, x1, c2 as u64 & MASK, x3 & MASK, x4]
}

/// x·y.      in: limbs < 2^54      out: tight
#[inline(always)]
const fn mul_limbs(x: &[u64; 5], y: &[u64; 5]) -> [u64; 5] {
    debug_bound!(x, LOOSE);
    debug_bound!(y, LOOSE);
    let [x0, x1, x2, x3, x4] = *x;
    let [y0, y1, y2, y3, y4] = *y;
    // 2^255 = 19: what falls off the top returns nineteenfold. 19·y < 2^58.3.
    let (z1, z2, z3, z4) = (19 * y1, 19 * y2, 19 * y3, 19 * y4);
    // Each product < 2^108, or 19·2^108; the fullest column, c0, holds 77·2^108 < 2^114.3.
    let c0 = wide(x0, y0) + wide(x1, z4) + wide(x2, z3) + wide(x3, z2) + wide(x4, z1);
    let c1 = wide(x0, y1) + wide(x1, y0) + wide(x2, z4) + wide(x3, z3) + wide(x4, z2);
    let c2 = wide(x0, y2) + wide(x1, y1) + wide(x2, y0) + wide(x3, z4) + wide(x4, z3);
    let c3 = wide(x0, y3) + wide(x1, y2) + wide(x2, y1) + wide(x3, y0) + wide(x4, z4);
    let c4 = wide(x0, y4) + wide(x1, y3) + wide(x2, y2) + wide(x3, y1) + wide(x4, y0);
    carry_columns(c0, c1, c2, c3, c4)
}

/// x².      in: limbs < 2^54      out: tight
#[inline(always)]
const fn square_limbs(x: &[u64; 5]) -> [u64; 5] {
    debug_bound!(x, LOOSE);
    let [x0, x1, x2, x3, x4] = *x;
    // Cross products occur twice: 2·x < 2^55, 19·x < 2^58.3, 38·x < 2^59.3.
    let (d0, d1, d2) = (2 * x0, 2 * x1, 2 * x2);
    let (z3, z4) = (19 * x3, 19 * x4);
    // The columns are those of `mul_limbs`, hence its bounds.
    let c0 = wide(x0, x0) + wide(d1, z4) + wide(d2, z3);
    let c1 = wide(d0, x1) + wide(d2, z4) + wide(x3, z3);
    let c2 = wide(d0, x2) + wide(x1, x1) + wide(2 * x3, z4);
    let c3 = wide(d0, x3) + wide(d1, x2) + wide(x4, z4);
    let c4 = wide(d0, x4) + wide(d1, x3) + wide(x2, x2);
    carry_columns(c0, c1, c2, c3, c4)
}

/// The same value, limbs carried once, all at the same time.
///
/// in: loose      out: tight: each < 2^51 + 19·2^3
#[inline(always)]
const fn carry_limbs(x: &[u64; 5]) -> [u64; 5] {
    let [x0, x1, x2, x3, x4] = *x;
    [
        (x0 & MASK) + 19 * (x4 >> 51),
        (x1 & MASK) + (x0 >> 51),
        (x2 & MASK) + (x1 >> 51),
        (x3 & MASK) + (x2 >> 51),
        (x4 & MASK) + (x3 >> 51),
    ]
}

impl Fe {
    /// 0.
    pub const ZERO: Fe = Fe([0; 5]);
    /// 1.
    pub const ONE: Fe = Fe([1, 0, 0, 0, 0]);
    /// A square root of −1: 2^((p − 1)/4), since 2 is no square. The exponent is 2(2^252 − 3) + 1.
    pub const SQRT_M1: Fe = {
        let two = Fe([2, 0, 0, 0, 0]);
        two.pow22523().square().mul_tight(&two)
    };

    /// Any 256-bit integer, modulo p.
    #[inline(always)]
    pub const fn from_words(w: &[u64; 4]) -> Fe {
        Fe([
            (w[0] & MASK) + 19 * (w[3] >> 63), // bit 255 is worth 19
            (w[0] >> 51 | w[1] << 13) & MASK,
            (w[1] >> 38 | w[2] << 26) & MASK,
            (w[2] >> 25 | w[3] << 39) & MASK,
            (w[3] >> 12) & MASK,
        ])
    }

    /// The canonical integer, < p.
    #[inline]
    pub const fn to_words(&self) -> [u64; 4] {
        let x = &self.0;
        debug_bound!(x, TIGHT);
        // The value is < 2p, so q = floor(x / p) is 0 or 1, and it is the bit that x + 19
        // carries out of position 255.
        let mut q = (x[0] + 19) >> 51;
        q = (x[1] + q) >> 51;
        q = (x[2] + q) >> 51;
        q = (x[3] + q) >> 51;
        q = (x[4] + q) >> 51;
        // x − q·p = x + 19q − q·2^255.
        let x0 = x[0] + 19 * q;
        let x1 = x[1] + (x0 >> 51);
        let x2 = x[2] + (x1 >> 51);
        let x3 = x[3] + (x2 >> 51);
        let x4 = (x[4] + (x3 >> 51)) & MASK;
        let (x0, x1, x2, x3) = (x0 & MASK, x1 & MASK, x2 & MASK, x3 & MASK);
        [x0 | x1 << 51, x1 >> 13 | x2 << 38, x2 >> 26 | x3 << 25, x3 >> 39 | x4 << 12]
    }

    /// 32 little-endian bytes, any integer, modulo p: all 256 bits count.
    #[inline]
    pub fn from_bytes(b: &[u8; 32]) -> Fe {
        let mut w = [0; 4];
        for (w, b) in w.iter_mut().zip(b.as_chunks().0) {
            *w = u64::from_le_bytes(*b);
        }
        Fe::from_words(&w)
    }

    /// The canonical integer, < p, in 32 little-endian bytes.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut b = [0; 32];
        for (b, w) in b.as_chunks_mut().0.iter_mut().zip(self.to_words()) {
            *b = w.to_le_bytes();
        }
        b
    }

    /// The sum of `plus` minus the sum of `minus`.
    ///
    /// At most 7 terms, where a term of `minus` counts for two; more do not compile.
    /// in: tight      out: loose: < P·(2^51 + 2^15) + M·2^52, P terms added and M subtracted
    #[inline(always)]
    pub fn sum<const P: usize, const M: usize>(plus: [&Fe; P], minus: [&Fe; M]) -> FeLoose {
        const { assert!(P + 2 * M <= 7, "a sum of so many terms may overflow a loose limb") };
        let mut z = [0; 5];
        for i in 0..5 {
            // A limb of 2p is at least 2^52 − 38, above any tight limb, so nothing goes below zero.
            z[i] = M as u64 * TWO_P[i];
            for x in plus {
                z[i] += x.0[i];
            }
            for x in minus {
                z[i] -= x.0[i];
            }
        }
        debug_bound!(z, LOOSE);
        FeLoose(z)
    }

    /// self + y.      in: tight      out: loose
    #[inline(always)]
    pub fn add(&self, y: &Fe) -> FeLoose {
        Fe::sum([self, y], [])
    }

    /// self − y.      in: tight      out: loose
    #[inline(always)]
    pub fn sub(&self, y: &Fe) -> FeLoose {
        Fe::sum([self], [y])
    }

    /// 2·self.      in: tight      out: loose
    #[inline(always)]
    pub fn double(&self) -> FeLoose {
        Fe::sum([self, self], [])
    }

    /// −self.      in: tight      out: tight
    #[inline(always)]
    pub fn neg(&self) -> Fe {
        Fe::sum([], [self]).carry()
    }

    /// self·y.      in: tight, and tight or loose      out: tight
    #[inline(always)]
    pub fn mul(&self, y: &impl Factor) -> Fe {
        Fe(mul_limbs(&self.0, y.limbs()))
    }

    /// [`Fe::mul`] of two tight factors, also at compile time.
    #[inline(always)]
    pub const fn mul_tight(&self, y: &Fe) -> Fe {
        Fe(mul_limbs(&self.0, &y.0))
    }

    /// self + K·x, K < 2^17.      in: tight, loose      out: loose: each < 2^51 + 2^26
    #[inline(always)]
    pub(super) fn add_small_multiple<const K: u32>(&self, x: &FeLoose) -> FeLoose {
        const { assert!(K < 1 << 17) };
        debug_bound!(x.0, LOOSE);
        let c: [u128; 5] = core::array::from_fn(|i| wide(K as u64, x.0[i]) + self.0[i] as u128); // < 2^71.1
        let [l0, l1, l2, l3, l4] = c.map(|c| c as u64 & MASK);
        let [h0, h1, h2, h3, h4] = c.map(|c| (c >> 51) as u64); // < 2^20.1
        FeLoose([l0 + 19 * h4, l1 + h0, l2 + h1, l3 + h2, l4 + h3])
    }

    /// in: −2^52 < limb < 2^53      out: tight
    #[inline(always)]
    pub(super) fn from_signed_limbs(x: &[i64; 5]) -> Fe {
        FeLoose(core::array::from_fn(|i| TWO_P[i].wrapping_add_signed(x[i]))).carry()
    }

    /// self².      in: tight      out: tight
    #[inline(always)]
    pub const fn square(&self) -> Fe {
        Fe(square_limbs(&self.0))
    }

    /// self^(2^n): n squarings; n is public.      in: tight      out: tight
    #[inline]
    pub const fn square_n(&self, n: u32) -> Fe {
        let mut z = *self;
        let mut i = 0;
        while i < n {
            z = z.square();
            i += 1;
        }
        z
    }

    /// self^(2^252 − 3), where 2^252 − 3 = (p − 5)/8: the power inside a square root.
    pub const fn pow22523(&self) -> Fe {
        /// x^(2^n·a + b) from x^a and x^b.
        const fn join(a: &Fe, n: u32, b: &Fe) -> Fe {
            a.square_n(n).mul_tight(b)
        }
        let x2 = self.square();
        let x9 = join(&x2, 2, self);
        let x11 = join(&x9, 0, &x2);
        let e5 = join(&x11, 1, &x9); // en = self^(2^n − 1); 22 + 9 = 2^5 − 1
        let e10 = join(&e5, 5, &e5);
        let e20 = join(&e10, 10, &e10);
        let e40 = join(&e20, 20, &e20);
        let e50 = join(&e40, 10, &e10);
        let e100 = join(&e50, 50, &e50);
        let e200 = join(&e100, 100, &e100);
        let e250 = join(&e200, 50, &e50);
        join(&e250, 2, self)
    }

    /// 1/self, and 0 for 0.
    #[inline]
    pub fn invert(&self) -> Fe {
        super::inverse::invert(self)
    }

    /// A square root of u/v (RFC 8032, section 5.1.3): `(1, r)` with v·r² = u, either root.
    ///
    /// `(0, _)` where u/v is no square. (1, 0) for u = 0, also when v = 0; (0, _) for v = 0 ≠ u.
    pub fn sqrt_ratio(u: &Fe, v: &Fe) -> (Choice, Fe) {
        // r = u·v³·(u·v⁷)^((p − 5)/8), so v·r² = u·(a fourth root of 1).
        let v2 = v.square();
        let uv3 = u.mul(&v2.mul(v));
        let uv7 = uv3.mul(&v2.square());
        let r = uv3.mul(&uv7.pow22523());
        let check = v.mul(&r.square());
        let is_u = check.ct_eq(u);
        let is_minus_u = check.ct_eq(&u.neg());
        let r = Fe::conditional_select(&r, &r.mul(&Fe::SQRT_M1), is_minus_u & !is_u);
        (is_u | is_minus_u, r)
    }

    /// Whether this is 0 modulo p.
    #[inline]
    pub fn is_zero(&self) -> Choice {
        self.to_words().ct_eq(&[0; 4])
    }

    /// Whether the canonical integer is odd: the "sign" of RFC 8032.
    #[inline]
    pub fn is_negative(&self) -> Choice {
        Choice::from((self.to_words()[0] & 1) as u8)
    }
}

impl FeLoose {
    /// The same value with tight limbs.      in: loose      out: tight
    #[inline(always)]
    pub fn carry(&self) -> Fe {
        debug_bound!(self.0, LOOSE);
        Fe(carry_limbs(&self.0))
    }

    /// self·y.      in: tight or loose      out: tight
    #[inline(always)]
    pub fn mul(&self, y: &impl Factor) -> Fe {
        Fe(mul_limbs(&self.0, y.limbs()))
    }

    /// self².      in: loose      out: tight
    #[inline(always)]
    pub const fn square(&self) -> Fe {
        Fe(square_limbs(&self.0))
    }
}

impl Neg for &Fe {
    type Output = Fe;
    #[inline(always)]
    fn neg(self) -> Fe {
        Fe::neg(self)
    }
}

/// Equality modulo p.
impl ConstantTimeEq for Fe {
    #[inline]
    fn ct_eq(&self, y: &Fe) -> Choice {
        self.to_words().ct_eq(&y.to_words())
    }
}

macro_rules! select_and_wipe {
    ($($ty:ident)*) => { $(
        impl ConditionallySelectable for $ty {
            #[inline(always)]
            fn conditional_select(a: &$ty, b: &$ty, choice: Choice) -> $ty {
                $ty(core::array::from_fn(|i| u64::conditional_select(&a.0[i], &b.0[i], choice)))
            }
        }
        impl Zeroize for $ty {
            fn zeroize(&mut self) {
                self.0.zeroize();
            }
        }
    )* };
}
select_and_wipe!(Fe FeLoose);

#[cfg(test)]
mod tests;
