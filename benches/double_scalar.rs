//! Sums of multiples by each tier: k·P + s·B, beside curve25519-dalek, and the sum of three that verification
//! asks for; verification itself through the public interface, on each tier, with the key parsed outside the
//! clock; X25519.
//!
//! ```text
//! cargo bench --bench double_scalar
//! ```
//!
//! A row is named after the tier that ran; one that this CPU lacks is skipped, and said to be. dalek's
//! default build takes its AVX2 backend where the CPU has AVX2; its IFMA backend is not in that build. Our
//! sums end in affine coordinates, which takes an inversion; dalek's end in extended ones, and `compress`,
//! which verification needs there, is in its row. Inputs rotate over 64 of each kind; messages are 59 bytes.
//!
//! Instructions of a row: with `RIND_COUNT="<group>/<row>"` it is called 64 times inside one function,
//!
//! ```text
//! RIND_COUNT="verify/alt" valgrind --tool=callgrind --toggle-collect='*counted*' <this program>
//! ```

mod inputs;

use criterion::{Criterion, criterion_group, criterion_main};
use inputs::{bytes, words};
use std::hint::black_box;

/// What callgrind is told to count.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

/// One row: `routine` over rotating inputs.
fn row<I, O>(c: &mut Criterion, group: &str, name: &str, inputs: &[I], routine: impl Fn(&I) -> O) {
    match std::env::var("RIND_COUNT") {
        Ok(row) if row == format!("{group}/{name}") => counted(&mut || {
            for input in inputs {
                black_box(routine(black_box(input)));
            }
        }),
        Ok(_) => {}
        Err(_) => {
            c.benchmark_group(group).bench_function(name, |b| {
                let mut inputs = inputs.iter().cycle();
                b.iter(|| routine(black_box(inputs.next().unwrap())));
            });
        }
    }
}

fn verify(c: &mut Criterion) {
    use ed25519_dalek::Verifier as _;
    use rind25519::cpu::{self, Operation, Tier};
    use rind25519::ed25519::{Signature, SigningKey, VerifyingKey};

    let ours: Vec<(VerifyingKey, [u8; 59], Signature)> = (0..64)
        .map(|n| {
            let key = SigningKey::from_seed(&bytes(n));
            let message = bytes(n + 100);
            (key.verifying_key(), message, key.sign(&message))
        })
        .collect();
    for tier in [Tier::Ifma, Tier::Avx2, Tier::Adx, Tier::Alt, Tier::Portable] {
        cpu::force(Some(tier));
        let verify = |(key, message, signature): &(VerifyingKey, [u8; 59], Signature)| {
            assert!(key.verify(message, signature).is_ok());
        };
        verify(&ours[0]);
        if cpu::last_run(Operation::Verify) == Some(tier) {
            row(c, "verify", tier.name(), &ours, verify);
        } else {
            println!("skipped: verification does not run on {} here", tier.name());
        }
    }
    cpu::force(None);
    let theirs: Vec<(ed25519_dalek::VerifyingKey, [u8; 59], Signature)> = ours
        .iter()
        .map(|(key, message, signature)| {
            (ed25519_dalek::VerifyingKey::from_bytes(key.as_bytes()).unwrap(), *message, *signature)
        })
        .collect();
    row(c, "verify", "ed25519-dalek", &theirs, |(key, message, signature)| {
        assert!(key.verify(message, signature).is_ok());
    });
}

#[cfg(not(rind_asm))]
fn tiers(_: &mut Criterion) {
    println!("skipped: no assembly in this build");
}

#[cfg(rind_asm)]
fn tiers(c: &mut Criterion) {
    use curve25519_dalek::{edwards::EdwardsPoint, scalar::Scalar};
    use rind25519::internals::{HaveAvx2, HaveBmi2, avx2, portable, vendor};

    type Words = [u64; 4];
    let scalar = |n| Scalar::from_bytes_mod_order(bytes(n));
    let theirs: Vec<(Scalar, EdwardsPoint, Scalar)> = (0..64)
        .map(|n| (scalar(3 * n), EdwardsPoint::mul_base(&scalar(3 * n + 1)), scalar(3 * n + 2)))
        .collect();
    let ours: Vec<(Words, [u64; 8], Words)> = theirs
        .iter()
        .map(|(k, a, s)| {
            let a = portable::edwards25519_decode(&a.compress().0).unwrap();
            (words(k.as_bytes()), a, words(s.as_bytes()))
        })
        .collect();
    let pairs: Vec<([u8; 32], [u8; 32])> = (0..64).map(|n| (bytes(n), bytes(n + 64))).collect();
    let shared: Vec<(Words, Words)> = pairs.iter().map(|&(k, u)| (words(&k), words(&u))).collect();

    // Verification's scalars: two of 128 bits, one of 253.
    let short = |[low, high, ..]: Words| [low, high >> 1, 0, 0];
    let triples: Vec<([Words; 3], [[u64; 8]; 2])> = (0..64)
        .map(|n| {
            let ((k, a, s), (l, r, _)) = (ours[n], ours[(n + 1) % 64]);
            ([short(k), short(l), s], [a, r])
        })
        .collect();

    const TRIPLE: &str = "triple scalar multiplication";
    const SUM: &str = "double scalar multiplication";
    const X25519: &str = "x25519";
    match HaveBmi2::get() {
        Some(have) => {
            row(c, SUM, "adx", &ours, |(k, a, s)| {
                vendor::adx::edwards25519_scalarmuldouble_vartime(have, k, a, s)
            });
            row(c, TRIPLE, "adx", &triples, |(k, a)| {
                vendor::adx::edwards25519_scalarmultriple_vartime(have, k, a)
            });
            row(c, X25519, "adx", &shared, |(k, u)| vendor::adx::curve25519_x25519(have, k, u));
        }
        None => println!("skipped: no bmi2 here"),
    }
    match HaveAvx2::get() {
        Some(have) => {
            row(c, SUM, "avx2", &ours, |(k, a, s)| {
                avx2::edwards25519_scalarmuldouble_vartime(have, k, a, s)
            });
            row(c, TRIPLE, "avx2", &triples, |(k, a)| {
                avx2::edwards25519_scalarmultriple_vartime(have, k, a)
            });
            row(c, X25519, "four lanes of avx2", &shared, |(k, u)| {
                avx2::curve25519_x25519(have, k, u)
            });
        }
        None => println!("skipped: no avx2, fma and bmi2 here"),
    }
    row(c, SUM, "alt", &ours, |(k, a, s)| {
        vendor::alt::edwards25519_scalarmuldouble_vartime(k, a, s)
    });
    row(c, TRIPLE, "alt", &triples, |(k, a)| {
        vendor::alt::edwards25519_scalarmultriple_vartime(k, a)
    });
    row(c, X25519, "alt", &shared, |(k, u)| vendor::alt::curve25519_x25519(k, u));
    row(c, SUM, "portable", &ours, |(k, a, s)| {
        portable::edwards25519_scalarmuldouble_vartime(k, a, s)
    });
    row(c, SUM, "curve25519-dalek", &theirs, |(k, a, s)| {
        EdwardsPoint::vartime_double_scalar_mul_basepoint(k, a, s).compress()
    });
    row(c, X25519, "x25519-dalek", &pairs, |&(k, u)| x25519_dalek::x25519(k, u));
}

criterion_group! {
    name = benches;
    config = Criterion::default().without_plots().warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = verify, tiers
}
criterion_main!(benches);
