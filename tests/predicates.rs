//! Promise: each named rule gives the verdicts that its system gives. SOUNDNESS.md, C21.

use rind25519::ed25519::{Predicate, SmallOrder};

/// One case of `vectors/taming.txt`.
struct Published {
    message: Vec<u8>,
    key: [u8; 32],
    signature: [u8; 64],
}

fn published() -> Vec<Published> {
    let text = include_str!("vectors/taming.txt");
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let bytes = |line: &str| hex::decode(line).expect("hexadecimal");
    lines
        .chunks_exact(4)
        .enumerate()
        .map(|(i, case)| {
            assert_eq!(case[0], i.to_string());
            Published {
                message: bytes(case[1]),
                key: bytes(case[2]).try_into().expect("32 bytes"),
                signature: bytes(case[3]).try_into().expect("64 bytes"),
            }
        })
        .collect()
}

/// `V` for accepted and `x` for rejected, case by case.
fn verdicts(rule: &Predicate) -> String {
    let accepted =
        |case: &Published| rule.verify(&case.key, &case.message, &case.signature).is_ok();
    published().iter().map(|case| if accepted(case) { 'V' } else { 'x' }).collect()
}

/// The rows of the paper's table 5 and of the results published beside the data, for the systems that
/// are there; the others follow from their definitions.
#[test]
fn verdicts_on_the_published_cases_are_the_published_ones() {
    let expected = [
        ("STANDARD", "VVVVxxxxxxxV"),   // BoringSSL, Dalek, Go, OpenSSL 3
        ("STRICT", "xxxVxxxxxxxx"),     // Dalek strict
        ("ZIP215", "VVVVVVxxxVVV"),     // Zebra
        ("RFC8032", "VVVVVVxxxxxx"),    // from the definition
        ("AWS_LC", "VVVVxxxxxxxx"),     // Hacl*, Bouncy Castle
        ("LIBSODIUM", "xxxVxxxxxxxx"),  // LibSodium
        ("FIREDANCER", "xxxVxxxxxxxx"), // from the definition
        ("SIMD0376", "xxxVVVxxxxxx"),   // from the definition
        ("REF10", "VVVVxxVxxxxV"),      // ref10
        // ed25519-java 0.3.0 is VVVVxxVVxxVx; what 0.3.1 adds is S < L, which 6 and 7 have not.
        ("EDDSA_JAVA", "VVVVxxxxxxVx"),
    ];
    assert_eq!(published().len(), 12);
    assert_eq!(Predicate::NAMED.len(), expected.len());
    for ((name, rule), (expected_name, row)) in Predicate::NAMED.iter().zip(expected) {
        assert_eq!(*name, expected_name);
        assert_eq!(verdicts(rule), row, "{name}");
    }
}

/// Names are unique, and so are the rules; a rule of one's own has none.
#[test]
fn names_are_of_rules_and_rules_have_one_name() {
    for (i, (name, rule)) in Predicate::NAMED.iter().enumerate() {
        assert_eq!(rule.name(), Some(*name), "{i}");
    }
    let own = Predicate { small_order: SmallOrder::KeyRejected, ..Predicate::STANDARD };
    assert_eq!(own.name(), None);
}
