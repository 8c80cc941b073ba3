//! aws-lc-rs. Its parsed key is 32 bytes with a name: each verification decodes it again.

use aws_lc_rs::agreement::{self, PrivateKey, UnparsedPublicKey, X25519};
use aws_lc_rs::signature::{self, Ed25519KeyPair, KeyPair as _, ParsedPublicKey};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification, verification_of_bytes};
use crate::inputs::Inputs;

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    match model {
        Model::VerifyParsed => verification(
            signed,
            |bytes| ParsedPublicKey::new(&signature::ED25519, bytes).ok(),
            |key, s| key.verify_sig(&s.message, &s.signature).is_ok(),
        ),
        Model::VerifyBytes => verification_of_bytes(
            signed,
            |bytes| Some(signature::UnparsedPublicKey::new(&signature::ED25519, *bytes)),
            |key, s| key.verify(&s.message, &s.signature).is_ok(),
        ),
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
        Model::X25519Shared => computation(
            inputs.agreed.iter().filter_map(|a| {
                Some((PrivateKey::from_private_key(&X25519, &a.secret).ok()?, a.peer))
            }),
            |(key, peer)| {
                agreement::agree(key, UnparsedPublicKey::new(&X25519, peer), (), |shared| {
                    <[u8; 32]>::try_from(shared).map_err(|_| ())
                })
            },
            |shared| shared.map_or_else(|()| Vec::new(), |shared| shared.to_vec()),
        ),
        Model::X25519Public => computation(
            inputs.agreed.iter().map(|a| a.secret),
            |secret| {
                PrivateKey::from_private_key(&X25519, secret)
                    .ok()
                    .and_then(|key| key.compute_public_key().ok())
            },
            |public| public.map_or_else(Vec::new, |public| public.as_ref().to_vec()),
        ),
        Model::Handshake => super::handshake::prepare(
            rustls::crypto::aws_lc_rs::default_provider(),
            inputs.signed.len(),
        ),
        _ => Err(NOT_OFFERED.into()),
    }
}
