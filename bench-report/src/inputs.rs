//! What every engine of a row works on: the same bytes on every machine, made from a seed by SHA-512.

use ed25519_dalek::Signer as _;
use sha2::{Digest as _, Sha512};

use crate::definitions::InputSpec;

/// A key pair, a message, and the one signature that RFC 8032 allows.
pub struct Signed {
    pub seed: [u8; 32],
    pub message: Vec<u8>,
    pub public: [u8; 32],
    pub signature: [u8; 64],
}

/// A secret and the other side's.
pub struct Agreed {
    pub secret: [u8; 32],
    pub peer_secret: [u8; 32],
    pub peer: [u8; 32],
}

pub struct Inputs {
    pub signed: Vec<Signed>,
    pub agreed: Vec<Agreed>,
    /// Little-endian, below 2^255 - 19, not zero.
    pub field: Vec<[u8; 32]>,
}

/// Byte streams told apart by what they are for.
fn bytes(what: &str, seed: u64, n: u32, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 64);
    for block in 0u64.. {
        if bytes.len() >= length {
            break;
        }
        let mut hash = Sha512::new();
        hash.update(format!("bench-report {what} {seed} {n} {block}"));
        bytes.extend_from_slice(&hash.finalize());
    }
    bytes.truncate(length);
    bytes
}

fn array(what: &str, seed: u64, n: u32) -> [u8; 32] {
    let bytes = bytes(what, seed, n, 32);
    core::array::from_fn(|i| bytes[i])
}

impl Inputs {
    /// dalek signs: not one of ours, and each engine's answers are compared with its.
    pub fn new(spec: InputSpec) -> Self {
        let InputSpec { seed, distinct, message } = spec;
        let signed = (0..distinct).map(|n| {
            let secret = array("seed", seed, n);
            let key = ed25519_dalek::SigningKey::from_bytes(&secret);
            let message = bytes("message", seed, n, message as usize);
            let signature = key.sign(&message).to_bytes();
            Signed { seed: secret, message, public: key.verifying_key().to_bytes(), signature }
        });
        let agreed = (0..distinct).map(|n| {
            let peer_secret = array("peer", seed, n);
            let peer =
                x25519_dalek::PublicKey::from(&x25519_dalek::StaticSecret::from(peer_secret));
            Agreed { secret: array("secret", seed, n), peer_secret, peer: peer.to_bytes() }
        });
        let field = (0..distinct).map(|n| {
            let mut x = array("field", seed, n);
            x[31] &= 0x3f; // below 2^254
            x[0] |= 1;
            x
        });
        Inputs { signed: signed.collect(), agreed: agreed.collect(), field: field.collect() }
    }
}

/// What the other side of an agreement computes.
pub fn other_side(peer_secret: &[u8; 32], public: &[u8; 32]) -> [u8; 32] {
    let secret = x25519_dalek::StaticSecret::from(*peer_secret);
    secret.diffie_hellman(&x25519_dalek::PublicKey::from(*public)).to_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_distinct_and_repeatable() {
        let spec = InputSpec { seed: 1, distinct: 8, message: 100 };
        let (a, b) = (Inputs::new(spec), Inputs::new(spec));
        for (i, x) in a.signed.iter().enumerate() {
            assert_eq!(x.signature, b.signed[i].signature);
            assert_eq!(x.message.len(), 100);
            assert!(a.signed[..i].iter().all(|y| y.message != x.message && y.seed != x.seed));
        }
    }
}
