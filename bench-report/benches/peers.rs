//! rind25519 beside aws-lc-rs, ring, dalek, graviola, rind and crrl, in one process, in a default build.
//!
//! ```text
//! RIND_CPU_DISABLE_avx512ifma=1 cargo bench -p bench-report --bench peers
//! ```
//!
//! Inputs rotate over 64 of each kind, messages have 59 bytes, and every engine answers all of them
//! rightly before anything is timed. Keys are parsed outside the loop for all; but aws-lc-rs and
//! ring keep a public key as bytes and decode it again in every verification. Rules: dalek, ring
//! and rind25519 verify under `STANDARD`, aws-lc-rs, graviola and rind under `AWS_LC`, crrl under
//! a cofactored rule. ring and rind
//! make X25519 secrets only by themselves, so theirs are fresh, made outside the clock.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main};
use ed25519_dalek::{Signer as _, Verifier as _};
use rind25519::{ed25519, x25519};
use std::hint::black_box;

const INPUTS: usize = 64;

/// Bytes that differ for every `n`; nothing more is asked of them.
fn bytes<const N: usize>(n: usize) -> [u8; N] {
    let mut state = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    core::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
}

/// One engine of a row: `run` over rotating inputs, each of which it must first answer rightly.
fn engine<I, O>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    inputs: &[I],
    right: impl Fn(&I, O) -> bool,
    run: impl Fn(&I) -> O,
) {
    assert!(inputs.iter().all(|input| right(input, run(input))), "{name}: a wrong answer");
    let mut next = inputs.iter().cycle();
    group.bench_function(name, |b| b.iter(|| run(black_box(next.next().expect("a cycle")))));
}

struct Signed {
    seed: [u8; 32],
    message: [u8; 59],
    public: [u8; 32],
    signature: [u8; 64],
}

fn signed() -> Vec<Signed> {
    (0..INPUTS)
        .map(|n| {
            let (seed, message) = (bytes(n), bytes(n));
            let key = ed25519_dalek::SigningKey::from_bytes(&seed);
            let public = key.verifying_key().to_bytes();
            Signed { seed, message, public, signature: key.sign(&message).to_bytes() }
        })
        .collect()
}

/// Each input with what an engine makes of it outside the clock.
fn with<T>(inputs: &[Signed], make: impl Fn(&Signed) -> T) -> Vec<(&Signed, T)> {
    inputs.iter().map(|input| (input, make(input))).collect()
}

/// PKCS#8 version 1, RFC 8410: 16 bytes and the seed.
fn pkcs8(seed: &[u8; 32]) -> Vec<u8> {
    let header = [0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 34, 4, 32];
    [&header[..], seed].concat()
}

fn ok<I>(_: &I, verdict: bool) -> bool {
    verdict
}

