//! The key exchange groups, to build a provider's list by hand.
//!
//! ```
//! use rustls_rind25519::kx_group;
//!
//! let mut provider = rustls_rind25519::default_provider();
//! provider.kx_groups = vec![kx_group::X25519]; // and no other
//! ```

use rustls::crypto::SupportedKxGroup;

#[cfg(any(feature = "aws-lc-rs", feature = "ml-kem"))]
use crate::hybrid::X25519MlKem768;

/// X25519, RFC 7748.
pub static X25519: &dyn SupportedKxGroup = &crate::kx::X25519;

/// X25519MLKEM768, draft-ietf-tls-ecdhe-mlkem, on AWS-LC's ML-KEM-768.
#[cfg(feature = "aws-lc-rs")]
pub static X25519MLKEM768: &dyn SupportedKxGroup =
    &X25519MlKem768 { ml_kem: || rustls::crypto::aws_lc_rs::kx_group::MLKEM768 };

/// X25519MLKEM768, draft-ietf-tls-ecdhe-mlkem, on RustCrypto's ML-KEM-768.
#[cfg(all(feature = "ml-kem", not(feature = "aws-lc-rs")))]
pub static X25519MLKEM768: &dyn SupportedKxGroup = X25519MLKEM768_RUSTCRYPTO;

/// X25519MLKEM768 on RustCrypto's ML-KEM-768, also where `aws-lc-rs` is on.
#[cfg(feature = "ml-kem")]
pub static X25519MLKEM768_RUSTCRYPTO: &dyn SupportedKxGroup =
    &X25519MlKem768 { ml_kem: || &crate::ml_kem::MlKem768 };
