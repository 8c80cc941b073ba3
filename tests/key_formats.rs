//! Promise: keys survive PKCS#8 (versions 1 and 2), SPKI, PEM and serde, in forms that OpenSSL, ring,
//! aws-lc-rs and dalek write and read; and a file that is not such a key is refused.
//! Which error each mutation has: `key_mutations.rs`.

mod folder;
mod key_parts;
mod skip;

use folder::folder;
use key_parts::{Parts, SEED, bit_string, key, oid, public_bits, spki_der, tlv};
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use rind25519::ed25519::{
    SigningKey, VerifyingKey,
    pkcs8::{self, Error, der, spki},
};

#[test]
fn private_key_is_written_as_rfc_8410_says_and_read_back() {
    let v1 = key().to_pkcs8_der().expect("DER");
    let v2 = key().to_pkcs8_v2_der().expect("DER");
    assert_eq!(v1.as_bytes(), Parts::v1().der());
    assert_eq!(v2.as_bytes(), Parts::v2().der());
    assert_eq!(SigningKey::from_pkcs8_der(v1.as_bytes()), Ok(key()));
    assert_eq!(SigningKey::from_pkcs8_der(v2.as_bytes()), Ok(key()));
    let pem = key().to_pkcs8_pem(LineEnding::LF).expect("PEM");
    assert_eq!(SigningKey::from_pkcs8_pem(&pem), Ok(key()));
}

#[test]
fn public_key_is_written_as_rfc_8410_says_and_read_back() {
    let public = key().verifying_key();
    let der = public.to_public_key_der().expect("DER");
    assert_eq!(der.as_bytes(), spki_der(&oid(112), &public_bits()));
    assert_eq!(VerifyingKey::from_public_key_der(der.as_bytes()), Ok(public));
    let pem = public.to_public_key_pem(LineEnding::CRLF).expect("PEM");
    assert_eq!(VerifyingKey::from_public_key_pem(&pem), Ok(public));
}

/// RFC 8410, sections 10.1 and 10.3. The second private key has an attribute and a public key.
#[test]
fn rfc_8410_examples_are_read() {
    let public = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";
    let v1 = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
    let v2 = "-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
    let read = VerifyingKey::from_public_key_pem(public).expect("the RFC's public key");
    assert_eq!(read.as_bytes()[..4], [0x19, 0xbf, 0x44, 0x09]);
    let first = SigningKey::from_pkcs8_pem(v1).expect("the RFC's version 1");
    assert_eq!(first.verifying_key(), read);
    assert_eq!(SigningKey::from_pkcs8_pem(v2), Ok(first.clone()));
    assert_eq!(first.to_pkcs8_pem(LineEnding::LF).expect("PEM").as_str(), v1);
    assert_eq!(read.to_public_key_pem(LineEnding::LF).expect("PEM"), public);
}

/// RFC 5958 leaves room for them; the public key counts all the same.
#[test]
fn attributes_and_extensions_are_passed_over() {
    let public = |seed| bit_string(0x81, 0, SigningKey::from_seed(seed).verifying_key().as_bytes());
    let (ours, other) = (public(&SEED), public(&[8; 32]));
    let (attributes, extension) = (tlv(0xa0, &[]), tlv(0xa2, &[5, 0]));
    for rest in [attributes.clone(), extension.clone(), [&attributes[..], &extension].concat()] {
        assert_eq!(SigningKey::from_pkcs8_der(&Parts::v1().with(|v1| v1.rest = rest)), Ok(key()));
    }
    let mismatch = Err(Error::PublicKey(spki::Error::KeyMalformed));
    for (public, expected) in [(ours, Ok(key())), (other, mismatch)] {
        for rest in [
            [&attributes[..], &public].concat(),
            [&public[..], &extension].concat(),
            [&attributes[..], &public, &extension].concat(),
        ] {
            let read = SigningKey::from_pkcs8_der(&Parts::v2().with(|v2| v2.rest = rest));
            assert_eq!(read, expected);
        }
    }
}

/// RFC 7468, section 2: text may stand before the first boundary. Line ends are LF, CRLF or CR.
#[test]
fn pem_has_some_freedom() {
    let whole = key().to_pkcs8_pem(LineEnding::LF).expect("PEM");
    for pem in
        [format!("a comment\n{}", *whole), whole.replace('\n', "\r\n"), whole.replace('\n', "\r")]
    {
        assert_eq!(SigningKey::from_pkcs8_pem(&pem), Ok(key()), "{pem:?}");
    }
    assert!(SigningKey::from_pkcs8_pem(&format!("{}a comment\n", *whole)).is_err());
}

