//! Integers modulo p = 2^255 − 19 in each lane, radix 2^42.5, signed limbs that are doubles.
//!
//! An element is Σ xᵢ·2^⌈42.5·i⌉, i = 0..5: limbs of 43 bits at even i, of 42 bits at odd i, each an
//! integer that a double holds exactly, one vector a limb.
//!
//! A product of two limbs has 86 bits and more, a double 53. It is taken in two parts, each by one fused
//! multiply-add (Emmart, Zheng and Weems, ARITH 2018, with sums kept as doubles): added to a number so
//! large that doubles there are 2^43 apart, the product leaves its high part, correctly rounded; what was
//! lost is at most half of 2^43, and a second multiply-add finds it exactly. That costs four operations a
//! product, sums included, for 43×43 bits, where two operations do 26×26 bits in 64-bit lanes.
//!
//! Bounds count in *units*: an element has bound u if |xᵢ| ≤ u·(2^42 + 2^16) at even i and
//! |xᵢ| ≤ u·(2^41 + 2^15) at odd i. Products give 1 unit. A sum or difference, which `point` takes
//! vector by vector, has the sum of its terms' bounds and needs no carry; what a product takes is asserted:
//!
//! | operation | takes | gives | why |
//! |---|---|---|---|
//! | `mul(x, y)` | x·y ≤ 12 in each lane, y ≤ 4 | 1 | column 0 is below 2^94, see `carry`; 19·y is a double |
//! | `square` | 3 | 1 | the same |
//! | `to_words` | 1 | < 2^256 | p is added limb by limb |

#![allow(
    clippy::should_implement_trait,
    reason = "bounds and types that the operators do not have"
)]

use super::Lanes;

/// How many bits limb i has.
const fn bits(i: usize) -> u32 {
    43 - (i as u32 & 1)
}
/// ⌈42.5·i⌉, the position of limb i.
const fn position(i: usize) -> u32 {
    (85 * i as u32).div_ceil(2)
}
/// Limb i of p.
const fn p(i: usize) -> i64 {
    (1 << bits(i)) - if i == 0 { 19 } else { 1 }
}
/// Half of limb i's range.
const fn half(i: usize) -> i64 {
    1 << (bits(i) - 1)
}
/// 2^k.   in: a normal double's exponent
const fn pow2(k: i32) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}
/// The middle of the doubles that are 2^bits(i) apart: a number below half of it in magnitude, added to
/// it, is rounded to a multiple of 2^bits(i).
const fn magnet(i: usize) -> f64 {
    1.5 * pow2(bits(i) as i32 + 52)
}

/// What a column starts with: its magnet, and what becomes half of the next limb's range when it moves up.
const fn start(i: usize) -> f64 {
    magnet(i) + half((i + 1) % 6) as f64 * pow2(bits(i) as i32)
}
/// What a magnet is once it moved up: between 2^52 and 2^53 a double's bits are those of an integer.
const MIDDLE: f64 = 1.5 * pow2(52);
/// What `MIDDLE` is when it moves up from limb i.
const fn middle_from(i: usize) -> f64 {
    MIDDLE * pow2(-(bits(i) as i32))
}

/// An element in each lane.
#[derive(Clone, Copy)]
pub struct Fe<V>(pub [V; 6]);

/// In debug builds, every limb in every lane is within `units`.
macro_rules! debug_bound {
    ($x:expr, $units:expr) => {
        debug_assert!($x.is_within($units), "beyond {} units", $units)
    };
}
pub(super) use debug_bound;

/// `$value` of each vector `$v` of an element, or of each two of two elements. A macro, since a closure is a
/// function without the tier's feature, and nothing makes the compiler inline it.
#[rustfmt::skip]
macro_rules! each {
    ($x:expr, $v:ident => $value:expr) => {{
        let [a, b, c, d, e, f] = $x.0;
        let b = { let $v = b; $value };
        let c = { let $v = c; $value };
        let d = { let $v = d; $value };
        let e = { let $v = e; $value };
        let f = { let $v = f; $value };
        let a = { let $v = a; $value };
        $crate::low::lanes::field::Fe([a, b, c, d, e, f])
    }};
    ($x:expr, $y:expr; $v:ident, $w:ident => $value:expr) => {{
        let y = $y.0;
        let [a, b, c, d, e, f] = $x.0;
        let b = { let ($v, $w) = (b, y[1]); $value };
        let c = { let ($v, $w) = (c, y[2]); $value };
        let d = { let ($v, $w) = (d, y[3]); $value };
        let e = { let ($v, $w) = (e, y[4]); $value };
        let f = { let ($v, $w) = (f, y[5]); $value };
        let a = { let ($v, $w) = (a, y[0]); $value };
        $crate::low::lanes::field::Fe([a, b, c, d, e, f])
    }};
}
pub(super) use each;

