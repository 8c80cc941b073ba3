//! rind. It takes seeds as PKCS#8, and X25519 secrets are of its own making.

use rind::agreement::{self, PrivateKey};
use rind::signature::{Ed25519KeyPair, PublicKey, verify};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{
    Absent, Prepared, computation, fresh_agreement, verification, verification_of_bytes,
};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    let parse = |bytes: &[u8; 32]| PublicKey::new(&verify::ED25519, bytes).ok();
    let holds = |key: &PublicKey, s: &Signed| key.verify(&s.message, &s.signature).is_ok();
    match model {
        Model::VerifyParsed => verification(signed, parse, holds),
        Model::VerifyBytes => verification_of_bytes(signed, parse, holds),
        Model::Sign => computation(
            signed.filter_map(|s| {
                Some((Ed25519KeyPair::from_pkcs8(&pkcs8(&s.seed)).ok()?, s.message.clone()))
            }),
            |(key, message)| key.sign(message),
            |signature| signature.as_ref().to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| pkcs8(&s.seed)),
            |der| Ed25519KeyPair::from_pkcs8(der).ok(),
            |key| key.map_or_else(Vec::new, |key| key.public_key().as_ref().to_vec()),
        ),
        Model::X25519Shared => fresh_agreement(&inputs.agreed, make, both, |key, peer| {
            key.and_then(|key| key.agree(peer).ok())
        }),
        Model::X25519Public => {
            fresh_agreement(&inputs.agreed, make, both, |key, _| key.map(|key| key.public_key()))
        }
        Model::KeyDecode => Err("has no way to give the point back".into()),
        _ => Err(NOT_OFFERED.into()),
    }
}

/// PKCS#8 version 1, RFC 8410: 16 bytes and the seed.
fn pkcs8(seed: &[u8; 32]) -> Vec<u8> {
    let header = [0x30, 46, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 34, 4, 32];
    [&header[..], seed].concat()
}

fn make() -> Option<PrivateKey> {
    PrivateKey::generate(&agreement::X25519).ok()
}

/// The public key and the shared secret of one secret; zeros, which never agree, where it fails.
fn both(key: Option<PrivateKey>, peer: &[u8; 32]) -> ([u8; 32], [u8; 32]) {
    let both = || {
        let key = key?;
        let public = key.public_key().as_ref().try_into().ok()?;
        Some((public, key.agree(peer).ok()?.as_ref().try_into().ok()?))
    };
    both().unwrap_or(([9; 32], [0; 32]))
}