fn verify(c: &mut Criterion) {
    let inputs = signed();
    let mut group = c.benchmark_group("verify");

    let keys = with(&inputs, |i| {
        let signature = ed25519::Signature::from_bytes(&i.signature);
        (ed25519::VerifyingKey::from_bytes(&i.public).expect("a point"), signature)
    });
    engine(&mut group, "rind25519", &keys, ok, |(i, (key, signature))| {
        key.verify(&i.message, signature).is_ok()
    });
    let rule = ed25519::Predicate::STANDARD;
    engine(&mut group, "rind25519, fresh key", &inputs, ok, |i| {
        rule.verify(&i.public, &i.message, &i.signature).is_ok()
    });
    let keys = with(&inputs, |i| {
        aws_lc_rs::signature::ParsedPublicKey::new(&aws_lc_rs::signature::ED25519, i.public)
            .expect("a key")
    });
    engine(&mut group, "aws-lc-rs", &keys, ok, |(i, key)| {
        key.verify_sig(&i.message, &i.signature).is_ok()
    });
    let keys = with(&inputs, |i| {
        ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, i.public)
    });
    engine(&mut group, "ring", &keys, ok, |(i, key)| key.verify(&i.message, &i.signature).is_ok());
    let keys = with(&inputs, |i| {
        let signature = ed25519_dalek::Signature::from_bytes(&i.signature);
        (ed25519_dalek::VerifyingKey::from_bytes(&i.public).expect("a point"), signature)
    });
    engine(&mut group, "dalek", &keys, ok, |(i, (key, signature))| {
        key.verify(&i.message, signature).is_ok()
    });
    let keys = with(&inputs, |i| {
        graviola::signing::eddsa::Ed25519VerifyingKey::from_bytes(&i.public).expect("a key")
    });
    engine(&mut group, "graviola", &keys, ok, |(i, key)| {
        key.verify(&i.signature, &i.message).is_ok()
    });
    let keys = with(&inputs, |i| {
        rind::signature::PublicKey::new(&rind::signature::verify::ED25519, &i.public)
            .expect("a key")
    });
    engine(&mut group, "rind", &keys, ok, |(i, key)| key.verify(&i.message, &i.signature).is_ok());
    let keys = with(&inputs, |i| crrl::ed25519::PublicKey::decode(&i.public).expect("a key"));
    engine(&mut group, "crrl", &keys, ok, |(i, key)| key.verify_raw(&i.signature, &i.message));
    group.finish();
}

fn sign(c: &mut Criterion) {
    let inputs = signed();
    let mut group = c.benchmark_group("sign");

    let keys = with(&inputs, |i| ed25519::SigningKey::from_seed(&i.seed));
    engine(
        &mut group,
        "rind25519",
        &keys,
        |(i, _), s| s == i.signature,
        |(i, key)| key.sign(&i.message).to_bytes(),
    );
    let keys = with(&inputs, |i| {
        aws_lc_rs::signature::Ed25519KeyPair::from_seed_unchecked(&i.seed).expect("a seed")
    });
    engine(
        &mut group,
        "aws-lc-rs",
        &keys,
        |(i, _), s: aws_lc_rs::signature::Signature| s.as_ref() == i.signature,
        |(i, key)| key.sign(&i.message),
    );
    let keys = with(&inputs, |i| {
        ring::signature::Ed25519KeyPair::from_seed_unchecked(&i.seed).expect("a seed")
    });
    engine(
        &mut group,
        "ring",
        &keys,
        |(i, _), s: ring::signature::Signature| s.as_ref() == i.signature,
        |(i, key)| key.sign(&i.message),
    );
    let keys = with(&inputs, |i| ed25519_dalek::SigningKey::from_bytes(&i.seed));
    engine(
        &mut group,
        "dalek",
        &keys,
        |(i, _), s| s == i.signature,
        |(i, key)| key.sign(&i.message).to_bytes(),
    );
    let keys = with(&inputs, |i| {
        graviola::signing::eddsa::Ed25519SigningKey::from_bytes(&i.seed).expect("a seed")
    });
    engine(
        &mut group,
        "graviola",
        &keys,
        |(i, _), s| s == i.signature,
        |(i, key)| key.sign(&i.message),
    );
    let keys = with(&inputs, |i| {
        rind::signature::Ed25519KeyPair::from_pkcs8(&pkcs8(&i.seed)).expect("a key")
    });
    engine(
        &mut group,
        "rind",
        &keys,
        |(i, _), s: rind::signature::Signature| s.as_ref() == i.signature,
        |(i, key)| key.sign(&i.message),
    );
    group.finish();
}

