//! The AVX2 tier: four 64-bit lanes in a `__m256i`.
//!
//! Field and points are `low::lanes`, written once for every kind of lane; this file gives the lanes
//! and one function that has the feature, into which all of it is inlined.

use core::arch::x86_64::*;

use super::cpu::HaveAvx2;
use super::vendor::{alt, base};
use crate::low::lanes::{Lanes, Quad, double_scalar};

/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine
pub fn edwards25519_scalarmuldouble_vartime(
    have: HaveAvx2,
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [u64; 8] {
    // SAFETY: the token proves AVX2.
    let [x, y, z] = unsafe { scalarmuldouble(have, scalar, point, bscalar) };
    let inverse = base::bignum_inv_p25519(&z);
    let [x0, x1, x2, x3] = alt::bignum_mul_p25519(&x, &inverse);
    let [y0, y1, y2, y3] = alt::bignum_mul_p25519(&y, &inverse);
    [x0, x1, x2, x3, y0, y1, y2, y3]
}

/// The projective result; leaves no upper halves of vector registers in use.
#[target_feature(enable = "avx2")]
fn scalarmuldouble(
    have: HaveAvx2,
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [[u64; 4]; 3] {
    let sum = double_scalar::scalarmuldouble_vartime::<X4>(have, scalar, point, bscalar);
    // The assembly that follows, and the caller's code, use SSE.
    _mm256_zeroupper();
    sum
}

/// Four lanes. Made from [`HaveAvx2`] only: having one is having AVX2.
#[derive(Clone, Copy)]
pub struct X4(__m256i);

/// x, computed at this point of the program: no instruction, and nothing that the compiler sees through.
#[inline]
#[target_feature(enable = "avx2")]
fn opaque(mut x: __m256i) -> __m256i {
    // SAFETY: the empty text reads and writes nothing but the register that holds x, and leaves that.
    unsafe {
        core::arch::asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// Methods that are one expression of intrinsics.
macro_rules! methods {
    ($($(#[$doc:meta])* fn $name:ident$(<const $K:ident: i32>)?($self:ident $(, $x:ident: $type:ty)*) = $value:expr;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        fn $name$(<const $K: i32>)?($self $(, $x: $type)*) -> Self {
            // SAFETY: a value of this type exists, so the CPU has AVX2.
            Self(unsafe { $value })
        }
    )* };
}

impl Lanes for X4 {
    type Proof = HaveAvx2;
    type Words = [u64; 4];

    #[inline(always)]
    fn load(_: HaveAvx2, words: &[u64; 4]) -> Self {
        // SAFETY: the token proves AVX2; the words are 32 readable bytes, of any alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: a value of this type exists, so the CPU has AVX2; `words` are 32 writable bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
    methods! {
        fn vector(self, words: &[u64; 4]) = _mm256_loadu_si256(words.as_ptr().cast());
        fn splat(self, word: u64) = _mm256_set1_epi64x(word as i64);
        fn add(self, y: Self) = _mm256_add_epi64(self.0, y.0);
        fn add_product(self, x: Self, y: Self) = opaque(_mm256_add_epi64(self.0, _mm256_mul_epi32(x.0, y.0)));
        fn mul_low(self, y: Self) = _mm256_mul_epi32(self.0, y.0);
        fn mul_low_unsigned(self, y: u64) = _mm256_mul_epu32(self.0, _mm256_set1_epi64x(y as i64));
        fn and(self, y: Self) = _mm256_and_si256(self.0, y.0);
        fn shr<const K: i32>(self) = _mm256_srli_epi64::<K>(self.0);
        fn shl<const K: i32>(self) = _mm256_slli_epi64::<K>(self.0);
        fn add_halves(self, y: Self) = _mm256_add_epi32(self.0, y.0);
        fn sub_halves(self, y: Self) = _mm256_sub_epi32(self.0, y.0);
        fn join(self, high: Self) = _mm256_blend_epi32::<0b1010_1010>(self.0, _mm256_slli_epi64::<32>(high.0));
    }
}

impl Quad for X4 {
    methods! {
        fn permute<const ORDER: i32>(self) = _mm256_permute4x64_epi64::<ORDER>(self.0);
        fn third_from_fourth(self) = {
            // Of the upper 128 bits, bytes 8 to 15 to the place of 0 to 7; a negative index gives zero.
            let index = _mm256_setr_epi64x(-1, -1, 0x0f0e_0d0c_0b0a_0908, -1);
            _mm256_shuffle_epi8(self.0, opaque(index))
        };
        fn swap_neighbours(self) = _mm256_shuffle_epi32::<0b01_00_11_10>(self.0);
        fn signed(self, signs: Self) = _mm256_sign_epi32(self.0, signs.0);
        fn double_second(self) = _mm256_sllv_epi32(self.0, _mm256_setr_epi32(0, 0, 1, 1, 0, 0, 0, 0));
        fn negate_if(self, negative: bool) = {
            const ORDER: [[u32; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 6, 7, 4, 5]];
            const SIGNS: [[i32; 8]; 2] = [[1; 8], [-1, -1, 1, 1, 1, 1, 1, 1]];
            let order = _mm256_loadu_si256(ORDER[usize::from(negative)].as_ptr().cast());
            let signs = _mm256_loadu_si256(SIGNS[usize::from(negative)].as_ptr().cast());
            _mm256_sign_epi32(_mm256_permutevar8x32_epi32(self.0, order), signs)
        };
    }
}

#[cfg(test)]
mod tests;
