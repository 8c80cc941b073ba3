//! Promise: input that is not a key, a pair, a context or a signature is refused with its reason, and
//! nothing panics.

use curve25519_dalek::{constants::EIGHT_TORSION, edwards::CompressedEdwardsY};
use rind25519::{
    ed25519::{
        ContextError, Digest, KeyError, Keypair, MultipartSigner, MultipartVerifier, Predicate,
        Rejection, Sha512, Signature, Signer, SigningKey, Verifier, VerifyingKey,
    },
    x25519::{LowOrderPoint, PublicKey, StaticSecret},
};

fn key() -> SigningKey {
    SigningKey::from_seed(&[7; 32])
}

#[test]
fn wrong_lengths_are_told() {
    let bytes = [7; 96];
    for length in (0..=96).filter(|&length| length != 32) {
        let refused = Err(KeyError::WrongLength { got: length });
        assert_eq!(VerifyingKey::try_from(&bytes[..length]), refused);
        let refused = Err(KeyError::WrongLength { got: length });
        assert_eq!(SigningKey::try_from(&bytes[..length]), refused);
    }
    assert_eq!(SigningKey::try_from(&bytes[..32]), Ok(key()));
    let public = key().verifying_key();
    assert_eq!(VerifyingKey::try_from(&public.as_bytes()[..]), Ok(public));
    for length in 0..=96 {
        assert_eq!(Signature::from_slice(&bytes[..length]).is_ok(), length == 64);
    }
}

/// y = 2 is no point, nor are most y from p up that fit in 255 bits; either sign.
#[test]
fn non_points_are_refused() {
    let p_plus = |n: u8| -> [u8; 32] {
        core::array::from_fn(|i| match i {
            0 => 0xed + n,
            31 => 0x7f,
            _ => 0xff,
        })
    };
    let y = |n: u8| -> [u8; 32] { core::array::from_fn(|i| if i == 0 { n } else { 0 }) };
    let (mut points, mut others) = (0, 0);
    for n in 0..19 {
        for encoding in [y(n), p_plus(n)] {
            for sign in [0, 0x80] {
                let mut encoding = encoding;
                encoding[31] |= sign;
                let is_point = CompressedEdwardsY(encoding).decompress().is_some();
                let read = VerifyingKey::from_bytes(&encoding);
                if is_point {
                    assert_eq!(read.map(|key| key.to_bytes()), Ok(encoding));
                    points += 1;
                } else {
                    assert_eq!(read, Err(KeyError::NotAPoint), "{encoding:x?}");
                    assert_eq!(VerifyingKey::try_from(encoding), Err(KeyError::NotAPoint));
                    let honest = key().sign(b"").to_bytes();
                    let verdict = Predicate::STANDARD.verify(&encoding, b"", &honest);
                    assert_eq!(verdict, Err(Rejection::KeyNotAPoint));
                    others += 1;
                }
            }
        }
    }
    assert!(points > 20 && others > 20, "{points} points, {others} others");
}

/// The same S with multiples of L added, and the edges of the range itself.
#[test]
fn scalars_from_l_up_are_out_of_range() {
    let order = {
        let mut order = [0; 32];
        order[..16].copy_from_slice(&27742317777372353535851937790883648493u128.to_le_bytes());
        order[31] = 0x10;
        order
    };
    let plus = |n: i8| {
        let mut s = order;
        s[0] = s[0].checked_add_signed(n).expect("no carry");
        s
    };
    let power = |bit: usize| -> [u8; 32] {
        core::array::from_fn(|i| if i == bit / 8 { 1 << (bit % 8) } else { 0 })
    };
    let public = key().verifying_key();
    let verdicts = |s: &[u8; 32]| {
        let mut bytes = key().sign(b"edge").to_bytes();
        bytes[32..].copy_from_slice(s);
        let signature = Signature::from_bytes(&bytes);
        let verdict = public.verify(b"edge", &signature);
        assert_eq!(public.verify_strict(b"edge", &signature), verdict);
        assert_eq!(Predicate::STRICT.verify(public.as_bytes(), b"edge", &bytes), verdict);
        verdict
    };
    for s in [[0; 32], power(0), plus(-1), power(252), power(251)] {
        assert_eq!(verdicts(&s), Err(Rejection::EquationFailed), "{s:x?} is in range");
    }
    for s in [order, plus(1), power(253), power(254), power(255), [0xff; 32]] {
        assert_eq!(verdicts(&s), Err(Rejection::ScalarOutOfRange), "{s:x?}");
    }
}