fn public_key(c: &mut Criterion) {
    use aws_lc_rs::signature::KeyPair as _;
    use ring::signature::KeyPair as _;
    let inputs = signed();
    let mut group = c.benchmark_group("public key from seed");
    let ders = with(&inputs, |i| pkcs8(&i.seed));

    engine(
        &mut group,
        "rind25519",
        &inputs,
        |i, public| public == i.public,
        |i| ed25519::SigningKey::from_seed(&i.seed).verifying_key().to_bytes(),
    );
    engine(
        &mut group,
        "aws-lc-rs",
        &inputs,
        |i, key: aws_lc_rs::signature::Ed25519KeyPair| key.public_key().as_ref() == i.public,
        |i| aws_lc_rs::signature::Ed25519KeyPair::from_seed_unchecked(&i.seed).expect("a seed"),
    );
    engine(
        &mut group,
        "ring",
        &inputs,
        |i, key: ring::signature::Ed25519KeyPair| key.public_key().as_ref() == i.public,
        |i| ring::signature::Ed25519KeyPair::from_seed_unchecked(&i.seed).expect("a seed"),
    );
    engine(
        &mut group,
        "dalek",
        &inputs,
        |i, public| public == i.public,
        |i| ed25519_dalek::SigningKey::from_bytes(&i.seed).verifying_key().to_bytes(),
    );
    engine(
        &mut group,
        "graviola",
        &inputs,
        |i, public| public == i.public,
        |i| {
            let key = graviola::signing::eddsa::Ed25519SigningKey::from_bytes(&i.seed);
            key.expect("a seed").public_key().as_bytes()
        },
    );
    engine(
        &mut group,
        "rind",
        &ders,
        |(i, _), key: rind::signature::Ed25519KeyPair| key.public_key().as_ref() == i.public,
        |(_, d)| rind::signature::Ed25519KeyPair::from_pkcs8(d).expect("a key"),
    );
    group.finish();
}

/// A secret, the peer's public key, and what they share.
type Agreed = ([u8; 32], [u8; 32], [u8; 32]);

fn agreed() -> Vec<Agreed> {
    (0..INPUTS)
        .map(|n| {
            let secret = x25519_dalek::StaticSecret::from(bytes(2 * n));
            let peer = (&x25519_dalek::StaticSecret::from(bytes(2 * n + 1))).into();
            let shared = secret.diffie_hellman(&peer);
            (secret.to_bytes(), peer.to_bytes(), shared.to_bytes())
        })
        .collect()
}

fn x25519_shared(c: &mut Criterion) {
    use aws_lc_rs::agreement as aws;
    use graviola::key_agreement::x25519 as graviola;
    let inputs = agreed();
    let mut group = c.benchmark_group("x25519 shared secret");
    let right = |input: &&Agreed, shared: [u8; 32]| shared == input.2;
    let inputs: Vec<&Agreed> = inputs.iter().collect();
    macro_rules! keys {
        ($make:expr) => {
            inputs.iter().map(|input| (*input, $make(&input.0))).collect::<Vec<(&Agreed, _)>>()
        };
    }
    let paired = |shared: [u8; 32], input: &&Agreed| right(input, shared);

    let keys = keys!(|k: &[u8; 32]| x25519::StaticSecret::from(*k));
    engine(
        &mut group,
        "rind25519",
        &keys,
        |(i, _), s| paired(s, i),
        |(i, key)| {
            key.diffie_hellman(&x25519::PublicKey::from(i.1)).expect("no low order").to_bytes()
        },
    );
    let keys =
        keys!(|k: &[u8; 32]| aws::PrivateKey::from_private_key(&aws::X25519, k).expect("32"));
    engine(
        &mut group,
        "aws-lc-rs",
        &keys,
        |(i, _), s| paired(s, i),
        |(i, key)| {
            aws::agree(key, aws::UnparsedPublicKey::new(&aws::X25519, i.1), (), |shared| {
                Ok::<[u8; 32], ()>(shared.try_into().expect("32 bytes"))
            })
            .expect("no low order")
        },
    );
    let keys = keys!(|k: &[u8; 32]| x25519_dalek::StaticSecret::from(*k));
    engine(
        &mut group,
        "dalek",
        &keys,
        |(i, _), s| paired(s, i),
        |(i, key)| key.diffie_hellman(&x25519_dalek::PublicKey::from(i.1)).to_bytes(),
    );
    let keys = keys!(|k: &[u8; 32]| graviola::StaticPrivateKey::from_array(k));
    engine(
        &mut group,
        "graviola",
        &keys,
        |(i, _), s| paired(s, i),
        |(i, key)| {
            key.diffie_hellman(&graviola::PublicKey::from_array(&i.1))
                .expect("no low order")
                .as_bytes()
        },
    );

    // Fresh secrets: what they share cannot be known beforehand; the tests compare it elsewhere.
    let rng = ring::rand::SystemRandom::new();
    let mut peers = inputs.iter().map(|input| input.1).cycle();
    group.bench_function("ring", |b| {
        use ring::agreement as ring;
        b.iter_batched(
            || {
                let key = ring::EphemeralPrivateKey::generate(&ring::X25519, &rng).expect("a key");
                (key, peers.next().expect("a cycle"))
            },
            |(key, peer)| {
                let peer = ring::UnparsedPublicKey::new(&ring::X25519, peer);
                let shared = |shared: &[u8]| <[u8; 32]>::try_from(shared).expect("32 bytes");
                ring::agree_ephemeral(key, &peer, shared).expect("no low order")
            },
            BatchSize::SmallInput,
        )
    });
    group.bench_function("rind", |b| {
        use rind::agreement::{PrivateKey, X25519};
        b.iter_batched(
            || (PrivateKey::generate(&X25519).expect("a key"), peers.next().expect("a cycle")),
            |(key, peer)| key.agree(&peer).expect("no low order"),
            BatchSize::SmallInput,
        )
    });
    group.finish();
}

