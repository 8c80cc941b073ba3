//! Promise: a fresh key is the generator's next 32 bytes, and a generator that fails gives no key.

use rand_core::{Infallible, TryCryptoRng, TryRng};
use rind25519::{
    ed25519::SigningKey,
    x25519::{EphemeralSecret, PublicKey, StaticSecret},
};
use std::{collections::HashSet, fmt};

/// 0, 1, 2, …: as good as any for a test, and for nothing else.
struct Counter(u8);

impl TryRng for Counter {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.0;
            self.0 = self.0.wrapping_add(1);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

#[derive(Debug, PartialEq)]
struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("exhausted")
    }
}

impl std::error::Error for Exhausted {}

/// Writes half of what is asked for, then fails.
struct Failing;

impl TryRng for Failing {
    type Error = Exhausted;

    fn try_next_u32(&mut self) -> Result<u32, Exhausted> {
        Err(Exhausted)
    }

    fn try_next_u64(&mut self) -> Result<u64, Exhausted> {
        Err(Exhausted)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Exhausted> {
        let half = bytes.len() / 2;
        bytes[..half].fill(1);
        Err(Exhausted)
    }
}

impl TryCryptoRng for Failing {}

#[test]
fn keys_are_the_next_bytes_of_the_generator() {
    let first: [u8; 32] = core::array::from_fn(|i| i as u8);
    let second = first.map(|byte| byte + 32);
    let rng = &mut Counter(0);
    assert_eq!(SigningKey::generate_from_rng(rng).to_seed(), first);
    assert_eq!(SigningKey::try_generate_from_rng(rng).map(|key| key.to_seed()), Ok(second));
    let rng = &mut Counter(0);
    assert_eq!(StaticSecret::random_from_rng(rng).to_bytes(), first);
    assert_eq!(StaticSecret::try_random_from_rng(rng).map(|key| key.to_bytes()), Ok(second));
    // An ephemeral secret shows nothing but its public key.
    let ephemeral = EphemeralSecret::random_from_rng(&mut Counter(0));
    assert_eq!(PublicKey::from(&ephemeral), PublicKey::from(&StaticSecret::from(first)));
}

#[test]
fn failing_generator_gives_no_key() {
    assert_eq!(SigningKey::try_generate_from_rng(&mut Failing), Err(Exhausted));
    assert_eq!(StaticSecret::try_random_from_rng(&mut Failing), Err(Exhausted));
    assert_eq!(EphemeralSecret::try_random_from_rng(&mut Failing).map(drop), Err(Exhausted));
}

#[test]
fn system_generator_repeats_nothing() {
    let mut public = HashSet::new();
    for _ in 0..8 {
        let key = SigningKey::generate().expect("the system's generator");
        assert!(public.insert(key.verifying_key().to_bytes()));
        let secret = StaticSecret::random().expect("the system's generator");
        assert!(public.insert(PublicKey::from(&secret).to_bytes()));
        let secret = EphemeralSecret::random().expect("the system's generator");
        assert!(public.insert(PublicKey::from(&secret).to_bytes()));
    }
}
