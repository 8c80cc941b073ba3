//! Keys in files: PKCS#8 private keys and SPKI public keys (RFC 8410, RFC 5958).
//!
//! Both versions of PKCS#8 are read: version 1 holds the seed, version 2 the public key as well,
//! under an IMPLICIT \[1\]. A public key that is not the seed's is refused. So are parameters, bytes
//! after the end, and BER that is not DER. Attributes and unknown extensions are passed over; an \[0\] or
//! \[1\] among the extensions is a second attribute or public key, and refused.
//!
//! The types of `pkcs8`, `spki` and `der` force some errors: a padded OID arc is "unknown OID", as that reader
//! takes it; SPKI parameters are `KeyMalformed`, where PKCS#8 has `ParametersMalformed`; a pair that does not
//! match is `PublicKey(KeyMalformed)`.
//!
//! [`EncodePrivateKey`] writes version 1, since OpenSSL 3.0 reads no other;
//! [`SigningKey::to_pkcs8_v2_der`] writes version 2, which ring's strict reader wants.

use super::{Signature, SigningKey, VerifyingKey};
use ::pkcs8::{
    AssociatedOid, DecodePrivateKey, EncodePrivateKey, EncodePublicKey, Error,
    KeyError as Malformed, ObjectIdentifier, PrivateKeyInfoRef, Result, SecretDocument,
    SubjectPublicKeyInfoRef,
    der::{
        self, AnyRef, Decode, Document, Reader, SliceReader, Tag, Tagged,
        asn1::{BitStringRef, OctetStringRef},
    },
    spki::{
        self, AlgorithmIdentifier, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier,
        SignatureAlgorithmIdentifier,
    },
};
use zeroize::Zeroizing;

const ALGORITHM: AlgorithmIdentifierRef<'static> = Signature::ALGORITHM_IDENTIFIER;

/// What an OCTET STRING of 32 bytes starts with. RFC 8410, section 7: the seed is such a string
/// inside the one that PKCS#8 has for every private key.
const OCTET_STRING_OF_32: [u8; 2] = [0x04, 32];

/// The file is in order up to its public key, which is not that of its seed.
const WRONG_PUBLIC_KEY: Error = Error::PublicKey(spki::Error::KeyMalformed);

impl SigningKey {
    /// PKCS#8 version 2 in DER: the seed and the public key.
    /// [`to_pkcs8_der`](EncodePrivateKey::to_pkcs8_der) writes version 1.
    ///
    /// # Errors
    /// None that this key can meet; the DER writer's, in its type.
    ///
    /// Source: RFC 8410, section 7; RFC 5958, section 2.
    ///
    /// ```
    /// use rind25519::ed25519::{SigningKey, pkcs8::DecodePrivateKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let der = key.to_pkcs8_v2_der()?;
    /// assert_eq!(SigningKey::from_pkcs8_der(der.as_bytes())?, key);
    /// # Ok::<(), rind25519::ed25519::pkcs8::Error>(())
    /// ```
    pub fn to_pkcs8_v2_der(&self) -> Result<SecretDocument> {
        self.to_pkcs8(Some(BitStringRef::from_bytes(self.as_ref().as_bytes())?))
    }

