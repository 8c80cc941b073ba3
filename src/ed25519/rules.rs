//! The rules of real systems, by name: data, and no code of their own.
//!
//! What each gives up is said in the words of two papers. *Strong unforgeability*: nobody but the
//! signer makes a second signature of a signed message. *Message binding* and *exclusive ownership*:
//! not even the signer makes a signature that holds for two messages, or under two keys (Brendel,
//! Cremers, Jackson, Zhao, "The Provable Security of Ed25519: Theory and Practice", 2021: MBS and
//! M-S-UEO; Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs", 2020: strongly binding).
//! *Batch agreement*: checking signatures one by one and in a sum of equations gives one answer
//! (Chalkias et al., who show that without the cofactor it cannot).
//!
//! **As of which version.** Implementations change, and a rule is theirs as of what its *Known* says. *Run*:
//! `rule-peers` had that version judge every signature of the edge corpus, and none differed from the rule.
//! *Published*: the verdicts of Chalkias et al. on their twelve cases, of 2020, which tell a few rules apart
//! and no more; later versions are not known by them. *Read*: a text that is named, and no program.

use super::{Equation, KeyEncoding, PointEncoding, Predicate, ScalarRange, SmallOrder};

impl Predicate {
    /// Every constant below with its name, in the order of the list.
    ///
    /// ```
    /// # use rind25519::ed25519::Predicate;
    /// let (name, rule) = Predicate::NAMED[0];
    /// assert_eq!((name, rule), ("STANDARD", Predicate::STANDARD));
    /// assert_eq!(Predicate::NAMED.len(), 10);
    /// ```
    pub const NAMED: &'static [(&'static str, Self)] = &[
        ("STANDARD", Self::STANDARD),
        ("STRICT", Self::STRICT),
        ("ZIP215", Self::ZIP215),
        ("RFC8032", Self::RFC8032),
        ("AWS_LC", Self::AWS_LC),
        ("LIBSODIUM", Self::LIBSODIUM),
        ("FIREDANCER", Self::FIREDANCER),
        ("SIMD0376", Self::SIMD0376),
        ("REF10", Self::REF10),
        ("EDDSA_JAVA", Self::EDDSA_JAVA),
    ];

    /// The rule of Go's `crypto/ed25519`, BoringSSL, ring, OpenSSL 3 and ed25519-dalek's `verify`; the default.
    ///
    /// S < L; the key in any encoding; the encoding of \[S\]B − \[k\]A is, byte for byte, R; nothing is
    /// multiplied by the cofactor; small order is allowed.
    ///
    /// **Known:** run: ed25519-dalek 3, ring 0.17, OpenSSL 3.0. Published alone: Go and BoringSSL, as of 2020.
    /// OpenSSL from 3.1 on and dalek 2 (`verify` without features) are not run.
    ///
    /// **Accepts, and others do not:** keys and R of small order; second encodings of such keys.
    ///
    /// **Gives up:** message binding and exclusive ownership: the holder of a key of small order has
    /// signatures that hold for many messages, and under other such keys. Batch agreement. It keeps
    /// strong unforgeability. Use [`STRICT`](Self::STRICT) where the signer may be the enemy.
    ///
    /// ```
    /// # use rind25519::ed25519::Predicate;
    /// assert_eq!(Predicate::default(), Predicate::STANDARD);
    /// ```
    pub const STANDARD: Self = Self {
        scalar: ScalarRange::BelowL,
        key: KeyEncoding::Any,
        equation: Equation::Bytes,
        small_order: SmallOrder::Allowed,
    };

    /// The rule of ed25519-dalek's `verify_strict`, and of Solana's validators built on it:
    /// [`STANDARD`](Self::STANDARD), and neither the key nor R may have small order.
    ///
    /// **Known:** run: ed25519-dalek 3. Read: dalek 2, in SIMD-0376, by which dalek 1 compared points, as
    /// [`FIREDANCER`](Self::FIREDANCER) does.
    ///
    /// **Accepts, and others do not:** nothing that [`STANDARD`](Self::STANDARD) rejects.
    ///
    /// **Gives up:** batch agreement. It keeps strong unforgeability, message binding and exclusive
    /// ownership.
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
    pub const STRICT: Self = Self { small_order: SmallOrder::Rejected, ..Self::STANDARD };

    /// The rule of Zcash, [ZIP 215](https://zips.z.cash/zip-0215), and so of ed25519-zebra:
    /// S < L; A and R are points in any encoding; \[8\]\[S\]B = \[8\]R + \[8\]\[k\]A.
    ///
    /// **Known:** run: ed25519-zebra 5.0. Read: ZIP 215.
    ///
    /// **Accepts, and others do not:** whatever torsion is in A and in R, cancelling or not; R in a second
    /// encoding.
    ///
    /// **Gives up:** message binding and exclusive ownership, altogether: for a key of small order, the
    /// key of 32 zero bytes among them, anyone signs any message. It keeps strong unforgeability, and it is
    /// made for batch agreement.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection};
    /// let anyones = [0; 32]; // a point of order 4
    /// let forged = [0; 64]; // R is that point again, S = 0
    /// assert_eq!(Predicate::ZIP215.verify(&anyones, b"anything", &forged), Ok(()));
    /// let verdict = Predicate::SIMD0376.verify(&anyones, b"anything", &forged);
    /// assert_eq!(verdict, Err(Rejection::KeySmallOrder));
    /// ```
    pub const ZIP215: Self =
        Self { equation: Equation::Cofactored(PointEncoding::Any), ..Self::STANDARD };

    /// [RFC 8032](https://www.rfc-editor.org/rfc/rfc8032#section-5.1.7) read literally: section 5.1.7 with
    /// the decoding of section 5.1.3 and the cofactor. S < L; A and R in canonical encoding;
    /// \[8\]\[S\]B = \[8\]R + \[8\]\[k\]A.
    ///
    /// (The RFC goes on to allow the equation without the 8, so implementations that follow it differ.)
    ///
    /// **Known:** read: RFC 8032, of 2017. No implementation of it is run.
    ///
    /// **Accepts, and others do not:** torsion in A and in R, as [`ZIP215`](Self::ZIP215) does.
    ///
    /// **Gives up:** message binding and exclusive ownership: anyone signs for a key of small order. It keeps
    /// strong unforgeability and batch agreement.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection};
    /// let mut forged = [0; 64];
    /// (forged[0], forged[31]) = (1, 0x80); // R: x = 0 and the sign bit; S = 0
    /// let mut key = [0; 32];
    /// key[0] = 1;
    /// assert_eq!(Predicate::ZIP215.verify(&key, b"anything", &forged), Ok(()));
    /// let verdict = Predicate::RFC8032.verify(&key, b"anything", &forged);
    /// assert_eq!(verdict, Err(Rejection::SignatureRNonCanonical));
    /// ```
    pub const RFC8032: Self = Self {
        key: KeyEncoding::Canonical,
        equation: Equation::Cofactored(PointEncoding::Canonical),
        ..Self::STANDARD
    };

    /// The rule of AWS-LC on s2n-bignum, and so of aws-lc-rs; of graviola and of Java's SunEC; on the published
    /// cases also of HACL* and Bouncy Castle. [`STANDARD`](Self::STANDARD), and the key's encoding is canonical.
    /// `rustls-rind25519` verifies under it.
    ///
    /// **Known:** run: aws-lc-rs 1.19, graviola 0.4, SunEC of JDK 17. Published alone: HACL* and Bouncy Castle,
    /// as of 2020.
    ///
    /// **Accepts, and others do not:** keys and R of small order, in canonical encoding.
    ///
    /// **Gives up:** what [`STANDARD`](Self::STANDARD) does.
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
    pub const AWS_LC: Self = Self { key: KeyEncoding::Canonical, ..Self::STANDARD };

    /// The rule of libsodium's `crypto_sign_verify_detached`, 1.0.18 to 1.0.22:
    /// [`AWS_LC`](Self::AWS_LC), and neither the key nor R may have small order.
    ///
    /// **Known:** run: libsodium 1.0.18. Read: Brendel et al.; libsodium's change log, by which keys in second
    /// encodings are rejected since 1.0.16. Up to 1.0.22 as published: none later than 1.0.18 is run.
    ///
    /// **Accepts, and others do not:** nothing that [`STRICT`](Self::STRICT) rejects; and what `STRICT`
    /// accepts beyond it takes a signature under a key whose logarithm nobody knows.
    ///
    /// **Gives up:** batch agreement. It keeps strong unforgeability, message binding and exclusive
    /// ownership; Brendel et al. prove them for this rule, their Ed25519-LibS.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, SmallOrder};
    /// let rule = Predicate { small_order: SmallOrder::Rejected, ..Predicate::AWS_LC };
    /// assert_eq!(rule, Predicate::LIBSODIUM);
    /// ```
    pub const LIBSODIUM: Self = Self { small_order: SmallOrder::Rejected, ..Self::AWS_LC };

    /// The rule of Firedancer, a Solana validator: A and R are points in any encoding, neither of small
    /// order, and \[S\]B = R + \[k\]A.
    ///
    /// **Known:** read: Firedancer's pull request 471, of June 2023, which follows the `verify_strict` of the
    /// dalek of its day. It is not run, in any version.
    ///
    /// **Accepts, and others do not:** nothing that anyone can make: an R that [`STRICT`](Self::STRICT)
    /// rejects and this rule takes is a second encoding of a point whose logarithm nobody knows. The
    /// reasons differ: an R that is no point is [`Rejection::SignatureRNotAPoint`] here.
    ///
    /// **Gives up:** batch agreement, as `STRICT` does.
    ///
    /// [`Rejection::SignatureRNotAPoint`]: super::Rejection::SignatureRNotAPoint
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection, SigningKey};
    /// let key = SigningKey::from_seed(&[7; 32]).verifying_key().to_bytes();
    /// let mut signature = [0; 64];
    /// signature[0] = 2; // no point has y = 2
    /// let verdict = Predicate::FIREDANCER.verify(&key, b"anything", &signature);
    /// assert_eq!(verdict, Err(Rejection::SignatureRNotAPoint));
    /// let verdict = Predicate::STRICT.verify(&key, b"anything", &signature);
    /// assert_eq!(verdict, Err(Rejection::EquationFailed));
    /// ```
    pub const FIREDANCER: Self = Self { equation: Equation::Point, ..Self::STRICT };

    /// The rule planned for Solana, SIMD-0376, as its amendment of September 2026 has it (pull request 616 of
    /// solana-improvement-documents; before, it was [`ZIP215`](Self::ZIP215)): A and R in canonical encoding,
    /// neither of small order, and \[8\]\[S\]B = \[8\]R + \[8\]\[k\]A. A draft: it may change.
    ///
    /// **Known:** read: that pull request. No implementation of it is run.
    ///
    /// **Accepts, and others do not:** torsion in A and in R beside a part of order L, which
    /// [`STRICT`](Self::STRICT) takes only where it cancels.
    ///
    /// **Gives up:** nothing of the four: strong unforgeability, message binding, exclusive ownership and
    /// batch agreement are all kept.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, SmallOrder};
    /// let rule = Predicate { small_order: SmallOrder::Rejected, ..Predicate::RFC8032 };
    /// assert_eq!(rule, Predicate::SIMD0376);
    /// ```
    pub const SIMD0376: Self = Self { small_order: SmallOrder::Rejected, ..Self::RFC8032 };

    /// The rule of ref10, the first implementation (SUPERCOP), and of ed25519-dalek's feature
    /// `legacy_compatibility`: [`STANDARD`](Self::STANDARD) with S < 2^253.
    ///
    /// **Known:** run: ed25519-dalek 2.2 with the feature; version 3 has it, and is not run with it. Published
    /// alone: ref10, as of 2020.
    ///
    /// **Accepts, and others do not:** S + L in place of S.
    ///
    /// **Gives up:** strong unforgeability: anyone makes a second signature of a signed message. And what
    /// `STANDARD` gives up. For checking old data that the rule of its day has accepted; nothing new.
    ///
    /// ```
    /// # use rind25519::ed25519::{Predicate, Rejection};
    /// let mut key = [0; 32];
    /// key[0] = 1;
    /// let mut signature = [0; 64];
    /// signature[0] = 1;
    /// // L, for S: as good as 0.
    /// let order = 27742317777372353535851937790883648493_u128.to_le_bytes();
    /// signature[32..48].copy_from_slice(&order);
    /// signature[63] = 0x10;
    /// assert_eq!(Predicate::REF10.verify(&key, b"anything", &signature), Ok(()));
    /// let verdict = Predicate::STANDARD.verify(&key, b"anything", &signature);
    /// assert_eq!(verdict, Err(Rejection::ScalarOutOfRange));
    /// ```
    pub const REF10: Self = Self { scalar: ScalarRange::Below253Bits, ..Self::STANDARD };

    /// The rule of ed25519-java 0.3.1: [`STANDARD`](Self::STANDARD), but what is hashed is the key encoded anew.
    ///
    /// **Known:** published: `net.i2p.crypto:eddsa` 0.3.0, which has no check of S. Read: 0.3.1, a fork
    /// (`com.bloxbean.cardano:net-i2p-crypto-eddsa`), adds S < L, for CVE-2020-36843. It is not run.
    ///
    /// **Accepts, and others do not:** under a key in a second encoding, the signatures of the first; and
    /// not, there, the signatures that the other rules accept.
    ///
    /// **Gives up:** what `STANDARD` does; and a signature does not bind the key's *bytes*, which must not
    /// serve as the key's name, then.
    ///
    /// ```
    /// # use rind25519::ed25519::Predicate;
    /// let mut first = [0; 32];
    /// first[0] = 1;
    /// let mut second = first;
    /// second[31] = 0x80; // x = 0 and the sign bit: the same point
    /// let mut signature = [0; 64];
    /// signature[0] = 1;
    /// assert_eq!(Predicate::EDDSA_JAVA.verify(&first, b"anything", &signature), Ok(()));
    /// assert_eq!(Predicate::EDDSA_JAVA.verify(&second, b"anything", &signature), Ok(()));
    /// ```
    pub const EDDSA_JAVA: Self = Self { key: KeyEncoding::Reencoded, ..Self::STANDARD };
}
