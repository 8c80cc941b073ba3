//! Integers modulo p = 2^255 − 19 in each lane, radix 2^25.5, signed limbs.
//!
//! An element is Σ xᵢ·2^⌈25.5·i⌉, i = 0..9: limbs of 26 bits at even i, of 25 bits at odd i. Vector k of
//! five holds limb 2k in the low halves of its lanes and limb 2k + 1 in the high halves, so sums take five
//! instructions; products read low halves only.
//!
//! Bounds count in *units*: an element has bound u if |xᵢ| ≤ u·(2^25 + 2^13) at even i and
//! |xᵢ| ≤ u·(2^24 + 2^12) at odd i. Products give 1 unit. A sum or difference, which `point` takes
//! vector by vector, has the sum of its terms' bounds and needs no carry; what a product takes is asserted:
//!
//! | operation | takes | gives | why |
//! |---|---|---|---|
//! | `mul(x, y)` | x ≤ 4, y ≤ 3, x·y ≤ 12 | 1 | 19·yᵢ is an i32: 19·3·(2^25 + 2^13) < 2^31; column 9 below |
//! | `square` | 2 | 1 | 19·xᵢ and 38·xᵢ, the latter at odd i, are i32 |
//! | `to_words` | 1 | < 2^256 | p is added limb by limb |

#![allow(
    clippy::should_implement_trait,
    reason = "bounds and types that the operators do not have"
)]

use super::{Lanes, halves};

/// How many bits limb i has.
const fn bits(i: usize) -> u32 {
    26 - (i as u32 & 1)
}
/// ⌈25.5·i⌉, the position of limb i.
const fn position(i: usize) -> u32 {
    (51 * i as u32).div_ceil(2)
}
/// Limb i of p.
const fn p(i: usize) -> u64 {
    (1 << bits(i)) - if i == 0 { 19 } else { 1 }
}
/// Half of limb i's range: what is taken from 0 ≤ xᵢ < 2^bits to centre it.
const fn half(i: usize) -> u64 {
    1 << (bits(i) - 1)
}

/// Column i of 2^31·p + Σ half(i): added to signed columns, it makes them positive, and leaves them as
/// they were mod p once the limbs are centred.
///
/// Each column but the last lends 2^61 from the next: all are ≥ 2^60.9, and column 9 is about 2^56.
const fn bias(i: usize) -> u64 {
    const LOAN: u64 = 1 << 61;
    let lent = if i < 9 { LOAN } else { 0 };
    let owed = if i > 0 { LOAN >> bits(i - 1) } else { 0 };
    (p(i) << 31) + lent - owed + half(i)
}

/// An element in each lane.
#[derive(Clone, Copy)]
pub struct Fe<V>(pub [V; 5]);

/// In debug builds, every limb in every lane is within `units`.
macro_rules! debug_bound {
    ($x:expr, $units:expr) => {
        debug_assert!($x.is_within($units), "beyond {} units", $units)
    };
}
pub(super) use debug_bound;

/// `$value` of each vector `$v` of an element. A macro, since a closure is a function without the tier's
/// feature, and nothing makes the compiler inline it.
#[rustfmt::skip]
macro_rules! each {
    ($x:expr, $v:ident => $value:expr) => {{
        let [a, b, c, d, e] = $x.0;
        let f = $crate::low::lanes::field::Fe;
        let a = { let $v = a; $value };
        let b = { let $v = b; $value };
        let c = { let $v = c; $value };
        let d = { let $v = d; $value };
        let e = { let $v = e; $value };
        f([a, b, c, d, e])
    }};
}
pub(super) use each;

/// c + Σ x·y.
macro_rules! sum {
    ($c:expr, $($x:ident * $y:ident),+) => { $c$(.add_product($x, $y))+ };
}

