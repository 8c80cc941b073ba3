//! What two parties share, and the one way of sharing nothing.

use crate::{constant_time::constant_time_eq, curve::words};
use core::fmt;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The 32 bytes that two parties share, never all zero. Wiped when dropped; compared in constant
/// time; not shown by `Debug`. Input of a KDF, not a key.
///
/// ```
/// use rind25519::x25519::{PublicKey, StaticSecret};
///
/// let (ours, theirs) = (StaticSecret::from([7; 32]), StaticSecret::from([8; 32]));
/// let shared = ours.diffie_hellman(&PublicKey::from(&theirs))?;
/// assert_ne!(shared.as_bytes(), &[0; 32]);
/// # Ok::<(), rind25519::x25519::LowOrderPoint>(())
/// ```
pub struct SharedSecret([u8; 32]);

impl SharedSecret {
    /// Refuses u = 0. Every word is read, and the branch tells only whether all were zero.
    pub(super) fn new(u: &[u64; 4]) -> Result<Self, LowOrderPoint> {
        let any_bit = u.iter().fold(0, |bits, word| bits | word);
        match bool::from(any_bit.ct_eq(&0)) {
            true => Err(LowOrderPoint),
            false => Ok(Self(words::to_bytes(u))),
        }
    }

    /// The bytes, as a copy. The caller answers for wiping it.
    ///
    /// ```
    /// # use rind25519::x25519::{PublicKey, StaticSecret};
    /// let shared = StaticSecret::from([7; 32]).diffie_hellman(&PublicKey::from([9; 32]))?;
    /// assert_eq!(&shared.to_bytes(), shared.as_bytes());
    /// # Ok::<(), rind25519::x25519::LowOrderPoint>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The bytes.
    ///
    /// ```
    /// # use rind25519::x25519::{PublicKey, StaticSecret};
    /// let shared = StaticSecret::from([7; 32]).diffie_hellman(&PublicKey::from([9; 32]))?;
    /// assert_eq!(shared.as_bytes().len(), 32);
    /// # Ok::<(), rind25519::x25519::LowOrderPoint>(())
    /// ```
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl AsRef<[u8]> for SharedSecret {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

constant_time_eq!(SharedSecret: 0);

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSecret").finish_non_exhaustive()
    }
}

impl Drop for SharedSecret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for SharedSecret {}

/// The peer's public key is a point of low order: nothing is shared, and anyone knows the result.
///
/// ```
/// use rind25519::x25519::{LowOrderPoint, PublicKey, StaticSecret};
///
/// let one = PublicKey::from(core::array::from_fn(|i| u8::from(i == 0)));
/// assert_eq!(StaticSecret::from([7; 32]).diffie_hellman(&one), Err(LowOrderPoint));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LowOrderPoint;

impl fmt::Display for LowOrderPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the X25519 public key is a point of low order")
    }
}

impl core::error::Error for LowOrderPoint {}
