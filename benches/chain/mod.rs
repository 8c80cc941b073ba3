//! Core cycles of a call, without hardware counters.
//!
//! A chain of dependent xors and rotations, one cycle each, is timed in the same run, beside each
//! routine; so the unit is the core's own cycle whatever its clock does. Latency is a chain of
//! calls, each on the result of the one before. The least of many short runs counts.

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
pub fn cycles<T: Copy>(name: &str, n: u32, start: T, step: impl Fn(T) -> T) {
    let key = black_box(0x0123_4567_89ab_cdef_u64);
    let (mut unit, mut best) = (f64::MAX, f64::MAX);
    for _ in 0..RUNS {
        let chain = time(10_000, 1u64, |x| (x ^ key).rotate_left(5));
        unit = unit.min(chain / 20_000.0);
        best = best.min(time(n, start, &step));
    }
    println!("{name:36} {:10.1} cycles ({unit:.4} ns each)", best / f64::from(n) / unit);
}