impl<V: Lanes> Fe<V> {
    /// Whether the element has bound `units`.
    pub fn is_within(self, units: i64) -> bool {
        self.0.into_iter().all(|pair| {
            pair.store().as_ref().iter().all(|&word| {
                let (even, odd) = (i64::from(word as i32), i64::from((word >> 32) as i32));
                even.abs() <= units * ((1 << 25) + (1 << 13))
                    && odd.abs() <= units * ((1 << 24) + (1 << 12))
            })
        })
    }

    /// The same limbs from memory: five vectors of words.   in: any i32 limbs
    #[inline(always)]
    pub fn load(proof: V::Proof, words: &[V::Words; 5]) -> Self {
        let [a, b, c, d, e] = words;
        let load = V::load;
        Self([load(proof, a), load(proof, b), load(proof, c), load(proof, d), load(proof, e)])
    }

    /// The element of each lane as an integer, congruent mod p, not reduced.   in: 1   out: < 2^256
    #[inline(always)]
    pub fn to_words(self, lane: usize) -> [u64; 4] {
        debug_bound!(self, 1);
        let mut words = [0; 4];
        let (mut pending, mut held, mut word) = (0u128, 0, 0);
        for i in 0..10 {
            let pair = self.0[i / 2].store().as_ref()[lane];
            let limb = i64::from((pair >> (32 * (i & 1))) as i32) + p(i) as i64; // > 0
            // Limbs overlap: a sum of p's and a centred one may have one bit more than its place.
            pending += (limb as u128) << held;
            held += bits(i);
            if held >= 64 || i == 9 {
                words[word] = pending as u64;
                pending >>= 64;
                held = held.saturating_sub(64);
                word += 1;
            }
        }
        debug_assert!(pending == 0 && word == 4);
        words
    }

    /// Limb i in the low halves of vector i; the high halves hold anything.
    #[inline(always)]
    fn limbs(self) -> [V; 10] {
        let [a, b, c, d, e] = self.0;
        let (f, g, h, i, j) = (up(a), up(b), up(c), up(d), up(e));
        [a, f, b, g, c, h, d, i, e, j]
    }

    /// x·y.   in: x ≤ 4, y ≤ 3, x·y ≤ 12   out: 1
    ///
    /// Column k collects xᵢ·yⱼ with i + j = k, and 19·xᵢ·yⱼ with i + j = k + 10; twice where i and j are
    /// both odd, since ⌈25.5·i⌉ + ⌈25.5·j⌉ is then one more than the position of the column.
    #[inline(always)]
    pub fn mul(self, y: Self) -> Self {
        debug_bound!(self, 4);
        debug_bound!(y, 3);
        let [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9] = self.limbs();
        let [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9] = y.limbs();
        let n = x0.splat(19);
        let (z1, z2, z3) = (y1.mul_low(n), y2.mul_low(n), y3.mul_low(n));
        let (z4, z5, z6) = (y4.mul_low(n), y5.mul_low(n), y6.mul_low(n));
        let (z7, z8, z9) = (y7.mul_low(n), y8.mul_low(n), y9.mul_low(n));

        let [_, t1, _, t3, _, t5, _, t7, _, t9] = each!(self, v => twice(v)).limbs();
        // In the row of an odd i, an even column belongs to an odd j.
        let c = start(x0);
        let c = row(c, x0, x0, [y0, y1, y2, y3, y4, y5, y6, y7, y8, y9]);
        let c = row(c, t1, x1, [z9, y0, y1, y2, y3, y4, y5, y6, y7, y8]);
        let c = row(c, x2, x2, [z8, z9, y0, y1, y2, y3, y4, y5, y6, y7]);
        let c = row(c, t3, x3, [z7, z8, z9, y0, y1, y2, y3, y4, y5, y6]);
        let c = row(c, x4, x4, [z6, z7, z8, z9, y0, y1, y2, y3, y4, y5]);
        let c = row(c, t5, x5, [z5, z6, z7, z8, z9, y0, y1, y2, y3, y4]);
        let c = row(c, x6, x6, [z4, z5, z6, z7, z8, z9, y0, y1, y2, y3]);
        let c = row(c, t7, x7, [z3, z4, z5, z6, z7, z8, z9, y0, y1, y2]);
        let c = row(c, x8, x8, [z2, z3, z4, z5, z6, z7, z8, z9, y0, y1]);
        let c = row(c, t9, x9, [z1, z2, z3, z4, z5, z6, z7, z8, z9, y0]);
        carry(c)
    }

