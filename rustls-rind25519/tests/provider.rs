//! Promise: a provider keeps everything of its base but X25519 and Ed25519, and its order; applying
//! it again changes nothing (SOUNDNESS.md, "TLS").

use std::ptr;

use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, aws_lc_rs, ring};
use rustls::pki_types::{SignatureVerificationAlgorithm, alg_id};
use rustls::{NamedGroup, SignatureScheme};
use rustls_rind25519::{default_provider, provider_over};

const BASES: [fn() -> CryptoProvider; 2] = [aws_lc_rs::default_provider, ring::default_provider];

fn names(provider: &CryptoProvider) -> Vec<NamedGroup> {
    provider.kx_groups.iter().map(|group| group.name()).collect()
}

fn is_ours(part: &impl std::fmt::Debug) -> bool {
    format!("{part:?}").contains("by rind25519")
}

#[test]
fn groups_keep_their_places() {
    for base in BASES {
        let (ours, base) = (provider_over(base()), base());
        let mut expected = names(&base);
        if !expected.contains(&NamedGroup::X25519MLKEM768) {
            expected.insert(0, NamedGroup::X25519MLKEM768);
        }
        assert_eq!(names(&ours), expected);
        for group in &ours.kx_groups {
            let replaced = [NamedGroup::X25519, NamedGroup::X25519MLKEM768].contains(&group.name());
            assert_eq!(is_ours(group), replaced, "{group:?}");
            let theirs = base.kx_groups.iter().find(|theirs| theirs.name() == group.name());
            let kept = theirs.is_some_and(|theirs| ptr::addr_eq(*theirs, *group));
            assert_eq!(kept, !replaced, "{group:?}");
        }
    }
}

#[test]
fn groups_that_the_base_lacks_go_first() {
    let mut base = ring::default_provider();
    base.kx_groups.retain(|group| group.name() == NamedGroup::secp384r1);
    let expected = [NamedGroup::X25519MLKEM768, NamedGroup::X25519, NamedGroup::secp384r1];
    assert_eq!(names(&provider_over(base)), expected);
}

#[test]
fn everything_else_is_the_base() {
    for base in BASES {
        let (ours, base) = (provider_over(base()), base());
        assert_eq!(ours.cipher_suites, base.cipher_suites);
        assert!(ptr::addr_eq(ours.secure_random, base.secure_random));
        let (ours, base) =
            (ours.signature_verification_algorithms, base.signature_verification_algorithms);
        assert_eq!(ours.all.len(), base.all.len());
        for (ours, base) in ours.all.iter().zip(base.all) {
            assert_eq!(ours.public_key_alg_id(), base.public_key_alg_id());
            assert_eq!(ours.signature_alg_id(), base.signature_alg_id());
            let is_ed25519 = ours.signature_alg_id() == alg_id::ED25519;
            assert_eq!(is_ours(ours), is_ed25519);
            assert_eq!(ptr::addr_eq(*ours, *base), !is_ed25519);
        }
        assert_eq!(ours.supported_schemes(), base.supported_schemes());
        for ((scheme, ours), (_, base)) in ours.mapping.iter().zip(base.mapping) {
            if *scheme == SignatureScheme::ED25519 {
                assert!(ours.len() == 1 && is_ours(&ours[0]));
            } else {
                assert!(ptr::eq(*ours, *base), "{scheme:?}");
            }
        }
    }
}

#[test]
fn ed25519_that_the_base_lacks_goes_last() {
    let base = ring::default_provider();
    let algorithms = base.signature_verification_algorithms;
    let all: Vec<_> = without_ed25519(algorithms.all);
    let mapping: Vec<_> = algorithms
        .mapping
        .iter()
        .copied()
        .filter(|(scheme, _)| *scheme != SignatureScheme::ED25519)
        .collect();
    let lengths = (all.len(), mapping.len());
    let signature_verification_algorithms =
        WebPkiSupportedAlgorithms { all: all.leak(), mapping: mapping.leak() };
    let ours = provider_over(CryptoProvider { signature_verification_algorithms, ..base })
        .signature_verification_algorithms;
    assert_eq!((ours.all.len(), ours.mapping.len()), (lengths.0 + 1, lengths.1 + 1));
    assert!(is_ours(ours.all.last().unwrap()));
    assert_eq!(ours.mapping.last().unwrap().0, SignatureScheme::ED25519);
}

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

fn without_ed25519(all: &[Algorithm]) -> Vec<Algorithm> {
    all.iter().copied().filter(|alg| alg.signature_alg_id() != alg_id::ED25519).collect()
}

#[track_caller]
fn assert_same(a: &CryptoProvider, b: &CryptoProvider) {
    assert_eq!(a.cipher_suites, b.cipher_suites);
    assert_eq!(a.kx_groups.len(), b.kx_groups.len());
    assert!(a.kx_groups.iter().zip(&b.kx_groups).all(|(a, b)| ptr::addr_eq(*a, *b)));
    let algorithms = |provider: &CryptoProvider| provider.signature_verification_algorithms;
    assert!(ptr::eq(algorithms(a).all, algorithms(b).all));
    assert!(ptr::eq(algorithms(a).mapping, algorithms(b).mapping));
    assert!(ptr::addr_eq(a.secure_random, b.secure_random));
    assert!(ptr::addr_eq(a.key_provider, b.key_provider));
}

#[test]
fn twice_is_once() {
    for base in BASES {
        assert_same(&provider_over(provider_over(base())), &provider_over(base()));
    }
    assert_same(&provider_over(default_provider()), &default_provider());
}

/// What is leaked is leaked once for each base: any number of calls share it.
#[test]
fn calls_from_many_threads_share_their_lists() {
    let providers = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| BASES.map(|base| provider_over(base())))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for [over_aws, over_ring] in &providers {
        assert_same(over_aws, &providers[0][0]);
        assert_same(over_ring, &providers[0][1]);
    }
    assert!(!ptr::addr_eq(providers[0][0].key_provider, providers[0][1].key_provider));
}

#[test]
fn replaced_parts_claim_no_fips_validation() {
    let ours = default_provider();
    assert!(!ours.fips() && !ours.key_provider.fips());
    assert!(!ours.signature_verification_algorithms.fips());
}
