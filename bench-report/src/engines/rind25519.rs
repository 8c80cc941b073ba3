//! Ours, on whichever tier is forced around the calls; see `collect/tiers.rs`.

use rind25519::cpu::{Operation, Tier};
use rind25519::{ed25519, x25519};

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification};
use crate::inputs::{Inputs, Signed};

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    use ed25519::{Predicate, Signature, SigningKey, VerifyingKey};
    let signed = inputs.signed.iter();
    let parse = |bytes: &[u8; 32]| VerifyingKey::from_bytes(bytes).ok();
    let no_key = |_: &[u8; 32]| Some(());
    let by_bytes = |rule: Predicate| {
        move |(): &(), s: &Signed| rule.verify(&s.public, &s.message, &s.signature).is_ok()
    };
    let verify = |key: &VerifyingKey, s: &Signed| {
        key.verify(&s.message, &Signature::from_bytes(&s.signature)).is_ok()
    };
    let verify_strict = |key: &VerifyingKey, s: &Signed| {
        key.verify_strict(&s.message, &Signature::from_bytes(&s.signature)).is_ok()
    };
    match model {
        Model::VerifyParsed => verification(signed, parse, verify),
        Model::VerifyStrict => verification(signed, parse, verify_strict),
        Model::VerifyBytes => verification(signed, no_key, by_bytes(Predicate::STANDARD)),
        Model::VerifyStrictBytes => verification(signed, no_key, by_bytes(Predicate::STRICT)),
        Model::Sign => computation(
            signed.map(|s| (SigningKey::from_seed(&s.seed), s.message.clone())),
            |(key, message)| key.sign(message).to_bytes(),
            |signature| signature.to_vec(),
        ),
        Model::Keygen => computation(
            signed.map(|s| s.seed),
            |seed| SigningKey::from_seed(seed).verifying_key().to_bytes(),
            |public| public.to_vec(),
        ),
        Model::X25519Shared => computation(
            inputs.agreed.iter().map(|a| (x25519::StaticSecret::from(a.secret), a.peer)),
            |(secret, peer)| secret.diffie_hellman(&x25519::PublicKey::from(*peer)).ok(),
            |shared| shared.map_or_else(Vec::new, |shared| shared.to_bytes().to_vec()),
        ),
        Model::X25519Public => computation(
            inputs.agreed.iter().map(|a| a.secret),
            |secret| x25519::PublicKey::from(&x25519::StaticSecret::from(*secret)).to_bytes(),
            |public| public.to_vec(),
        ),
        Model::KeyDecode => computation(
            signed.map(|s| s.public),
            |public| VerifyingKey::from_bytes(public).ok(),
            |key| key.map_or_else(Vec::new, |key| key.to_bytes().to_vec()),
        ),
        Model::Inversion => inversion(inputs, false),
        Model::Handshake => {
            super::handshake::prepare(rustls_rind25519::default_provider(), inputs.signed.len())
        }
    }
    .map_err(|e: Absent| if e.is_empty() { NOT_OFFERED.into() } else { e })
}

/// The routine itself, which no operation is named after: assembly, one form for every x86-64 CPU, or
/// the portable one.
pub fn inversion(inputs: &Inputs, portable: bool) -> Result<Prepared, Absent> {
    use rind25519::internals;
    let words = inputs.field.iter().map(words);
    let bytes = |z: [u64; 4]| z.iter().flat_map(|word| word.to_le_bytes()).collect();
    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(rind_backend = "portable")))]
    if !portable {
        return computation(words, internals::vendor::base::bignum_inv_p25519, bytes);
    }
    let _ = portable;
    computation(words, internals::portable::bignum_inv_p25519, bytes)
}

/// Four little-endian words of 32 bytes.
fn words(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| {
        (0..8).fold(0, |word, j| word | u64::from(bytes[8 * i + j]) << (8 * j))
    })
}

/// The operations of the library that a model consists of.
pub fn operations(model: Model) -> &'static [Operation] {
    match model {
        Model::VerifyParsed
        | Model::VerifyBytes
        | Model::VerifyStrict
        | Model::VerifyStrictBytes
        | Model::KeyDecode => &[Operation::Verify],
        Model::Sign | Model::Keygen => &[Operation::Sign],
        Model::X25519Shared => &[Operation::X25519],
        Model::X25519Public => &[Operation::X25519PublicKey],
        Model::Inversion => &[],
        Model::Handshake => Operation::ALL,
    }
}

/// The tiers that ran a model, as the library noted them while it worked.
pub fn ran(model: Model) -> Vec<Tier> {
    let noted = operations(model).iter().filter_map(|&op| rind25519::cpu::last_run(op));
    let mut tiers = Vec::new();
    for tier in noted {
        if !tiers.contains(&tier) {
            tiers.push(tier);
        }
    }
    tiers
}