    /// x².   in: 2   out: 1
    #[inline(always)]
    pub fn square(self) -> Self {
        debug_bound!(self, 2);
        let [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9] = self.limbs();
        let [d0, d1, d2, d3, d4, d5, d6, d7, _, _] = each!(self, v => twice(v)).limbs();
        // What wraps around: 19·x at even places, 38·x at odd ones, where the factor 2 is due to both
        // halves of a pair of places, or to i ≠ j.
        let (nineteen, thirty_eight) = (x0.splat(19), x0.splat(38));
        let (f5, f7, f9) =
            (x5.mul_low(thirty_eight), x7.mul_low(thirty_eight), x9.mul_low(thirty_eight));
        let (f6, f8) = (x6.mul_low(nineteen), x8.mul_low(nineteen));

        let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = start(x0);
        let c0 = sum!(c0, x0 * x0, d1 * f9, d2 * f8, d3 * f7, d4 * f6, x5 * f5);
        let c5 = sum!(c5, d0 * x5, d1 * x4, d2 * x3, x6 * f9, d7 * f8);
        let c1 = sum!(c1, d0 * x1, x2 * f9, d3 * f8, x4 * f7, d5 * f6);
        let c6 = sum!(c6, d0 * x6, d1 * d5, d2 * x4, d3 * x3, d7 * f9, x8 * f8);
        let c2 = sum!(c2, d0 * x2, d1 * x1, d3 * f9, d4 * f8, d5 * f7, x6 * f6);
        let c7 = sum!(c7, d0 * x7, d1 * x6, d2 * x5, d3 * x4, x8 * f9);
        let c3 = sum!(c3, d0 * x3, d1 * x2, x4 * f9, d5 * f8, x6 * f7);
        let c8 = sum!(c8, d0 * x8, d1 * d7, d2 * x6, d3 * d5, x4 * x4, x9 * f9);
        let c4 = sum!(c4, d0 * x4, d1 * d3, x2 * x2, d5 * f9, d6 * f8, x7 * f7);
        let c9 = sum!(c9, d0 * x9, d1 * x8, d2 * x7, d3 * x6, d4 * x5);
        carry([c0, c1, c2, c3, c4, c5, c6, c7, c8, c9])
    }
}

/// The high halves as low ones.
#[inline(always)]
fn up<V: Lanes>(x: V) -> V {
    x.shr::<32>()
}

/// 2·x in both halves.
#[inline(always)]
fn twice<V: Lanes>(x: V) -> V {
    x.add_halves(x)
}

/// The columns before the first product.
#[inline(always)]
fn start<V: Lanes>(x: V) -> [V; 10] {
    macro_rules! columns {
        ($($i:literal)*) => { [$(x.splat(const { bias($i) })),*] };
    }
    columns!(0 1 2 3 4 5 6 7 8 9)
}

/// c + x·y, column by column.
#[inline(always)]
fn row<V: Lanes>(c: [V; 10], even: V, odd: V, y: [V; 10]) -> [V; 10] {
    let c0 = c[0].add_product(even, y[0]);
    let c5 = c[5].add_product(odd, y[5]);
    let c1 = c[1].add_product(odd, y[1]);
    let c6 = c[6].add_product(even, y[6]);
    let c2 = c[2].add_product(even, y[2]);
    let c7 = c[7].add_product(odd, y[7]);
    let c3 = c[3].add_product(odd, y[3]);
    let c8 = c[8].add_product(even, y[8]);
    let c4 = c[4].add_product(even, y[4]);
    let c9 = c[9].add_product(odd, y[9]);
    [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9]
}

