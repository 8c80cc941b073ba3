//! The portable tier beside curve25519-dalek's `serial` backend, in one process.
//!
//! ```text
//! cargo bench --bench portable --target-dir target/serial \
//!     --config 'build.rustflags=["--cfg", "rind_backend=\"portable\"", "--cfg", "curve25519_dalek_backend=\"serial\""]'
//! ```
//!
//! Cargo joins these flags to those of `.cargo/config.toml`, while the variable RUSTFLAGS would
//! replace them. Without the flags dalek takes its vector code and this crate its assembly where
//! they have any, and the rows are not comparable; the bench refuses to run then. Inputs rotate over
//! 64 of each kind; messages are 59 bytes.

mod inputs;

use criterion::{Criterion, criterion_group, criterion_main};
use curve25519_dalek::{EdwardsPoint, Scalar, edwards::CompressedEdwardsY};
use ed25519_dalek::{Signer as _, Verifier as _};
use inputs::{bytes, words};
use rind25519::internals::portable;
use std::hint::black_box;

/// Times two answers to one question, over the same rotating inputs. They must agree first.
fn compare<I, A: PartialEq<B>, B>(
    c: &mut Criterion,
    question: &str,
    input: impl Fn(u64) -> I,
    ours: impl Fn(&I) -> A,
    dalek: impl Fn(&I) -> B,
) {
    let inputs: Vec<I> = (0..64).map(input).collect();
    assert!(inputs.iter().all(|input| ours(input) == dalek(input)), "{question}: answers differ");
    let mut group = c.benchmark_group(question);
    group.bench_function("rind25519", |b| {
        let mut inputs = inputs.iter().cycle();
        b.iter(|| ours(black_box(inputs.next().unwrap())));
    });
    group.bench_function("dalek-serial", |b| {
        let mut inputs = inputs.iter().cycle();
        b.iter(|| dalek(black_box(inputs.next().unwrap())));
    });
    group.finish();
}

fn x25519(c: &mut Criterion) {
    compare(
        c,
        "x25519 shared secret",
        |n| (bytes(2 * n), bytes(2 * n + 1)),
        |(scalar, point)| rind25519::x25519::x25519(*scalar, *point),
        |(scalar, point)| x25519_dalek::x25519(*scalar, *point),
    );
    compare(
        c,
        "x25519 public key",
        bytes::<32>,
        |&secret| {
            let secret = rind25519::x25519::StaticSecret::from(secret);
            rind25519::x25519::PublicKey::from(&secret).to_bytes()
        },
        |&secret| {
            let secret = x25519_dalek::StaticSecret::from(secret);
            x25519_dalek::PublicKey::from(&secret).to_bytes()
        },
    );
}

/// An honest triple, with the keys that both crates make of it.
struct Signed {
    key: [u8; 32],
    message: [u8; 59],
    signature: rind25519::ed25519::Signature,
    ours: (rind25519::ed25519::SigningKey, rind25519::ed25519::VerifyingKey),
    dalek: (ed25519_dalek::SigningKey, ed25519_dalek::VerifyingKey),
}

impl Signed {
    fn new(n: u64) -> Self {
        let (seed, message) = (bytes(n), bytes(n + 1000));
        let ours = rind25519::ed25519::SigningKey::from_seed(&seed);
        let dalek = ed25519_dalek::SigningKey::from_bytes(&seed);
        Self {
            key: ours.verifying_key().to_bytes(),
            message,
            signature: ours.sign(&message),
            ours: (ours.clone(), ours.verifying_key()),
            dalek: (dalek.clone(), dalek.verifying_key()),
        }
    }
}

fn ed25519(c: &mut Criterion) {
    compare(
        c,
        "verify",
        Signed::new,
        |s| s.ours.1.verify(&s.message, &s.signature).is_ok(),
        |s| s.dalek.1.verify(&s.message, &s.signature).is_ok(),
    );
    compare(
        c,
        "verify, fresh key",
        Signed::new,
        |s| {
            rind25519::ed25519::VerifyingKey::from_bytes(&s.key)
                .is_ok_and(|key| key.verify(&s.message, &s.signature).is_ok())
        },
        |s| {
            ed25519_dalek::VerifyingKey::from_bytes(&s.key)
                .is_ok_and(|key| key.verify(&s.message, &s.signature).is_ok())
        },
    );
    compare(
        c,
        "sign",
        Signed::new,
        |s| s.ours.0.sign(&s.message).to_bytes(),
        |s| s.dalek.0.sign(&s.message).to_bytes(),
    );
    compare(
        c,
        "public key from seed",
        bytes::<32>,
        |seed| rind25519::ed25519::SigningKey::from_seed(seed).verifying_key().to_bytes(),
        |seed| ed25519_dalek::SigningKey::from_bytes(seed).verifying_key().to_bytes(),
    );
}

/// The routines alone, each to the 32 bytes of its result.
fn routines(c: &mut Criterion) {
    compare(
        c,
        "edwards25519_scalarmuldouble_vartime",
        |n| {
            let scalar = |n| Scalar::from_bytes_mod_order(bytes(n));
            let point = EdwardsPoint::mul_base(&scalar(3 * n));
            let affine = portable::edwards25519_decode(&point.compress().0).unwrap();
            let (k, s) = (scalar(3 * n + 1), scalar(3 * n + 2));
            ((k, point, s), (words(k.as_bytes()), affine, words(s.as_bytes())))
        },
        |(_, (k, point, s))| {
            portable::edwards25519_encode(&portable::edwards25519_scalarmuldouble_vartime(
                k, point, s,
            ))
        },
        |((k, point, s), _)| {
            EdwardsPoint::vartime_double_scalar_mul_basepoint(k, point, s).compress().0
        },
    );
    compare(
        c,
        "edwards25519_scalarmulbase",
        |n| Scalar::from_bytes_mod_order(bytes(n)),
        |s| {
            let product = portable::edwards25519_scalarmulbase(&words(s.as_bytes()));
            portable::edwards25519_encode(&product)
        },
        |s| EdwardsPoint::mul_base(s).compress().0,
    );
    compare(
        c,
        "edwards25519_decode",
        |n| EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(bytes(n))).compress(),
        |c| portable::edwards25519_decode(&c.0).is_some(),
        |c: &CompressedEdwardsY| c.decompress().is_some(),
    );
    compare(
        c,
        "bignum_madd_n25519",
        |n| [3 * n, 3 * n + 1, 3 * n + 2].map(|n| Scalar::from_bytes_mod_order(bytes(n))),
        |scalars| {
            let [x, y, z] = scalars.each_ref().map(|s| words(s.as_bytes()));
            portable::bignum_madd_n25519(&x, &y, &z)
        },
        |[x, y, z]| words((x * y + z).as_bytes()),
    );
}

/// The flags of the command above took effect.
#[allow(clippy::assertions_on_constants)] // another build has another constant
fn require_tiers(_: &mut Criterion) {
    assert!(
        cfg!(curve25519_dalek_backend = "serial") && cfg!(rind_backend = "portable"),
        "a tier is not pinned: see the command on top of benches/portable.rs"
    );
}

criterion_group!(benches, require_tiers, ed25519, x25519, routines);
criterion_main!(benches);
