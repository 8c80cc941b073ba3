//! Ed25519 signing keys for certificates and client authentication (RFC 8410, RFC 8446 4.4.3).

use std::fmt;
use std::ptr;
use std::sync::Arc;

use rind25519::ed25519::SigningKey;
use rind25519::ed25519::pkcs8::DecodePrivateKey;
use rustls::crypto::KeyProvider;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer, alg_id};
use rustls::sign::{Signer, public_key_to_spki};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};
use zeroize::Zeroize;

use crate::kept::Kept;

/// A signing key for rustls that has no PKCS#8 form at hand, to put in a
/// [`CertifiedKey`](rustls::sign::CertifiedKey).
///
/// ```
/// use rind25519::ed25519::SigningKey;
/// use rustls::SignatureScheme;
///
/// let key = rustls_rind25519::signing_key(SigningKey::from_seed(&[7; 32]));
/// let signer = key.choose_scheme(&[SignatureScheme::ED25519]).unwrap();
/// assert_eq!(signer.sign(b"message").unwrap().len(), 64);
/// assert!(key.choose_scheme(&[SignatureScheme::RSA_PSS_SHA256]).is_none());
/// ```
pub fn signing_key(key: SigningKey) -> Arc<dyn rustls::sign::SigningKey> {
    Arc::new(Ed25519Key(Arc::new(key)))
}

/// Shared, not copied, between the signers of concurrent handshakes; wiped with the last of them.
#[derive(Clone)]
struct Ed25519Key(Arc<SigningKey>);

impl rustls::sign::SigningKey for Ed25519Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let offered = offered.contains(&SignatureScheme::ED25519);
        offered.then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(public_key_to_spki(&alg_id::ED25519, self.0.verifying_key().as_bytes()))
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ED25519
    }
}

impl Signer for Ed25519Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.0.sign(message).to_vec())
    }

    fn scheme(&self) -> SignatureScheme {
        SignatureScheme::ED25519
    }
}

impl fmt::Debug for Ed25519Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ed25519Key").field(&self.0.verifying_key()).finish()
    }
}

/// Loads Ed25519 keys, and leaves every other kind to the base.
#[derive(Debug)]
pub(crate) struct Ed25519Keys {
    base: &'static dyn KeyProvider,
}

impl KeyProvider for Ed25519Keys {
    fn load_private_key(
        &self,
        key: PrivateKeyDer<'static>,
    ) -> Result<Arc<dyn rustls::sign::SigningKey>, Error> {
        match key {
            PrivateKeyDer::Pkcs8(mut key) if names_ed25519(key.secret_pkcs8_der()) => {
                let parsed = SigningKey::from_pkcs8_der(key.secret_pkcs8_der());
                key.zeroize();
                // Not handed on: the base would try it as every kind of key it knows and report
                // the last failure.
                parsed
                    .map(signing_key)
                    .map_err(|e| Error::General(format!("invalid Ed25519 private key: {e}")))
            }
            other => self.base.load_private_key(other),
        }
    }
}

/// Whether `der` starts as a PKCS#8 key that says Ed25519 does, be the rest of it well formed or
/// not (RFC 5958 section 2: a sequence of a version and an AlgorithmIdentifier, ..).
fn names_ed25519(der: &[u8]) -> bool {
    const INTEGER: u8 = 0x02;
    const SEQUENCE: u8 = 0x30;
    const ID_ED25519: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70]; // 1.3.101.112
    let inside = || {
        let (_, key) = header(SEQUENCE, der)?;
        let (version_len, version) = header(INTEGER, key)?;
        let (_, algorithm) = header(SEQUENCE, version.get(version_len..)?)?;
        Some(algorithm)
    };
    inside().is_some_and(|algorithm| algorithm.starts_with(&ID_ED25519))
}

/// The length that a DER value with this tag declares, and all that follows its header.
fn header(tag: u8, der: &[u8]) -> Option<(usize, &[u8])> {
    let (&[found, first], rest) = der.split_first_chunk()?;
    if found != tag {
        return None;
    }
    let (len, rest) = match first {
        0..0x80 => (usize::from(first), rest),
        // In more than three bytes: no private key is that long.
        0x80..0x84 => {
            let (len, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (len.iter().fold(0, |len, &byte| len << 8 | usize::from(byte)), rest)
        }
        _ => return None,
    };
    Some((len, rest))
}

static KEPT: Kept<&'static dyn KeyProvider, &'static dyn KeyProvider> = Kept::new();

/// `base` with Ed25519 keys loaded by us.
pub(crate) fn keys_over(base: &'static dyn KeyProvider) -> &'static dyn KeyProvider {
    if is_ours(base) {
        return base;
    }
    KEPT.get_or_make(
        |known| same(*known, base),
        || (base, Box::leak(Box::new(Ed25519Keys { base }))),
    )
}

/// Whether `keys` came from [`keys_over`].
pub(crate) fn is_ours(keys: &'static dyn KeyProvider) -> bool {
    KEPT.has_made(|made| same(*made, keys))
}

/// Whether both are one object *and* one type: objects of size zero may share an address, so the
/// vtables count too. Where the compiler made a vtable twice, one more value is kept, no worse.
fn same(a: &'static dyn KeyProvider, b: &'static dyn KeyProvider) -> bool {
    ptr::eq(a, b)
}