/// A sum of products, high + low + last: `high` is `start(i)` and a multiple of 2^bits(i).
#[derive(Clone, Copy)]
struct Column<V> {
    high: V,
    low: V,
    /// What the last product left, not yet in `low`: it comes late, and `carry` has something to do first.
    last: V,
}

impl<V: Lanes> Column<V> {
    /// No product. The sums with −0 are no instructions: for every x, x + −0 is x.
    #[inline(always)]
    fn start(magnet: V) -> Self {
        let none = magnet.splat(-0.0);
        Self { high: magnet, low: none, last: none }
    }

    /// self + x·y.
    #[inline(always)]
    fn plus(self, x: V, y: V) -> Self {
        let high = x.mul_add_rounded(y, self.high);
        // What rounding took away: at most half of 2^bits(i), and so a double.
        let last = x.mul_add(y, self.high.sub(high));
        Self { high, low: self.low.add(self.last), last }
    }
}

/// Σ x·y.
macro_rules! sum {
    ($magnet:ident: $($x:ident * $y:ident),+) => { Column::start($magnet)$(.plus($x, $y))+ };
}

impl<V: Lanes> Fe<V> {
    /// Whether the element has bound `units`.
    pub fn is_within(self, units: i64) -> bool {
        self.0.into_iter().enumerate().all(|(i, limb)| {
            let bound = units * (half(i) + (half(i) >> 26));
            limb.store().as_ref().iter().all(|&x| x.abs() <= bound as f64)
        })
    }

    /// Whether the bounds of self and y, lane by lane, have a product of at most `units`, and y's is at most 4.
    fn is_within_by(self, y: Self, units: f64) -> bool {
        // One division for the limbs of a parity, which have the same unit: every product of a test comes here.
        let bound = |limbs: &[V::Doubles; 6], lane: usize| {
            let limb = |i: usize| limbs[i].as_ref()[lane].abs();
            let largest = |i: usize| limb(i).max(limb(i + 2)).max(limb(i + 4));
            let in_units = |i: usize| largest(i) / (half(i) + (half(i) >> 26)) as f64;
            in_units(0).max(in_units(1))
        };
        let (x, y) = (self.store(), y.store());
        (0..x[0].as_ref().len()).all(|lane| {
            let bound_of_y = bound(&y, lane);
            bound_of_y <= 4.0 && bound(&x, lane) * bound_of_y <= units
        })
    }

    /// The same limbs from memory: six vectors.   in: integers
    #[inline(always)]
    pub fn load(proof: V::Proof, doubles: &[V::Doubles; 6]) -> Self {
        let [a, b, c, d, e, f] = doubles;
        let load = V::load;
        Self([
            load(proof, a),
            load(proof, b),
            load(proof, c),
            load(proof, d),
            load(proof, e),
            load(proof, f),
        ])
    }

    /// The same limbs in memory.
    #[inline(always)]
    pub fn store(self) -> [V::Doubles; 6] {
        let [a, b, c, d, e, f] = self.0;
        [a.store(), b.store(), c.store(), d.store(), e.store(), f.store()]
    }

    /// The element of each lane as an integer, congruent mod p, not reduced.   in: 1   out: < 2^256
    #[inline(always)]
    pub fn to_words(self, lane: usize) -> [u64; 4] {
        debug_bound!(self, 1);
        let mut words = [0; 4];
        let (mut pending, mut held, mut word) = (0u128, 0, 0);
        for i in 0..6 {
            // By its bits, since `as` would saturate, which compilers do by a branch; tests/constant_time.rs.
            let moved = self.0[i].store().as_ref()[lane] + MIDDLE;
            let limb = moved.to_bits() as i64 - MIDDLE.to_bits() as i64 + p(i); // > 0
            // Limbs overlap: a sum of p's and a centred one may have one bit more than its place.
            pending += (limb as u128) << held;
            held += bits(i);
            if held >= 64 || i == 5 {
                words[word] = pending as u64;
                pending >>= 64;
                held = held.saturating_sub(64);
                word += 1;
            }
        }
        debug_assert!(pending == 0 && word == 4);
        words
    }

