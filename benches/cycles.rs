//! Core cycles of the portable routines, without hardware counters.
//!
//! ```text
//! cargo bench --bench cycles
//! ```
//!
//! How a cycle is counted: `benches/chain`.

mod chain;

use chain::cycles;
use rind25519::internals::portable::{self, field::Fe};

fn main() {
    let words = [0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978, 0x7123];
    let x = Fe::from_words(&words);
    let y = x.square();
    cycles("Fe::mul, latency", 1000, x, |x| x.mul(&y));
    cycles("Fe::square, latency", 1000, x, |x| x.square());
    cycles("Fe::mul, 4 independent", 1000, [x; 4], |[a, b, c, d]| {
        [a.mul(&y), b.mul(&y), c.mul(&y), d.mul(&y)]
    });
    cycles("Fe::square, 4 independent", 1000, [x; 4], |[a, b, c, d]| {
        [a.square(), b.square(), c.square(), d.square()]
    });
    cycles("Fe::sub and carry, latency", 1000, x, |x| x.sub(&y).carry());
    cycles("Fe::to_words", 1000, words, |w| Fe::from_words(&w).to_words());
    cycles("Fe::pow22523", 10, x, |x| x.pow22523());
    cycles("Fe::invert", 10, x, |x| x.invert());
    cycles("curve25519_x25519", 2, words, |w| portable::curve25519_x25519(&w, &w));
    cycles("bignum_madd_n25519", 1000, words, |w| portable::bignum_madd_n25519(&w, &w, &w));
    cycles("bignum_mod_n25519, 8 words", 1000, words, |[a, b, c, d]| {
        portable::bignum_mod_n25519(&[a, b, c, d, d, c, b, a])
    });
    let base = portable::edwards25519_scalarmulbase(&[1, 0, 0, 0]);
    cycles("edwards25519_decode", 10, portable::edwards25519_encode(&base), |c| {
        portable::edwards25519_encode(&portable::edwards25519_decode(&c).unwrap())
    });
    cycles("edwards25519_scalarmulbase", 2, words, |w| {
        let [x0, x1, x2, x3, ..] = portable::edwards25519_scalarmulbase(&w);
        [x0, x1, x2, x3]
    });
    cycles("edwards25519_scalarmuldouble_vartime", 2, words, |w| {
        let sum =
            portable::edwards25519_scalarmuldouble_vartime(&w, &base, &[w[3], w[2], w[1], w[0]]);
        [sum[0], sum[1], sum[2], sum[3]]
    });
}
