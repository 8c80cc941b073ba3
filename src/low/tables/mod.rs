//! Multiples of the base point B, in one form for every tier.
//!
//! Both tables are written by `cargo xtask tables` from the curve's definition, and xtask's tests
//! write them again and compare. Each tier unpacks the four canonical words of a coordinate into its
//! own radix after the look-up.

mod base_odd;
mod base_windows;

pub use base_odd::BASE_ODD;
pub use base_windows::BASE_WINDOWS;

/// An affine point as (y + x, y − x, 2·d·x·y), each canonical mod p, in four little-endian words.
pub type PackedNiels = [u64; 12];

/// A table that starts on a cache line.
#[repr(C, align(64))]
pub struct Table<T>(pub T);
