//! SHA-512 as Ed25519 uses it: domain separation, then a reduction mod L.

use super::ContextError;
use crate::{curve::words, low::door};
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

/// Which of the three variants of RFC 8032 is hashed, with its context.
#[derive(Clone, Copy)]
pub(super) struct Domain<'a> {
    /// What dom2(F, C) holds after its fixed string: F and C, of at most 255 bytes. `None` is
    /// Ed25519, whose dom2 is the empty string.
    dom2: Option<(u8, &'a [u8])>,
}

impl<'a> Domain<'a> {
    /// Ed25519.
    pub(super) const PURE: Self = Self { dom2: None };

    /// Ed25519ctx.
    pub(super) fn with_context(context: &'a [u8]) -> Result<Self, ContextError> {
        if context.is_empty() {
            return Err(ContextError::Empty);
        }
        Self::dom2(0, context)
    }

    /// Ed25519ph; no context and an empty one are the same.
    pub(super) fn prehashed(context: Option<&'a [u8]>) -> Result<Self, ContextError> {
        Self::dom2(1, context.unwrap_or_default())
    }

    fn dom2(flag: u8, context: &'a [u8]) -> Result<Self, ContextError> {
        match context.len() {
            0..=255 => Ok(Self { dom2: Some((flag, context)) }),
            got => Err(ContextError::TooLong { got }),
        }
    }

    /// SHA-512 of dom2 and then of `parts`, one after the other, mod L. Constant time in the parts.
    ///
    /// out: \[0, L). The state, the digest and its words are wiped, for the nonce comes from here.
    ///
    /// Source: RFC 8032, sections 2 (dom2), 5.1.6 and 5.1.7.
    pub(super) fn hash_to_scalar(&self, parts: &[&[u8]], message: &[&[u8]]) -> Zeroizing<[u64; 4]> {
        let mut hasher = Sha512::new();
        if let Some((flag, context)) = self.dom2 {
            hasher.update(b"SigEd25519 no Ed25519 collisions");
            hasher.update([flag, context.len() as u8]);
            hasher.update(context);
        }
        for part in parts.iter().chain(message) {
            hasher.update(part);
        }
        let wide: Zeroizing<[u64; 8]> = Zeroizing::new(words::from_bytes(&sha512(hasher)));
        Zeroizing::new(door::bignum_mod_n25519(wide.as_slice()))
    }
}

/// The digest, wiped after use, and the state, which wipes itself.
pub(super) fn sha512(hasher: Sha512) -> Zeroizing<[u8; 64]> {
    let mut digest = Zeroizing::new([0; 64]);
    hasher.finalize_into((&mut *digest).into());
    digest
}