/// Columns to centred limbs.
///
/// in: bias + products of at most 12 units²: a column of 19s holds at most 124.5·2^50 of each unit², so
/// |products| < 2^60.6 and 0 ≤ c < 2^62; column 9 has none: 10·12·2^49·(1 + 2^−11) < 2^55.91 < bias(9),
/// 0 ≤ c9 < 2^57 − 2^52
/// out: 1
#[inline(always)]
fn carry<V: Lanes>(c: [V; 10]) -> Fe<V> {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9] = c;
    let (mask0, mask5) = (c0.splat((1 << bits(0)) - 1), c0.splat((1 << bits(5)) - 1));
    // Two chains side by side, from 0 and from 5. A carry is below 2^37.
    let c1 = c1.add(c0.shr::<26>());
    let c6 = c6.add(c5.shr::<25>());
    let c2 = c2.add(c1.shr::<25>());
    let c7 = c7.add(c6.shr::<26>());
    let c3 = c3.add(c2.shr::<26>());
    let c8 = c8.add(c7.shr::<25>());
    let c4 = c4.add(c3.shr::<25>());
    let c9 = c9.add(c8.shr::<26>()); //                                  < 2^57, so its carry < 2^32
    let c5 = c5.and(mask5).add(c4.shr::<26>()); //                     < 2^25 + 2^37
    let top = c9.shr::<25>();
    let c0 = c0.and(mask0).add(top.mul_low_unsigned(19)); //           < 2^26 + 2^36.3
    // Limbs 1 and 6 take the last carries, < 2^10.4 and < 2^12.
    let full = c0.splat(halves((1 << 26) - 1, (1 << 25) - 1));
    let centre = c0.splat(halves(1 << 25, 1 << 24));
    let x = Fe([
        c0.join(c1).and(full).sub_halves(centre).add_halves(c0.shr::<26>().shl::<32>()),
        c2.join(c3).and(full).sub_halves(centre),
        c4.join(c5).and(full).sub_halves(centre),
        c6.join(c7).and(full).sub_halves(centre).add_halves(c5.shr::<25>()),
        c8.join(c9).and(full).sub_halves(centre),
    ]);
    debug_bound!(x, 1);
    x
}

/// Four integers as the words of four lanes, for [`Fe::load`].   out: 1, congruent mod p
pub const fn lanes(integers: [&[u64; 4]; 4]) -> [[u64; 4]; 5] {
    let mut vectors = [[0; 4]; 5];
    let mut lane = 0;
    while lane < 4 {
        let limbs = balanced_limbs(integers[lane]);
        let mut k = 0;
        while k < 5 {
            vectors[k][lane] = halves(limbs[2 * k], limbs[2 * k + 1]);
            k += 1;
        }
        lane += 1;
    }
    vectors
}

/// An integer as ten limbs of 1 unit, congruent mod p.
const fn balanced_limbs(integer: &[u64; 4]) -> [i32; 10] {
    let [w0, w1, w2, w3] = *integer;
    let words = [w0, w1, w2, w3, 0];
    let mut limbs = [0; 10];
    let (mut carry, mut i) = (0, 0);
    while i < 10 {
        let (at, shift) = (position(i) as usize / 64, position(i) % 64);
        let from = words[at] >> shift | (words[at + 1] << 1) << (63 - shift);
        // The last limb takes bit 255 too.
        let taken = if i == 9 { from } else { from & ((1 << bits(i)) - 1) };
        let value = taken as i64 + carry;
        carry = (value + half(i) as i64) >> bits(i);
        limbs[i] = (value - (carry << bits(i))) as i32;
        i += 1;
    }
    limbs[0] += 19 * carry as i32; // carry ≤ 2: within 2^13
    limbs
}

#[cfg(test)]
mod tests;
