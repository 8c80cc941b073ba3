//! Random signatures, honest and damaged, the same in every run.

use super::corpus::{Case, families};
use rind25519::ed25519::SigningKey;

/// Honest signatures of `n` keys, and each of them with a few bits flipped somewhere.
pub fn random(n: u64) -> Vec<Case> {
    let mut cases = vec![];
    for i in 0..n {
        let key = SigningKey::from_seed(&families::bytes("seed", i));
        let noise = families::bytes("flips", i);
        let message = noise[..usize::from(noise[0] % 32)].to_vec();
        let honest = Case {
            family: "random",
            key: key.verifying_key().to_bytes(),
            signature: key.sign(&message).to_bytes(),
            message,
        };
        for flips in noise.chunks_exact(4) {
            let mut case = honest.clone();
            for bits in flips.chunks_exact(2) {
                let bit = usize::from(u16::from_le_bytes([bits[0], bits[1]])) % (8 * 96);
                match bit / 8 {
                    byte @ 0..32 => case.key[byte] ^= 1 << (bit % 8),
                    byte => case.signature[byte - 32] ^= 1 << (bit % 8),
                }
            }
            cases.push(case);
        }
        cases.push(honest);
    }
    cases
}