#[test]
fn mismatched_pairs_are_refused() {
    let pair = key().to_keypair_bytes();
    assert_eq!(SigningKey::from_keypair_bytes(&pair), Ok(key()));

    for bit in 0..256 {
        let mut wrong = pair;
        wrong[32 + bit / 8] ^= 1 << (bit % 8);
        assert_eq!(SigningKey::from_keypair_bytes(&wrong), Err(KeyError::MismatchedPair));
        let mut wrong = pair;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(SigningKey::from_keypair_bytes(&wrong), Err(KeyError::MismatchedPair));
    }

    let public = CompressedEdwardsY(*key().verifying_key().as_bytes()).decompress().expect("A");
    for (i, torsion) in EIGHT_TORSION.iter().enumerate() {
        let mut other = pair;
        other[32..].copy_from_slice(&(public + torsion).compress().to_bytes());
        let expected = if i == 0 { Ok(key()) } else { Err(KeyError::MismatchedPair) };
        assert_eq!(SigningKey::from_keypair_bytes(&other), expected, "A + {i}·T8");
    }

    let no_point = [&pair[..32], &[2], &[0; 31]].concat().try_into().expect("64 bytes");
    assert_eq!(SigningKey::from_keypair_bytes(&no_point), Err(KeyError::MismatchedPair));
}

#[test]
fn contexts_are_bounded() {
    let (key, public) = (key(), key().verifying_key());
    let hash = || Sha512::new().chain_update(b"a message");
    let long = [b'c'; 300];
    for length in [0, 1, 2, 254, 255, 256, 300] {
        let context = &long[..length];
        let expected = match length {
            0 => Err(ContextError::Empty),
            1..=255 => Ok(()),
            got => Err(ContextError::TooLong { got }),
        };
        let signed = key.sign_with_context(b"a message", context);
        assert_eq!(signed.map(drop), expected);
        let any = signed.unwrap_or(key.sign(b"a message"));
        let verdict = public.verify_with_context(b"a message", context, &any);
        assert_eq!(verdict, expected.map_err(Rejection::Context));

        // Ed25519ph allows an empty one.
        let expected = if length == 0 { Ok(()) } else { expected };
        let signed = key.sign_prehashed(hash(), Some(context));
        assert_eq!(signed.map(drop), expected);
        let any = signed.unwrap_or(key.sign(b"a message"));
        let verdict = public.verify_prehashed(hash(), Some(context), &any);
        assert_eq!(verdict, expected.map_err(Rejection::Context));
    }
    assert_eq!(key.sign_prehashed(hash(), None), key.sign_prehashed(hash(), Some(b"")));
}

/// One message, four ways of signing: no signature of one is a signature of another.
#[test]
fn variants_and_contexts_are_separate() {
    let (key, public, message) = (key(), key().verifying_key(), b"a message");
    let hash = || Sha512::new().chain_update(message);
    let signatures = [
        key.sign(message),
        key.sign_with_context(message, b"one").expect("a context"),
        key.sign_with_context(message, b"two").expect("a context"),
        key.sign_prehashed(hash(), None).expect("a context"),
        key.sign_prehashed(hash(), Some(b"one")).expect("a context"),
    ];
    for (made, signature) in signatures.iter().enumerate() {
        let verdicts = [
            public.verify(message, signature),
            public.verify_with_context(message, b"one", signature),
            public.verify_with_context(message, b"two", signature),
            public.verify_prehashed(hash(), None, signature),
            public.verify_prehashed(hash(), Some(b"one"), signature),
        ];
        for (checked, verdict) in verdicts.into_iter().enumerate() {
            let expected = if made == checked { Ok(()) } else { Err(Rejection::EquationFailed) };
            assert_eq!(verdict, expected, "made by way {made}, checked by way {checked}");
        }
        // Nor is one of the hash, signed as a message, a prehashed one.
        assert!(public.verify(&hash().finalize(), signature).is_err());
    }
}

