//! X25519 (RFC 7748), the ladder's two points in the lanes. Constant time.
//!
//! Montgomery's ladder as in `portable`: nothing is swapped, and only what is doubled is chosen. Of
//! (m·P, (m + 1)·P) one point came out of the doubling of the step before, D, one out of its sum, A. With
//!
//! ```text
//! S = X_D + Z_D   T = X_D − Z_D   U = X_A + Z_A   V = X_A − Z_A
//! L = S·V   R = T·U   Q = (S or U)²   W = (T or V)²   E = Q − W
//! D' = Q·W : E·(W + 121666·E)         A' = (L + R)² : (L − R)²·u
//! ```
//!
//! a step is three rounds of products side by side:
//!
//! | round | lane 0 | lane 1 | lane 2 | lane 3 |
//! |---|---|---|---|---|
//! | 1 | S·V | T·U | Q | W |
//! | 2 | (L + R)² | (L − R)² | Q·W | E·121666 |
//! | 3 | Q·W·1 | E·(W + 121666·E) | (L + R)²·1 | (L − R)²·u |
//!
//! It starts with O and P, and takes all 255 bits of a clamped scalar: the low three are zero.

use super::field::{Fe, each, lanes};
use super::{Quad, order};
use crate::low::tables::Table;

const A24: [u64; 4] = [(486_662 + 2) / 4, 0, 0, 0];
const ONE: [u64; 4] = [1, 0, 0, 0];
const ZERO: [u64; 4] = [0; 4];

/// (X_D, Z_D, X_A, Z_A).   bound: 1
#[derive(Clone, Copy)]
struct Pair<V>(Fe<V>);

impl<V: Quad> Pair<V> {
    /// The next pair; `choice` is 0 if D is doubled, 1 if A is.
    ///
    /// ones and u: (1, 0, 1, u) and (0, 0, 0, 121666), loaded once
    #[inline(always)]
    fn step(self, choice: u64, factors: Fe<V>, a24: Fe<V>) -> Self {
        // (S, T, U, V)                                                                          2 units
        let sums = sum_and_difference(self.0);
        // (U, V, S, T), and of both what round 1 takes: (S, T, chosen) by (V, U, chosen)
        let crossed = each!(sums, v => v.permute::<{ order(2, 3, 0, 1) }>());
        let left = each!(sums, crossed; s, c => c.choose_upper(s, choice));
        let right =
            each!(left, sums; l, s => s.permute::<{ order(3, 2, 0, 1) }>().blend::<0b1100>(l));
        // (L, R, Q, W)
        let first = left.mul(right);
        // (L + R, L − R, Q + W, E)                                                               2 units
        let sums = sum_and_difference(first);
        let left = each!(sums, first; s, f => s.blend::<0b0100>(f));
        let right = each!(sums, first; s, f => s.blend::<0b0100>(f.swap_neighbours()));
        let right = each!(right, a24; r, a => r.blend::<0b1000>(a));
        let second = left.mul(right);
        // (Q·W, E, (L + R)², (L − R)²) by (1, W + 121666·E, 1, u)                                2 units
        let crossed = each!(second, v => v.permute::<{ order(2, 3, 0, 1) }>());
        let left =
            each!(crossed, sums; c, s => c.blend::<0b0010>(s.permute::<{ order(2, 3, 0, 1) }>()));
        let w = each!(first, v => v.permute::<{ order(2, 3, 0, 1) }>());
        let right = each!(w, crossed; w, c => w.add(c));
        let right = each!(factors, right; f, r => f.blend::<0b0010>(r));
        Self(left.mul(right))
    }
}

/// (a + b, a − b, c + d, c − d) of (a, b, c, d).
#[inline(always)]
fn sum_and_difference<V: Quad>(x: Fe<V>) -> Fe<V> {
    each!(x, v => v.mul_add(v.vector(&[1.0, -1.0, 1.0, -1.0]), v.swap_neighbours()))
}

/// X and Z of k·P, each < 2^256 and congruent mod p, P = (u : 1); Z = 0 mod p for a point of small order.
///
/// in: k < 2^255, any u
#[inline(always)]
pub fn ladder<V: Quad>(proof: V::Proof, k: &[u64; 4], u: &[u64; 4]) -> [[u64; 4]; 2] {
    const A24S: [[f64; 4]; 6] = lanes([&ZERO, &ZERO, &ZERO, &A24]);
    let a24 = Fe::load(proof, &A24S);
    // Its address is taken, so it has a place in memory, which begins a cache line, and so does the frame: else a
    // spilled vector may cross a line, or a page (`admin/spills`).
    let factors = Table(lanes([&ONE, &ZERO, &ONE, u]));
    let factors = Fe::load(proof, &core::hint::black_box(&factors).0);
    let mut pair = Pair::<V>(Fe::load(proof, &lanes([&ONE, &ZERO, u, &ONE])));
    let mut last = 0; // the bit before: m·P is D where it is 0, and A where it is 1
    for i in (0..255).rev() {
        let bit = k[i / 64] >> (i % 64) & 1;
        pair = pair.step(bit ^ last, factors, a24);
        last = bit;
    }
    [pair.0.to_words(0), pair.0.to_words(1)]
}
