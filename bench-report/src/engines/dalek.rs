//! ed25519-dalek and x25519-dalek.

use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use x25519_dalek::{PublicKey, StaticSecret};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification, verification_of_bytes};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    let parse = |bytes: &[u8; 32]| VerifyingKey::from_bytes(bytes).ok();
    let verify = |key: &VerifyingKey, s: &Signed| {
        key.verify(&s.message, &Signature::from_bytes(&s.signature)).is_ok()
    };
    let verify_strict = |key: &VerifyingKey, s: &Signed| {
        key.verify_strict(&s.message, &Signature::from_bytes(&s.signature)).is_ok()
    };
    match model {
        Model::VerifyParsed => verification(signed, parse, verify),
        Model::VerifyStrict => verification(signed, parse, verify_strict),
        Model::VerifyBytes => verification_of_bytes(signed, parse, verify),
        Model::VerifyStrictBytes => verification_of_bytes(signed, parse, verify_strict),
        Model::Sign => computation(
            signed.map(|s| (SigningKey::from_bytes(&s.seed), s.message.clone())),
            |(key, message)| key.sign(message).to_bytes(),
            |signature| signature.to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| s.seed),
            |seed| SigningKey::from_bytes(seed).verifying_key().to_bytes(),
            |public| public.to_vec(),
        ),
        Model::X25519Shared => computation(
            inputs.agreed.iter().map(|a| (StaticSecret::from(a.secret), a.peer)),
            |(secret, peer)| secret.diffie_hellman(&PublicKey::from(*peer)).to_bytes(),
            |shared| shared.to_vec(),
        ),
        Model::X25519Public => computation(
            inputs.agreed.iter().map(|a| a.secret),
            |secret| PublicKey::from(&StaticSecret::from(*secret)).to_bytes(),
            |public| public.to_vec(),
        ),
        Model::KeyDecode => computation(
            signed.map(|s| s.public),
            |public| VerifyingKey::from_bytes(public).ok(),
            |key| key.map_or_else(Vec::new, |key| key.to_bytes().to_vec()),
        ),
        Model::Inversion | Model::Handshake => Err(NOT_OFFERED.into()),
    }
}
