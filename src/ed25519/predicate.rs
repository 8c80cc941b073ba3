//! What "valid" means, as data: the rules of real systems, and the one function that applies them.

use super::{KeyError, Rejection, Signature, VerifyingKey, domain::Domain};
use crate::curve::{encoding, equation, scalar, small_order, words};

/// A verification rule, by name.
///
/// On signatures of honest signers under honest keys all rules agree. They differ on what only an
/// attacker makes: keys and commitments of small or mixed order, second encodings of a point.
/// Systems that must agree on every verdict must use one rule.
///
/// ```
/// use rind25519::ed25519::{Predicate, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let signature = key.sign(b"a message");
/// for rule in [Predicate::STANDARD, Predicate::STRICT, Predicate::AWS_LC] {
///     assert_eq!(key.verifying_key().verify_with(&rule, b"a message", &signature), Ok(()));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    name: &'static str,
    key_encoding: KeyEncoding,
    small_order: SmallOrder,
}

/// Which encodings of a key a rule takes. A key that is no point is rejected by every rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyEncoding {
    /// y is taken mod p; x = 0 with the sign bit set is x = 0.
    Any,
    /// y < p, and x = 0 comes without the sign bit.
    Canonical,
}

/// What a rule does with keys A and commitments R of small order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SmallOrder {
    Allowed,
    Rejected,
}

impl Predicate {
    /// The rule of Go, BoringSSL, ring, OpenSSL 3 and dalek's `verify`; the default.
    ///
    /// S < L; the key is taken mod p, any encoding; the encoding of \[S\]B − \[k\]A is, byte for
    /// byte, R; nothing is multiplied by the cofactor.
    ///
    /// It gives up: binding to a key and message. The holder of a key of small order has signatures
    /// that hold for many messages. Use [`STRICT`](Self::STRICT) where the signer may be the enemy.
    ///
    /// ```
    /// # use rind25519::ed25519::Predicate;
    /// assert_eq!(Predicate::default(), Predicate::STANDARD);
    /// ```
    pub const STANDARD: Self =
        Self { name: "STANDARD", key_encoding: KeyEncoding::Any, small_order: SmallOrder::Allowed };

    /// The rule of dalek's `verify_strict`, and of Solana: [`STANDARD`](Self::STANDARD), and neither
    /// the key nor R may have small order.
    ///
    /// It gives up: some signatures that other implementations accept. None of them comes from an
    /// honest signer.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection, Signature, VerifyingKey};
    /// let mut identity = [0; 32];
    /// identity[0] = 1;
    /// let weak = VerifyingKey::from_bytes(&identity)?;
    /// let mut forged = [0; 64];
    /// forged[0] = 1;
    /// let forged = Signature::from_bytes(&forged);
    /// assert_eq!(weak.verify_with(&Predicate::STANDARD, b"anything", &forged), Ok(()));
    /// let strict = weak.verify_with(&Predicate::STRICT, b"anything", &forged);
    /// assert_eq!(strict, Err(Rejection::KeySmallOrder));
    /// # Ok::<(), rind25519::ed25519::KeyError>(())
    /// ```
    pub const STRICT: Self =
        Self { name: "STRICT", small_order: SmallOrder::Rejected, ..Self::STANDARD };

    /// The rule of AWS-LC on s2n-bignum, and so of aws-lc-rs: [`STANDARD`](Self::STANDARD), and the
    /// key's encoding is canonical. `rustls-rind25519` verifies under it.
    ///
    /// It gives up what `STANDARD` does: a key of small order in canonical form is accepted.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection, Signature, VerifyingKey};
    /// let mut forged = [0; 64];
    /// forged[0] = 1; // R is the neutral point, S = 0
    /// let mut key = [0xff; 32];
    /// (key[0], key[31]) = (0xee, 0x7f); // y = p + 1: the neutral point again
    /// assert_eq!(Predicate::STANDARD.verify(&key, b"anything", &forged), Ok(()));
    /// let verdict = Predicate::AWS_LC.verify(&key, b"anything", &forged);
    /// assert_eq!(verdict, Err(Rejection::KeyNonCanonical));
    /// ```
    pub const AWS_LC: Self =
        Self { name: "AWS_LC", key_encoding: KeyEncoding::Canonical, ..Self::STANDARD };

    /// The rule's name, as its constant has it.
    ///
    /// ```
    /// # use rind25519::ed25519::Predicate;
    /// assert_eq!(Predicate::STRICT.name(), "STRICT");
    /// ```
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Applies the rule to a key and a signature as bytes. With a key that verifies more than one
    /// signature, [`VerifyingKey::verify_with`] saves decoding it again.
    ///
    /// # Errors
    /// The first [`Rejection`] in the order of its variants.
    ///
    /// # Timing
    /// Variable; everything here is public.
    ///
    /// ```
    /// use rind25519::ed25519::{Predicate, Rejection, SigningKey};
    ///
    /// let key = SigningKey::from_seed(&[7; 32]);
    /// let public = key.verifying_key().to_bytes();
    /// let signature = key.sign(b"a message").to_bytes();
    /// assert_eq!(Predicate::STANDARD.verify(&public, b"a message", &signature), Ok(()));
    ///
    /// let mut no_point = [0; 32];
    /// no_point[0] = 2;
    /// let verdict = Predicate::STANDARD.verify(&no_point, b"a message", &signature);
    /// assert_eq!(verdict, Err(Rejection::KeyNotAPoint));
    /// ```
    pub fn verify(
        &self,
        key: &[u8; 32],
        message: &[u8],
        signature: &[u8; 64],
    ) -> Result<(), Rejection> {
        let signature = Signature::from_bytes(signature);
        // S comes first in the order of checks, and it is cheaper than a square root.
        scalar_of(&signature)?;
        let key = VerifyingKey::from_bytes(key).map_err(|_: KeyError| Rejection::KeyNotAPoint)?;
        self.apply(Domain::PURE, &key, &[message], &signature)
    }

    /// The one interpreter of a rule: every verification ends here.
    pub(super) fn apply(
        &self,
        domain: Domain<'_>,
        key: &VerifyingKey,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        let s = scalar_of(signature)?;
        let (a, r) = (key.as_bytes(), signature.r_bytes());
        if self.key_encoding == KeyEncoding::Canonical && !encoding::is_canonical_vartime(a) {
            return Err(Rejection::KeyNonCanonical);
        }
        if self.small_order == SmallOrder::Rejected {
            if small_order::is_small_order_vartime(a) {
                return Err(Rejection::KeySmallOrder);
            }
            if small_order::is_small_order_vartime(r) {
                return Err(Rejection::SignatureRSmallOrder);
            }
        }
        let k = domain.hash_to_scalar(&[r, a], message);
        match equation::holds_vartime(key.minus_a(), &k, &s, r) {
            true => Ok(()),
            false => Err(Rejection::EquationFailed),
        }
    }
}

impl Default for Predicate {
    /// [`Predicate::STANDARD`].
    fn default() -> Self {
        Self::STANDARD
    }
}

/// S as an integer below L, the first check of every rule.
fn scalar_of(signature: &Signature) -> Result<[u64; 4], Rejection> {
    let s = words::from_bytes(signature.s_bytes());
    match scalar::is_below_l_vartime(&s) {
        true => Ok(s),
        false => Err(Rejection::ScalarOutOfRange),
    }
}
