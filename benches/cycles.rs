//! Core cycles of the portable routines, without hardware counters.
//!
//! ```text
//! cargo bench --bench cycles
//! ```
//!
//! A chain of dependent xors and rotations, one cycle each, is timed in the same run, beside each
//! routine; so the unit is the core's own cycle whatever its clock does. Latency is a chain of
//! calls, each on the result of the one before. The least of many short runs counts.

use rind25519::internals::portable::{self, field::Fe};
use std::{hint::black_box, time::Instant};

const RUNS: u32 = 400;

/// Nanoseconds of `n` rounds of `step`.
fn time<T: Copy>(n: u32, start: T, step: impl Fn(T) -> T) -> f64 {
    let clock = Instant::now();
    let mut x = black_box(start);
    for _ in 0..n {
        x = step(x);
    }
    black_box(x);
    clock.elapsed().as_secs_f64() * 1e9
}

/// Prints the cycles of one `step`.
fn cycles<T: Copy>(name: &str, n: u32, start: T, step: impl Fn(T) -> T) {
    let key = black_box(0x0123_4567_89ab_cdef_u64);
    let (mut unit, mut best) = (f64::MAX, f64::MAX);
    for _ in 0..RUNS {
        let chain = time(10_000, 1u64, |x| (x ^ key).rotate_left(5));
        unit = unit.min(chain / 20_000.0);
        best = best.min(time(n, start, &step));
    }
    println!("{name:36} {:10.1} cycles ({unit:.4} ns each)", best / f64::from(n) / unit);
}

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
}
