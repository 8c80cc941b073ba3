//! Ed25519 and X25519: fast on every x86-64 CPU, with exact, named acceptance rules.
#![no_std]
#![deny(unsafe_code)]

#[cfg(any(feature = "std", rind_cpu_disable, test))]
extern crate std;

mod constant_time;
mod curve;
pub mod ed25519;
// Routines keep their full set of names, for tests and for comparison, whichever of them an operation uses.
#[cfg_attr(not(rind_internals), allow(dead_code, unused_imports))]
mod low;
#[cfg(feature = "getrandom")]
mod random;
#[cfg(feature = "serde")]
mod serde_bytes;
pub mod x25519;

pub use low::cpu;
#[cfg(feature = "getrandom")]
pub use random::RandomError;

/// The routines below the public interface, for this workspace's tests and benches only.
#[cfg(rind_internals)]
#[doc(hidden)]
pub mod internals {
    pub use crate::curve::half_size;
    #[cfg(rind_asm)]
    pub use crate::low::x86_64::{
        avx2,
        cpu::{HaveAdx, HaveAvx2, HaveBmi2},
        vendor,
    };
    pub use crate::low::{door, lanes, portable};
}

/// The README's snippets, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