    /// x·y.   in: x·y ≤ 12 in each lane, y ≤ 4   out: 1
    ///
    /// Column k collects xᵢ·yⱼ with i + j = k, and 19·xᵢ·yⱼ with i + j = k + 6; twice where i and j are
    /// both odd, since ⌈42.5·i⌉ + ⌈42.5·j⌉ is then one more than the position of the column.
    #[inline(always)]
    pub fn mul(self, y: Self) -> Self {
        debug_assert!(self.is_within_by(y, 12.0), "beyond 12 units²");
        let [x0, x1, x2, x3, x4, x5] = self.0;
        let [y0, y1, y2, y3, y4, y5] = y.0;
        let n = x0.splat(19.0);
        let (z1, z2, z3, z4, z5) = (y1.mul(n), y2.mul(n), y3.mul(n), y4.mul(n), y5.mul(n));
        let (t1, t3, t5) = (x1.add(x1), x3.add(x3), x5.add(x5));

        // Row by row, so that six sums are under way at any time: a sum waits four cycles for the one before.
        // In the row of an odd i, an even column belongs to an odd j.
        let c = no_products(x0);
        let c = row(c, t1, x1, [z5, y0, y1, y2, y3, y4]);
        let c = row(c, x2, x2, [z4, z5, y0, y1, y2, y3]);
        let c = row(c, t3, x3, [z3, z4, z5, y0, y1, y2]);
        let c = row(c, x4, x4, [z2, z3, z4, z5, y0, y1]);
        let c = row(c, x0, x0, [y0, y1, y2, y3, y4, y5]);
        let c = row(c, t5, x5, [z1, z2, z3, z4, z5, y0]);
        carry(c)
    }

    /// x².   in: 3   out: 1
    #[inline(always)]
    pub fn square(self) -> Self {
        debug_bound!(self, 3);
        let [x0, x1, x2, x3, x4, x5] = self.0;
        let (d0, d1, d2, d3) = (x0.add(x0), x1.add(x1), x2.add(x2), x3.add(x3));
        // What wraps around: 19·x at even places, 38·x at odd ones, where the factor 2 is due to both
        // factors standing at odd places, or to i ≠ j.
        let (nineteen, thirty_eight) = (x0.splat(19.0), x0.splat(38.0));
        let (f3, f4, f5) = (x3.mul(thirty_eight), x4.mul(nineteen), x5.mul(thirty_eight));
        let (even, odd) = (x0.splat(start(0)), x0.splat(start(1)));

        let c5 = sum!(odd: d2 * x3, d1 * x4, d0 * x5);
        let c0 = sum!(even: x3 * f3, d2 * f4, d1 * f5, x0 * x0);
        let c1 = sum!(odd: d3 * f4, x2 * f5, d0 * x1);
        let c2 = sum!(even: d1 * x1, x4 * f4, d3 * f5, d0 * x2);
        let c3 = sum!(odd: d1 * x2, x4 * f5, d0 * x3);
        let c4 = sum!(even: d1 * d3, x2 * x2, d0 * x4, x5 * f5);
        carry([c0, c1, c2, c3, c4, c5])
    }
}

/// The columns before the first product.
#[inline(always)]
fn no_products<V: Lanes>(x: V) -> [Column<V>; 6] {
    let (even, odd) = (Column::start(x.splat(start(0))), Column::start(x.splat(start(1))));
    [even, odd, even, odd, even, odd]
}

/// c + x·y, column by column.
#[inline(always)]
fn row<V: Lanes>(c: [Column<V>; 6], even: V, odd: V, y: [V; 6]) -> [Column<V>; 6] {
    let c5 = c[5].plus(odd, y[5]);
    let c0 = c[0].plus(even, y[0]);
    let c1 = c[1].plus(odd, y[1]);
    let c2 = c[2].plus(even, y[2]);
    let c3 = c[3].plus(odd, y[3]);
    let c4 = c[4].plus(even, y[4]);
    [c0, c1, c2, c3, c4, c5]
}

