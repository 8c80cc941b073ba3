//! graviola.

use graviola::key_agreement::x25519::{PublicKey, StaticPrivateKey};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification, verification_of_bytes};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    let parse = |bytes: &[u8; 32]| Ed25519VerifyingKey::from_bytes(bytes).ok();
    let verify =
        |key: &Ed25519VerifyingKey, s: &Signed| key.verify(&s.signature, &s.message).is_ok();
    match model {
        Model::VerifyParsed => verification(signed, parse, verify),
        Model::VerifyBytes => verification_of_bytes(signed, parse, verify),
        Model::Sign => computation(
            signed.filter_map(|s| {
                Some((Ed25519SigningKey::from_bytes(&s.seed).ok()?, s.message.clone()))
            }),
            |(key, message)| key.sign(message),
            |signature| signature.to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| s.seed),
            |seed| Ed25519SigningKey::from_bytes(seed).ok().map(|key| key.public_key().as_bytes()),
            |public| public.map_or_else(Vec::new, |public| public.to_vec()),
        ),
        Model::X25519Shared => computation(
            inputs.agreed.iter().map(|a| (StaticPrivateKey::from_array(&a.secret), a.peer)),
            |(key, peer)| key.diffie_hellman(&PublicKey::from_array(peer)).ok(),
            |shared| shared.map_or_else(Vec::new, |shared| shared.as_bytes().to_vec()),
        ),
        Model::X25519Public => computation(
            inputs.agreed.iter().map(|a| a.secret),
            |secret| StaticPrivateKey::from_array(secret).public_key().as_bytes(),
            |public| public.to_vec(),
        ),
        Model::KeyDecode => computation(
            signed.map(|s| s.public),
            move |public| parse(public),
            |key| key.map_or_else(Vec::new, |key| key.as_bytes().to_vec()),
        ),
        Model::Handshake => {
            super::handshake::prepare(rustls_graviola::default_provider(), inputs.signed.len())
        }
        _ => Err(NOT_OFFERED.into()),
    }
}
