//! Every Ed25519 and X25519 case of Wycheproof is answered as Wycheproof demands; none is skipped.
//!
//! Supports row C2 of `SOUNDNESS.md`. The totals are asserted, so a new release of the
//! data is noticed. Each checker also meets implementations that are wrong on purpose, and must count
//! exactly the cases that these get wrong.

use std::collections::BTreeMap;

use rind25519::ed25519::{Predicate, Signature, VerifyingKey};
use rind25519::x25519::{LowOrderPoint, PublicKey, StaticSecret};
use wycheproof::{TestResult, eddsa, xdh};

/// How many cases have each result.
fn totals(results: impl Iterator<Item = TestResult>) -> BTreeMap<String, usize> {
    let mut totals = BTreeMap::new();
    for result in results {
        *totals.entry(format!("{result:?}")).or_default() += 1;
    }
    totals
}

fn expected<const N: usize>(pairs: [(&str, usize); N]) -> BTreeMap<String, usize> {
    pairs.into_iter().map(|(name, count)| (name.to_string(), count)).collect()
}

/// The ids of the Ed25519 cases on which `accepts(key, message, signature)` disagrees.
fn ed25519_disagreements(accepts: impl Fn(&[u8], &[u8], &[u8]) -> bool) -> Vec<usize> {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let mut wrong = Vec::new();
    for group in &set.test_groups {
        for case in &group.tests {
            let demanded = match case.result {
                TestResult::Valid => true,
                TestResult::Invalid => false,
                TestResult::Acceptable => panic!("case {}: Ed25519 has no such case", case.tc_id),
            };
            if accepts(&group.key.pk, &case.msg, &case.sig) != demanded {
                wrong.push(case.tc_id);
            }
        }
    }
    wrong
}

/// Our answer, from bytes of any length.
fn verify(rule: &Predicate, key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let Ok(key) = VerifyingKey::try_from(key) else { return false };
    let Ok(signature) = Signature::try_from(signature) else { return false };
    key.verify_with(rule, message, &signature).is_ok()
}

#[test]
fn ed25519_cases_are_all_there() {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    let cases = || set.test_groups.iter().flat_map(|group| &group.tests);
    assert_eq!(totals(cases().map(|case| case.result)), expected([("Invalid", 63), ("Valid", 88)]));
    // Signatures of another length fail as bytes; all others reach the verification.
    assert_eq!(cases().filter(|case| case.sig.len() != 64).count(), 12);
    assert!(set.test_groups.iter().all(|group| group.key.pk.len() == 32));
}

#[test]
fn ed25519_verdicts_are_wycheproofs_under_each_rule() {
    for (name, rule) in Predicate::NAMED {
        let differing = ed25519_disagreements(|a, m, s| verify(rule, a, m, s));
        // "Invalid" that a rule accepts, by its definition.
        let by_definition: &[usize] = match *name {
            "ZIP215" => &[151],   // R is (0, 1) with the sign bit
            "REF10" => &[63, 85], // S + L; the other multiples of L lead past 2^253
            _ => &[],
        };
        assert_eq!(differing, by_definition, "{name}");
    }
}

#[test]
fn ed25519_keys_read_the_same_as_spki() {
    use pkcs8::DecodePublicKey as _;
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
    for group in &set.test_groups {
        let key = VerifyingKey::from_public_key_der(&group.der).unwrap();
        assert_eq!(key.as_bytes()[..], group.key.pk[..]);
        assert_eq!(VerifyingKey::from_public_key_pem(&group.pem).unwrap(), key);
    }
    assert!(!set.test_groups.is_empty());
}

#[test]
fn ed25519_checker_counts_wrong_verdicts() {
    let rule = Predicate::STANDARD;
    assert_eq!(ed25519_disagreements(|_, _, _| true).len(), 63);
    assert_eq!(ed25519_disagreements(|_, _, _| false).len(), 88);
    // One bit of S flipped: every valid signature must fail, and no invalid one becomes valid.
    let flipped = ed25519_disagreements(|a, m, s| {
        let mut s = s.to_vec();
        if let Some(byte) = s.get_mut(32) {
            *byte ^= 1;
        }
        verify(&rule, a, m, &s)
    });
    assert_eq!(flipped.len(), 88);
}

type Agreed = Result<[u8; 32], LowOrderPoint>;

/// The ids of the X25519 cases on which `agree(secret, public)` disagrees. "Acceptable" cases must be
/// computed too; where the shared secret is zero, the right answer is the refusal.
fn x25519_disagreements(agree: impl Fn([u8; 32], [u8; 32]) -> Agreed) -> Vec<usize> {
    let set = xdh::TestSet::load(xdh::TestName::X25519).unwrap();
    let mut wrong = Vec::new();
    for case in set.test_groups.iter().flat_map(|group| &group.tests) {
        let bytes = |b: &[u8]| <[u8; 32]>::try_from(b).unwrap();
        let shared = bytes(&case.shared_secret);
        let demanded = if shared == [0; 32] { Err(LowOrderPoint) } else { Ok(shared) };
        if agree(bytes(&case.private_key), bytes(&case.public_key)) != demanded {
            wrong.push(case.tc_id);
        }
    }
    wrong
}

/// Our answer.
fn agree(secret: [u8; 32], public: [u8; 32]) -> Agreed {
    let shared = StaticSecret::from(secret).diffie_hellman(&PublicKey::from(public))?;
    Ok(shared.to_bytes())
}

#[test]
fn x25519_cases_are_all_there() {
    let set = xdh::TestSet::load(xdh::TestName::X25519).unwrap();
    let cases = || set.test_groups.iter().flat_map(|group| &group.tests);
    let results = totals(cases().map(|case| case.result));
    assert_eq!(results, expected([("Acceptable", 254), ("Valid", 264)]));
    let zero = || cases().filter(|case| case.shared_secret[..] == [0; 32]);
    assert_eq!(zero().count(), 31);
    assert!(zero().all(|case| case.result == TestResult::Acceptable));
    assert!(zero().all(|case| case.flags.contains(&xdh::TestFlag::ZeroSharedSecret)));
}

#[test]
fn x25519_secrets_are_wycheproofs_and_zero_is_refused() {
    let wrong = x25519_disagreements(agree);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn x25519_checker_counts_wrong_secrets() {
    // Returns the zero secret instead of refusing it.
    let zero_let_through = |secret, public| agree(secret, public).or(Ok([0; 32]));
    assert_eq!(x25519_disagreements(zero_let_through).len(), 31);
    // Refuses every key.
    assert_eq!(x25519_disagreements(|_, _| Err(LowOrderPoint)).len(), 518 - 31);
    // Returns the public key, which in two cases is the shared secret.
    assert_eq!(x25519_disagreements(|_, public| Ok(public)).len(), 518 - 2);
}
