//! A base provider with its X25519 and Ed25519 replaced.

use rustls::NamedGroup;
use rustls::crypto::{CryptoProvider, SupportedKxGroup};

use crate::{kx_group, sign, verify};

/// `base` with X25519 and Ed25519 from `rind25519`, and everything else as it is.
///
/// | part | what becomes of it |
/// |---|---|
/// | key exchange | X25519 and X25519MLKEM768 are replaced in place; one that the base lacks goes first, the hybrid before X25519 |
/// | signature verification | Ed25519 is replaced in place, in both lists; where the base lacks it, it goes last |
/// | private keys | Ed25519 in PKCS#8 (v1 and v2) is ours; every other key goes to the base |
/// | cipher suites, randomness | the base's |
///
/// The hybrid needs feature `aws-lc-rs` or `ml-kem`; without either, the base's own stays where it
/// is. Applying this twice changes nothing more. To drop a group that this adds, remove it from
/// `kx_groups` of the result.
///
/// ```
/// use rustls::crypto::ring;
///
/// let provider = rustls_rind25519::provider_over(ring::default_provider());
/// assert_eq!(provider.cipher_suites, ring::default_provider().cipher_suites);
/// let config = rustls::ClientConfig::builder_with_provider(provider.into())
///     .with_safe_default_protocol_versions()?
///     .with_root_certificates(rustls::RootCertStore::empty())
///     .with_no_client_auth();
/// # let _ = config;
/// # Ok::<(), rustls::Error>(())
/// ```
pub fn provider_over(base: CryptoProvider) -> CryptoProvider {
    CryptoProvider {
        kx_groups: groups_over(base.kx_groups),
        signature_verification_algorithms: verify::algorithms_over(
            base.signature_verification_algorithms,
        ),
        key_provider: sign::keys_over(base.key_provider),
        ..base
    }
}

/// rustls's aws-lc-rs provider with X25519 and Ed25519 from `rind25519`: see [`provider_over`].
///
/// ```
/// use rustls::NamedGroup;
///
/// let provider = rustls_rind25519::default_provider();
/// let groups: Vec<_> = provider.kx_groups.iter().map(|group| group.name()).collect();
/// assert!(groups.contains(&NamedGroup::X25519MLKEM768) && groups.contains(&NamedGroup::X25519));
/// ```
#[cfg(feature = "aws-lc-rs")]
pub fn default_provider() -> CryptoProvider {
    provider_over(rustls::crypto::aws_lc_rs::default_provider())
}

/// Makes [`default_provider`] the default of the process; again and again if need be. A provider
/// that loads keys through ours counts as ours, also where its lists were changed.
///
/// # Errors
///
/// The provider that is installed, if it is another one. rustls lets nobody replace it.
///
/// ```
/// rustls_rind25519::install_default().expect("no other provider is installed");
/// rustls_rind25519::install_default().expect("ours is");
/// ```
#[cfg(feature = "aws-lc-rs")]
pub fn install_default() -> Result<(), std::sync::Arc<CryptoProvider>> {
    let Err(installed) = default_provider().install_default() else {
        return Ok(());
    };
    // rustls hands back the provider that it refused; the one in use is asked for.
    let installed = CryptoProvider::get_default().cloned().unwrap_or(installed);
    if sign::is_ours(installed.key_provider) { Ok(()) } else { Err(installed) }
}

fn groups_over(
    mut groups: Vec<&'static dyn SupportedKxGroup>,
) -> Vec<&'static dyn SupportedKxGroup> {
    replace_or_first(&mut groups, kx_group::X25519);
    #[cfg(any(feature = "aws-lc-rs", feature = "ml-kem"))]
    replace_or_first(&mut groups, kx_group::X25519MLKEM768);
    groups
}

fn replace_or_first(
    groups: &mut Vec<&'static dyn SupportedKxGroup>,
    ours: &'static dyn SupportedKxGroup,
) {
    let name: NamedGroup = ours.name();
    match groups.iter_mut().find(|group| group.name() == name) {
        Some(theirs) => *theirs = ours,
        None => groups.insert(0, ours),
    }
}
