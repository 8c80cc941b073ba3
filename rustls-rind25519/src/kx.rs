//! The X25519 key exchange group (RFC 8446 section 4.2.8.2, RFC 8422 section 5.4 for TLS 1.2).

use std::fmt;

use rind25519::x25519::{EphemeralSecret, PublicKey};
use rustls::crypto::{ActiveKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved};

/// Bytes of a key share, and of the shared secret.
const SHARE_LEN: usize = 32;

/// X25519, computed by `rind25519`.
pub(crate) struct X25519;

/// Tells it from other implementations of the group in a log of the provider.
impl fmt::Debug for X25519 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("X25519 by rind25519")
    }
}

impl X25519 {
    pub(crate) fn start(&self) -> Result<ActiveX25519, Error> {
        let secret = EphemeralSecret::random().map_err(|_| Error::FailedToGetRandomBytes)?;
        let share = PublicKey::from(&secret).to_bytes();
        Ok(ActiveX25519 { secret, share })
    }
}

impl SupportedKxGroup for X25519 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        Ok(Box::new(self.start()?))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

/// Our half of an exchange: the secret lives for one agreement and is wiped with it.
pub(crate) struct ActiveX25519 {
    secret: EphemeralSecret,
    share: [u8; SHARE_LEN],
}

impl ActiveX25519 {
    /// RFC 8446 section 7.4.2: an all-zero result (a peer share of small order) ends the handshake.
    pub(crate) fn agree(self, peer: &[u8]) -> Result<rind25519::x25519::SharedSecret, Error> {
        let peer: [u8; SHARE_LEN] = peer.try_into().map_err(|_| invalid_key_share())?;
        self.secret.diffie_hellman(&PublicKey::from(peer)).map_err(|_| invalid_key_share())
    }
}

impl ActiveKeyExchange for ActiveX25519 {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        Ok(SharedSecret::from(&self.agree(peer)?.as_bytes()[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519
    }
}

/// What every refused peer share ends with: the alert is `illegal_parameter`.
pub(crate) fn invalid_key_share() -> Error {
    PeerMisbehaved::InvalidKeyShare.into()
}
