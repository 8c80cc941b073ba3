//! What every tier shares: points and scalars as bytes, and the verification equation.
//!
//! Integers here are little-endian `u64` words and points are affine `[x, y]`, as `low` takes them.
//! Nothing in this module knows of keys, messages or signatures.

pub(crate) mod encoding;
pub(crate) mod equation;
pub mod half_size;
pub(crate) mod scalar;
pub(crate) mod small_order;
pub(crate) mod words;
