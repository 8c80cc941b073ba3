//! Why a key, a context or a signature was refused.

use core::fmt;

/// Why bytes are not an Ed25519 key.
///
/// ```
/// use rind25519::ed25519::{KeyError, VerifyingKey};
///
/// let short: &[u8] = &[0; 31];
/// assert_eq!(VerifyingKey::try_from(short), Err(KeyError::WrongLength { got: 31 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyError {
    /// A key has 32 bytes, and these are not 32.
    WrongLength {
        /// The number of bytes that were given.
        got: usize,
    },
    /// The bytes of the public key encode no point of the curve.
    NotAPoint,
    /// The public half of a key pair is not, byte for byte, the public key of its private half.
    MismatchedPair,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { got } => write!(f, "an Ed25519 key has 32 bytes, not {got}"),
            Self::NotAPoint => f.write_str("the Ed25519 public key encodes no point of the curve"),
            Self::MismatchedPair => {
                f.write_str("the Ed25519 public key is not that of the private key")
            }
        }
    }
}

impl core::error::Error for KeyError {}

/// Why a context string cannot be used (RFC 8032, section 5.1: at most 255 bytes, and section 8.3:
/// Ed25519ctx must not have an empty one).
///
/// ```
/// use rind25519::ed25519::{ContextError, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// assert_eq!(key.sign_with_context(b"a message", b""), Err(ContextError::Empty));
/// assert_eq!(key.sign_with_context(b"a message", &[0; 256]), Err(ContextError::TooLong { got: 256 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContextError {
    /// Ed25519ctx with an empty context.
    Empty,
    /// The context is longer than 255 bytes.
    TooLong {
        /// The number of bytes that were given.
        got: usize,
    },
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the Ed25519ctx context is empty"),
            Self::TooLong { got } => {
                write!(f, "an Ed25519 context has at most 255 bytes, not {got}")
            }
        }
    }
}

impl core::error::Error for ContextError {}

/// Why a signature was rejected.
///
/// The checks run in the order of the variants, and the first that fails is the one reported. So
/// the reason is a property of rule, key, message and signature, like the verdict itself.
///
/// ```
/// use rind25519::ed25519::{Rejection, Signature, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let all_ones = Signature::from_bytes(&[0xff; 64]);
/// let verdict = key.verifying_key().verify(b"a message", &all_ones);
/// assert_eq!(verdict, Err(Rejection::ScalarOutOfRange));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rejection {
    /// The context given to the verifier is one that no signature can have.
    Context(ContextError),
    /// S is out of the rule's range: not below the subgroup order L, or under
    /// [`ScalarRange::Below253Bits`](super::ScalarRange::Below253Bits) not below 2^253.
    ScalarOutOfRange,
    /// The key encodes no point of the curve. Only [`Predicate::verify`](super::Predicate::verify)
    /// meets this: a [`VerifyingKey`](super::VerifyingKey) is a point already.
    KeyNotAPoint,
    /// The key's encoding is not the one that its point has, and the rule excludes others: y ≥ p, or
    /// x = 0 with the sign bit set.
    KeyNonCanonical,
    /// The key is a point of small order, which the rule excludes.
    KeySmallOrder,
    /// R encodes no point of the curve. Only a rule that needs R to be a point finds this, one
    /// whose [`Equation`](super::Equation) is not `Bytes`; under the others the equation fails.
    SignatureRNotAPoint,
    /// R's encoding is not the one that its point has, and the rule excludes others. Found by rules
    /// that need R to be a point, like [`SignatureRNotAPoint`](Self::SignatureRNotAPoint).
    SignatureRNonCanonical,
    /// R is a point of small order, which the rule excludes.
    SignatureRSmallOrder,
    /// Everything is well formed, and the verification equation does not hold.
    EquationFailed,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Context(error) => return error.fmt(f),
            Self::ScalarOutOfRange => "the signature's S is out of range",
            Self::KeyNotAPoint => "the public key encodes no point of the curve",
            Self::KeyNonCanonical => "the public key is not in canonical encoding",
            Self::KeySmallOrder => "the public key has small order",
            Self::SignatureRNotAPoint => "the signature's R encodes no point of the curve",
            Self::SignatureRNonCanonical => "the signature's R is not in canonical encoding",
            Self::SignatureRSmallOrder => "the signature's R has small order",
            Self::EquationFailed => "the signature does not match the message and the public key",
        })
    }
}

impl core::error::Error for Rejection {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Context(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ContextError> for Rejection {
    fn from(error: ContextError) -> Self {
        Self::Context(error)
    }
}

/// Loses the reason: carrying it would allocate, and verification does not.
impl From<Rejection> for super::signature::Error {
    fn from(_: Rejection) -> Self {
        Self::new()
    }
}
