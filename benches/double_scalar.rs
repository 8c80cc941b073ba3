//! k·P + s·B, the work of one verification, by each tier and by curve25519-dalek, in one process.
//!
//! ```text
//! cargo bench --bench double_scalar
//! ```
//!
//! dalek's default build takes its AVX2 backend where the CPU has AVX2. Its figure is without the table
//! look-ups that a parsed key would save nobody; both take an affine or extended point and build their
//! table of P. Ours end in affine coordinates, which takes an inversion; dalek's ends in extended ones, and
//! `compress`, which verification needs there, is in its row. Inputs rotate over 64 triples.

use criterion::{Criterion, criterion_group, criterion_main};

#[cfg(not(rind_asm))]
fn double_scalar(_: &mut Criterion) {
    println!("skipped: no assembly in this build");
}

#[cfg(rind_asm)]
fn double_scalar(c: &mut Criterion) {
    use curve25519_dalek::{edwards::EdwardsPoint, scalar::Scalar};
    use rind25519::internals::{HaveAdx, HaveAvx2, avx2, portable, vendor};
    use std::hint::black_box;

    type Words = [u64; 4];
    type Triple = (Words, [u64; 8], Words);

    fn words(bytes: [u8; 32]) -> Words {
        core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap()))
    }
    let scalar = |n: u64| {
        let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
        let mut wide = [0; 64];
        for byte in &mut wide {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *byte = state as u8;
        }
        Scalar::from_bytes_mod_order_wide(&wide)
    };
    let theirs: Vec<(Scalar, EdwardsPoint, Scalar)> = (0..64)
        .map(|n| (scalar(3 * n), EdwardsPoint::mul_base(&scalar(3 * n + 1)), scalar(3 * n + 2)))
        .collect();
    let ours: Vec<Triple> = theirs
        .iter()
        .map(|(k, a, s)| {
            let a = portable::edwards25519_decode(&a.compress().0).unwrap();
            (words(k.to_bytes()), a, words(s.to_bytes()))
        })
        .collect();

    let mut group = c.benchmark_group("double scalar multiplication");
    let mut row = |name: &str, routine: &dyn Fn(&Triple) -> [u64; 8]| {
        group.bench_function(name, |b| {
            let mut inputs = ours.iter().cycle();
            b.iter(|| routine(black_box(inputs.next().unwrap())));
        });
    };
    match HaveAdx::get() {
        Some(have) => row("adx", &|(k, a, s)| {
            vendor::adx::edwards25519_scalarmuldouble_vartime(have, k, a, s)
        }),
        None => println!("skipped: no bmi2 and adx here"),
    }
    match HaveAvx2::get() {
        Some(have) => {
            row("avx2", &|(k, a, s)| avx2::edwards25519_scalarmuldouble_vartime(have, k, a, s))
        }
        None => println!("skipped: no avx2 here"),
    }
    row("alt", &|(k, a, s)| vendor::alt::edwards25519_scalarmuldouble_vartime(k, a, s));
    row("portable", &|(k, a, s)| portable::edwards25519_scalarmuldouble_vartime(k, a, s));
    group.bench_function("curve25519-dalek", |b| {
        let mut inputs = theirs.iter().cycle();
        b.iter(|| {
            let (k, a, s) = black_box(inputs.next().unwrap());
            EdwardsPoint::vartime_double_scalar_mul_basepoint(k, a, s).compress()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().without_plots().warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = double_scalar
}
criterion_main!(benches);