/// Columns to centred limbs.
///
/// in: products of at most 12 units²: the largest even column, 0, holds 1 + 19·(½ + 1 + ½ + 1 + ½) = 67.5
/// times 2^84 of each unit², the largest odd one, 1, (2 + 19·4)/2 = 39: |column| < 2^93.7, below half of
/// the magnet at an even place, and < 2^92.9 at an odd one; |low + last| ≤ 6·2^42
/// out: 1
///
/// Magnets are not taken away: what moves up takes `MIDDLE` along, and so the next sum is where bits are
/// those of an integer, and what exceeds a limb is had by masking.
#[inline(always)]
fn carry<V: Lanes>(columns: [Column<V>; 6]) -> Fe<V> {
    let [c0, c1, c2, c3, c4, c5] = columns;
    macro_rules! splat {
        ($x:expr) => {
            c0.high.splat(const { $x })
        };
    }
    let (from_even, from_odd) = (splat!(pow2(-43)), splat!(pow2(-42)));
    // 2^255 = 19 mod p.
    let around = splat!(19.0 * pow2(-42));

    // The high parts move up. |v| ≤ 2^50.9 above MIDDLE + half(i), but for limb 0: its 19·c5/2^42 is up
    // to 2^51.5, so it goes without MIDDLE; and without 19 times the one that q5 will bring, 2^14.9.
    let without = splat!(start(5) + middle_from(5) * pow2(42));
    let v0 = c5.high.sub(without).mul_add(around, c0.low).add(c0.last);
    let v1 = c0.high.mul_add(from_even, c1.low).add(c1.last);
    let v2 = c1.high.mul_add(from_odd, c2.low).add(c2.last);
    let v3 = c2.high.mul_add(from_even, c3.low).add(c3.last);
    let v4 = c3.high.mul_add(from_odd, c4.low).add(c4.last);
    let v5 = c4.high.mul_add(from_even, c5.low).add(c5.last);
    // Now each is at most 2^9 times its range, and what is above that, the multiple q of 2^bits(i) next to v,
    // moves up too: MIDDLE + q, and q − magnet(0) for limb 0.
    let q0 = v0.sub_rounded(splat!(magnet(0)));
    let (q1, q3, q5) = (v1.floor(42), v3.floor(42), v5.floor(42));
    let (q2, q4) = (v2.floor(43), v4.floor(43));
    // What stays is v without q, MIDDLE, half(i), and the MIDDLE that the other q brought.
    let x = Fe([
        q5.mul_add(around, v0).sub(q0.add(splat!(magnet(0)))), //   half(0) + 2^14.9 + 19·2^9
        // q0 brought −MIDDLE.                                      half(1) + 2^8.5, the largest of the others
        q0.mul_add(from_even, v1).sub(q1.sub(splat!(MIDDLE - half(1) as f64))),
        q1.mul_add(from_odd, v2).sub(q2.join(const { half(2) as u64 + middle_from(1) as u64 })),
        q2.mul_add(from_even, v3).sub(q3.join(const { half(3) as u64 + middle_from(2) as u64 })),
        q3.mul_add(from_odd, v4).sub(q4.join(const { half(4) as u64 + middle_from(3) as u64 })),
        q4.mul_add(from_even, v5).sub(q5.join(const { half(5) as u64 + middle_from(4) as u64 })),
    ]);
    debug_bound!(x, 1);
    x
}

/// Four integers as the doubles of four lanes, for [`Fe::load`].   out: 1, congruent mod p
pub const fn lanes(integers: [&[u64; 4]; 4]) -> [[f64; 4]; 6] {
    let mut vectors = [[0.0; 4]; 6];
    let mut lane = 0;
    while lane < 4 {
        let limbs = balanced_limbs(integers[lane]);
        let mut i = 0;
        while i < 6 {
            vectors[i][lane] = limbs[i] as f64;
            i += 1;
        }
        lane += 1;
    }
    vectors
}

/// An integer as six limbs of 1 unit, congruent mod p.
const fn balanced_limbs(integer: &[u64; 4]) -> [i64; 6] {
    let [w0, w1, w2, w3] = *integer;
    let words = [w0, w1, w2, w3, 0];
    let mut limbs = [0; 6];
    let (mut carry, mut i) = (0, 0);
    while i < 6 {
        let (at, shift) = (position(i) as usize / 64, position(i) % 64);
        let from = words[at] >> shift | (words[at + 1] << 1) << (63 - shift);
        // The last limb takes bit 255 too.
        let taken = if i == 5 { from } else { from & ((1 << bits(i)) - 1) };
        let value = taken as i64 + carry;
        carry = (value + half(i)) >> bits(i);
        limbs[i] = value - (carry << bits(i));
        i += 1;
    }
    limbs[0] += 19 * carry; // carry ≤ 2: within 2^13
    limbs
}

#[cfg(test)]
mod tests;
