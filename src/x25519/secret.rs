//! Secret keys: one that agrees once, and one that is kept.

use super::{LowOrderPoint, PublicKey, SharedSecret};
use crate::{constant_time::constant_time_eq, curve::words, low::door};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Thirty-two secret bytes, wiped when dropped. Clamping is left to each use, so that they come out
/// as they went in.
#[derive(Clone)]
pub(super) struct Scalar(pub(super) [u8; 32]);

impl Scalar {
    fn words(&self) -> Zeroizing<[u64; 4]> {
        Zeroizing::new(words::from_bytes(&self.0))
    }

    pub(super) fn public(&self) -> [u8; 32] {
        words::to_bytes(&door::curve25519_x25519base(&self.words()))
    }

    fn agree(&self, their_public: &PublicKey) -> Result<SharedSecret, LowOrderPoint> {
        let point = words::from_bytes(their_public.as_bytes());
        SharedSecret::new(&Zeroizing::new(door::curve25519_x25519(&self.words(), &point)))
    }

    #[cfg(feature = "getrandom")]
    fn random() -> Result<Self, crate::RandomError> {
        let mut scalar = Zeroizing::new([0; 32]);
        crate::random::fill(&mut *scalar)?;
        Ok(Self(*scalar))
    }

    #[cfg(feature = "rand_core")]
    fn try_random_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut scalar = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(&mut *scalar)?;
        Ok(Self(*scalar))
    }
}

impl Drop for Scalar {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// What both kinds of secret offer; agreement differs, for one is consumed by it.
macro_rules! secret {
    ($name:ident) => {
        impl $name {
            /// A fresh secret from the operating system's random generator.
            ///
            /// # Errors
            /// The generator's, where it fails.
            ///
            /// # Timing
            /// Constant, but for the system call.
            ///
            /// ```
            #[doc = concat!("use rind25519::x25519::{PublicKey, ", stringify!($name), "};")]
            ///
            #[doc = concat!("let secret = ", stringify!($name), "::random()?;")]
            /// let public = PublicKey::from(&secret);
            /// # Ok::<(), rind25519::RandomError>(())
            /// ```
            #[cfg(feature = "getrandom")]
            pub fn random() -> Result<Self, crate::RandomError> {
                Scalar::random().map(Self)
            }

            /// A fresh secret from the caller's random generator.
            ///
            /// # Timing
            /// Constant, but for the generator.
            ///
            /// ```
            #[doc = concat!("# use rind25519::x25519::", stringify!($name), ";")]
            #[doc = concat!("fn fresh(rng: &mut impl rand_core::CryptoRng) -> ", stringify!($name), " {")]
            #[doc = concat!("    ", stringify!($name), "::random_from_rng(rng)")]
            /// }
            /// ```
            #[cfg(feature = "rand_core")]
            pub fn random_from_rng<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
                let Ok(secret) = Self::try_random_from_rng(rng);
                secret
            }

            /// A fresh secret from a random generator that may fail.
            ///
            /// # Errors
            /// The generator's.
            ///
            /// # Timing
            /// Constant, but for the generator.
            ///
            /// ```
            #[doc = concat!("# use rind25519::x25519::", stringify!($name), ";")]
            /// fn fresh<R: rand_core::TryCryptoRng>(
            ///     rng: &mut R,
            #[doc = concat!(") -> Result<", stringify!($name), ", R::Error> {")]
            #[doc = concat!("    ", stringify!($name), "::try_random_from_rng(rng)")]
            /// }
            /// ```
            #[cfg(feature = "rand_core")]
            pub fn try_random_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
                rng: &mut R,
            ) -> Result<Self, R::Error> {
                Scalar::try_random_from_rng(rng).map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

/// A secret for one agreement, which consumes it. Wiped when dropped; no bytes go in or out.
///
/// ```
/// use rind25519::x25519::{EphemeralSecret, PublicKey};
///
/// let (ours, theirs) = (EphemeralSecret::random()?, EphemeralSecret::random()?);
/// let (our_public, their_public) = (PublicKey::from(&ours), PublicKey::from(&theirs));
/// assert_eq!(ours.diffie_hellman(&their_public)?, theirs.diffie_hellman(&our_public)?);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct EphemeralSecret(pub(super) Scalar);

impl EphemeralSecret {
    /// The secret shared with the owner of `their_public`. This one is used up and wiped.
    ///
    /// # Errors
    /// [`LowOrderPoint`] where the result is zero, which tells nothing of either secret.
    ///
    /// # Timing
    /// Constant, but for whether the point was of low order.
    ///
    /// Source: RFC 7748, sections 5 and 6.1.
    ///
    /// ```
    /// use rind25519::x25519::{EphemeralSecret, LowOrderPoint, PublicKey};
    ///
    /// let zero = PublicKey::from([0; 32]);
    /// assert_eq!(EphemeralSecret::random()?.diffie_hellman(&zero), Err(LowOrderPoint));
    /// # Ok::<(), rind25519::RandomError>(())
    /// ```
    pub fn diffie_hellman(self, their_public: &PublicKey) -> Result<SharedSecret, LowOrderPoint> {
        self.0.agree(their_public)
    }
}

secret!(EphemeralSecret);

/// A secret that is kept and used again. Wiped when dropped.
///
/// ```
/// use rind25519::x25519::{PublicKey, StaticSecret};
///
/// let (ours, theirs) = (StaticSecret::from([7; 32]), StaticSecret::from([8; 32]));
/// let shared = ours.diffie_hellman(&PublicKey::from(&theirs))?;
/// assert_eq!(shared, theirs.diffie_hellman(&PublicKey::from(&ours))?);
/// # Ok::<(), rind25519::x25519::LowOrderPoint>(())
/// ```
#[derive(Clone)]
pub struct StaticSecret(pub(super) Scalar);

impl StaticSecret {
    /// The secret shared with the owner of `their_public`.
    ///
    /// # Errors
    /// [`LowOrderPoint`] where the result is zero, which tells nothing of either secret.
    ///
    /// # Timing
    /// Constant, but for whether the point was of low order.
    ///
    /// Source: RFC 7748, sections 5 and 6.1.
    ///
    /// ```
    /// use rind25519::x25519::{LowOrderPoint, PublicKey, StaticSecret};
    ///
    /// let zero = PublicKey::from([0; 32]);
    /// assert_eq!(StaticSecret::from([7; 32]).diffie_hellman(&zero), Err(LowOrderPoint));
    /// ```
    pub fn diffie_hellman(&self, their_public: &PublicKey) -> Result<SharedSecret, LowOrderPoint> {
        self.0.agree(their_public)
    }

    /// The bytes it was made from, not clamped, as a copy. The caller answers for wiping it.
    ///
    /// ```
    /// # use rind25519::x25519::StaticSecret;
    /// assert_eq!(StaticSecret::from([7; 32]).to_bytes(), [7; 32]);
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.0
    }

    /// The bytes it was made from, not clamped.
    ///
    /// ```
    /// # use rind25519::x25519::StaticSecret;
    /// assert_eq!(StaticSecret::from([7; 32]).as_bytes(), &[7; 32]);
    /// ```
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0.0
    }
}

secret!(StaticSecret);

/// Any 32 bytes are a secret; good ones are uniformly random.
impl From<[u8; 32]> for StaticSecret {
    fn from(bytes: [u8; 32]) -> Self {
        Self(Scalar(bytes))
    }
}

impl AsRef<[u8]> for StaticSecret {
    fn as_ref(&self) -> &[u8] {
        &self.0.0
    }
}

// Compares the bytes, not the clamped integers.
constant_time_eq!(StaticSecret: 0.0);
