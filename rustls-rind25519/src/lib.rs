//! rustls with X25519 and Ed25519 from [`rind25519`].
//!
//! [`default_provider`] is rustls's aws-lc-rs provider with these parts replaced; [`provider_over`]
//! does the same to any other provider:
//!
//! - the key exchange groups X25519 and X25519MLKEM768 ([`kx_group`]),
//! - the verification of Ed25519 signatures, of certificates and of handshakes,
//! - Ed25519 private keys in PKCS#8, v1 and v2.
//!
//! Cipher suites, the other groups and signature schemes, their order, and the source of randomness
//! stay the base's.
//!
//! ```
//! use std::sync::Arc;
//!
//! use rustls::pki_types::{CertificateDer, PrivateKeyDer};
//! use rustls::{ClientConfig, RootCertStore, ServerConfig};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // For the whole process, over rustls's aws-lc-rs provider.
//!     rustls_rind25519::install_default().map_err(|_| "another provider is installed")?;
//!     let client = ClientConfig::builder()
//!         .with_root_certificates(RootCertStore::empty()) // yours
//!         .with_no_client_auth();
//!     assert!(!client.fips()); // nothing of rind25519 is validated
//!     Ok(())
//! }
//!
//! /// For one configuration, over any provider.
//! fn server(
//!     chain: Vec<CertificateDer<'static>>,
//!     key: PrivateKeyDer<'static>, // Ed25519 by rind25519, any other kind by ring
//! ) -> Result<ServerConfig, rustls::Error> {
//!     let provider = rustls_rind25519::provider_over(rustls::crypto::ring::default_provider());
//!     ServerConfig::builder_with_provider(Arc::new(provider))
//!         .with_safe_default_protocol_versions()?
//!         .with_no_client_auth()
//!         .with_single_cert(chain, key)
//! }
//! ```
//!
//! # Cargo features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `aws-lc-rs` | yes | [`default_provider`], [`install_default`], and AWS-LC's ML-KEM in the hybrid group |
//! | `ml-kem` | no | RustCrypto's ML-KEM in the hybrid group, where `aws-lc-rs` is off |
//!
//! Over ring, without AWS-LC in the build:
//! `default-features = false, features = ["ml-kem"]` and `provider_over(ring::default_provider())`.
//!
//! # What is accepted
//!
//! Ed25519 signatures are verified under the rule of the provider that is replaced,
//! [`Predicate::AWS_LC`](rind25519::ed25519::Predicate::AWS_LC): S < L, the key's encoding
//! canonical, R compared byte by byte, no cofactor, keys of small order allowed. A peer's X25519
//! share of small order, a share of the wrong length and an ML-KEM key that is not reduced are each
//! [`PeerMisbehaved::InvalidKeyShare`](rustls::PeerMisbehaved::InvalidKeyShare).
//!
//! None of this is FIPS-validated: `fips()` of the replaced parts is `false`.

#![forbid(unsafe_code)]

#[cfg(any(feature = "aws-lc-rs", feature = "ml-kem"))]
mod hybrid;
mod kept;
mod kx;
pub mod kx_group;
#[cfg(feature = "ml-kem")]
mod ml_kem;
mod provider;
mod sign;
mod verify;

pub use provider::provider_over;
#[cfg(feature = "aws-lc-rs")]
pub use provider::{default_provider, install_default};
pub use sign::signing_key;
