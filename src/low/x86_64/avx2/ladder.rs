//! X25519 by a ladder of four lanes. The door calls it on the cores where it is the fastest: PLATFORMS.md.

use core::arch::x86_64::*;

use super::super::vendor::{adx, base};
use super::{HaveAvx2, X4, mxcsr, rounds_to_nearest};
use crate::low::lanes::ladder::ladder;
use crate::low::portable::clamp;
use zeroize::Zeroize as _;

/// RFC 7748 X25519: clamps the scalar, masks the point; canonical result, zero for low order. Constant time.
pub fn curve25519_x25519(have: HaveAvx2, scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4] {
    if !rounds_to_nearest(mxcsr()) {
        return adx::curve25519_x25519(have.bmi2(), scalar, point);
    }
    let shared = x25519(have, scalar, point);
    // SAFETY: the token proves AVX2.
    unsafe { wipe_vectors() };
    wipe_stack();
    shared
}

/// The same, with copies of secrets left in its frame and in registers.
#[inline(never)]
fn x25519(have: HaveAvx2, scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4] {
    let mut k = *scalar;
    clamp(&mut k);
    let [u0, u1, u2, u3] = *point;
    // SAFETY: the token proves AVX2 and FMA.
    let [x, z] = unsafe { x25519_ladder(have, &k, &[u0, u1, u2, u3 & (u64::MAX >> 1)]) };
    adx::bignum_mul_p25519(have.bmi2(), &x, &base::bignum_inv_p25519(&z))
}

/// X and Z; leaves no upper halves of vector registers in use.
#[target_feature(enable = "avx2,fma")]
fn x25519_ladder(have: HaveAvx2, k: &[u64; 4], u: &[u64; 4]) -> [[u64; 4]; 2] {
    let point = ladder::<X4>(have, k, u);
    _mm256_zeroupper();
    point
}

/// Zeroes every vector register.
#[target_feature(enable = "avx2")]
fn wipe_vectors() {
    _mm256_zeroall();
}

/// Overwrites the stack where [`x25519`] and what it calls had their frames: some 2,500 bytes, of which the
/// ladder has 2,040 (`tests/wiped_registers.rs`).
#[inline(never)]
fn wipe_stack() {
    let mut frame = [0u64; 512];
    frame.zeroize();
    core::hint::black_box(&frame);
}
