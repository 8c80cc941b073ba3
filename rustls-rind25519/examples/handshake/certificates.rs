//! Ed25519 certificates whose signatures are `rind25519`'s; rcgen only lays out the fields.

use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer};
use rcgen::{KeyIdMethod, KeyUsagePurpose, PublicKeyData, SerialNumber, SignatureAlgorithm};
use rind25519::ed25519::SigningKey;
use rind25519::ed25519::pkcs8::EncodePrivateKey;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{Error, RootCertStore};

/// A certificate and its private key.
pub struct Identity {
    params: CertificateParams,
    key: Key,
    pub certificate: CertificateDer<'static>,
}

impl Identity {
    /// A certificate for `name` that vouches for itself: a peer trusts it by having it as a root.
    pub fn self_signed(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let (params, key) = (end_entity(name)?, Key::fresh()?);
        Self::signed(params, key, None)
    }

    /// A certificate authority.
    #[allow(dead_code, reason = "the example needs none")]
    pub fn authority(name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Self::signed(params, Key::fresh()?, None)
    }

    /// A certificate for `name` from the authority `self`.
    #[allow(dead_code, reason = "the example needs none")]
    pub fn issue(&self, name: &str) -> Result<Self, Box<dyn std::error::Error>> {
        Self::signed(end_entity(name)?, Key::fresh()?, Some(self))
    }

    fn signed(
        mut params: CertificateParams,
        key: Key,
        authority: Option<&Self>,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        // Both only have to be unique, and public keys are. RFC 5280 section 4.1.2.2: a serial
        // number is positive and of 20 bytes at most.
        params.serial_number = Some(SerialNumber::from_slice(&key.public[..16]));
        params.key_identifier_method = KeyIdMethod::PreSpecified(key.public[..20].to_vec());
        let certificate = match authority {
            Some(ca) => params.signed_by(&key, &Issuer::from_params(&ca.params, &ca.key))?,
            None => params.self_signed(&key)?,
        };
        let certificate = certificate.der().clone();
        Ok(Self { params, key, certificate })
    }

    /// The private key, in PKCS#8.
    pub fn private_key(&self) -> PrivateKeyDer<'static> {
        let der = self.key.secret.to_pkcs8_der().expect("a key of fixed size encodes");
        PrivatePkcs8KeyDer::from(der.as_bytes().to_vec()).into()
    }

    /// The key itself.
    #[allow(dead_code, reason = "the example goes through PKCS#8")]
    pub fn key(&self) -> &SigningKey {
        &self.key.secret
    }

    /// What a peer must trust to accept this certificate, or those it issued.
    pub fn as_root(&self) -> Result<RootCertStore, Error> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone())?;
        Ok(roots)
    }
}

/// What certificates of servers and of clients have in common.
fn end_entity(name: &str) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new([name.to_owned()])?;
    params.distinguished_name.push(rcgen::DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages =
        vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
    Ok(params)
}

/// A key as rcgen sees it.
struct Key {
    secret: SigningKey,
    public: [u8; 32],
}

impl Key {
    fn fresh() -> Result<Self, rind25519::RandomError> {
        let secret = SigningKey::generate()?;
        let public = secret.verifying_key().to_bytes();
        Ok(Self { secret, public })
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_ED25519
    }
}

impl rcgen::SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        Ok(self.secret.sign(message).to_vec())
    }
}
