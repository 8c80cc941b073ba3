//! Promise: each named rule, and each that can be composed, gives the verdicts of its definition, with
//! the first failed check as the reason. SOUNDNESS.md, C21.
//!
//! The corpus's counts are in `ALGORITHMS.md`; `RIND_BLESS=1` writes them there.

mod corpus;
mod definition;
mod model;

use corpus::{Case, FAMILIES, corpus};
use definition::{Definition, Judge, R, ROWS, compositions, define, definition};
use rind25519::ed25519::{
    Equation, KeyEncoding, Predicate, Rejection, Signature, SmallOrder, VerifyingKey,
};
use std::collections::HashMap;

type Verdict = Result<(), Rejection>;

fn verdict(rule: &Predicate, case: &Case) -> Verdict {
    rule.verify(&case.key, &case.message, &case.signature)
}

/// One case of `vectors/taming.txt`.
fn published() -> Vec<Case> {
    let text = include_str!("vectors/taming.txt");
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let bytes = |line: &str| hex::decode(line).expect("hexadecimal");
    lines
        .chunks_exact(4)
        .enumerate()
        .map(|(i, case)| {
            assert_eq!(case[0], i.to_string());
            Case {
                family: "published",
                message: bytes(case[1]),
                key: bytes(case[2]).try_into().expect("32 bytes"),
                signature: bytes(case[3]).try_into().expect("64 bytes"),
            }
        })
        .collect()
}

/// The rows published beside the data, for the systems that are there; the others follow from their
/// definitions.
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
    let cases = published();
    assert_eq!(cases.len(), 12);
    assert_eq!(Predicate::NAMED.len(), expected.len());
    let mut judge = Judge::new();
    for ((name, rule), (expected_name, row)) in Predicate::NAMED.iter().zip(expected) {
        assert_eq!(*name, expected_name);
        let letter = |case: &Case| if verdict(rule, case).is_ok() { 'V' } else { 'x' };
        assert_eq!(cases.iter().map(letter).collect::<String>(), row, "{name}");
        for case in &cases {
            assert_eq!(judge.facts(case).verdict(&definition(name)), verdict(rule, case));
        }
    }
}

/// Field by field, and not by verdicts alone: the constants are the model's rows, of which each has its source
/// beside it, and there are no others.
#[test]
fn constants_are_the_rows_of_the_model() {
    let names = |(name, _): &(&'static str, Predicate)| *name;
    let rows: Vec<&str> = ROWS.iter().map(|row| row.0).collect();
    assert_eq!(Predicate::NAMED.iter().map(names).collect::<Vec<_>>(), rows);
    for (name, rule) in Predicate::NAMED {
        assert_eq!(define(rule), definition(name), "{name}");
    }
    // The planted fault: of all 72 rules, every other one is seen.
    for (name, rule) in Predicate::NAMED {
        let all = compositions();
        let same: Vec<_> = all.iter().filter(|rule| define(rule) == definition(name)).collect();
        assert_eq!(same, [rule], "{name}");
    }
}

/// What "Which rule do I want?" of a page says of a rule.
fn rules_of(page: &str) -> Vec<(String, Definition)> {
    let (_, section) = page.split_once("## Which rule do I want?").expect("the section");
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [you, rule, small, a, r] = cells[..] else { panic!("{line}") };
        let name = rule.split('`').nth(1).expect("the constant's name").to_owned();
        let small_rejected = match small {
            "allowed" => false,
            "refused" => true,
            other => panic!("{name}: {other:?}"),
        };
        let (canonical_a, rehash) = match a {
            "allowed" => (false, false),
            "allowed, and encoded anew for the hash" => (false, true),
            "refused" => (true, false),
            other => panic!("{name}: {other:?}"),
        };
        let (r, cofactor) = match r {
            "as bytes" => (R::Bytes, 1),
            "as points" => (R::AnyPoint, 1),
            "8 times both, any encoding" => (R::AnyPoint, 8),
            "8 times both, canonical" => (R::CanonicalPoint, 8),
            other => panic!("{name}: {other:?}"),
        };
        let definition = Definition {
            wide_s: you.contains("S + L"),
            canonical_a,
            rehash,
            r,
            cofactor,
            small_a_rejected: small_rejected,
            small_r_rejected: small_rejected,
        };
        (name, definition)
    })
    .collect()
}

#[test]
fn table_of_the_readme_is_that_of_the_model() {
    let page = include_str!("../README.md");
    let expected: Vec<_> = ROWS.iter().map(|row| (row.0.to_owned(), definition(row.0))).collect();
    assert_eq!(rules_of(page), expected);
    // The planted fault: one word of one row.
    assert_ne!(
        rules_of(
            &page.replace("| refused | allowed | as points |", "| refused | refused | as points |")
        ),
        expected
    );
}

