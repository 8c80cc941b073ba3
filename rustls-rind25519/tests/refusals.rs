//! Promise: bad key shares, signatures, certificates and keys each end with their specific rustls
//! error, never with a panic (SOUNDNESS.md, "TLS").

mod common;

use std::sync::Arc;

use common::{PEERS, Pki, Refusal, connect, connect_as};
use rind25519::ed25519::pkcs8::EncodePrivateKey;
use rind25519::ed25519::{Signature, SigningKey, VerifyingKey};
use rustls::crypto::{KeyProvider, SharedSecret, SupportedKxGroup, aws_lc_rs, ring};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs1KeyDer, PrivatePkcs8KeyDer, PrivateSec1KeyDer};
use rustls::sign::{CertifiedKey, Signer, SingleCertAndKey};
use rustls::version::{TLS12, TLS13};
use rustls::{CertificateError, ClientConfig, Error, InconsistentKeys, PeerMisbehaved};
use rustls::{ServerConfig, SignatureAlgorithm, SignatureScheme};
use rustls_rind25519::{default_provider, kx_group, provider_over, signing_key};

const INVALID_SHARE: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

#[track_caller]
fn assert_invalid_share(result: Result<SharedSecret, Error>) {
    assert_eq!(result.map(|_| "a secret").unwrap_err(), INVALID_SHARE);
}

/// All u in [0, 2^255) of order 1, 2, 4 or 8 on the curve or its twist, and their forms with bit
/// 255 set, which RFC 7748 ignores.
fn low_order_shares() -> Vec<[u8; 32]> {
    /// One of the two u of order 8; the other is its inverse.
    const ORDER_8: [&str; 2] = [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ];
    let little = |low: u8, rest: u8, top: u8| {
        let mut u = [rest; 32];
        (u[0], u[31]) = (low, top);
        u
    };
    let mut shares = vec![
        little(0, 0, 0),          // 0
        little(1, 0, 0),          // 1
        little(0xec, 0xff, 0x7f), // p - 1
        little(0xed, 0xff, 0x7f), // p
        little(0xee, 0xff, 0x7f), // p + 1
    ];
    for hex in ORDER_8 {
        let byte = |i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap();
        shares.push(std::array::from_fn(byte));
    }
    let high_bit = shares.clone().into_iter().map(|mut u| {
        u[31] |= 0x80;
        u
    });
    shares.extend(high_bit.collect::<Vec<_>>());
    shares
}

#[test]
fn x25519_share_of_small_order_or_wrong_length() {
    let group = kx_group::X25519;
    for share in low_order_shares() {
        assert_invalid_share(group.start().unwrap().complete(&share));
        assert_invalid_share(group.start_and_complete(&share).map(|done| done.secret));
    }
    for len in [0, 1, 31, 33, 64, 1216] {
        assert_invalid_share(group.start().unwrap().complete(&vec![9; len]));
        assert_invalid_share(group.start_and_complete(&vec![9; len]).map(|done| done.secret));
    }
    // The checker can pass: 9 is the base point.
    let mut base = [0; 32];
    base[0] = 9;
    assert!(group.start().unwrap().complete(&base).is_ok());
}