    fn to_pkcs8(&self, public_key: Option<BitStringRef<'_>>) -> Result<SecretDocument> {
        let mut private_key = Zeroizing::new([0; 34]);
        private_key[..2].copy_from_slice(&OCTET_STRING_OF_32);
        private_key[2..].copy_from_slice(self.seed());
        let private_key = OctetStringRef::new(&*private_key)?;
        let info = PrivateKeyInfoRef { algorithm: ALGORITHM, private_key, public_key };
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

/// Version 1: the seed alone.
impl EncodePrivateKey for SigningKey {
    fn to_pkcs8_der(&self) -> Result<SecretDocument> {
        self.to_pkcs8(None)
    }
}

/// Version 1 or 2, and the near version 2 that ring wrote before it followed RFC 8410.
impl DecodePrivateKey for SigningKey {
    fn from_pkcs8_der(bytes: &[u8]) -> Result<Self> {
        let (seed, public) = match split_explicit_v2(bytes) {
            Some((seed, public)) => (seed, Some(public)),
            None => {
                let info = PrivateKeyInfoRef::try_from(bytes)?;
                each_field_once(bytes)?;
                split(info)?
            }
        };
        match public {
            Some(public) => Self::from_seed(seed).if_matching(public).map_err(|_| WRONG_PUBLIC_KEY),
            None => Ok(Self::from_seed(seed)),
        }
    }
}

/// The seed, and the bytes that stand for a public key.
fn split<'a>(info: PrivateKeyInfoRef<'a>) -> Result<(&'a [u8; 32], Option<&'a [u8]>)> {
    info.algorithm.assert_algorithm_oid(ALGORITHM.oid)?;
    if info.algorithm.parameters.is_some() {
        return Err(Error::ParametersMalformed);
    }
    let private_key = info.private_key.as_bytes();
    let seed = private_key.strip_prefix(&OCTET_STRING_OF_32).ok_or(Malformed::Invalid)?;
    let seed = seed.try_into().map_err(|_| match seed.len() {
        0..32 => Malformed::TooShort,
        _ => Malformed::TooLong,
    })?;
    // A bit string with unused bits is no public key, and its absence must not be read from it.
    let public = match info.public_key {
        Some(bits) => Some(bits.as_bytes().ok_or(WRONG_PUBLIC_KEY)?),
        None => None,
    };
    Ok((seed, public))
}

/// No \[0\] or \[1\] stands behind the places of attributes and public key, in a file that is good otherwise:
/// the reader takes a constructed one for an unknown extension and does not look into it.
fn each_field_once(bytes: &[u8]) -> der::Result<()> {
    SliceReader::new(bytes)?.sequence(|reader| {
        // Version, algorithm, private key.
        for _ in 0..3 {
            AnyRef::decode(reader)?;
        }
        // The lowest number that may still come.
        let mut next = 0;
        while !reader.is_finished() {
            let tag = AnyRef::decode(reader)?.tag();
            match tag {
                Tag::ContextSpecific { number, .. } if number.value() >= next => {
                    next = number.value().min(1) + 1;
                }
                _ => return Err(reader.error(tag.unexpected_error(None))),
            }
        }
        Ok(())
    })
}

/// Seed and public key of the version 2 files that ring wrote up to 0.16: \[1\] is EXPLICIT there,
/// so DER readers of RFC 5958 refuse them. They are all of this one form.
fn split_explicit_v2(der: &[u8]) -> Option<(&[u8; 32], &[u8])> {
    /// SEQUENCE { INTEGER 1, SEQUENCE { OID 1.3.101.112 }, OCTET STRING { OCTET STRING …
    const HEAD: [u8; 16] =
        [0x30, 83, 0x02, 1, 1, 0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70, 0x04, 34, 0x04, 32];
    /// \[1\] EXPLICIT { BIT STRING, no unused bits …
    const MIDDLE: [u8; 5] = [0xa1, 35, 0x03, 33, 0];
    let (seed, rest) = der.strip_prefix(&HEAD)?.split_first_chunk()?;
    let public = rest.strip_prefix(&MIDDLE)?;
    (public.len() == 32).then_some((seed, public))
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let subject_public_key = BitStringRef::from_bytes(self.as_bytes())?;
        SubjectPublicKeyInfoRef { algorithm: ALGORITHM, subject_public_key }.try_into()
    }
}

/// `DecodePublicKey` follows from this.
impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(ALGORITHM.oid)?;
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::KeyMalformed);
        }
        let bytes = info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)?;
        Self::try_from(bytes).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl AssociatedOid for VerifyingKey {
    const OID: ObjectIdentifier = ALGORITHM.oid;
}

impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
}

impl SignatureAlgorithmIdentifier for SigningKey {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
}
