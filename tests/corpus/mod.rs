//! The edge corpus: signatures that only an attacker makes, some thousands of them, the same in every
//! run. Made with curve25519-dalek, so that nothing here leans on what is tested.
//!
//! The families, and what each exercises, are the list [`FAMILIES`].
#![allow(dead_code)] // each test binary uses its part

pub mod families;
pub mod points;

use curve25519_dalek::scalar::Scalar;
pub use families::FAMILIES;
use sha2::{Digest as _, Sha512};
use std::sync::LazyLock;

/// What a verifier is given.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Case {
    /// The name in [`FAMILIES`].
    pub family: &'static str,
    pub key: [u8; 32],
    pub message: Vec<u8>,
    pub signature: [u8; 64],
}

/// In hexadecimal, as `examples/which_rule.rs` takes it.
impl core::fmt::Debug for Case {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [key, message, signature] =
            [&self.key[..], &self.message, &self.signature].map(hex::encode);
        write!(f, "{}: key {key}, message {message}, signature {signature}", self.family)
    }
}

/// All of it, family by family.
pub fn corpus() -> &'static [Case] {
    static CORPUS: LazyLock<Vec<Case>> = LazyLock::new(|| {
        FAMILIES
            .iter()
            .flat_map(|(family, _, make)| {
                make().into_iter().map(|(key, message, signature)| Case {
                    family,
                    key,
                    message,
                    signature,
                })
            })
            .collect()
    });
    &CORPUS
}

/// One family.
pub fn family(name: &str) -> impl Iterator<Item = &'static Case> {
    assert!(FAMILIES.iter().any(|(family, ..)| *family == name), "{name}");
    corpus().iter().filter(move |case| case.family == name)
}

/// The first bytes of the corpus's SHA-512, lengths included: two machines with one fingerprint have
/// tested the same.
pub fn fingerprint() -> String {
    let mut hash = Sha512::new();
    for case in corpus() {
        hash.update(case.key);
        hash.update((case.message.len() as u64).to_le_bytes());
        hash.update(&case.message);
        hash.update(case.signature);
    }
    hex::encode(&hash.finalize()[..8])
}

/// k = SHA-512(R ‖ A ‖ M) mod L.
pub fn challenge(r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> Scalar {
    let hash = Sha512::new().chain_update(r).chain_update(a).chain_update(message).finalize();
    Scalar::from_bytes_mod_order_wide(&hash.into())
}
