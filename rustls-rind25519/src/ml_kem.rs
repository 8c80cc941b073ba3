//! ML-KEM-768 (FIPS 203) by RustCrypto's `ml-kem`, as a rustls group: one half of the hybrid.
//!
//! Never offered by itself.

use std::fmt;

use ml_kem::ml_kem_768::{Ciphertext, DecapsulationKey, EncapsulationKey};
use ml_kem::{Decapsulate, Key, KeyExport, Seed};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, ProtocolVersion};
use zeroize::Zeroizing;

use crate::kx::invalid_key_share;

pub(crate) struct MlKem768;

impl fmt::Debug for MlKem768 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MLKEM768 by RustCrypto")
    }
}

/// The group, by itself and as half of the hybrid's exchange.
const GROUP: NamedGroup = NamedGroup::MLKEM768;

impl SupportedKxGroup for MlKem768 {
    fn name(&self) -> NamedGroup {
        GROUP
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    /// The group is one of TLS 1.3 alone.
    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }

    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let seed = random::<64>()?;
        let secret = DecapsulationKey::from_seed(Seed::from(*seed));
        let share = secret.encapsulation_key().to_bytes().to_vec();
        Ok(Box::new(ActiveMlKem768 { secret, share }))
    }

    /// FIPS 203 section 7.2: a key of the wrong length, or with a coefficient that is not reduced
    /// modulo q, is refused.
    fn start_and_complete(&self, encapsulation_key: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let key = <&Key<EncapsulationKey>>::try_from(encapsulation_key)
            .ok()
            .and_then(|key| EncapsulationKey::new(key).ok())
            .ok_or_else(invalid_key_share)?;
        let message = random::<32>()?;
        let (ciphertext, shared) = key.encapsulate_deterministic((&*message).into());
        Ok(CompletedKeyExchange {
            group: GROUP,
            pub_key: ciphertext.to_vec(),
            secret: SharedSecret::from(&Zeroizing::new(shared)[..]),
        })
    }
}

struct ActiveMlKem768 {
    secret: DecapsulationKey,
    share: Vec<u8>,
}

impl ActiveKeyExchange for ActiveMlKem768 {
    /// A ciphertext of the right length always gives a secret: a forged one gives a random secret
    /// (FIPS 203's implicit rejection), and the handshake fails at the Finished messages.
    fn complete(self: Box<Self>, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        let ciphertext = <&Ciphertext>::try_from(ciphertext).map_err(|_| invalid_key_share())?;
        let shared = Zeroizing::new(self.secret.decapsulate(ciphertext));
        Ok(SharedSecret::from(&shared[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn group(&self) -> NamedGroup {
        GROUP
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }
}

fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, Error> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::fill(&mut bytes[..]).map_err(|_| Error::FailedToGetRandomBytes)?;
    Ok(bytes)
}
