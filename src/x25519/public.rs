//! The public key of an X25519 secret.

use super::{EphemeralSecret, StaticSecret};
use zeroize::Zeroize;

/// A public key: the 32 bytes of a u coordinate. Any 32 bytes are one.
///
/// Two keys are equal where their bytes are.
///
/// ```
/// use rind25519::x25519::{PublicKey, StaticSecret};
///
/// let public = PublicKey::from(&StaticSecret::from([7; 32]));
/// assert_eq!(PublicKey::from(public.to_bytes()), public);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PublicKey(pub(super) [u8; 32]);

impl PublicKey {
    /// The bytes, as a copy.
    ///
    /// ```
    /// # use rind25519::x25519::PublicKey;
    /// assert_eq!(PublicKey::from([9; 32]).to_bytes(), [9; 32]);
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The bytes.
    ///
    /// ```
    /// # use rind25519::x25519::PublicKey;
    /// assert_eq!(PublicKey::from([9; 32]).as_bytes(), &[9; 32]);
    /// ```
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl From<[u8; 32]> for PublicKey {
    fn from(u: [u8; 32]) -> Self {
        Self(u)
    }
}

/// The public key of a secret: X25519 of the base point. Constant time.
impl From<&EphemeralSecret> for PublicKey {
    fn from(secret: &EphemeralSecret) -> Self {
        Self(secret.0.public())
    }
}

/// The public key of a secret: X25519 of the base point. Constant time.
impl From<&StaticSecret> for PublicKey {
    fn from(secret: &StaticSecret) -> Self {
        Self(secret.0.public())
    }
}

impl AsRef<[u8]> for PublicKey {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Zeroize for PublicKey {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