const HYBRIDS: [fn() -> &'static dyn SupportedKxGroup; 2] =
    [|| kx_group::X25519MLKEM768, || kx_group::X25519MLKEM768_RUSTCRYPTO];

#[test]
fn hybrid_share_with_a_bad_half_or_wrong_length() {
    for group in HYBRIDS.map(|group| group()) {
        let start = || group.start().unwrap();
        let client_share = start().pub_key().to_vec();
        let answer = group.start_and_complete(&client_share).unwrap().pub_key;
        let to_server = |share: &[u8]| group.start_and_complete(share).map(|done| done.secret);
        let to_client = |share: &[u8]| start().complete(share);
        assert!(to_server(&client_share).is_ok() && to_client(&answer).is_ok());

        for low in low_order_shares() {
            assert_invalid_share(to_server(&[&client_share[..1184], &low].concat()));
            assert_invalid_share(to_client(&[&answer[..1088], &low].concat()));
            assert_invalid_share(start().complete_hybrid_component(&low));
        }
        for (share, send) in [
            (&client_share, &to_server as &dyn Fn(&[u8]) -> Result<SharedSecret, Error>),
            (&answer, &to_client),
        ] {
            for len in [0, 32, 1088, share.len() - 32, share.len() - 1] {
                assert_invalid_share(send(&share[..len]));
            }
            assert_invalid_share(send(&[&share[..], &[0]].concat()));
        }
        // FIPS 203 section 7.2: the first coefficient, 12 bits, is 4095 and not below q = 3329.
        let mut unreduced = client_share.clone();
        unreduced[0] = 0xff;
        unreduced[1] |= 0x0f;
        assert_invalid_share(to_server(&unreduced));
    }
}

#[test]
fn forged_hybrid_ciphertext_gives_another_secret() {
    for group in HYBRIDS.map(|group| group()) {
        let client = group.start().unwrap();
        let done = group.start_and_complete(client.pub_key()).unwrap();
        let mut forged = done.pub_key.clone();
        forged[7] ^= 1;
        let (ours, theirs) = (client.complete(&forged).unwrap(), done.secret);
        // ML-KEM's half differs, X25519's stays.
        assert_ne!(ours.secret_bytes()[..32], theirs.secret_bytes()[..32]);
        assert_eq!(ours.secret_bytes()[32..], theirs.secret_bytes()[32..]);
    }
}

/// A key whose signatures a test may spoil.
#[derive(Clone, Debug)]
struct SpoiltKey(Arc<dyn rustls::sign::SigningKey>, fn(&mut Vec<u8>));

#[derive(Debug)]
struct SpoiltSigner(Box<dyn Signer>, fn(&mut Vec<u8>));

impl rustls::sign::SigningKey for SpoiltKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        Some(Box::new(SpoiltSigner(self.0.choose_scheme(offered)?, self.1)))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }
}

impl Signer for SpoiltSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut signature = self.0.sign(message)?;
        self.1(&mut signature);
        Ok(signature)
    }

    fn scheme(&self) -> SignatureScheme {
        self.0.scheme()
    }
}

/// Adds L to S: the equation still holds, and S is out of range.
fn add_group_order(signature: &mut [u8]) {
    const L: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut carry = 0;
    for (byte, l) in signature[32..].iter_mut().zip(L) {
        carry += u16::from(*byte) + u16::from(l);
        *byte = carry as u8;
        carry >>= 8;
    }
}

/// A way to spoil a signature.
type Spoil = fn(&mut Vec<u8>);

const SPOILS: [(&str, Spoil); 6] = [
    ("a bit of R", |signature| signature[0] ^= 1),
    ("a bit of S", |signature| signature[32] ^= 1),
    ("S + L", |signature| add_group_order(signature)),
    ("one byte short", |signature| signature.truncate(63)),
    ("one byte over", |signature| signature.push(0)),
    ("empty", Vec::clear),
];

#[test]
fn handshake_signature_spoilt() {
    let pki = Pki::new();
    let bad_signature = || Error::InvalidCertificate(CertificateError::BadSignature);
    let spoilt = |identity: &common::certificates::Identity, spoil| {
        let key = SpoiltKey(signing_key(identity.key().clone()), spoil);
        let chain = vec![identity.certificate.clone()];
        Arc::new(SingleCertAndKey::from(CertifiedKey::new(chain, Arc::new(key))))
    };
    for version in [&TLS12, &TLS13] {
        for ours in PEERS.into_iter().filter(|peer| peer.ours) {
            let client = pki.client_config((ours.provider)(), &[version], true);
            let server = pki.server_config((ours.provider)(), &[version], true);
            let shake = |client: &ClientConfig, server: &ServerConfig| {
                connect(&client.clone().into(), &server.clone().into()).map(|_| ())
            };
            for (what, spoil) in SPOILS {
                let mut bad_server = server.clone();
                bad_server.cert_resolver = spoilt(&pki.server, spoil);
                let refusal = shake(&client, &bad_server).unwrap_err();
                assert_eq!(refusal, Refusal::ByClient(bad_signature()), "{what}");

                let mut bad_client = client.clone();
                bad_client.client_auth_cert_resolver = spoilt(&pki.client, spoil);
                let refusal = shake(&bad_client, &server).unwrap_err();
                assert_eq!(refusal, Refusal::ByServer(bad_signature()), "{what}");
            }
            // Unspoilt, the same detour is accepted.
            let (mut server, mut client) = (server.clone(), client.clone());
            server.cert_resolver = spoilt(&pki.server, |_| ());
            client.client_auth_cert_resolver = spoilt(&pki.client, |_| ());
            shake(&client, &server).expect("an honest handshake");
        }
    }
}