/// The first check that fails is the one that is reported.
#[test]
fn reasons_come_in_the_documented_order() {
    let identity = core::array::from_fn(|i| u8::from(i == 0));
    let no_point = core::array::from_fn(|i| if i == 0 { 2 } else { 0 });
    let honest = key().verifying_key().to_bytes();
    let reason = |rule: Predicate, key: &[u8; 32], r: &[u8; 32], s: [u8; 32]| {
        let signature = [&r[..], &s].concat().try_into().expect("64 bytes");
        rule.verify(key, b"a message", &signature)
    };
    let (standard, strict, high) = (Predicate::STANDARD, Predicate::STRICT, [0xff; 32]);
    assert_eq!(reason(strict, &no_point, &identity, high), Err(Rejection::ScalarOutOfRange));
    assert_eq!(reason(strict, &no_point, &identity, [0; 32]), Err(Rejection::KeyNotAPoint));
    assert_eq!(reason(strict, &identity, &identity, [0; 32]), Err(Rejection::KeySmallOrder));
    assert_eq!(reason(strict, &honest, &identity, [0; 32]), Err(Rejection::SignatureRSmallOrder));
    assert_eq!(reason(strict, &honest, &honest, [0; 32]), Err(Rejection::EquationFailed));
    assert_eq!(reason(standard, &identity, &identity, [0; 32]), Ok(()));
    assert_eq!(reason(standard, &honest, &identity, [0; 32]), Err(Rejection::EquationFailed));
    // y = p + 1 is the neutral point again.
    let second = core::array::from_fn(|i| match i {
        0 => 0xee,
        31 => 0x7f,
        _ => 0xff,
    });
    let aws_lc = Predicate::AWS_LC;
    assert_eq!(reason(aws_lc, &second, &identity, high), Err(Rejection::ScalarOutOfRange));
    assert_eq!(reason(aws_lc, &second, &identity, [0; 32]), Err(Rejection::KeyNonCanonical));
    assert_eq!(reason(aws_lc, &identity, &identity, [0; 32]), Ok(()));
    // Where R is compared as bytes, one that is no point fails the equation; it is not decoded.
    assert_eq!(reason(strict, &honest, &no_point, [0; 32]), Err(Rejection::EquationFailed));
    // Where it is decoded, its checks come after the key's, and small order after them.
    let rejected = Err(Rejection::SignatureRNotAPoint);
    assert_eq!(reason(Predicate::FIREDANCER, &honest, &no_point, [0; 32]), rejected);
    assert_eq!(reason(Predicate::RFC8032, &honest, &no_point, [0; 32]), rejected);
    let (draft, rejected) = (Predicate::SIMD0376, Err(Rejection::SignatureRNonCanonical));
    assert_eq!(reason(draft, &second, &no_point, [0; 32]), Err(Rejection::KeyNonCanonical));
    assert_eq!(reason(draft, &identity, &no_point, [0; 32]), Err(Rejection::KeySmallOrder));
    assert_eq!(reason(draft, &honest, &second, [0; 32]), rejected);
    assert_eq!(reason(draft, &honest, &identity, [0; 32]), Err(Rejection::SignatureRSmallOrder));
    let rejected = Err(Rejection::SignatureRSmallOrder);
    assert_eq!(reason(Predicate::FIREDANCER, &honest, &second, [0; 32]), rejected);
    // The range of S is the rule's.
    let below_253_bits = core::array::from_fn(|i| if i == 31 { 0x1f } else { 0xff });
    let failed = Err(Rejection::EquationFailed);
    assert_eq!(reason(Predicate::REF10, &honest, &honest, below_253_bits), failed);
    let rejected = Err(Rejection::ScalarOutOfRange);
    assert_eq!(reason(standard, &honest, &honest, below_253_bits), rejected);
    let two_to_253 = core::array::from_fn(|i| if i == 31 { 0x20 } else { 0 });
    assert_eq!(reason(Predicate::REF10, &honest, &honest, two_to_253), rejected);
}

#[test]
fn low_order_agreement_is_refused() {
    let secret = StaticSecret::from([7; 32]);
    assert_eq!(secret.diffie_hellman(&PublicKey::from([0; 32])), Err(LowOrderPoint));
    assert!(secret.diffie_hellman(&PublicKey::from([9; 32])).is_ok());
}

/// The traits are the methods, without the reasons.
#[test]
fn signature_traits_agree_with_the_methods() {
    let key = key();
    let public = Keypair::verifying_key(&key);
    let signature: Signature = Signer::sign(&key, b"a message");
    assert_eq!(signature, key.sign(b"a message"));
    assert_eq!(MultipartSigner::multipart_sign(&key, &[b"a ", b"", b"message"]), signature);
    assert!(Verifier::verify(&public, b"a message", &signature).is_ok());
    assert!(Verifier::verify(&public, b"another", &signature).is_err());
    assert!(public.multipart_verify(&[b"a mess", b"age"], &signature).is_ok());
    assert!(public.multipart_verify(&[b"a mess"], &signature).is_err());
}

#[test]
fn debug_shows_no_secret() {
    let seed: [u8; 32] = core::array::from_fn(|i| i as u8 + 100);
    let shown = format!("{:?}", SigningKey::from_seed(&seed));
    let public = SigningKey::from_seed(&seed).verifying_key().to_string();
    assert_eq!(shown, format!("SigningKey {{ verifying_key: VerifyingKey({public}), .. }}"));
    let secret = StaticSecret::from(seed);
    assert_eq!(format!("{secret:?}"), "StaticSecret { .. }");
    let shared = secret.diffie_hellman(&PublicKey::from(&secret)).expect("agreed");
    assert_eq!(format!("{shared:?}"), "SharedSecret { .. }");
}

/// Every reason has words of its own.
#[test]
fn reasons_are_told_apart_in_words() {
    let reasons = [
        Rejection::Context(ContextError::Empty).to_string(),
        Rejection::Context(ContextError::TooLong { got: 256 }).to_string(),
        Rejection::ScalarOutOfRange.to_string(),
        Rejection::KeyNotAPoint.to_string(),
        Rejection::KeyNonCanonical.to_string(),
        Rejection::KeySmallOrder.to_string(),
        Rejection::SignatureRNotAPoint.to_string(),
        Rejection::SignatureRNonCanonical.to_string(),
        Rejection::SignatureRSmallOrder.to_string(),
        Rejection::EquationFailed.to_string(),
        KeyError::WrongLength { got: 31 }.to_string(),
        KeyError::NotAPoint.to_string(),
        KeyError::MismatchedPair.to_string(),
        LowOrderPoint.to_string(),
    ];
    let distinct: std::collections::HashSet<_> = reasons.iter().collect();
    assert_eq!(distinct.len(), reasons.len());
    assert!(reasons[1].contains("256") && reasons[10].contains("31"));
}
