//! Fields read from the fuzzer's bytes, at fixed places, so that a mutation of one leaves the others.

use crate::model::{self, Words};
use std::sync::LazyLock;

/// What is left to read; zeros behind the end.
pub struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_at(N.min(self.0.len()));
        self.0 = rest;
        std::array::from_fn(|i| head.get(i).copied().unwrap_or(0))
    }

    pub fn byte(&mut self) -> u8 {
        let [byte] = self.bytes();
        byte
    }

    pub fn words(&mut self) -> Words {
        words(&self.bytes())
    }

    /// Any 256-bit integer: an edge of p or L where the tag before it is small, else as it comes.
    pub fn element(&mut self) -> Words {
        let (tag, words) = (self.byte(), self.words());
        edges().get(usize::from(tag)).copied().unwrap_or(words)
    }

    /// At most `most` bytes, of those that are left.
    pub fn rest(self, most: usize) -> &'a [u8] {
        &self.0[..most.min(self.0.len())]
    }
}

/// The tag in front of an integer that stands for itself.
pub const AS_IT_COMES: u8 = 0xff;

/// Field elements and scalars at their edges.
pub fn edges() -> &'static [Words] {
    static EDGES: LazyLock<Vec<Words>> = LazyLock::new(|| {
        let edges = [model::edge_elements(), model::edge_scalars()].concat();
        assert!(edges.len() < usize::from(AS_IT_COMES));
        edges
    });
    &EDGES
}

pub fn words(bytes: &[u8; 32]) -> Words {
    std::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().expect("8 bytes")))
}

/// 32 bytes that look random, the `n`-th of this label.
pub fn noise(label: &str, n: usize) -> [u8; 32] {
    use sha2::{Digest as _, Sha512};
    let hash = Sha512::new().chain_update(label).chain_update(n.to_le_bytes()).finalize();
    std::array::from_fn(|i| hash[i])
}
