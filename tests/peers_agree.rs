//! Promise: keys, signatures, verdicts and shared secrets are those of ed25519-dalek, x25519-dalek,
//! ring and aws-lc-rs, on honest inputs, on damaged ones, and on those that only an attacker makes.
//!
//! Which rule each peer applies: dalek's `verify` and ring are `Predicate::STANDARD`, dalek's
//! `verify_strict` is `Predicate::STRICT`, and aws-lc-rs is `Predicate::AWS_LC`.

mod corpus;

use corpus::{Case, corpus, family, points};
use curve25519_dalek::{constants::EIGHT_TORSION, edwards::EdwardsPoint, scalar::Scalar};
use proptest::prelude::*;
use rind25519::{
    ed25519::{Digest, Predicate, Rejection, Sha512, Signature, SigningKey, VerifyingKey},
    x25519::{EphemeralSecret, LowOrderPoint, PublicKey, StaticSecret, x25519},
};

/// Accepted or not, by each implementation.
#[derive(Debug, PartialEq, Eq)]
struct Verdicts {
    standard: bool,
    strict: bool,
    aws_lc: bool,
}

fn ours(case: &Case) -> Verdicts {
    let by = |rule: Predicate| rule.verify(&case.key, &case.message, &case.signature);
    let (standard, aws_lc) = (by(Predicate::STANDARD), by(Predicate::AWS_LC));
    // The one refusal that STANDARD has not: the reason is the documented one.
    let non_canonical = aws_lc == Err(Rejection::KeyNonCanonical);
    assert!(!(non_canonical && points::is_canonical(&case.key)), "{case:?}");
    assert!(non_canonical || aws_lc == standard, "{case:?}");
    // A parsed key has the verdict and the reason that its bytes have.
    let signature = Signature::from_bytes(&case.signature);
    match VerifyingKey::from_bytes(&case.key) {
        Ok(key) => {
            assert_eq!(key.verify(&case.message, &signature), standard);
            assert_eq!(key.verify_strict(&case.message, &signature), by(Predicate::STRICT));
        }
        Err(_) => {
            assert!(matches!(standard, Err(Rejection::KeyNotAPoint | Rejection::ScalarOutOfRange)))
        }
    }
    Verdicts {
        standard: standard.is_ok(),
        strict: by(Predicate::STRICT).is_ok(),
        aws_lc: aws_lc.is_ok(),
    }
}

fn theirs(case: &Case) -> Verdicts {
    let signature = ed25519_dalek::Signature::from_bytes(&case.signature);
    let key = ed25519_dalek::VerifyingKey::from_bytes(&case.key);
    let standard = key
        .as_ref()
        .is_ok_and(|key| ed25519_dalek::Verifier::verify(key, &case.message, &signature).is_ok());
    let strict = key.is_ok_and(|key| key.verify_strict(&case.message, &signature).is_ok());
    let ring = ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, case.key)
        .verify(&case.message, &case.signature);
    assert_eq!(ring.is_ok(), standard, "ring and dalek, on {case:?}");
    let aws =
        aws_lc_rs::signature::UnparsedPublicKey::new(&aws_lc_rs::signature::ED25519, case.key)
            .verify(&case.message, &case.signature);
    Verdicts { standard, strict, aws_lc: aws.is_ok() }
}

/// The rules of `rule-peers` are more, and so are its peers; these two run with the library's own tests.
#[test]
fn verdicts_agree_on_the_edge_corpus() {
    for case in corpus() {
        assert_eq!(ours(case), theirs(case), "{case:?}");
    }
}

