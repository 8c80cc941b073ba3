//! ring. It keeps public keys as bytes, and X25519 secrets are of its own making and used once.

use ring::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey, X25519};
use ring::rand::SystemRandom;
use ring::signature::{self, Ed25519KeyPair, KeyPair as _};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{
    Absent, Prepared, computation, fresh_agreement, verification, verification_of_bytes,
};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    // It keeps no point.
    type Key = signature::UnparsedPublicKey<[u8; 32]>;
    let parse = |bytes: &[u8; 32]| Some(Key::new(&signature::ED25519, *bytes));
    let verify = |key: &Key, s: &Signed| key.verify(&s.message, &s.signature).is_ok();
    match model {
        Model::VerifyParsed => verification(signed, parse, verify),
        Model::VerifyBytes => verification_of_bytes(signed, parse, verify),
        Model::Sign => computation(
            signed.filter_map(|s| {
                Some((Ed25519KeyPair::from_seed_unchecked(&s.seed).ok()?, s.message.clone()))
            }),
            |(key, message)| key.sign(message),
            |signature| signature.as_ref().to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| s.seed),
            |seed| Ed25519KeyPair::from_seed_unchecked(seed).ok(),
            |key| key.map_or_else(Vec::new, |key| key.public_key().as_ref().to_vec()),
        ),
        Model::X25519Shared => fresh_agreement(&inputs.agreed, make, both, |key, peer| {
            key.and_then(|key| shared(key, peer))
        }),
        Model::X25519Public => fresh_agreement(&inputs.agreed, make, both, |key, _| {
            key.and_then(|key| key.compute_public_key().ok())
        }),
        Model::Handshake => {
            super::handshake::prepare(rustls::crypto::ring::default_provider(), inputs.signed.len())
        }
        _ => Err(NOT_OFFERED.into()),
    }
}

fn make() -> Option<EphemeralPrivateKey> {
    EphemeralPrivateKey::generate(&X25519, &SystemRandom::new()).ok()
}

fn shared(key: EphemeralPrivateKey, peer: &[u8; 32]) -> Option<[u8; 32]> {
    let copy = |shared: &[u8]| <[u8; 32]>::try_from(shared).ok();
    agreement::agree_ephemeral(key, &UnparsedPublicKey::new(&X25519, peer), copy).ok()?
}

/// The public key and the shared secret of one secret; zeros, which never agree, where it fails.
fn both(key: Option<EphemeralPrivateKey>, peer: &[u8; 32]) -> ([u8; 32], [u8; 32]) {
    let both = || {
        let key = key?;
        let public = key.compute_public_key().ok()?.as_ref().try_into().ok()?;
        Some((public, shared(key, peer)?))
    };
    both().unwrap_or(([9; 32], [0; 32]))
}
