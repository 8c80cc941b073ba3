//! Promise: on every signature of the edge corpus, and on random and damaged ones, each implementation
//! gives the verdict of the rule that bears its name. SOUNDNESS.md, C21.
//!
//! | rule | judged by |
//! |---|---|
//! | `STANDARD` | ed25519-dalek's `verify` (3), ring, OpenSSL's libcrypto 3 |
//! | `STRICT` | ed25519-dalek's `verify_strict` (3) |
//! | `ZIP215` | ed25519-zebra |
//! | `AWS_LC` | aws-lc-rs, graviola; SunEC in `java.rs` |
//! | `LIBSODIUM` | libsodium's `crypto_sign_verify_detached` |
//! | `REF10` | ed25519-dalek's `verify` (2) with its feature `legacy_compatibility` |
//!
//! A library that is not installed is a visible skip, or a failure under `RIND_REQUIRE_<NAME>=1`.
//! `RFC8032`, `FIREDANCER`, `SIMD0376` and `EDDSA_JAVA` have no implementation that runs here; the model
//! of `tests/predicates.rs` judges them.

#[path = "../../tests/corpus/mod.rs"]
mod corpus;
mod random;
mod shared_library;
#[path = "../../tests/skip/mod.rs"]
mod skip;

use corpus::{Case, corpus};
use random::random;
use rind25519::ed25519::Predicate;

/// The cases on which rule and peer disagree, both ways.
fn differences<'a>(
    cases: impl IntoIterator<Item = &'a Case>,
    rule: &Predicate,
    peer: impl Fn(&Case) -> bool,
) -> Vec<&'a Case> {
    let ours = |case: &Case| rule.verify(&case.key, &case.message, &case.signature).is_ok();
    cases.into_iter().filter(|case| ours(case) != peer(case)).collect()
}

/// Corpus, random and damaged: none may differ.
#[track_caller]
fn agree(rule: Predicate, peer: impl Fn(&Case) -> bool) {
    let random = random(64);
    let differing = differences(corpus().iter().chain(&random), &rule, &peer);
    assert!(
        differing.is_empty(),
        "{} of {} cases, the first: {:?}",
        differing.len(),
        corpus().len() + random.len(),
        differing[0]
    );
}

/// The planted fault: a peer of another rule is told apart, but where no signature that anyone can make
/// tells two rules apart: their reasons differ, their verdicts do not.
#[test]
fn peer_of_another_rule_is_seen() {
    let accepted = |rule: &Predicate| -> Vec<bool> {
        corpus()
            .iter()
            .map(|case| rule.verify(&case.key, &case.message, &case.signature).is_ok())
            .collect()
    };
    let rules: Vec<_> =
        Predicate::NAMED.iter().map(|(name, rule)| (name, accepted(rule))).collect();
    let twins = ["STRICT", "LIBSODIUM", "FIREDANCER"];
    for (name, answers) in &rules {
        for (other, others) in &rules {
            let same = name == other || (twins.contains(name) && twins.contains(other));
            assert_eq!(answers == others, same, "{name} and {other}");
        }
    }
}

#[test]
fn standard_is_dalek_verify() {
    agree(Predicate::STANDARD, |case| {
        let signature = ed25519_dalek::Signature::from_bytes(&case.signature);
        ed25519_dalek::VerifyingKey::from_bytes(&case.key).is_ok_and(|key| {
            ed25519_dalek::Verifier::verify(&key, &case.message, &signature).is_ok()
        })
    });
}

#[test]
fn strict_is_dalek_verify_strict() {
    agree(Predicate::STRICT, |case| {
        let signature = ed25519_dalek::Signature::from_bytes(&case.signature);
        ed25519_dalek::VerifyingKey::from_bytes(&case.key)
            .is_ok_and(|key| key.verify_strict(&case.message, &signature).is_ok())
    });
}

#[test]
fn ref10_is_dalek_with_legacy_compatibility() {
    agree(Predicate::REF10, |case| {
        let signature = dalek_legacy::Signature::from_bytes(&case.signature);
        dalek_legacy::VerifyingKey::from_bytes(&case.key).is_ok_and(|key| {
            dalek_legacy::Verifier::verify(&key, &case.message, &signature).is_ok()
        })
    });
}

#[test]
fn zip215_is_zebra() {
    agree(Predicate::ZIP215, |case| {
        let signature = ed25519_zebra::Signature::from_bytes(&case.signature);
        ed25519_zebra::VerificationKey::try_from(case.key)
            .is_ok_and(|key| key.verify(&signature, &case.message).is_ok())
    });
}

#[test]
fn standard_is_ring() {
    agree(Predicate::STANDARD, |case| {
        ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, case.key)
            .verify(&case.message, &case.signature)
            .is_ok()
    });
}

#[test]
fn aws_lc_is_aws_lc_rs() {
    agree(Predicate::AWS_LC, |case| {
        aws_lc_rs::signature::UnparsedPublicKey::new(&aws_lc_rs::signature::ED25519, case.key)
            .verify(&case.message, &case.signature)
            .is_ok()
    });
}

#[test]
fn aws_lc_is_graviola() {
    agree(Predicate::AWS_LC, |case| {
        graviola::signing::eddsa::Ed25519VerifyingKey::from_bytes(&case.key)
            .is_ok_and(|key| key.verify(&case.signature, &case.message).is_ok())
    });
}

#[test]
fn standard_is_openssl_3() {
    let Some(openssl) = shared_library::OpenSsl::load() else { return };
    println!("libcrypto {}", openssl.version());
    agree(Predicate::STANDARD, |case| openssl.verify(&case.key, &case.message, &case.signature));
}

#[test]
fn libsodium_is_libsodium() {
    let Some(sodium) = shared_library::Sodium::load() else { return };
    println!("libsodium {}", sodium.version());
    agree(Predicate::LIBSODIUM, |case| sodium.verify(&case.key, &case.message, &case.signature));
}