/// ring up to 0.16 tagged the public key EXPLICIT.
#[test]
fn old_ring_files_are_read() {
    let public = key().verifying_key().to_bytes();
    let old = |public: &[u8]| {
        Parts::v2().with(|parts| parts.rest = tlv(0xa1, &bit_string(0x03, 0, public)))
    };
    assert_eq!(SigningKey::from_pkcs8_der(&old(&public)), Ok(key()));
    let other = SigningKey::from_seed(&[8; 32]).verifying_key();
    let mismatch = Err(Error::PublicKey(spki::Error::KeyMalformed));
    assert_eq!(SigningKey::from_pkcs8_der(&old(other.as_bytes())), mismatch);
    for end in 0..old(&public).len() {
        assert!(SigningKey::from_pkcs8_der(&old(&public)[..end]).is_err());
    }
    assert!(SigningKey::from_pkcs8_der(&[old(&public), vec![0]].concat()).is_err());
}

#[test]
fn every_truncation_and_every_extension_is_refused() {
    for whole in [Parts::v1().der(), Parts::v2().der()] {
        assert!(SigningKey::from_pkcs8_der(&whole).is_ok(), "the whole file is good");
        for end in 0..whole.len() {
            let refused = SigningKey::from_pkcs8_der(&whole[..end]);
            assert!(matches!(refused, Err(Error::Asn1(_))), "{end} bytes: {refused:?}");
        }
        for tail in [&[0][..], &[0x30, 0], &whole] {
            let refused = SigningKey::from_pkcs8_der(&[&whole, tail].concat());
            let Err(Error::Asn1(reason)) = refused else { panic!("{tail:x?}: {refused:?}") };
            assert!(matches!(reason.kind(), der::ErrorKind::TrailingData { .. }), "{reason}");
        }
    }
    let whole = spki_der(&oid(112), &public_bits());
    for end in 0..whole.len() {
        let refused = VerifyingKey::from_public_key_der(&whole[..end]);
        assert!(matches!(refused, Err(spki::Error::Asn1(_))), "{end} bytes: {refused:?}");
    }
    assert!(VerifyingKey::from_public_key_der(&[whole, vec![0]].concat()).is_err());
}

/// No one-bit error in a version 2 file goes by, since its halves must match; in a version 1 file
/// only the seed has bits that make another key.
#[test]
fn every_one_bit_error_is_refused() {
    let flips = |whole: Vec<u8>| {
        (0..8 * whole.len()).map(move |bit| {
            let mut wrong = whole.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            (bit / 8, wrong)
        })
    };
    for (byte, wrong) in flips(Parts::v2().der()) {
        assert!(SigningKey::from_pkcs8_der(&wrong).is_err(), "byte {byte}");
    }
    let seed_at = Parts::v1().der().len() - 32;
    for (byte, wrong) in flips(Parts::v1().der()) {
        let read = SigningKey::from_pkcs8_der(&wrong);
        assert_eq!(read.is_ok(), byte >= seed_at, "byte {byte}");
        assert_ne!(read, Ok(key()));
    }
}

/// An unused bit that is zero is good DER, and still no key.
#[test]
fn public_key_of_255_bits_is_refused() {
    let (seed, public) = (0..)
        .map(|n| [n; 32])
        .map(|seed| (seed, SigningKey::from_seed(&seed).verifying_key().to_bytes()))
        .find(|(_, public)| public[31] & 1 == 0)
        .expect("half of all keys");
    let parts =
        Parts { private_key: tlv(0x04, &seed), rest: bit_string(0x81, 1, &public), ..Parts::v2() };
    let refused = SigningKey::from_pkcs8_der(&parts.der());
    assert_eq!(refused, Err(Error::PublicKey(spki::Error::KeyMalformed)));
    let refused =
        VerifyingKey::from_public_key_der(&spki_der(&oid(112), &bit_string(3, 1, &public)));
    assert_eq!(refused, Err(spki::Error::KeyMalformed));
}

