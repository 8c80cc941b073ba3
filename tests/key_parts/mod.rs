//! Key files put together from their parts, by hand, so that a test may spoil one.
#![allow(dead_code)] // each test binary uses its part

use rind25519::ed25519::SigningKey;

pub const SEED: [u8; 32] = [7; 32];

pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).expect("short form");
    assert!(length < 128);
    [&[tag, length], content].concat()
}

/// The parts of a PKCS#8 file, each of which a test may spoil.
#[derive(Clone)]
pub struct Parts {
    pub version: u8,
    pub algorithm: Vec<u8>,
    pub private_key: Vec<u8>,
    /// Attributes, public key, extensions.
    pub rest: Vec<u8>,
}

/// id-Ed25519, 1.3.101.112; the last byte tells X25519 (110), X448, Ed25519 and Ed448 apart.
pub fn oid(last: u8) -> Vec<u8> {
    tlv(0x06, &[0x2b, 101, last])
}

pub fn bit_string(tag: u8, unused_bits: u8, bytes: &[u8]) -> Vec<u8> {
    tlv(tag, &[&[unused_bits], bytes].concat())
}

impl Parts {
    pub fn v1() -> Self {
        Self { version: 0, algorithm: oid(112), private_key: tlv(0x04, &SEED), rest: vec![] }
    }

    pub fn v2() -> Self {
        Self {
            version: 1,
            rest: bit_string(0x81, 0, key().verifying_key().as_bytes()),
            ..Self::v1()
        }
    }

    pub fn with(&self, spoil: impl FnOnce(&mut Self)) -> Vec<u8> {
        let mut parts = self.clone();
        spoil(&mut parts);
        parts.der()
    }

    pub fn der(&self) -> Vec<u8> {
        let content = [
            tlv(0x02, &[self.version]),
            tlv(0x30, &self.algorithm),
            tlv(0x04, &self.private_key),
            self.rest.clone(),
        ];
        tlv(0x30, &content.concat())
    }
}

pub fn key() -> SigningKey {
    SigningKey::from_seed(&SEED)
}

/// SPKI, from its algorithm and its bit string.
pub fn spki_der(algorithm: &[u8], bits: &[u8]) -> Vec<u8> {
    tlv(0x30, &[tlv(0x30, algorithm), bits.to_vec()].concat())
}

pub fn public_bits() -> Vec<u8> {
    bit_string(0x03, 0, key().verifying_key().as_bytes())
}