#[test]
fn certificate_spoilt_foreign_or_for_another_name() {
    let pki = Pki::new();
    let client: Arc<_> = pki.client_config(default_provider(), &[&TLS13], false).into();
    let server_with = |chain: Vec<_>, identity: &common::certificates::Identity| {
        let config = ServerConfig::builder_with_provider(default_provider().into())
            .with_protocol_versions(&[&TLS13])
            .unwrap()
            .with_no_client_auth();
        config.with_single_cert(chain, identity.private_key()).map(Arc::new)
    };

    let mut spoilt = pki.server.certificate.to_vec();
    *spoilt.last_mut().unwrap() ^= 1; // S, at the very end
    let server = server_with(vec![spoilt.into()], &pki.server).unwrap();
    let bad_signature = Error::InvalidCertificate(CertificateError::BadSignature);
    assert_eq!(connect(&client, &server).map(|_| ()), Err(Refusal::ByClient(bad_signature)));

    let other = Pki::new();
    let server = server_with(vec![other.server.certificate.clone()], &other.server).unwrap();
    let refusal = connect(&client, &server).map(|_| ()).unwrap_err();
    // The name is the same, so the other authority's signature is tried under ours.
    let bad_signature = Error::InvalidCertificate(CertificateError::BadSignature);
    assert_eq!(refusal, Refusal::ByClient(bad_signature));

    let server = server_with(vec![pki.server.certificate.clone()], &pki.server).unwrap();
    let refusal = connect_as("elsewhere", &client, &server).map(|_| ()).unwrap_err();
    let Refusal::ByClient(Error::InvalidCertificate(reason)) = refusal else {
        panic!("{refusal:?}");
    };
    assert!(matches!(reason, CertificateError::NotValidForNameContext { .. }), "{reason:?}");

    let mismatch = server_with(vec![pki.server.certificate.clone()], &other.server).unwrap_err();
    assert_eq!(mismatch, Error::InconsistentKeys(InconsistentKeys::KeyMismatch));
}

/// Stands for a base provider, and says when it is asked.
#[derive(Debug)]
struct Base;

impl KeyProvider for Base {
    fn load_private_key(
        &self,
        _: PrivateKeyDer<'static>,
    ) -> Result<Arc<dyn rustls::sign::SigningKey>, Error> {
        Err(Error::General("the base was asked".into()))
    }
}

fn load(key: impl Into<PrivateKeyDer<'static>>) -> Result<(), String> {
    let mut base = ring::default_provider();
    base.key_provider = &Base;
    let keys = provider_over(base).key_provider;
    match keys.load_private_key(key.into()) {
        Ok(_) => Ok(()),
        Err(Error::General(reason)) => Err(reason),
        Err(other) => panic!("{other:?}"),
    }
}

fn load_pkcs8(der: &[u8]) -> Result<(), String> {
    load(PrivatePkcs8KeyDer::from(der.to_vec()))
}

#[test]
fn other_kinds_of_key_go_to_the_base() {
    let asked = || Err("the base was asked".to_string());
    assert_eq!(load(PrivatePkcs1KeyDer::from(vec![0x30, 0])), asked());
    assert_eq!(load(PrivateSec1KeyDer::from(vec![0x30, 0])), asked());
    let mut ed448 = SigningKey::from_seed(&[7; 32]).to_pkcs8_der().unwrap().as_bytes().to_vec();
    assert_eq!(ed448[9..12], [0x2b, 0x65, 0x70]);
    ed448[11] = 0x71; // 1.3.101.113
    assert_eq!(load_pkcs8(&ed448), asked());
    for der in [&[][..], &[0x30], &[0x30, 0x80], &[0x30, 0x84, 1, 1, 1, 1, 2], &[4, 2, 1, 1]] {
        assert_eq!(load_pkcs8(der), asked(), "{der:?}");
    }
}