/// The planted fault: the corpus tells −\[k\]A from \[L − k\]A, which for mixed-order keys is another
/// point. dalek's scalars are residues mod L, so the negation of one *is* L − k.
#[test]
fn mixed_order_corpus_sees_the_shortcut_l_minus_k() {
    let (mut differing, mut mixed) = (0, 0);
    for case in family("mixed A, mixed R") {
        let point = points::decode(&case.key).expect("a point");
        let shortcut = {
            let r: [u8; 32] = case.signature[..32].try_into().expect("32 bytes");
            let s: [u8; 32] = case.signature[32..].try_into().expect("32 bytes");
            let sum = EdwardsPoint::vartime_double_scalar_mul_basepoint(
                &-corpus::challenge(&r, &case.key, &case.message),
                &point,
                &Scalar::from_bytes_mod_order(s),
            );
            points::encode(&sum) == r
        };
        let differs = shortcut != ours(case).standard;
        if point.is_torsion_free() {
            assert!(!differs, "on keys of order L the shortcut is exact: {case:?}");
        } else {
            mixed += 1;
            differing += usize::from(differs);
        }
    }
    assert!(differing > mixed / 8, "the shortcut was seen in {differing} of {mixed} cases");
}

fn honest(seed: &[u8; 32], message: &[u8]) -> Case {
    let key = SigningKey::from_seed(seed);
    Case {
        family: "random",
        key: key.verifying_key().to_bytes(),
        message: message.to_vec(),
        signature: key.sign(message).to_bytes(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn keys_and_signatures_agree(seed: [u8; 32], message: Vec<u8>) {
        let case = honest(&seed, &message);

        let dalek = ed25519_dalek::SigningKey::from_bytes(&seed);
        prop_assert_eq!(dalek.verifying_key().to_bytes(), case.key);
        let signature = ed25519_dalek::Signer::sign(&dalek, &message);
        prop_assert_eq!(signature.to_bytes(), case.signature);

        use ring::signature::KeyPair as _;
        let ring_key = ring::signature::Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed");
        prop_assert_eq!(ring_key.public_key().as_ref(), &case.key[..]);
        let signature = ring_key.sign(&message);
        prop_assert_eq!(signature.as_ref(), &case.signature[..]);

        use aws_lc_rs::signature::KeyPair as _;
        let aws = aws_lc_rs::signature::Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed");
        prop_assert_eq!(aws.public_key().as_ref(), &case.key[..]);
        let signature = aws.sign(&message);
        prop_assert_eq!(signature.as_ref(), &case.signature[..]);

        let all = Verdicts { standard: true, strict: true, aws_lc: true };
        prop_assert_eq!(ours(&case), theirs(&case));
        prop_assert_eq!(ours(&case), all);
    }

    #[test]
    fn prehashed_signatures_agree(
        seed: [u8; 32],
        message: Vec<u8>,
        context in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..=255)),
    ) {
        let hash = Sha512::new().chain_update(&message);
        let key = SigningKey::from_seed(&seed);
        let dalek = ed25519_dalek::SigningKey::from_bytes(&seed);
        let context = context.as_deref();
        let signature = key.sign_prehashed(hash.clone(), context).expect("a fitting context");
        let theirs = dalek.sign_prehashed(hash.clone(), context).expect("a fitting context");
        prop_assert_eq!(signature.to_bytes(), theirs.to_bytes());
        let public = key.verifying_key();
        prop_assert_eq!(public.verify_prehashed(hash.clone(), context, &theirs), Ok(()));
        prop_assert_eq!(public.verify_prehashed_strict(hash, context, &theirs), Ok(()));
    }

    /// One bit of key, message or signature is wrong: nobody accepts.
    #[test]
    fn verdicts_agree_on_damage(seed: [u8; 32], message: [u8; 32], bit in 0usize..8 * 128) {
        let mut case = honest(&seed, &message);
        let (byte, mask) = (bit / 8, 1 << (bit % 8));
        match byte {
            0..32 => case.key[byte] ^= mask,
            32..64 => case.message[byte - 32] ^= mask,
            _ => case.signature[byte - 64] ^= mask,
        }
        let none = Verdicts { standard: false, strict: false, aws_lc: false };
        prop_assert_eq!(ours(&case), theirs(&case));
        prop_assert_eq!(ours(&case), none);
    }

    /// Any bytes at all.
    #[test]
    fn verdicts_agree_on_noise(key: [u8; 32], r: [u8; 32], mut s: [u8; 32], message: Vec<u8>) {
        s[31] &= 0x1f; // so that S is in range half of the time
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&r);
        signature[32..].copy_from_slice(&s);
        let case = Case { family: "random", key, message, signature };
        prop_assert_eq!(ours(&case), theirs(&case));
        let dalek = ed25519_dalek::VerifyingKey::from_bytes(&key);
        prop_assert_eq!(VerifyingKey::from_bytes(&key).is_ok(), dalek.is_ok());
    }

    #[test]
    fn shared_secrets_agree(k: [u8; 32], u: [u8; 32]) {
        let secret = StaticSecret::from(k);
        let dalek = x25519_dalek::StaticSecret::from(k);
        let public = PublicKey::from(&secret);
        prop_assert_eq!(public.to_bytes(), x25519_dalek::PublicKey::from(&dalek).to_bytes());

        let theirs = x25519_dalek::x25519(k, u);
        prop_assert_eq!(x25519(k, u), theirs);
        let shared = secret.diffie_hellman(&PublicKey::from(u)).map(|shared| shared.to_bytes());
        prop_assert_eq!(shared, Ok(theirs));

        use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
        let aws = PrivateKey::from_private_key(&X25519, &k).expect("32 bytes");
        let aws_public = aws.compute_public_key().expect("a public key");
        prop_assert_eq!(aws_public.as_ref(), &public.as_bytes()[..]);
        let aws = agree(&aws, UnparsedPublicKey::new(&X25519, u), (), |shared| Ok(shared.to_vec()));
        prop_assert_eq!(aws, Ok(theirs.to_vec()));
    }
}

