//! The public key, and verification.

use super::{
    Digest, KeyError, MultipartVerifier, Predicate, Rejection, Signature, SigningKey, Verifier,
    domain::Domain, signature,
};
use crate::{
    curve::{equation, small_order},
    low::door,
};
use core::{cmp::Ordering, fmt, hash};
use sha2::digest::consts::U64;

/// A public key: 32 bytes that encode a point of the curve, and that point.
///
/// Two keys are equal where their *bytes* are, since the bytes are what is hashed. `Debug` and
/// `Display` show them in hexadecimal.
///
/// ```
/// use rind25519::ed25519::{SigningKey, VerifyingKey};
///
/// let bytes = SigningKey::from_seed(&[7; 32]).verifying_key().to_bytes();
/// let key = VerifyingKey::from_bytes(&bytes)?;
/// assert_eq!(key.as_bytes(), &bytes);
/// # Ok::<(), rind25519::ed25519::KeyError>(())
/// ```
#[derive(Clone, Copy)]
pub struct VerifyingKey {
    bytes: [u8; 32],
    /// −A, affine and reduced: the point that the verification equation adds.
    minus_a: [u64; 8],
}

impl VerifyingKey {
    /// Decodes a public key, leniently as [`Predicate::STANDARD`] and [`Predicate::STRICT`] do: y is
    /// taken mod p, and x = 0 with the sign bit set is x = 0. Keys of small order are keys.
    ///
    /// # Errors
    /// [`KeyError::NotAPoint`] where no point of the curve has this y.
    ///
    /// # Timing
    /// Variable; a public key is public.
    ///
    /// Source: RFC 8032, section 5.1.3, without its two refusals.
    ///
    /// ```
    /// use rind25519::ed25519::{KeyError, VerifyingKey};
    ///
    /// let mut bytes = [0; 32];
    /// assert!(VerifyingKey::from_bytes(&bytes).is_ok());
    /// bytes[0] = 2;
    /// assert_eq!(VerifyingKey::from_bytes(&bytes), Err(KeyError::NotAPoint));
    /// ```
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        match equation::decode_vartime(bytes) {
            Some(point) => Ok(Self::from_decoded(bytes, &point)),
            None => Err(KeyError::NotAPoint),
        }
    }

    /// The key of these bytes, which decode to this affine, reduced point.
    pub(super) fn from_decoded(bytes: &[u8; 32], point: &[u64; 8]) -> Self {
        Self { bytes: *bytes, minus_a: equation::negate(point) }
    }

    /// The key that is this affine, reduced point. Constant time.
    pub(super) fn from_point(point: &[u64; 8]) -> Self {
        Self { bytes: door::edwards25519_encode(point), minus_a: equation::negate(point) }
    }

    pub(super) fn minus_a(&self) -> &[u64; 8] {
        &self.minus_a
    }

    /// The canonical encoding of the point, which the bytes need not be.
    pub(super) fn reencoded(&self) -> [u8; 32] {
        door::edwards25519_encode(&equation::negate(&self.minus_a))
    }

    /// The bytes that this key was made from.
    ///
    /// ```
    /// # use rind25519::ed25519::VerifyingKey;
    /// assert_eq!(VerifyingKey::from_bytes(&[0; 32])?.as_bytes(), &[0; 32]);
    /// # Ok::<(), rind25519::ed25519::KeyError>(())
    /// ```
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// The bytes that this key was made from, as a copy.
    ///
    /// ```
    /// # use rind25519::ed25519::VerifyingKey;
    /// assert_eq!(VerifyingKey::from_bytes(&[0; 32])?.to_bytes(), [0; 32]);
    /// # Ok::<(), rind25519::ed25519::KeyError>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// Whether the key has order 1, 2, 4 or 8, so that one signature can hold for many messages.
    /// No honest key has. [`verify_strict`](Self::verify_strict) refuses such a key by itself.
    ///
    /// # Timing
    /// Variable; a public key is public.
    ///
    /// ```
    /// # use rind25519::ed25519::VerifyingKey;
    /// assert!(VerifyingKey::from_bytes(&[0; 32])?.is_small_order());
    /// # Ok::<(), rind25519::ed25519::KeyError>(())
    /// ```
    pub fn is_small_order(&self) -> bool {
        small_order::is_small_order_vartime(&self.bytes)
    }

    /// Verifies an Ed25519 signature under [`Predicate::STANDARD`].
    ///
    /// # Errors
    /// The first [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// Source: RFC 8032, section 5.1.7, without cofactor.
    ///
    /// ```
    /// use rind25519::ed25519::{Rejection, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign(b"a message");
    /// assert_eq!(key.verifying_key().verify(b"a message", &signature), Ok(()));
    /// let other = key.verifying_key().verify(b"another", &signature);
    /// assert_eq!(other, Err(Rejection::EquationFailed));
    /// ```
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Rejection> {
        self.verify_with(&Predicate::STANDARD, message, signature)
    }

    /// Verifies an Ed25519 signature under [`Predicate::STRICT`].
    ///
    /// # Errors
    /// The first [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::SigningKey;
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign(b"a message");
    /// assert_eq!(key.verifying_key().verify_strict(b"a message", &signature), Ok(()));
    /// ```
    pub fn verify_strict(&self, message: &[u8], signature: &Signature) -> Result<(), Rejection> {
        self.verify_with(&Predicate::STRICT, message, signature)
    }

    /// Verifies an Ed25519 signature under the rule of your choice.
    ///
    /// # Errors
    /// The first [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::{Predicate, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign(b"a message");
    /// let verdict = key.verifying_key().verify_with(&Predicate::STRICT, b"a message", &signature);
    /// assert_eq!(verdict, Ok(()));
    /// ```
    pub fn verify_with(
        &self,
        rule: &Predicate,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        rule.apply(Domain::PURE, self, &[message], signature)
    }

    /// Verifies an Ed25519ph signature under [`Predicate::STANDARD`].
    ///
    /// # Errors
    /// [`Rejection::Context`] for a context of more than 255 bytes; otherwise the first
    /// [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::{Digest, Sha512, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let hash = Sha512::new().chain_update(b"a message");
    /// let signature = key.sign_prehashed(hash.clone(), None)?;
    /// key.verifying_key().verify_prehashed(hash, None, &signature)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn verify_prehashed<D: Digest<OutputSize = U64>>(
        &self,
        digest: D,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), Rejection> {
        self.verify_prehashed_with(&Predicate::STANDARD, digest, context, signature)
    }

    /// Verifies an Ed25519ph signature under [`Predicate::STRICT`].
    ///
    /// # Errors
    /// As [`verify_prehashed`](Self::verify_prehashed).
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::{Digest, Sha512, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let hash = Sha512::new().chain_update(b"a message");
    /// let signature = key.sign_prehashed(hash.clone(), None)?;
    /// key.verifying_key().verify_prehashed_strict(hash, None, &signature)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn verify_prehashed_strict<D: Digest<OutputSize = U64>>(
        &self,
        digest: D,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), Rejection> {
        self.verify_prehashed_with(&Predicate::STRICT, digest, context, signature)
    }

    /// Verifies an Ed25519ph signature under the rule of your choice.
    ///
    /// # Errors
    /// As [`verify_prehashed`](Self::verify_prehashed).
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::{Digest, Predicate, Sha512, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let hash = Sha512::new().chain_update(b"a message");
    /// let signature = key.sign_prehashed(hash.clone(), None)?;
    /// let rule = Predicate::STRICT;
    /// key.verifying_key().verify_prehashed_with(&rule, hash, None, &signature)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn verify_prehashed_with<D: Digest<OutputSize = U64>>(
        &self,
        rule: &Predicate,
        digest: D,
        context: Option<&[u8]>,
        signature: &Signature,
    ) -> Result<(), Rejection> {
        rule.apply(Domain::prehashed(context)?, self, &[&digest.finalize()], signature)
    }

    /// Verifies an Ed25519ctx signature under [`Predicate::STANDARD`].
    ///
    /// # Errors
    /// [`Rejection::Context`] for a context that is empty or longer than 255 bytes; otherwise the
    /// first [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::SigningKey;
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign_with_context(b"a message", b"invoices")?;
    /// key.verifying_key().verify_with_context(b"a message", b"invoices", &signature)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn verify_with_context(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        self.verify_context_with(&Predicate::STANDARD, message, context, signature)
    }

    /// Verifies an Ed25519ctx signature under the rule of your choice.
    ///
    /// # Errors
    /// As [`verify_with_context`](Self::verify_with_context).
    ///
    /// # Timing
    /// Variable; everything here is public. No allocation.
    ///
    /// ```
    /// use rind25519::ed25519::{Predicate, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign_with_context(b"a message", b"invoices")?;
    /// let rule = Predicate::STRICT;
    /// key.verifying_key().verify_context_with(&rule, b"a message", b"invoices", &signature)?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn verify_context_with(
        &self,
        rule: &Predicate,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        rule.apply(Domain::with_context(context)?, self, &[message], signature)
    }
}

