//! The only place with `unsafe`: every routine, every tier, and the door through which they are called.
//!
//! Integers are little-endian `u64` words. A point is affine, `x` in words 0–3 and `y` in words 4–7.
//! Routines carry s2n-bignum's names and contracts; `portable` is the meaning of each.
#![allow(unsafe_code)]

pub mod cpu;
pub mod portable;
pub mod recode;
pub mod tables;

/// One function a primitive operation, whichever tier runs it.
pub mod door {
    pub use super::portable::{
        bignum_madd_n25519, bignum_mod_n25519, bignum_neg_p25519, curve25519_x25519,
        curve25519_x25519base, edwards25519_decode, edwards25519_decode_permissive,
        edwards25519_encode, edwards25519_scalarmulbase, edwards25519_scalarmuldouble_vartime,
    };
}