/// Ed25519ph and Ed25519ctx are verified by the same rules.
#[test]
fn other_variants_have_the_same_rules() {
    use rind25519::ed25519::{Digest as _, Sha512, SigningKey};
    let key = SigningKey::from_seed(&[7; 32]);
    let hash = || Sha512::new().chain_update(b"a message");
    let prehashed = key.sign_prehashed(hash(), None).expect("no context");
    let in_context = key.sign_with_context(b"a message", b"a context").expect("a context");
    let public = key.verifying_key();
    // Under the neutral point, which small-order rules reject, k does not matter.
    let weak = VerifyingKey::from_bytes(&corpus::points::small(1)).expect("a point");
    let forged = Signature::from_components(corpus::points::small(1), [0; 32]);
    for (name, rule) in Predicate::NAMED {
        assert_eq!(public.verify_prehashed_with(rule, hash(), None, &prehashed), Ok(()), "{name}");
        let verdict = public.verify_context_with(rule, b"a message", b"a context", &in_context);
        assert_eq!(verdict, Ok(()), "{name}");
        let crossed = public.verify_with(rule, b"a message", &in_context);
        assert_eq!(crossed, Err(Rejection::EquationFailed), "{name}");
        let expected = match rule.small_order {
            SmallOrder::Allowed => Ok(()),
            _ => Err(Rejection::KeySmallOrder),
        };
        assert_eq!(weak.verify_prehashed_with(rule, hash(), None, &forged), expected, "{name}");
        let verdict = weak.verify_context_with(rule, b"", b"a context", &forged);
        assert_eq!(verdict, expected, "{name}");
    }
}

/// Names are unique, and so are the rules; a rule of one's own has none.
#[test]
fn names_are_of_rules_and_rules_have_one_name() {
    for (name, rule) in Predicate::NAMED {
        assert_eq!(rule.name(), Some(*name));
    }
    assert_eq!(compositions().iter().filter(|rule| rule.name().is_some()).count(), 10);
}

/// Every case, every rule, reason for reason.
#[test]
fn named_rules_follow_their_definitions() {
    let mut judge = Judge::new();
    for case in corpus() {
        let facts = judge.facts(case);
        for (name, rule) in Predicate::NAMED {
            assert_eq!(verdict(rule, case), facts.verdict(&definition(name)), "{name}, {case:?}");
        }
    }
}

/// Half-size scalars give every case, under every rule, the verdict and the reason of the full-size
/// equation. That both ways can differ, where the relation is wrong, is shown beside `curve::equation`.
#[test]
fn half_size_scalars_change_no_verdict_and_no_reason() {
    let mut equations = 0;
    for case in corpus() {
        let Ok(key) = VerifyingKey::from_bytes(&case.key) else { continue };
        let signature = Signature::from_bytes(&case.signature);
        for (name, rule) in Predicate::NAMED {
            let full = rule.verify_full_size(&key, &case.message, &signature);
            let half = key.verify_with(rule, &case.message, &signature);
            assert_eq!(half, full, "{name}, {case:?}");
            equations += usize::from(matches!(full, Ok(()) | Err(Rejection::EquationFailed)));
        }
    }
    assert!(equations > 10_000, "{equations}");
}

/// A part of the corpus, of each family some, since there are seven times as many rules.
fn sample() -> impl Iterator<Item = &'static Case> {
    corpus().iter().step_by(11)
}

#[test]
fn composed_rules_follow_their_definitions() {
    let mut judge = Judge::new();
    let rules = compositions();
    for case in sample() {
        let facts = judge.facts(case);
        for rule in &rules {
            assert_eq!(verdict(rule, case), facts.verdict(&define(rule)), "{rule:?}, {case:?}");
        }
    }
}

/// Each field matters: no two rules agree on all verdicts and reasons. So the corpus would see a rule
/// with any field changed, and this is the planted fault of the tests that compare verdicts.
///
/// But which encoding of a key is hashed can be seen only on keys of small order, since nobody signs for
/// the others that have a second one, and only where k matters to such a key: without the cofactor.
#[test]
fn corpus_tells_every_two_rules_apart() {
    let mut seen: HashMap<Vec<Verdict>, Predicate> = HashMap::new();
    for mut rule in compositions() {
        let verdicts = sample().map(|case| verdict(&rule, case)).collect();
        let k_matters = rule.small_order == SmallOrder::Allowed
            && matches!(rule.equation, Equation::Bytes | Equation::Point);
        if rule.key == KeyEncoding::Reencoded && !k_matters {
            rule.key = KeyEncoding::Any;
            assert_eq!(seen.get(&verdicts), Some(&rule));
        } else if let Some(other) = seen.insert(verdicts, rule) {
            panic!("one set of verdicts for {other:?} and {rule:?}");
        }
    }
    assert_eq!(seen.len(), 72 - 2 * (3 * 4 - 2));
}

