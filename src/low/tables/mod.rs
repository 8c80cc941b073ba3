//! Multiples of the base point B, in one form for every tier.
//!
//! Both tables are written by `cargo xtask tables` from the curve's definition, and xtask's tests
//! write them again and compare. A tier unpacks the four canonical words of a coordinate into its
//! own radix after the look-up, or has the same multiples in its radix: `BASE_ODD_LANES`.

mod base_odd;
#[cfg(any(test, rind_asm, rind_internals))]
mod base_odd_lanes;
mod base_windows;

pub use base_odd::{BASE_ODD, BASE_ODD_HIGH};
#[cfg(any(test, rind_asm, rind_internals))]
pub use base_odd_lanes::{BASE_ODD_HIGH_LANES, BASE_ODD_LANES};
pub use base_windows::BASE_WINDOWS;

/// An affine point as (y + x, y − x, 2·d·x·y), each canonical mod p, in four little-endian words.
pub type PackedNiels = [u64; 12];

/// The same for `low::lanes`: lanes (2, 2·d·x·y, y + x, y − x), limbs of 42.5 bits, a vector each.
#[cfg(any(test, rind_asm, rind_internals))]
pub type LanesNiels = [[f64; 4]; 6];

/// A table that starts on a cache line, as do the entries of one of [`LanesNiels`], and a frame that holds one.
#[repr(C, align(64))]
pub struct Table<T>(pub T);
