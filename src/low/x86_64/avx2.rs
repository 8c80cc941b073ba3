//! The AVX2 tier: four doubles in a `__m256d`.
//!
//! Field and points are `low::lanes`, written once for every kind of lane; this file gives the lanes
//! and one function for each routine that has the features, into which all of it is inlined.
//!
//! The field's bounds hold for rounding to nearest, which Rust takes for granted; a caller in another
//! language may have changed it. Each routine looks at MXCSR and leaves the work to the form with MULX if so.

use core::arch::x86_64::*;

use super::cpu::HaveAvx2;
use super::vendor::{adx, base};
// Fixed-base multiplication is the form with MULX, its look-ups in 256-bit registers.
pub use super::vendor::avx2::{curve25519_x25519base, edwards25519_scalarmulbase};
use crate::low::lanes::{Lanes, Quad, sums};

mod ladder;
pub use ladder::curve25519_x25519;

/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine
pub fn edwards25519_scalarmuldouble_vartime(
    have: HaveAvx2,
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [u64; 8] {
    if !rounds_to_nearest(mxcsr()) {
        return adx::edwards25519_scalarmuldouble_vartime(have.bmi2(), scalar, point, bscalar);
    }
    // SAFETY: the token proves AVX2 and FMA.
    let [x, y, z] = unsafe { scalarmuldouble(have, scalar, point, bscalar) };
    let inverse = base::bignum_inv_p25519(&z);
    let [x0, x1, x2, x3] = adx::bignum_mul_p25519(have.bmi2(), &x, &inverse);
    let [y0, y1, y2, y3] = adx::bignum_mul_p25519(have.bmi2(), &y, &inverse);
    [x0, x1, x2, x3, y0, y1, y2, y3]
}

/// scalar₀·P₀ + scalar₁·P₁ + scalar₂·B, exact for points with torsion, as (X, Y, Z) with x = X/Z, y = Y/Z,
/// Z ≠ 0, each below p. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P₀ and P₁ affine
pub fn edwards25519_scalarmultriple_vartime(
    have: HaveAvx2,
    scalars: &[[u64; 4]; 3],
    points: &[[u64; 8]; 2],
) -> [[u64; 4]; 3] {
    if !rounds_to_nearest(mxcsr()) {
        return adx::edwards25519_scalarmultriple_vartime(have.bmi2(), scalars, points);
    }
    // SAFETY: the token proves AVX2 and FMA.
    let sum = unsafe { scalarmultriple(have, scalars, points) };
    sum.map(|coordinate| adx::bignum_mul_p25519(have.bmi2(), &coordinate, &[1, 0, 0, 0]))
}

/// X, Y and Z, not reduced; leaves no upper halves of vector registers in use.
#[target_feature(enable = "avx2,fma")]
fn scalarmultriple(
    have: HaveAvx2,
    scalars: &[[u64; 4]; 3],
    points: &[[u64; 8]; 2],
) -> [[u64; 4]; 3] {
    let sum = sums::scalarmultriple_vartime::<X4>(have, scalars, points);
    _mm256_zeroupper();
    sum
}

/// The control and status word of vector arithmetic.
#[inline]
fn mxcsr() -> u32 {
    let mut word = 0;
    // SAFETY: STMXCSR is in the base set and writes the four bytes of `word`.
    unsafe {
        core::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags))
    };
    word
}

/// Whether arithmetic under this MXCSR rounds to nearest, and does not trap where it rounds (Intel SDM
/// volume 1, section 10.2.3). No operand here is subnormal, so what is done with those does not matter.
const fn rounds_to_nearest(mxcsr: u32) -> bool {
    const ROUNDING: u32 = 0b11 << 13;
    const INEXACT_MASKED: u32 = 1 << 12;
    mxcsr & (ROUNDING | INEXACT_MASKED) == INEXACT_MASKED
}

