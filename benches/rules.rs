//! What each rule costs, and that a rule's tests cost nothing beside its equation.
//!
//! ```text
//! cargo bench --bench rules
//! ```
//!
//! Honest signatures of 59 bytes; keys parsed before the clock starts. Inputs rotate over 64 triples.

use criterion::{Criterion, criterion_group, criterion_main};
use rind25519::ed25519::{Predicate, Signature, SigningKey, VerifyingKey};
use std::hint::black_box;

fn rules(c: &mut Criterion) {
    let signed: Vec<(VerifyingKey, [u8; 59], Signature)> = (0..64)
        .map(|n: u8| {
            let key = SigningKey::from_seed(&[n; 32]);
            let message = [n; 59];
            (key.verifying_key(), message, key.sign(&message))
        })
        .collect();
    let mut group = c.benchmark_group("verify, key parsed, 59 B");
    for &(name, rule) in Predicate::NAMED {
        group.bench_function(name, |b| {
            let mut inputs = signed.iter().cycle();
            b.iter(|| {
                let (key, message, signature) = inputs.next().unwrap();
                black_box(key).verify_with(black_box(&rule), message, signature).unwrap();
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