#[test]
fn pem_of_another_kind_is_refused() {
    let private = key().to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let public = key().verifying_key().to_public_key_pem(LineEnding::LF).expect("PEM");
    assert!(matches!(SigningKey::from_pkcs8_pem(&public), Err(Error::Asn1(_))));
    assert!(matches!(VerifyingKey::from_public_key_pem(&private), Err(spki::Error::Asn1(_))));
    assert!(matches!(SigningKey::from_pkcs8_pem(""), Err(Error::Asn1(_))));
    // The last line without its line feed is complete; anything shorter is not.
    let whole = private.trim_end();
    assert_eq!(SigningKey::from_pkcs8_pem(whole), Ok(key()));
    for end in 0..whole.len() {
        assert!(SigningKey::from_pkcs8_pem(&whole[..end]).is_err(), "{end} characters");
    }
}

#[test]
fn ring_and_aws_lc_rs_read_ours_and_we_read_theirs() {
    use aws_lc_rs::signature::{Ed25519KeyPair as Aws, KeyPair as _};
    use ring::signature::{Ed25519KeyPair as Ring, KeyPair as _};
    let public = key().verifying_key().to_bytes();
    let v1 = key().to_pkcs8_der().expect("DER");
    let v2 = key().to_pkcs8_v2_der().expect("DER");

    // ring wants version 2, or to be told that the public key goes unchecked.
    let ring = Ring::from_pkcs8(v2.as_bytes()).expect("ring reads version 2");
    assert_eq!(ring.public_key().as_ref(), public);
    let ring = Ring::from_pkcs8_maybe_unchecked(v1.as_bytes()).expect("ring reads version 1");
    assert_eq!(ring.public_key().as_ref(), public);
    for ours in [&v1, &v2] {
        let aws = Aws::from_pkcs8(ours.as_bytes()).expect("aws-lc-rs reads both");
        assert_eq!(aws.public_key().as_ref(), public);
    }

    let rng = ring::rand::SystemRandom::new();
    let theirs = Ring::generate_pkcs8(&rng).expect("ring's key");
    let read = SigningKey::from_pkcs8_der(theirs.as_ref()).expect("read");
    let ring = Ring::from_pkcs8(theirs.as_ref()).expect("ring's own");
    assert_eq!(ring.public_key().as_ref(), read.verifying_key().as_bytes());

    let rng = aws_lc_rs::rand::SystemRandom::new();
    let theirs = Aws::generate_pkcs8(&rng).expect("aws-lc-rs's key");
    let read = SigningKey::from_pkcs8_der(theirs.as_ref()).expect("read");
    let aws = Aws::from_pkcs8(theirs.as_ref()).expect("aws-lc-rs's own");
    assert_eq!(aws.public_key().as_ref(), read.verifying_key().as_bytes());
}

/// Runs `openssl` with this standard input, or says that there is none.
fn openssl(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    use std::{
        io::Write as _,
        process::{Command, Stdio},
    };
    if !skip::program("openssl") {
        return None;
    }
    let mut child = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("openssl was found before");
    // Dropping standard input closes it; a program that reads none of it may have left already.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("its output");
    assert!(output.status.success(), "openssl {arguments:?} failed");
    Some(output.stdout)
}

#[test]
fn openssl_reads_ours_and_we_read_openssl() {
    let pem = key().to_pkcs8_pem(LineEnding::LF).expect("PEM");
    let Some(echoed) = openssl(&["pkey", "-outform", "DER"], pem.as_bytes()) else { return };
    assert_eq!(echoed, Parts::v1().der());
    let public = openssl(&["pkey", "-pubout", "-outform", "DER"], pem.as_bytes()).expect("there");
    assert_eq!(VerifyingKey::from_public_key_der(&public), Ok(key().verifying_key()));
    let ours = key().verifying_key().to_public_key_pem(LineEnding::LF).expect("PEM");
    let echoed = openssl(&["pkey", "-pubin", "-pubout", "-outform", "DER"], ours.as_bytes());
    assert_eq!(echoed, Some(public));

    let theirs = openssl(&["genpkey", "-algorithm", "ed25519"], &[]).expect("there");
    let theirs = String::from_utf8(theirs).expect("PEM");
    let read = SigningKey::from_pkcs8_pem(&theirs).expect("OpenSSL's key");
    assert_eq!(read.to_pkcs8_pem(LineEnding::LF).expect("PEM").as_str(), theirs);
}

