//! The verification equation by each tier, with full-size scalars and with half-size ones, and the phases
//! of the latter, in one process.
//!
//! ```text
//! cargo bench --bench half_size
//! ```
//!
//! Full: \[S\]B − \[k\]A, affine and encoded. Half: R decoded, the relation found, c1·S mod L, and the sum of
//! three. The key is decoded outside. Inputs rotate over 1,024 signatures' worth: branch predictors learn the digits
//! of 64 by heart.

mod inputs;

use criterion::{Criterion, criterion_group, criterion_main};
use curve25519_dalek::{edwards::EdwardsPoint, scalar::Scalar};
use inputs::{bytes, words};
use rind25519::internals::half_size::half_size_vartime;
use rind25519::internals::portable;
use sha2::{Digest, Sha512};
use std::hint::black_box;

type Words = [u64; 4];

struct Input {
    k: Words,
    s: Words,
    minus_a: [u64; 8],
    r: [u8; 32],
}

fn inputs() -> Vec<Input> {
    let scalar = |n| Scalar::from_bytes_mod_order_wide(&bytes(n));
    (0..1024)
        .map(|n| {
            let (k, s, a) = (scalar(3 * n), scalar(3 * n + 1), scalar(3 * n + 2));
            let a = EdwardsPoint::mul_base(&a);
            let r = EdwardsPoint::vartime_double_scalar_mul_basepoint(&-k, &a, &s);
            let minus_a = portable::edwards25519_decode(&(-a).compress().0).unwrap();
            Input { k: words(k.as_bytes()), s: words(s.as_bytes()), minus_a, r: r.compress().0 }
        })
        .collect()
}

fn negate(point: &[u64; 8]) -> [u64; 8] {
    let mut negated = *point;
    let x = portable::bignum_neg_p25519(&[point[0], point[1], point[2], point[3]]);
    negated[..4].copy_from_slice(&x);
    negated
}

/// The routines of one tier.
struct Tier {
    decode: fn(&[u8; 32]) -> Option<[u64; 8]>,
    /// As a key is decoded.
    decode_permissive: fn(&[u8; 32]) -> Option<[u64; 8]>,
    madd: fn(&Words, &Words, &Words) -> Words,
    double: fn(&Words, &[u64; 8], &Words) -> [u64; 8],
    triple: fn(&[Words; 3], &[[u64; 8]; 2]) -> [Words; 3],
}

fn full(tier: &Tier, input: &Input) -> bool {
    let sum = (tier.double)(&input.k, &input.minus_a, &input.s);
    portable::edwards25519_encode(&sum) == input.r
}

fn terms(tier: &Tier, input: &Input, r: &[u64; 8]) -> ([Words; 3], [[u64; 8]; 2]) {
    let relation = half_size_vartime(&input.k).unwrap();
    let u = (tier.madd)(&relation.c1, &input.s, &[0; 4]);
    let a = if relation.c0_is_negative { negate(&input.minus_a) } else { input.minus_a };
    ([relation.c0, relation.c1, u], [a, negate(r)])
}

fn half(tier: &Tier, input: &Input) -> bool {
    let Some(r) = (tier.decode)(&input.r) else { return false };
    let (scalars, points) = terms(tier, input, &r);
    let [x, y, z] = (tier.triple)(&scalars, &points);
    x == [0; 4] && y == z
}