#[test]
fn malformed_ed25519_key_is_an_error_of_its_own() {
    let key = SigningKey::from_seed(&[7; 32]);
    let v1 = key.to_pkcs8_der().unwrap();
    let v2 = key.to_pkcs8_v2_der().unwrap();
    #[track_caller]
    fn assert_invalid(der: &[u8]) {
        let reason = load_pkcs8(der).unwrap_err();
        assert!(reason.starts_with("invalid Ed25519 private key: "), "{reason} for {der:?}");
    }
    for der in [v1.as_bytes(), v2.as_bytes()] {
        assert_eq!(load_pkcs8(der), Ok(()));
        // From where the algorithm is known.
        for len in 12..der.len() {
            assert_invalid(&der[..len]);
        }
        assert_invalid(&[der, &[0]].concat());
        // Every length and tag, and the version.
        for place in [1, 3, 4, 6, 13, 15] {
            let mut bad = der.to_vec();
            bad[place] ^= 0x40;
            if place != 3 && place != 6 {
                assert_invalid(&bad);
            } else {
                assert!(load_pkcs8(&bad).is_err(), "{place}");
            }
        }
    }
    let mut mismatched = v2.as_bytes().to_vec();
    *mismatched.last_mut().unwrap() ^= 1;
    assert_invalid(&mismatched);

    // A seed of 31 bytes; parameters, which RFC 8410 section 3 forbids.
    let algorithm = [0x30, 5, 6, 3, 0x2b, 0x65, 0x70];
    let short = [&[0x30, 45, 2, 1, 0][..], &algorithm, &[4, 33, 4, 31], &[7; 31]].concat();
    assert_invalid(&short);
    let with_null = [0x30, 7, 6, 3, 0x2b, 0x65, 0x70, 5, 0];
    assert_invalid(&[&[0x30, 48, 2, 1, 0][..], &with_null, &[4, 34, 4, 32], &[7; 32]].concat());
}

/// Every pair of a key and an R of small order, canonical and not, and S = 0 against a hundred
/// messages: the verdicts are those of the provider that is replaced.
#[test]
fn verdicts_are_those_of_aws_lc() {
    let algorithm = |provider: rustls::crypto::CryptoProvider| {
        let mapping = provider.signature_verification_algorithms.mapping;
        mapping.iter().find(|(scheme, _)| *scheme == SignatureScheme::ED25519).unwrap().1[0]
    };
    let (ours, theirs) = (algorithm(default_provider()), algorithm(aws_lc_rs::default_provider()));
    let encodings = small_order_encodings();
    let mut verdicts = [0, 0];
    let mut standard_differs = 0;
    for key in &encodings {
        for r in &encodings {
            for message in 0..100u8 {
                let signature = [&r[..], &[0; 32]].concat();
                let verdict = ours.verify_signature(key, &[message], &signature).is_ok();
                let expected = theirs.verify_signature(key, &[message], &signature).is_ok();
                assert_eq!(verdict, expected, "A {key:02x?}, R {r:02x?}, message {message}");
                verdicts[usize::from(verdict)] += 1;
                let standard = VerifyingKey::from_bytes(key).is_ok_and(|key| {
                    key.verify(&[message], &Signature::from_slice(&signature).unwrap()).is_ok()
                });
                standard_differs += u32::from(standard != expected);
            }
        }
    }
    assert!(verdicts[0] > 500 && verdicts[1] > 500, "rejected, accepted: {verdicts:?}");
    // The rule without the condition on the key's encoding would not have passed.
    assert!(standard_differs > 100, "{standard_differs}");

    // Wrong lengths of key and signature.
    for (key, signature) in [(31, 64), (33, 64), (0, 64), (32, 63), (32, 65), (32, 0)] {
        assert!(ours.verify_signature(&vec![1; key], b"", &vec![1; signature]).is_err());
    }
}

/// The 14 byte strings that decode to a point of small order: 7 of y, each with either sign bit.
fn small_order_encodings() -> Vec<[u8; 32]> {
    /// y of order 8; the other is p less this.
    const ORDER_8: [u8; 32] = [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
        0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
        0xfc, 0x05,
    ];
    let mut p = [0xff; 32];
    (p[0], p[31]) = (0xed, 0x7f);
    let plus = |bytes: [u8; 32], n: i16| {
        let mut bytes = bytes;
        bytes[0] = (i16::from(bytes[0]) + n) as u8; // no carry in the cases below
        bytes
    };
    let mut negated = [0; 32];
    let mut borrow = 0;
    for i in 0..32 {
        let difference = i16::from(p[i]) - i16::from(ORDER_8[i]) - borrow;
        borrow = i16::from(difference < 0);
        negated[i] = difference as u8;
    }
    let zero = [0; 32];
    [zero, plus(zero, 1), plus(p, -1), p, plus(p, 1), ORDER_8, negated]
        .into_iter()
        .flat_map(|y| {
            let mut negative = y;
            negative[31] |= 0x80;
            [y, negative]
        })
        .collect()
}
