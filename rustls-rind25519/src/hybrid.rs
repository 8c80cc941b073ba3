//! X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem): secret as long as either half is.
//!
//! | | first | then |
//! |---|---|---|
//! | client share | ML-KEM-768 encapsulation key, 1184 bytes | X25519 share, 32 bytes |
//! | server share | ML-KEM-768 ciphertext, 1088 bytes | X25519 share, 32 bytes |
//! | secret | ML-KEM shared key, 32 bytes | X25519 shared secret, 32 bytes |
//!
//! X25519 is ours. ML-KEM is another rustls group, [`NamedGroup::MLKEM768`], so that any
//! implementation of it can be the other half.

use std::fmt;

use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, ProtocolVersion};

use crate::kx::{ActiveX25519, X25519, invalid_key_share};

const ENCAPSULATION_KEY_LEN: usize = 1184;
const CIPHERTEXT_LEN: usize = 1088;

/// The hybrid group over an ML-KEM-768 group.
pub(crate) struct X25519MlKem768 {
    /// A function, for a `static` cannot copy the reference out of another `static`.
    pub(crate) ml_kem: fn() -> &'static dyn SupportedKxGroup,
}

impl fmt::Debug for X25519MlKem768 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "X25519MLKEM768 by rind25519 and {:?}", (self.ml_kem)())
    }
}

impl SupportedKxGroup for X25519MlKem768 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let ml_kem = (self.ml_kem)().start()?;
        let x25519 = X25519.start()?;
        let share = [ml_kem.pub_key(), x25519.pub_key()].concat();
        Ok(Box::new(ActiveHybrid { ml_kem, x25519, share }))
    }

    fn start_and_complete(&self, client_share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (encapsulation_key, peer) = split(client_share, ENCAPSULATION_KEY_LEN)?;
        let ml_kem = (self.ml_kem)().start_and_complete(encapsulation_key)?;
        let x25519 = X25519.start()?;
        Ok(CompletedKeyExchange {
            group: self.name(),
            pub_key: [&ml_kem.pub_key[..], x25519.pub_key()].concat(),
            secret: joined(&ml_kem.secret, x25519, peer)?,
        })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

struct ActiveHybrid {
    ml_kem: Box<dyn ActiveKeyExchange>,
    x25519: ActiveX25519,
    /// What the client sends: both halves.
    share: Vec<u8>,
}

impl ActiveKeyExchange for ActiveHybrid {
    fn complete(self: Box<Self>, server_share: &[u8]) -> Result<SharedSecret, Error> {
        let (ciphertext, peer) = split(server_share, CIPHERTEXT_LEN)?;
        joined(&self.ml_kem.complete(ciphertext)?, self.x25519, peer)
    }

    /// The X25519 half doubles as a plain X25519 share, so that a server without ML-KEM answers
    /// in one round trip (draft-ietf-tls-hybrid-design section 3.2 permits the reuse).
    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((NamedGroup::X25519, self.x25519.pub_key()))
    }

    fn complete_hybrid_component(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        Box::new(self.x25519).complete(peer)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }
}

/// The peer's ML-KEM half, `ml_kem_len` bytes, and its X25519 half, whatever its length: `agree`
/// refuses any but the right one.
fn split(share: &[u8], ml_kem_len: usize) -> Result<(&[u8], &[u8]), Error> {
    share.split_at_checked(ml_kem_len).ok_or_else(invalid_key_share)
}

/// ML-KEM's secret, then the one X25519 gives with `peer`.
fn joined(ml_kem: &SharedSecret, x25519: ActiveX25519, peer: &[u8]) -> Result<SharedSecret, Error> {
    let x25519 = x25519.agree(peer)?;
    // One allocation of the final size, which `SharedSecret` wipes: no copy is left behind.
    Ok(SharedSecret::from([ml_kem.secret_bytes(), x25519.as_bytes()].concat()))
}