impl Verifier<Signature> for VerifyingKey {
    /// [`VerifyingKey::verify`], without the reason.
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(VerifyingKey::verify(self, message, signature)?)
    }
}

impl MultipartVerifier<Signature> for VerifyingKey {
    /// Verifies a signature of the concatenation of the parts.
    fn multipart_verify(
        &self,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), signature::Error> {
        Ok(Predicate::STANDARD.apply(Domain::PURE, self, message, signature)?)
    }
}

impl TryFrom<&[u8]> for VerifyingKey {
    type Error = KeyError;

    fn try_from(bytes: &[u8]) -> Result<Self, KeyError> {
        match bytes.try_into() {
            Ok(bytes) => Self::from_bytes(bytes),
            Err(_) => Err(KeyError::WrongLength { got: bytes.len() }),
        }
    }
}

impl TryFrom<[u8; 32]> for VerifyingKey {
    type Error = KeyError;

    fn try_from(bytes: [u8; 32]) -> Result<Self, KeyError> {
        Self::from_bytes(&bytes)
    }
}

impl From<&SigningKey> for VerifyingKey {
    fn from(key: &SigningKey) -> Self {
        key.verifying_key()
    }
}

impl AsRef<[u8]> for VerifyingKey {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for VerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for VerifyingKey {}

impl PartialOrd for VerifyingKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for VerifyingKey {
    /// The order of the bytes.
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl hash::Hash for VerifyingKey {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({self})")
    }
}
