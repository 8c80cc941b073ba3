//! Inputs of benches: different for every number, the same in every run; nothing more is asked of them.
#![allow(dead_code)] // each bench uses its part

/// `N` bytes.
pub fn bytes<const N: usize>(n: u64) -> [u8; N] {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    core::array::from_fn(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
}

/// The four little-endian words of 32 bytes.
pub fn words(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap()))
}
