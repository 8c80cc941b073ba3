//! Vectors of 64-bit lanes: what a lane algorithm may ask of a tier, and [`Emu`], the reference.
//!
//! A lane is one 64-bit word, and also a pair of signed 32-bit halves. Arithmetic on halves stays inside
//! its half. [`Lanes`] works in each lane alone, so that its algorithms serve as many problems as there
//! are lanes; [`Quad`] moves values between the four lanes of a vector, for one point's coordinates.
//!
//! A value is made from a [`Lanes::Proof`] or from another value, so whoever holds one has the proof that
//! the CPU executes these methods: they are safe. Each is `#[inline(always)]` and has no
//! `#[target_feature]` itself; the tier calls the algorithm in one function that has.

pub mod double_scalar;
mod emu;
pub mod field;
pub mod point;

#[cfg(any(test, rind_internals))]
pub use emu::{Emu, edwards25519_scalarmuldouble_vartime};

/// Independent 64-bit lanes.
///
/// No sum may leave its 64 or 32 bits: [`Emu`] asserts that, vectors do not.
pub trait Lanes: Copy {
    /// What proves that the CPU has the instructions.
    type Proof: Copy;
    /// One word a lane, lane 0 first.
    type Words: Copy + AsRef<[u64]>;

    /// The vector of these words.
    fn load(proof: Self::Proof, words: &Self::Words) -> Self;
    /// The vector of these words.
    fn vector(self, words: &Self::Words) -> Self;
    /// `word` in each lane.
    fn splat(self, word: u64) -> Self;
    /// The words.
    fn store(self) -> Self::Words;

    /// self + y, 64 bits.   in: self a u64, y an i64   out: a u64
    fn add(self, y: Self) -> Self;
    /// self + x·y, where sums keep the order in which they are written.
    ///
    /// Left to itself, LLVM reassociates the hundred sums of a product into pairs, and then finds no
    /// registers for them.
    fn add_product(self, x: Self, y: Self) -> Self;
    /// The product of the low halves.   in: any i32; what the high halves hold does not count   out: i64, exact
    fn mul_low(self, y: Self) -> Self;
    /// The product of the low halves, unsigned.   in: any u32   out: u64, exact
    fn mul_low_unsigned(self, y: u64) -> Self;
    /// self ∧ y.
    fn and(self, y: Self) -> Self;
    /// self div 2^K, an unsigned 64-bit division.
    fn shr<const K: i32>(self) -> Self;
    /// self·2^K mod 2^64.
    fn shl<const K: i32>(self) -> Self;

    /// self + y in both halves.   in, out: i32
    fn add_halves(self, y: Self) -> Self;
    /// self − y in both halves.   in, out: i32
    fn sub_halves(self, y: Self) -> Self;
    /// The low half of self below the low half of `high`.
    fn join(self, high: Self) -> Self;
}

/// Four lanes, and moves between them.
pub trait Quad: Lanes<Words = [u64; 4]> {
    /// Lane i becomes lane `from(ORDER, i)`; [`order`] makes an ORDER.
    fn permute<const ORDER: i32>(self) -> Self;
    /// Lane 2 becomes lane 3, the others 0.
    fn third_from_fourth(self) -> Self;
    /// Lanes 0 and 1 change places, and lanes 2 and 3.
    fn swap_neighbours(self) -> Self;
    /// Each half times the sign of the same half of `signs`, which is negative, 0 or positive.
    /// in: i32, not −2^31   out: i32
    fn signed(self, signs: Self) -> Self;
    /// Both halves of lane 1 times 2.   in: i32, below 2^30 in magnitude
    fn double_second(self) -> Self;
    /// Lanes 2 and 3 change places, and lane 0 changes its sign, if `negative`; no branch.
    fn negate_if(self, negative: bool) -> Self;
}

/// The ORDER of [`Quad::permute`] that takes lane 0 from lane a, lane 1 from b, lane 2 from c, lane 3 from d.
pub const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// The word whose low half is `low` and whose high half is `high`.
pub const fn halves(low: i32, high: i32) -> u64 {
    low as u32 as u64 | (high as u32 as u64) << 32
}
