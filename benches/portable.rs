//! The portable tier beside curve25519-dalek's `serial` backend, in one process.
//!
//! ```text
//! cargo bench --bench portable --target-dir target/serial \
//!     --config 'build.rustflags=["--cfg", "curve25519_dalek_backend=\"serial\""]'
//! ```
//!
//! Cargo joins these flags to those of `.cargo/config.toml`, while the variable RUSTFLAGS would
//! replace them. Without the flag dalek takes its vector code where it has any, and the rows are
//! not comparable; the bench refuses to run then. Inputs rotate over 64 pairs.

use criterion::{Criterion, criterion_group, criterion_main};
use rind25519::internals::portable;
use std::hint::black_box;

const INPUTS: usize = 64;

/// Inputs without end, from a few fixed ones.
struct Rotate<T>(Vec<T>, usize);

impl<T> Rotate<T> {
    fn new(make: impl FnMut(u64) -> T) -> Self {
        Rotate((0..INPUTS as u64).map(make).collect(), 0)
    }

    fn next(&mut self) -> &T {
        self.1 = (self.1 + 1) % INPUTS;
        &self.0[self.1]
    }
}

/// 32 bytes, different for every `n`, and nothing more is asked of them.
fn bytes(n: u64) -> [u8; 32] {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    core::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
}

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap()))
}

fn x25519_shared_secret(c: &mut Criterion) {
    let mut group = c.benchmark_group("x25519 shared secret");
    let mut pairs = Rotate::new(|n| (bytes(2 * n), bytes(2 * n + 1)));
    group.bench_function("rind25519", |b| {
        b.iter(|| {
            let (scalar, point) = black_box(pairs.next());
            portable::curve25519_x25519(&words(scalar), &words(point))
        });
    });
    group.bench_function("dalek-serial", |b| {
        b.iter(|| {
            let (scalar, point) = black_box(pairs.next());
            x25519_dalek::x25519(*scalar, *point)
        });
    });
    group.finish();
}

/// The flags of the command above took effect.
#[allow(clippy::assertions_on_constants)] // another build has another constant
fn require_serial_backend(_: &mut Criterion) {
    assert!(
        cfg!(curve25519_dalek_backend = "serial"),
        "dalek is not on its serial backend: see the command on top of benches/portable.rs"
    );
}

criterion_group!(benches, require_serial_backend, x25519_shared_secret);
criterion_main!(benches);