#[test]
fn openssl_signs_with_our_key_and_verifies_ours() {
    let folder = folder("openssl_signs");
    let at = |name: &str| folder.join(name).into_os_string().into_string().expect("UTF-8");
    let [private, public, message, signature] = ["key", "public", "message", "signature"].map(at);
    let write = |path: &str, bytes: &[u8]| std::fs::write(path, bytes).expect("a file");
    write(&private, key().to_pkcs8_pem(LineEnding::LF).expect("PEM").as_bytes());
    write(
        &public,
        key().verifying_key().to_public_key_pem(LineEnding::LF).expect("PEM").as_bytes(),
    );
    write(&message, b"a message");
    let theirs = openssl(&["pkeyutl", "-sign", "-rawin", "-inkey", &private, "-in", &message], &[]);
    if let Some(theirs) = theirs {
        assert_eq!(theirs, key().sign(b"a message").to_bytes());
        write(&signature, &key().sign(b"a message").to_bytes());
        let verify = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", &public, "-in", &message];
        let said = openssl(&[&verify[..], &["-sigfile", &signature]].concat(), &[]).expect("there");
        assert!(String::from_utf8_lossy(&said).contains("Verified Successfully"));
    }
}

mod serde {
    use super::{SEED, key};
    use rind25519::{
        ed25519::{SigningKey, VerifyingKey},
        x25519::{PublicKey, StaticSecret},
    };

    #[test]
    fn keys_survive_json_and_postcard() {
        fn survives<T>(value: &T)
        where
            T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + core::fmt::Debug,
        {
            let json = serde_json::to_string(value).expect("JSON");
            assert_eq!(&serde_json::from_str::<T>(&json).expect("JSON"), value);
            let binary = postcard::to_stdvec(value).expect("postcard");
            assert_eq!(binary.len(), 33, "a length and 32 bytes");
            assert_eq!(&postcard::from_bytes::<T>(&binary).expect("postcard"), value);
        }
        survives(&key());
        survives(&key().verifying_key());
        survives(&StaticSecret::from(SEED));
        survives(&PublicKey::from(&StaticSecret::from(SEED)));
    }

    #[test]
    fn dalek_reads_ours_and_we_read_dalek() {
        let dalek = ed25519_dalek::SigningKey::from_bytes(&SEED);
        let json = serde_json::to_string(&dalek).expect("JSON");
        assert_eq!(serde_json::to_string(&key()).expect("JSON"), json);
        assert_eq!(serde_json::from_str::<SigningKey>(&json).expect("JSON"), key());
        let public = postcard::to_stdvec(&dalek.verifying_key()).expect("postcard");
        assert_eq!(postcard::to_stdvec(&key().verifying_key()), Ok(public.clone()));
        assert_eq!(postcard::from_bytes(&public), Ok(key().verifying_key()));
    }

    #[test]
    fn wrong_lengths_and_non_points_are_refused() {
        for length in [0usize, 1, 31, 33, 64] {
            let json = serde_json::to_string(&vec![7; length]).expect("JSON");
            let error = serde_json::from_str::<SigningKey>(&json).expect_err("a wrong length");
            assert!(error.to_string().contains("invalid length"), "{error}");
            assert!(serde_json::from_str::<StaticSecret>(&json).is_err());
            let binary = postcard::to_stdvec(&vec![7u8; length]).expect("postcard");
            assert!(postcard::from_bytes::<VerifyingKey>(&binary).is_err());
        }
        let mut no_point = [0; 32];
        no_point[0] = 2;
        let json = serde_json::to_string(&no_point).expect("JSON");
        let error = serde_json::from_str::<VerifyingKey>(&json).expect_err("no point");
        assert!(error.to_string().contains("no point of the curve"), "{error}");
        assert!(serde_json::from_str::<SigningKey>("[256]").is_err());
    }

    /// Not even text of 32 bytes.
    #[test]
    fn text_is_no_key() {
        fn refused<T: serde::de::DeserializeOwned>(json: &str) {
            let error = serde_json::from_str::<T>(json).map(drop).expect_err("text");
            assert!(error.to_string().contains("invalid type: string"), "{json}: {error}");
        }
        for json in ["p".repeat(32), "50".repeat(32)].map(|text| format!("\"{text}\"")) {
            refused::<SigningKey>(&json);
            refused::<VerifyingKey>(&json);
            refused::<StaticSecret>(&json);
            refused::<PublicKey>(&json);
        }
    }
}