/// A parsed key has the verdict and the reason that its bytes have.
#[test]
fn parsed_key_has_the_verdict_of_its_bytes() {
    let mut no_points = 0;
    for case in sample() {
        let signature = Signature::from_bytes(&case.signature);
        for (name, rule) in Predicate::NAMED {
            let expected = verdict(rule, case);
            match VerifyingKey::from_bytes(&case.key) {
                Ok(key) => {
                    let parsed = key.verify_with(rule, &case.message, &signature);
                    assert_eq!(parsed, expected, "{name}, {case:?}");
                }
                Err(_) => {
                    no_points += 1;
                    let reasons = [Rejection::KeyNotAPoint, Rejection::ScalarOutOfRange];
                    assert!(reasons.iter().any(|&reason| expected == Err(reason)), "{case:?}");
                }
            }
        }
    }
    assert!(no_points > 0);
}

/// The corpus's counts, as two tables: a table of what is accepted and one of why the rest is not.
fn tables() -> String {
    let verdicts: Vec<Vec<Verdict>> = Predicate::NAMED
        .iter()
        .map(|(_, rule)| corpus().iter().map(|case| verdict(rule, case)).collect())
        .collect();
    let row = |first: String, cells: Vec<String>| format!("| {first} | {} |\n", cells.join(" | "));
    let rule_of = |columns: usize| format!("|---|{}\n", "--:|".repeat(columns));
    let names = || Predicate::NAMED.iter().map(|(name, _)| format!("`{name}`"));

    let mut text = format!("Fingerprint of the corpus: `{}`. Accepted:\n\n", corpus::fingerprint());
    text += &row("family".into(), ["cases".into()].into_iter().chain(names()).collect());
    text += &rule_of(11);
    let accepted = |in_family: &dyn Fn(&Case) -> bool| -> Vec<String> {
        let cases = corpus().iter().filter(|case| in_family(case)).count();
        let counts = verdicts.iter().map(|verdicts| {
            let cases = corpus().iter().zip(verdicts);
            cases.filter(|(case, verdict)| in_family(case) && verdict.is_ok()).count()
        });
        [cases].into_iter().chain(counts).map(|n| n.to_string()).collect()
    };
    for (family, exercises, _) in FAMILIES {
        let cells = accepted(&|case| case.family == *family);
        text += &row(format!("{family}: {exercises}"), cells);
    }
    text += &row("all".into(), accepted(&|_| true));

    let reasons = [
        Rejection::ScalarOutOfRange,
        Rejection::KeyNotAPoint,
        Rejection::KeyNonCanonical,
        Rejection::KeySmallOrder,
        Rejection::SignatureRNotAPoint,
        Rejection::SignatureRNonCanonical,
        Rejection::SignatureRSmallOrder,
        Rejection::EquationFailed,
    ];
    text += "\nRejected, by the first check that fails:\n\n";
    let columns: Vec<String> = reasons.iter().map(|reason| format!("`{reason:?}`")).collect();
    text += &row("rule".into(), columns);
    text += &rule_of(reasons.len());
    for (name, verdicts) in names().zip(&verdicts) {
        let count = |reason| verdicts.iter().filter(|verdict| **verdict == Err(reason)).count();
        let counts: Vec<usize> = reasons.into_iter().map(count).collect();
        let rejected = verdicts.iter().filter(|verdict| verdict.is_err()).count();
        assert_eq!(counts.iter().sum::<usize>(), rejected, "every reason has a column");
        text += &row(name, counts.iter().map(usize::to_string).collect());
    }
    text
}

#[test]
fn counts_are_those_of_the_page() {
    const BEGIN: &str = "<!-- corpus counts, written by tests/predicates.rs -->\n";
    const END: &str = "<!-- end of corpus counts -->\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ALGORITHMS.md");
    let page = std::fs::read_to_string(path).expect("ALGORITHMS.md");
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the tables");
    let (golden, after) = rest.split_once(END).expect("the mark after the tables");
    let tables = tables();
    if std::env::var_os("RIND_BLESS").is_some_and(|value| value == "1") {
        let page = format!("{before}{BEGIN}{tables}{END}{after}");
        std::fs::write(path, page).expect("ALGORITHMS.md is written");
    } else {
        assert_eq!(golden, tables, "RIND_BLESS=1 writes the new counts");
    }
}

/// Whatever the rule, nobody signs for a key that nobody knows, and damage is seen.
#[test]
fn hopeless_families_are_rejected_by_every_rule() {
    for name in ["unknown logarithm", "no point", "damaged", "noise"] {
        for case in corpus::family(name).step_by(3) {
            for rule in compositions().iter().step_by(5) {
                assert!(verdict(rule, case).is_err(), "{rule:?}, {case:?}");
            }
        }
    }
    for case in corpus::family("honest") {
        for rule in compositions() {
            assert_eq!(verdict(&rule, case), Ok(()), "{rule:?}, {case:?}");
        }
    }
}
