//! The private key, and deterministic signing.

use super::{
    ContextError, Digest, KeyError, MultipartSigner, Sha512, Signature, Signer, VerifyingKey,
    domain::{self, Domain},
    signature,
};
use crate::{
    constant_time::constant_time_eq,
    curve::{scalar, words},
    low::door,
};
use core::fmt;
use sha2::digest::consts::U64;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A private key: a 32-byte seed, and what RFC 8032 derives from it, computed once.
///
/// It is wiped when dropped, and its `Debug` shows the public key only. Comparison takes the same
/// time wherever two keys differ. Moving a key, as any value in Rust, may leave its bytes behind
/// where it was; a key that is made once and kept behind a reference or a `Box` is not moved.
///
/// ```
/// use rind25519::ed25519::SigningKey;
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let signature = key.sign(b"a message");
/// assert_eq!(key.verifying_key().verify(b"a message", &signature), Ok(()));
/// assert!(!format!("{key:?}").contains("seed"));
/// ```
#[derive(Clone)]
pub struct SigningKey {
    seed: [u8; 32],
    /// s, clamped: in \[2^254, 2^255), a multiple of 8.
    scalar: [u64; 4],
    /// The second half of SHA-512(seed), the key of the nonce.
    prefix: [u8; 32],
    verifying_key: VerifyingKey,
}

impl SigningKey {
    /// The key of a 32-byte seed, the private key of RFC 8032. Any seed is a key; a good one is
    /// uniformly random.
    ///
    /// # Timing
    /// Constant.
    ///
    /// Source: RFC 8032, section 5.1.5.
    ///
    /// ```
    /// use rind25519::ed25519::SigningKey;
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// assert_eq!(key.verifying_key().as_bytes()[..4], [0xea, 0x4a, 0x6c, 0x63]);
    /// ```
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        let hash = domain::sha512(Sha512::new().chain_update(seed));
        // Filled in place: an array that is returned and then stored leaves a copy on the stack.
        let mut scalar = Zeroizing::new([0; 4]);
        for (word, bytes) in scalar.iter_mut().zip(hash.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        scalar::clamp(&mut scalar);
        let mut prefix = Zeroizing::new([0; 32]);
        prefix.copy_from_slice(&hash[32..]);
        Self {
            seed: *seed,
            scalar: *scalar,
            prefix: *prefix,
            verifying_key: VerifyingKey::from_point(&door::edwards25519_scalarmulbase(&scalar)),
        }
    }

    /// A fresh key from the operating system's random generator.
    ///
    /// # Errors
    /// The generator's, where it fails.
    ///
    /// # Timing
    /// Constant, but for the system call.
    ///
    /// ```
    /// use rind25519::ed25519::SigningKey;
    ///
    /// let key = SigningKey::generate()?;
    /// assert_ne!(key, SigningKey::generate()?);
    /// # Ok::<(), rind25519::RandomError>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, crate::RandomError> {
        let mut seed = Zeroizing::new([0; 32]);
        crate::random::fill(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// A fresh key from the caller's random generator.
    ///
    /// # Timing
    /// Constant, but for the generator.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// fn new_key(rng: &mut impl rand_core::CryptoRng) -> SigningKey {
    ///     SigningKey::generate_from_rng(rng)
    /// }
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn generate_from_rng<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(key) = Self::try_generate_from_rng(rng);
        key
    }