fn x25519_public(c: &mut Criterion) {
    use aws_lc_rs::agreement as aws;
    use graviola::key_agreement::x25519 as graviola;
    let inputs: Vec<([u8; 32], [u8; 32])> = (0..INPUTS)
        .map(|n| {
            let secret = x25519_dalek::StaticSecret::from(bytes(n));
            (secret.to_bytes(), x25519_dalek::PublicKey::from(&secret).to_bytes())
        })
        .collect();
    let mut group = c.benchmark_group("x25519 public key");

    engine(
        &mut group,
        "rind25519",
        &inputs,
        |i, public| public == i.1,
        |i| x25519::PublicKey::from(&x25519::StaticSecret::from(i.0)).to_bytes(),
    );
    engine(
        &mut group,
        "aws-lc-rs",
        &inputs,
        |i, public: aws::PublicKey| public.as_ref() == i.1,
        |i| {
            let key = aws::PrivateKey::from_private_key(&aws::X25519, &i.0).expect("32 bytes");
            key.compute_public_key().expect("a key")
        },
    );
    engine(
        &mut group,
        "dalek",
        &inputs,
        |i, public| public == i.1,
        |i| x25519_dalek::PublicKey::from(&x25519_dalek::StaticSecret::from(i.0)).to_bytes(),
    );
    engine(
        &mut group,
        "graviola",
        &inputs,
        |i, public| public == i.1,
        |i| graviola::StaticPrivateKey::from_array(&i.0).public_key().as_bytes(),
    );

    let rng = ring::rand::SystemRandom::new();
    group.bench_function("ring", |b| {
        use ring::agreement as ring;
        let fresh = || ring::EphemeralPrivateKey::generate(&ring::X25519, &rng).expect("a key");
        b.iter_batched(fresh, |key| key.compute_public_key().expect("a key"), BatchSize::SmallInput)
    });
    group.bench_function("rind", |b| {
        use rind::agreement::{PrivateKey, X25519};
        let fresh = || PrivateKey::generate(&X25519).expect("a key");
        b.iter_batched(fresh, |key| key.public_key(), BatchSize::SmallInput)
    });
    group.finish();
}

fn settings() -> Criterion {
    eprint!("{}", rind25519::cpu::report());
    Criterion::default()
}

criterion_group! {
    name = peers;
    config = settings();
    targets = verify, sign, public_key, x25519_shared, x25519_public
}
criterion_main!(peers);
