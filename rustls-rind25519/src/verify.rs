//! Ed25519 signatures of certificates and handshakes (RFC 8410, RFC 8446 section 4.2.3).

use std::fmt;
use std::ptr;

use rind25519::ed25519::Predicate;
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{
    AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id,
};

use crate::kept::Kept;

/// Verification by `rind25519`.
///
/// The rule is the one of the provider that is replaced: [`Predicate::AWS_LC`].
pub(crate) struct Ed25519;

impl fmt::Debug for Ed25519 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ed25519 by rind25519")
    }
}

impl SignatureVerificationAlgorithm for Ed25519 {
    // RFC 8410, section 3: one identifier for keys and signatures, without parameters.
    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ED25519
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.signature_alg_id()
    }

    fn verify_signature(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Verdict {
        // Both lengths come off the wire; in TLS a wrong one is a wrong signature.
        let (Ok(key), Ok(signature)) = (key.try_into(), signature.try_into()) else {
            return Err(InvalidSignature);
        };
        Predicate::AWS_LC.verify(key, message, signature).map_err(|_| InvalidSignature)
    }
}

type Verdict = Result<(), InvalidSignature>;

type Algorithm = &'static dyn SignatureVerificationAlgorithm;

static ED25519: Algorithm = &Ed25519;
static ED25519_ALONE: &[Algorithm] = &[&Ed25519];

static KEPT: Kept<WebPkiSupportedAlgorithms, WebPkiSupportedAlgorithms> = Kept::new();

/// `base` with Ed25519 verified by us: in place where the base has it, else last.
pub(crate) fn algorithms_over(base: WebPkiSupportedAlgorithms) -> WebPkiSupportedAlgorithms {
    if KEPT.has_made(|made| same(made, &base)) {
        return base;
    }
    KEPT.get_or_make(
        |known| same(known, &base),
        || {
            let made = WebPkiSupportedAlgorithms {
                all: Vec::leak(all_over(base.all)),
                mapping: Vec::leak(mapping_over(base.mapping)),
            };
            (base, made)
        },
    )
}

fn same(a: &WebPkiSupportedAlgorithms, b: &WebPkiSupportedAlgorithms) -> bool {
    // `'static` memory does not change hands: equal addresses and lengths are equal lists.
    ptr::eq(a.all, b.all) && ptr::eq(a.mapping, b.mapping)
}

fn all_over(base: &[Algorithm]) -> Vec<Algorithm> {
    replaced_or_last(base, |algorithm| algorithm.public_key_alg_id() == alg_id::ED25519, ED25519)
}

type Mapped = (SignatureScheme, &'static [Algorithm]);

fn mapping_over(base: &[Mapped]) -> Vec<Mapped> {
    let ours = (SignatureScheme::ED25519, ED25519_ALONE);
    replaced_or_last(base, |(scheme, _)| *scheme == SignatureScheme::ED25519, ours)
}

/// `list` with `ours` in the place of the first `theirs`, without any other `theirs`.
fn replaced_or_last<T: Copy>(list: &[T], theirs: impl Fn(&T) -> bool, ours: T) -> Vec<T> {
    let place = list.iter().position(&theirs).unwrap_or(list.len());
    let mut out: Vec<T> = list.iter().copied().filter(|item| !theirs(item)).collect();
    // No `theirs` stands before `place`, so nothing before it was dropped.
    out.insert(place, ours);
    out
}
