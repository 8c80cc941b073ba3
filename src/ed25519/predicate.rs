//! What "valid" means, as data, and the one function that applies it.

use super::{Rejection, Signature, VerifyingKey, domain::Domain};
use crate::curve::{
    encoding,
    equation::{self, Commitment},
    scalar, small_order, words,
};

/// A verification rule: which signatures are valid, said field by field.
///
/// On signatures of honest signers under honest keys all rules agree. They differ on what only an
/// attacker makes: keys and commitments of small or mixed order, second encodings of a point,
/// scalars out of range. Systems that must agree on every verdict must use one rule.
///
/// The constants are the rules of real systems. A rule of your own is a constant with fields changed;
/// two rules are equal where their fields are, whatever they are called.
///
/// ```
/// use rind25519::ed25519::{Predicate, SigningKey, SmallOrder};
///
/// /// ZIP 215, but nobody signs for a key of small order.
/// const BOUND: Predicate = Predicate { small_order: SmallOrder::KeyRejected, ..Predicate::ZIP215 };
///
/// let key = SigningKey::from_seed(&[7; 32]);
/// let signature = key.sign(b"a message");
/// for rule in [BOUND, Predicate::STANDARD, Predicate::STRICT, Predicate::RFC8032] {
///     assert_eq!(key.verifying_key().verify_with(&rule, b"a message", &signature), Ok(()));
/// }
/// ```
///
/// **Contradictions do not type-check.** What is multiplied by the cofactor and how R is compared
/// are one field, [`Equation`], for bytes cannot be multiplied by 8; which keys are taken and which
/// bytes of theirs are hashed are one field, [`KeyEncoding`], for a canonical key has no other.
///
/// **Order.** The checks run in the order of [`Rejection`]'s variants: S, then the key, then R, then
/// the equation. The first that fails is the one reported, by every tier.
///
/// **What a field decides in practice.** The only second encodings whose discrete logarithm anyone
/// knows are those of points of small order. So where a rule rejects small order in A, whether it
/// also rejects second encodings of A changes the reason but no verdict that anyone can bring about;
/// the same goes for R.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// Which S are taken.
    pub scalar: ScalarRange,
    /// Which encodings of the key A are taken, and which bytes of A are hashed.
    pub key: KeyEncoding,
    /// What must hold of S, R, A and k = SHA-512(R ‖ A ‖ M) mod L.
    pub equation: Equation,
    /// Whether A and R may have order 1, 2, 4 or 8.
    pub small_order: SmallOrder,
}

/// Which S a rule takes, as an integer of 256 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarRange {
    /// S < L, as RFC 8032 says: each signature has one S.
    BelowL,
    /// S < 2^253: the top three bits are clear. S + L is a second S for about every signature.
    Below253Bits,
}

/// Which encodings of a point are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointEncoding {
    /// y is taken mod p; x = 0 with the sign bit set is x = 0.
    Any,
    /// y < p, and x = 0 comes without the sign bit.
    Canonical,
}

/// Which encodings of the key are taken, and which of its bytes are hashed. A key that is no point is
/// rejected by every rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyEncoding {
    /// Any encoding, as in [`PointEncoding::Any`]; the bytes are hashed as they came.
    Any,
    /// Any encoding; what is hashed is the canonical encoding of the point, so a key's second
    /// encoding has the signatures of the first.
    Reencoded,
    /// Canonical encodings only.
    Canonical,
}

/// What must hold, and with it what R has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Equation {
    /// \[S\]B − \[k\]A encodes as R, byte for byte: an R that is no canonical encoding of a point
    /// fails the equation.
    Bytes,
    /// \[S\]B = R + \[k\]A, where R is a point in any encoding. (With R in canonical encoding this
    /// is [`Bytes`](Self::Bytes).)
    Point,
    /// \[8\]\[S\]B = \[8\]R + \[8\]\[k\]A, where R is a point in such an encoding.
    Cofactored(PointEncoding),
}

/// What a rule does with keys A and commitments R of small order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SmallOrder {
    /// Both may have it.
    Allowed,
    /// A may not; R may. That is enough for a signature to bind its key and its message.
    KeyRejected,
    /// Neither may.
    Rejected,
}