/// ring keeps its private keys to itself, so both sides are fresh.
#[test]
fn shared_secrets_agree_with_ring() {
    use ring::agreement::{EphemeralPrivateKey, UnparsedPublicKey, X25519, agree_ephemeral};
    let rng = ring::rand::SystemRandom::new();
    for _ in 0..16 {
        let ring = EphemeralPrivateKey::generate(&X25519, &rng).expect("a key");
        let ring_public = ring.compute_public_key().expect("a public key");
        let ring_public: [u8; 32] = ring_public.as_ref().try_into().expect("32 bytes");

        let ours = EphemeralSecret::random().expect("a key");
        let our_public = UnparsedPublicKey::new(&X25519, PublicKey::from(&ours).to_bytes());
        let theirs = agree_ephemeral(ring, &our_public, |shared| shared.to_vec()).expect("agreed");
        let shared = ours.diffie_hellman(&PublicKey::from(ring_public)).expect("agreed");
        assert_eq!(shared.as_bytes()[..], theirs);
    }
}

/// Every u of low order, in every encoding of 32 bytes: zero for all, an error from all.
#[test]
fn low_order_points_agree() {
    let mut encodings = 0;
    // The u coordinates of the eight torsion points, and of those of the twist: u = p − 1.
    let mut points: Vec<[u8; 32]> =
        EIGHT_TORSION.iter().map(|point| point.to_montgomery().to_bytes()).collect();
    points.push(points::p_plus(-1));
    points.push(points::p_plus(0));
    points.push(points::p_plus(1));
    points.sort();
    points.dedup();
    for point in &points {
        for top in [0, 0x80] {
            let mut u = *point;
            u[31] |= top;
            let k = [0x5a; 32];
            assert_eq!(x25519(k, u), [0; 32], "u = {u:x?}");
            assert_eq!(x25519_dalek::x25519(k, u), [0; 32]);
            let refused = StaticSecret::from(k).diffie_hellman(&PublicKey::from(u));
            assert_eq!(refused, Err(LowOrderPoint));
            use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
            let aws = PrivateKey::from_private_key(&X25519, &k).expect("32 bytes");
            let aws = agree(&aws, UnparsedPublicKey::new(&X25519, u), (), |_| Ok(()));
            assert!(aws.is_err(), "aws-lc-rs refuses u = {u:x?}");
            encodings += 1;
        }
    }
    assert_eq!(encodings, 14, "0, 1, p − 1, p, p + 1 and two of order 8, bit 255 clear or set");
}
