//! crrl. Its verification is cofactored.

use crrl::ed25519::{PrivateKey, PublicKey};
use crrl::field::GF25519;
use crrl::x25519;

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification, verification_of_bytes};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let signed = inputs.signed.iter();
    let parse = |bytes: &[u8; 32]| PublicKey::decode(bytes);
    let verify = |key: &PublicKey, s: &Signed| key.verify_raw(&s.signature, &s.message);
    match model {
        Model::VerifyParsed => verification(signed, parse, verify),
        Model::VerifyBytes => verification_of_bytes(signed, parse, verify),
        Model::Sign => computation(
            signed.map(|s| (PrivateKey::from_seed(&s.seed), s.message.clone())),
            |(key, message)| key.sign_raw(message),
            |signature| signature.to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| s.seed),
            |seed| PrivateKey::from_seed(seed).public_key.encode(),
            |public| public.to_vec(),
        ),
        Model::X25519Shared => computation(
            inputs.agreed.iter().map(|a| (a.secret, a.peer)),
            |(secret, peer)| x25519::x25519(peer, secret),
            |shared| shared.to_vec(),
        ),
        Model::X25519Public => {
            computation(inputs.agreed.iter().map(|a| a.secret), x25519::x25519_base, |public| {
                public.to_vec()
            })
        }
        Model::KeyDecode => computation(
            signed.map(|s| s.public),
            |public| PublicKey::decode(public),
            |key| key.map_or_else(Vec::new, |key| key.encode().to_vec()),
        ),
        Model::Inversion => computation(
            inputs.field.iter().filter_map(|bytes| GF25519::decode(bytes)),
            |x| GF25519::ONE / *x, // it has division only
            |z| z.encode().to_vec(),
        ),
        _ => Err(NOT_OFFERED.into()),
    }
}