    /// A fresh key from a random generator that may fail.
    ///
    /// # Errors
    /// The generator's.
    ///
    /// # Timing
    /// Constant, but for the generator.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// fn new_key<R: rand_core::TryCryptoRng>(rng: &mut R) -> Result<SigningKey, R::Error> {
    ///     SigningKey::try_generate_from_rng(rng)
    /// }
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn try_generate_from_rng<R: rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(&mut *seed)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a pair in the 64-byte form: the seed, then the public key.
    ///
    /// # Errors
    /// [`KeyError::MismatchedPair`] where the second half is not, byte for byte, the public key of
    /// the first: another key, the same with a point of small order added, or a second encoding.
    /// Signing with such a pair would reveal the private key.
    ///
    /// # Timing
    /// Constant.
    ///
    /// ```
    /// use rind25519::ed25519::{KeyError, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let mut pair = key.to_keypair_bytes();
    /// assert_eq!(SigningKey::from_keypair_bytes(&pair), Ok(key));
    /// pair[63] ^= 0x80;
    /// assert_eq!(SigningKey::from_keypair_bytes(&pair), Err(KeyError::MismatchedPair));
    /// ```
    pub fn from_keypair_bytes(pair: &[u8; 64]) -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        seed.copy_from_slice(&pair[..32]);
        Self::from_seed(&seed).if_matching(&pair[32..])
    }

    /// This key, if `public` is its public key. Constant time.
    pub(super) fn if_matching(self, public: &[u8]) -> Result<Self, KeyError> {
        match bool::from(self.verifying_key.as_bytes()[..].ct_eq(public)) {
            true => Ok(self),
            false => Err(KeyError::MismatchedPair),
        }
    }

    /// The seed. The caller answers for wiping it.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// assert_eq!(SigningKey::from_seed(&[7; 32]).to_seed(), [7; 32]);
    /// ```
    pub fn to_seed(&self) -> [u8; 32] {
        self.seed
    }

    /// The seed by reference, for a caller who makes no copy.
    #[cfg(any(feature = "pkcs8", feature = "serde"))]
    pub(super) fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// The seed, then the public key. The caller answers for wiping them.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// assert_eq!(key.to_keypair_bytes()[32..], key.verifying_key().to_bytes());
    /// ```
    pub fn to_keypair_bytes(&self) -> [u8; 64] {
        let mut pair = [0; 64];
        pair[..32].copy_from_slice(&self.seed);
        pair[32..].copy_from_slice(self.verifying_key.as_bytes());
        pair
    }

    /// The public key.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// let public = SigningKey::from_seed(&[7; 32]).verifying_key();
    /// assert!(!public.is_small_order());
    /// ```
    pub fn verifying_key(&self) -> VerifyingKey {
        self.verifying_key
    }

    /// Signs with Ed25519. Deterministic: the same key and message give the same signature.
    ///
    /// # Timing
    /// Constant for messages of one length. No allocation.
    ///
    /// Source: RFC 8032, section 5.1.6.
    ///
    /// ```
    /// # use rind25519::ed25519::SigningKey;
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// assert_eq!(key.sign(b"a message"), key.sign(b"a message"));
    /// ```
    pub fn sign(&self, message: &[u8]) -> Signature {
        self.sign_parts(Domain::PURE, &[message])
    }

    /// Signs with Ed25519ph a message that was hashed already: RFC 8032 means SHA-512, and any
    /// other 64-byte hash that signer and verifier agree on will do. No context and an empty one
    /// are the same.
    ///
    /// # Errors
    /// [`ContextError::TooLong`] for a context of more than 255 bytes.
    ///
    /// # Timing
    /// Constant for contexts of one length. No allocation.
    ///
    /// Source: RFC 8032, section 5.1.6, with F = 1.
    ///
    /// ```
    /// use rind25519::ed25519::{Digest, Sha512, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let hash = Sha512::new().chain_update(b"a long ").chain_update(b"message");
    /// let signature = key.sign_prehashed(hash.clone(), Some(b"invoices"))?;
    /// key.verifying_key().verify_prehashed(hash.clone(), Some(b"invoices"), &signature)?;
    /// assert!(key.verifying_key().verify_prehashed(hash, None, &signature).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn sign_prehashed<D: Digest<OutputSize = U64>>(
        &self,
        digest: D,
        context: Option<&[u8]>,
    ) -> Result<Signature, ContextError> {
        Ok(self.sign_parts(Domain::prehashed(context)?, &[&digest.finalize()]))
    }

    /// Signs with Ed25519ctx: the context names the use, and a signature for one use is none for
    /// another.
    ///
    /// # Errors
    /// [`ContextError::Empty`] for an empty context, [`ContextError::TooLong`] for one of more than
    /// 255 bytes.
    ///
    /// # Timing
    /// Constant for messages and contexts of one length. No allocation.
    ///
    /// Source: RFC 8032, section 5.1.6, with F = 0.
    ///
    /// ```
    /// use rind25519::ed25519::SigningKey;
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let signature = key.sign_with_context(b"a message", b"invoices")?;
    /// key.verifying_key().verify_with_context(b"a message", b"invoices", &signature)?;
    /// assert!(key.verifying_key().verify(b"a message", &signature).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn sign_with_context(
        &self,
        message: &[u8],
        context: &[u8],
    ) -> Result<Signature, ContextError> {
        Ok(self.sign_parts(Domain::with_context(context)?, &[message]))
    }

    /// r = H(prefix ‖ M), R = \[r\]B, k = H(R ‖ A ‖ M), S = r + k·s mod L.
    fn sign_parts(&self, domain: Domain<'_>, message: &[&[u8]]) -> Signature {
        let r = domain.hash_to_scalar(&[&self.prefix], message);
        let big_r = door::edwards25519_encode(&door::edwards25519_scalarmulbase(&r));
        let k = domain.hash_to_scalar(&[&big_r, self.verifying_key.as_bytes()], message);
        let s = door::bignum_madd_n25519(&k, &self.scalar, &r);
        Signature::from_components(big_r, words::to_bytes(&s))
    }
}

impl Signer<Signature> for SigningKey {
    /// [`SigningKey::sign`]; never fails.
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.sign(message))
    }
}

impl MultipartSigner<Signature> for SigningKey {
    /// Signs the concatenation of the parts; never fails.
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature, signature::Error> {
        Ok(self.sign_parts(Domain::PURE, message))
    }
}

impl AsRef<VerifyingKey> for SigningKey {
    fn as_ref(&self) -> &VerifyingKey {
        &self.verifying_key
    }
}

impl signature::KeypairRef for SigningKey {
    type VerifyingKey = VerifyingKey;
}

impl TryFrom<&[u8]> for SigningKey {
    type Error = KeyError;

    /// The key of a seed.
    fn try_from(seed: &[u8]) -> Result<Self, KeyError> {
        match seed.try_into() {
            Ok(seed) => Ok(Self::from_seed(seed)),
            Err(_) => Err(KeyError::WrongLength { got: seed.len() }),
        }
    }
}

constant_time_eq!(SigningKey: seed);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying_key", &self.verifying_key)
            .finish_non_exhaustive()
    }
}

impl Drop for SigningKey {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.scalar.zeroize();
        self.prefix.zeroize();
    }
}

impl ZeroizeOnDrop for SigningKey {}