fn equation(c: &mut Criterion) {
    let inputs = inputs();
    let mut measure = |name: &str, tier: &Tier| {
        assert!(inputs.iter().all(|input| full(tier, input) && half(tier, input)));
        let mut group = c.benchmark_group(name);
        let mut row = |name: &str, routine: &dyn Fn(&Input) -> bool| {
            group.bench_function(name, |b| {
                let mut inputs = inputs.iter().cycle();
                b.iter(|| routine(black_box(inputs.next().unwrap())));
            });
        };
        row("full", &|input| full(tier, input));
        row("half", &|input| half(tier, input));
        row("half: hash", &|input| {
            let hash = Sha512::new()
                .chain_update(input.r)
                .chain_update(
                    input.minus_a.map(u64::to_le_bytes).as_flattened().first_chunk::<32>().unwrap(),
                )
                .chain_update([0x5a; 59])
                .finalize();
            let wide: [u64; 8] = core::array::from_fn(|i| {
                u64::from_le_bytes(hash[8 * i..][..8].try_into().unwrap())
            });
            black_box(portable::bignum_mod_n25519(&wide)) != [0; 4]
        });
        row("half: decode A", &|input| (tier.decode_permissive)(&input.r).is_some());
        row("half: decode R", &|input| (tier.decode)(&input.r).is_some());
        row("half: relation", &|input| half_size_vartime(&input.k).is_some());
        let terms: Vec<_> =
            inputs.iter().map(|i| terms(tier, i, &(tier.decode)(&i.r).unwrap())).collect();
        group.bench_function("half: sum of three", |b| {
            let mut terms = terms.iter().cycle();
            b.iter(|| {
                let (scalars, points) = black_box(terms.next().unwrap());
                (tier.triple)(scalars, points)
            })
        });
        // With scalars 0 there is no ladder.
        group.bench_function("half: tables of the sum", |b| {
            let mut terms = terms.iter().cycle();
            b.iter(|| {
                let (_, points) = black_box(terms.next().unwrap());
                (tier.triple)(black_box(&[[0; 4]; 3]), points)
            })
        });
        group.finish();
    };
    #[cfg(rind_asm)]
    {
        use rind25519::internals::{
            HaveAvx2, HaveBmi2, avx2,
            vendor::{adx, alt},
        };
        // Both tiers decode, and multiply c1·S, with MULX.
        let decode = |c: &[u8; 32]| {
            let (bad, point) = adx::edwards25519_decode(HaveBmi2::get().unwrap(), c);
            (bad == 0).then_some(point)
        };
        let decode_permissive = |c: &[u8; 32]| {
            let (bad, point) = adx::edwards25519_decode_permissive(HaveBmi2::get().unwrap(), c);
            (bad == 0).then_some(point)
        };
        let madd = |x: &Words, y: &Words, c: &Words| {
            adx::bignum_madd_n25519(HaveBmi2::get().unwrap(), x, y, c)
        };
        match HaveBmi2::get() {
            Some(_) => measure(
                "adx",
                &Tier {
                    decode,
                    decode_permissive,
                    madd,
                    double: |k, a, s| {
                        adx::edwards25519_scalarmuldouble_vartime(HaveBmi2::get().unwrap(), k, a, s)
                    },
                    triple: |s, p| {
                        adx::edwards25519_scalarmultriple_vartime(HaveBmi2::get().unwrap(), s, p)
                    },
                },
            ),
            None => println!("skipped: no bmi2 here"),
        }
        match HaveAvx2::get() {
            Some(_) => measure(
                "avx2",
                &Tier {
                    decode,
                    decode_permissive,
                    madd,
                    double: |k, a, s| {
                        let have = HaveAvx2::get().unwrap();
                        avx2::edwards25519_scalarmuldouble_vartime(have, k, a, s)
                    },
                    triple: |s, p| {
                        avx2::edwards25519_scalarmultriple_vartime(HaveAvx2::get().unwrap(), s, p)
                    },
                },
            ),
            None => println!("skipped: no avx2, fma and bmi2 here"),
        }
        measure(
            "alt",
            &Tier {
                decode: |c| {
                    let (bad, point) = alt::edwards25519_decode(c);
                    (bad == 0).then_some(point)
                },
                decode_permissive: |c| {
                    let (bad, point) = alt::edwards25519_decode_permissive(c);
                    (bad == 0).then_some(point)
                },
                madd: alt::bignum_madd_n25519,
                double: alt::edwards25519_scalarmuldouble_vartime,
                triple: alt::edwards25519_scalarmultriple_vartime,
            },
        );
    }
    measure(
        "portable",
        &Tier {
            decode: portable::edwards25519_decode,
            decode_permissive: portable::edwards25519_decode_permissive,
            madd: portable::bignum_madd_n25519,
            double: portable::edwards25519_scalarmuldouble_vartime,
            triple: portable::edwards25519_scalarmultriple_vartime,
        },
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default().without_plots().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1)).sample_size(20);
    targets = equation
}
criterion_main!(benches);
