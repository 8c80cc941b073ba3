//! X25519 key agreement (RFC 7748).
//!
//! ```
//! use rind25519::x25519::{EphemeralSecret, PublicKey, StaticSecret};
//!
//! let ours = EphemeralSecret::random()?;
//! let theirs = StaticSecret::random()?;
//! let (our_public, their_public) = (PublicKey::from(&ours), PublicKey::from(&theirs));
//!
//! let shared = ours.diffie_hellman(&their_public)?;
//! assert_eq!(shared, theirs.diffie_hellman(&our_public)?);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! A peer's point of small order would make the shared secret zero whatever our secret is; agreement
//! refuses it with [`LowOrderPoint`], as RFC 7748, section 6.1, allows and TLS 1.3 requires.
//! The shared secret is a point, not a key: derive keys from it and both public keys by a KDF.

mod public;
mod secret;
#[cfg(feature = "serde")]
mod serde;
mod shared;

pub use public::PublicKey;
pub use secret::{EphemeralSecret, StaticSecret};
pub use shared::{LowOrderPoint, SharedSecret};

use crate::{curve::words, low::door};
use zeroize::Zeroizing;

/// The function X25519(k, u) of RFC 7748, section 5, on bytes: k is clamped, bit 255 of u is ignored
/// and u is taken mod p. For protocols built on the bare function; [`EphemeralSecret`] and
/// [`StaticSecret`] also wipe the secret and refuse points of small order, for which this returns
/// zero.
///
/// # Timing
/// Constant.
///
/// ```
/// use rind25519::x25519::{PublicKey, StaticSecret, x25519};
///
/// let mut base = [0; 32];
/// base[0] = 9;
/// let public = PublicKey::from(&StaticSecret::from([7; 32]));
/// assert_eq!(x25519([7; 32], base), public.to_bytes());
/// ```
pub fn x25519(k: [u8; 32], u: [u8; 32]) -> [u8; 32] {
    let scalar = Zeroizing::new(words::from_bytes(&k));
    words::to_bytes(&Zeroizing::new(door::curve25519_x25519(&scalar, &words::from_bytes(&u))))
}