impl Predicate {
    /// The rule's name, where it is one of the constants.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, SmallOrder};
    /// let strict = Predicate { small_order: SmallOrder::Rejected, ..Predicate::STANDARD };
    /// assert_eq!(strict.name(), Some("STRICT"));
    /// let mine = Predicate { small_order: SmallOrder::KeyRejected, ..Predicate::STANDARD };
    /// assert_eq!(mine.name(), None);
    /// ```
    pub fn name(&self) -> Option<&'static str> {
        Self::NAMED.iter().find(|(_, rule)| rule == self).map(|(name, _)| *name)
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
        self.scalar.read(&signature)?;
        let [a, r] = equation::decode_pair_vartime(key, signature.r_bytes());
        let key = VerifyingKey::from_decoded(key, &a.ok_or(Rejection::KeyNotAPoint)?);
        let holds = equation::holds_vartime;
        self.interpret(Domain::PURE, &key, &[message], &signature, || r, holds)
    }

    /// All verification under a [`VerifyingKey`] ends here.
    pub(super) fn apply(
        &self,
        domain: Domain<'_>,
        key: &VerifyingKey,
        message: &[&[u8]],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        let r = || equation::decode_vartime(signature.r_bytes());
        self.interpret(domain, key, message, signature, r, equation::holds_vartime)
    }

    /// [`verify_with`](VerifyingKey::verify_with) by the full-size equation alone, for the tests.
    #[cfg(rind_internals)]
    #[doc(hidden)]
    pub fn verify_full_size(
        &self,
        key: &VerifyingKey,
        message: &[u8],
        signature: &Signature,
    ) -> Result<(), Rejection> {
        let r = || equation::decode_vartime(signature.r_bytes());
        let holds = equation::holds_full_size_vartime;
        self.interpret(Domain::PURE, key, &[message], signature, r, holds)
    }

    /// The one interpreter of a rule, over a way to evaluate the equation. `r_point` is what R decodes
    /// to, leniently; it is asked at most once, and not before the key has passed.
    #[inline(always)]
    fn interpret(
        &self,
        domain: Domain<'_>,
        key: &VerifyingKey,
        message: &[&[u8]],
        signature: &Signature,
        r_point: impl FnOnce() -> Option<[u64; 8]>,
        holds: impl FnOnce(&[u64; 8], &[u64; 4], &[u64; 4], &Commitment<'_>) -> bool,
    ) -> Result<(), Rejection> {
        let s = self.scalar.read(signature)?;
        let (a, r) = (key.as_bytes(), signature.r_bytes());
        if self.key == KeyEncoding::Canonical && !encoding::is_canonical_vartime(a) {
            return Err(Rejection::KeyNonCanonical);
        }
        if self.small_order != SmallOrder::Allowed && small_order::is_small_order_vartime(a) {
            return Err(Rejection::KeySmallOrder);
        }
        let commitment = self.equation.read(r, r_point)?;
        if self.small_order == SmallOrder::Rejected && small_order::is_small_order_vartime(r) {
            return Err(Rejection::SignatureRSmallOrder);
        }
        let k = match self.key {
            KeyEncoding::Reencoded => domain.hash_to_scalar(&[r, &key.reencoded()], message),
            KeyEncoding::Any | KeyEncoding::Canonical => domain.hash_to_scalar(&[r, a], message),
        };
        match holds(key.minus_a(), &k, &s, &commitment) {
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

impl ScalarRange {
    /// S, an integer below the range's end; the first check of every rule.
    fn read(self, signature: &Signature) -> Result<[u64; 4], Rejection> {
        let s: [u64; 4] = words::from_bytes(signature.s_bytes());
        let in_range = match self {
            Self::BelowL => scalar::is_below_l_vartime(&s),
            Self::Below253Bits => s[3] >> (253 - 192) == 0,
        };
        match in_range {
            true => Ok(s),
            false => Err(Rejection::ScalarOutOfRange),
        }
    }
}

impl Equation {
    /// R as this equation compares it. `point` is what R decodes to, leniently.
    fn read(
        self,
        r: &[u8; 32],
        point: impl FnOnce() -> Option<[u64; 8]>,
    ) -> Result<Commitment<'_>, Rejection> {
        let canonical = || encoding::is_canonical_vartime(r);
        let no_point = Rejection::SignatureRNotAPoint;
        match self {
            Self::Bytes => Ok(Commitment::Encoded(r, canonical().then(point).flatten())),
            Self::Point => Ok(Commitment::Point(point().ok_or(no_point)?)),
            Self::Cofactored(accepted) => {
                let point = point().ok_or(no_point)?;
                match accepted == PointEncoding::Any || canonical() {
                    true => Ok(Commitment::Cofactored(point)),
                    false => Err(Rejection::SignatureRNonCanonical),
                }
            }
        }
    }
}
