//! Ed25519 signatures of certificates and handshakes (RFC 8410, RFC 8446 section 4.2.3).

use std::fmt;
use std::ptr;

use rind25519::ed25519::{Predicate, Signature, VerifyingKey};
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{
    AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id,
};

use crate::kept::Kept;

/// Verification by `rind25519`.
///
/// The rule is the one of the provider that is replaced, AWS-LC on s2n-bignum: S < L, a canonical
/// encoding of the key, and R compared byte by byte with the recomputed point's encoding. It is
/// [`Predicate::STANDARD`] and one condition on the key's encoding.
pub(crate) struct Ed25519;

impl fmt::Debug for Ed25519 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ed25519 by rind25519")
    }
}

impl SignatureVerificationAlgorithm for Ed25519 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key: &[u8; 32] = public_key.try_into().map_err(|_| InvalidSignature)?;
        let signature: &[u8; 64] = signature.try_into().map_err(|_| InvalidSignature)?;
        if !is_canonical(key) {
            return Err(InvalidSignature);
        }
        VerifyingKey::from_bytes(key)
            .map_err(|_| InvalidSignature)?
            .verify_with(&Predicate::STANDARD, message, &Signature::from_bytes(signature))
            .map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ED25519
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ED25519
    }
}

/// Whether `key`, if it is a point's encoding at all, is the one RFC 8032 section 5.1.2 gives.
///
/// Two things can be otherwise: y may be p or more, of 2^255 - 1 at most, and the sign bit may be
/// set where x = 0, which is at y = 1 and y = -1 = p - 1.
fn is_canonical(key: &[u8; 32]) -> bool {
    let sign = key[31] >> 7 == 1;
    let mut y = *key;
    y[31] &= 0x7f;
    // p = 2^255 - 19 is ED FF .. FF 7F: the top 31 bytes all ones, and 237 in the lowest.
    let (low, high) = (y[0], &y[1..]);
    let high_is = |byte: u8, top: u8| high[30] == top && high[..30].iter().all(|&b| b == byte);
    let at_least_p = high_is(0xff, 0x7f) && low >= 0xed;
    let is_one = high_is(0, 0) && low == 1;
    let is_minus_one = high_is(0xff, 0x7f) && low == 0xec;
    !at_least_p && !(sign && (is_one || is_minus_one))
}

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