/// The projective result; leaves no upper halves of vector registers in use.
#[target_feature(enable = "avx2,fma")]
fn scalarmuldouble(
    have: HaveAvx2,
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [[u64; 4]; 3] {
    let sum = sums::scalarmuldouble_vartime::<X4>(have, scalar, point, bscalar);
    // The assembly that follows, and the caller's code, use SSE.
    _mm256_zeroupper();
    sum
}

/// Four lanes. Made from [`HaveAvx2`] only: having one is having AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct X4(__m256d);

/// Methods that are one expression of intrinsics.
macro_rules! methods {
    ($($(#[$doc:meta])* fn $name:ident$(<const $K:ident: i32>)?($self:ident $(, $x:ident: $type:ty)*) = $value:expr;)*) => { $(
        $(#[$doc])*
        #[inline(always)]
        fn $name$(<const $K: i32>)?($self $(, $x: $type)*) -> Self {
            // SAFETY: a value of this type exists, so the CPU has AVX2 and FMA. What is loaded is an array
            // of 32 bytes, by loads that ask for no alignment.
            Self(unsafe { $value })
        }
    )* };
}

impl Lanes for X4 {
    type Proof = HaveAvx2;
    type Doubles = [f64; 4];

    #[inline(always)]
    fn load(_: HaveAvx2, doubles: &[f64; 4]) -> Self {
        // SAFETY: the token proves AVX2; the doubles are 32 readable bytes, of any alignment.
        Self(unsafe { _mm256_loadu_pd(doubles.as_ptr()) })
    }
    #[inline(always)]
    fn store(self) -> [f64; 4] {
        let mut doubles = [0.0; 4];
        // SAFETY: a value of this type exists, so the CPU has AVX2; `doubles` are 32 writable bytes.
        unsafe { _mm256_storeu_pd(doubles.as_mut_ptr(), self.0) };
        doubles
    }
    methods! {
        fn vector(self, doubles: &[f64; 4]) = _mm256_loadu_pd(doubles.as_ptr());
        fn splat(self, x: f64) = _mm256_set1_pd(x);
        fn add(self, y: Self) = _mm256_add_pd(self.0, y.0);
        fn sub(self, y: Self) = _mm256_sub_pd(self.0, y.0);
        fn mul(self, y: Self) = _mm256_mul_pd(self.0, y.0);
        fn mul_add(self, y: Self, z: Self) = _mm256_fmadd_pd(self.0, y.0, z.0);
        fn sub_rounded(self, y: Self) = _mm256_sub_pd(self.0, y.0);
        fn mul_add_rounded(self, y: Self, z: Self) = _mm256_fmadd_pd(self.0, y.0, z.0);
        // Between 2^52 and 2^53 the low 52 bits of a double are those of its integer.
        fn floor(self, bits: u32) =
            _mm256_and_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1 << bits)));
        fn join(self, low: u64) =
            _mm256_or_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(low as i64)));
    }
}

impl Quad for X4 {
    methods! {
        fn permute<const ORDER: i32>(self) = _mm256_permute4x64_pd::<ORDER>(self.0);
        fn swap_neighbours(self) = _mm256_permute_pd::<0b0101>(self.0);
        fn blend<const LANES: i32>(self, y: Self) = _mm256_blend_pd::<LANES>(self.0, y.0);
        fn choose_upper(self, y: Self, choice: u64) = {
            // Opaque, so that the compiler does not see a choice of two and branch.
            let mask = core::hint::black_box((choice as i64).wrapping_neg());
            _mm256_blendv_pd(self.0, y.0, _mm256_castsi256_pd(_mm256_setr_epi64x(-1, -1, mask, mask)))
        };
        fn negate_if(self, negative: bool) = {
            const ORDER: [[u32; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 6, 7, 4, 5]];
            const SIGNS: [[f64; 4]; 2] = [[0.0; 4], [0.0, -0.0, 0.0, 0.0]];
            let order = _mm256_loadu_si256(ORDER[usize::from(negative)].as_ptr().cast());
            let signs = _mm256_loadu_pd(SIGNS[usize::from(negative)].as_ptr());
            let moved = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(self.0), order);
            _mm256_xor_pd(_mm256_castsi256_pd(moved), signs)
        };
    }
}

#[cfg(test)]
pub mod tests;
