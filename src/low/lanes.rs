//! Vectors of doubles: what a lane algorithm may ask of a tier, and [`Emu`], the reference.
//!
//! A lane is one double, and every double here is an integer times a power of two. [`Lanes`] works in
//! each lane alone, so that its algorithms serve as many problems as there are lanes; [`Quad`] moves
//! values between the four lanes of a vector, for one point's coordinates.
//!
//! All operations but two are exact: what they are given must let them be, and [`Emu`] asserts that it
//! does. The two that round say so in their names; they round to nearest, and are how a high part is
//! split off.
//!
//! A value is made from a [`Lanes::Proof`] or from another value, so whoever holds one has the proof that
//! the CPU executes these methods: they are safe. Each is `#[inline(always)]` and has no
//! `#[target_feature]` itself; the tier calls the algorithm in one function that has.

mod emu;
pub mod field;
pub mod ladder;
pub mod point;
pub mod sums;

#[cfg(any(test, rind_internals))]
pub use emu::{
    Emu, curve25519_x25519, edwards25519_scalarmuldouble_vartime,
    edwards25519_scalarmultriple_vartime,
};

/// Independent lanes.
pub trait Lanes: Copy {
    /// What proves that the CPU has the instructions.
    type Proof: Copy;
    /// One double a lane, lane 0 first.
    type Doubles: Copy + AsRef<[f64]>;

    /// The vector of these doubles.
    fn load(proof: Self::Proof, doubles: &Self::Doubles) -> Self;
    /// The vector of these doubles.
    fn vector(self, doubles: &Self::Doubles) -> Self;
    /// `x` in each lane.
    fn splat(self, x: f64) -> Self;
    /// The doubles.
    fn store(self) -> Self::Doubles;

    /// self + y, exact.
    fn add(self, y: Self) -> Self;
    /// self − y, exact.
    fn sub(self, y: Self) -> Self;
    /// self·y, exact.
    fn mul(self, y: Self) -> Self;
    /// self·y + z, exact.
    fn mul_add(self, y: Self, z: Self) -> Self;
    /// self − y, rounded.
    fn sub_rounded(self, y: Self) -> Self;
    /// self·y + z, rounded once.
    fn mul_add_rounded(self, y: Self, z: Self) -> Self;
    /// The multiple of 2^bits at or below self.   in: integers, 2^52 ≤ self < 2^53; bits ≤ 52
    fn floor(self, bits: u32) -> Self;
    /// self + low.   in: a multiple of 2^bits, 2^52 ≤ self < 2^53; an integer 0 ≤ low < 2^bits
    fn join(self, low: u64) -> Self;
}

/// Four lanes, and moves between them.
pub trait Quad: Lanes<Doubles = [f64; 4]> {
    /// Lane i becomes lane `from(ORDER, i)`; [`order`] makes an ORDER.
    fn permute<const ORDER: i32>(self) -> Self;
    /// Lanes 0 and 1 change places, and lanes 2 and 3.
    fn swap_neighbours(self) -> Self;
    /// Lane i of y where bit i of LANES is set, of self elsewhere.
    fn blend<const LANES: i32>(self, y: Self) -> Self;
    /// Lanes 0 and 1 of y; lanes 2 and 3 of self if `choice` is 0, of y if it is 1. Constant time.
    fn choose_upper(self, y: Self, choice: u64) -> Self;
    /// Lanes 2 and 3 change places, and lane 1 changes its sign, if `negative`; no branch.
    fn negate_if(self, negative: bool) -> Self;
}

/// The ORDER of [`Quad::permute`] that takes lane 0 from lane a, lane 1 from b, lane 2 from c, lane 3 from d.
pub const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}
