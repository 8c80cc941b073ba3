//! Ed25519 (RFC 8032): keys, deterministic signatures, and verification under a named rule.
//!
//! ```
//! use rind25519::ed25519::{Signature, SigningKey, VerifyingKey};
//!
//! let key = SigningKey::from_seed(&[7; 32]);
//! let signature: Signature = key.sign(b"a message");
//!
//! let public = VerifyingKey::from_bytes(key.verifying_key().as_bytes())?;
//! public.verify(b"a message", &signature)?;
//! assert!(public.verify(b"another", &signature).is_err());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Verification is not one rule: implementations disagree on keys and signatures that no honest
//! signer makes. A [`Predicate`] is the rule, as data; [`VerifyingKey::verify`] uses
//! [`Predicate::STANDARD`], [`VerifyingKey::verify_strict`] uses [`Predicate::STRICT`], and
//! [`VerifyingKey::verify_with`] takes any of the ten that have a name, or one of your own.
//!
//! The three variants of RFC 8032 are Ed25519 ([`SigningKey::sign`]), Ed25519ctx
//! ([`SigningKey::sign_with_context`]) and Ed25519ph ([`SigningKey::sign_prehashed`]). A signature
//! of one is no signature of another.
//!
//! Nothing here takes a private key together with a separate public key: signing one message under
//! two public keys reveals the private one, so a pair is accepted only where its halves match
//! ([`SigningKey::from_keypair_bytes`]).

mod domain;
mod error;
#[cfg(feature = "pkcs8")]
mod key_format;
mod predicate;
mod rules;
#[cfg(feature = "serde")]
mod serde;
mod signing;
mod verifying;

pub use ::ed25519::Signature;
pub use ::ed25519::signature::{
    self, Keypair, MultipartSigner, MultipartVerifier, Signer, Verifier,
};
#[cfg(feature = "pkcs8")]
pub use ::pkcs8;
pub use error::{ContextError, KeyError, Rejection};
pub use predicate::{Equation, KeyEncoding, PointEncoding, Predicate, ScalarRange, SmallOrder};
pub use sha2::{Digest, Sha512};
pub use signing::SigningKey;
pub use verifying::VerifyingKey;
