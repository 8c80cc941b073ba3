//! Promise: `examples/which_rule.rs` prints each rule's verdict, and names what is wrong with its input.

#[path = "../examples/which_rule.rs"]
#[allow(dead_code, reason = "its main is not called")]
mod which_rule;

use rind25519::ed25519::{Predicate, SigningKey};

fn run(arguments: &[&str]) -> (u8, String) {
    which_rule::run(&arguments.iter().map(|text| text.to_string()).collect::<Vec<_>>())
}

#[test]
fn each_rule_has_one_line() {
    // Case 11 of vectors/taming.txt: the key is (0, −1) with the sign bit.
    let key = "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
    let message = "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f";
    let signature = "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc\
                     a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04";
    let (code, text) = run(&[key, message, signature]);
    assert_eq!(code, 0);
    let expected = "\
STANDARD   accept
STRICT     reject: the public key has small order
ZIP215     accept
RFC8032    reject: the public key is not in canonical encoding
AWS_LC     reject: the public key is not in canonical encoding
LIBSODIUM  reject: the public key is not in canonical encoding
FIREDANCER reject: the public key has small order
SIMD0376   reject: the public key is not in canonical encoding
REF10      accept
EDDSA_JAVA reject: the signature does not match the message and the public key
";
    assert_eq!(text, expected);
}

#[test]
fn all_accept_an_honest_signature_and_none_a_wrong_one() {
    let key = SigningKey::from_seed(&[7; 32]);
    let public = key.verifying_key().to_string();
    let signature = hex::encode_upper(key.sign(b"").to_bytes());
    let (code, text) = run(&[&public, "", &signature]);
    assert_eq!((code, text.matches("accept\n").count()), (0, Predicate::NAMED.len()));
    let (code, text) = run(&[&public, "00", &signature]);
    assert_eq!((code, text.matches("accept\n").count()), (1, 0));
    assert_eq!(text.matches("does not match the message").count(), Predicate::NAMED.len());
}

#[test]
fn wrong_input_is_named() {
    let (key, signature) = ("0".repeat(64), "0".repeat(128));
    for (arguments, code, words) in [
        (vec![&key[..], "", &signature], 0, "accept"),
        (vec![], 2, "three arguments are needed, not 0"),
        (vec![&key, ""], 2, "three arguments are needed, not 2"),
        (vec![&key, "", &signature, ""], 2, "three arguments are needed, not 4"),
        (vec!["zz", "", &signature], 2, "the key is not hexadecimal"),
        (vec![&key[1..], "", &signature], 2, "the key is not hexadecimal: Odd number of digits"),
        (vec![&key[2..], "", &signature], 2, "the key has 32 bytes, not 31"),
        (vec!["", "", &signature], 2, "the key has 32 bytes, not 0"),
        (vec![&signature, "", &signature], 2, "the key has 32 bytes, not 64"),
        (vec![&key, "0x00", &signature], 2, "the message is not hexadecimal: character 2 is 'x'\n"),
        (vec![&key, "0", &signature], 2, "the message is not hexadecimal: Odd number of digits\n"),
        // Positions count characters: of these, é and 日 have two bytes and three.
        (
            vec![&key, "éé日0", &signature],
            2,
            "the message is not hexadecimal: character 1 is 'é'\n",
        ),
        (
            vec![&key, "00日é", &signature],
            2,
            "the message is not hexadecimal: character 3 is '日'\n",
        ),
        (
            vec![&key, "0\n", &signature],
            2,
            "the message is not hexadecimal: character 2 is '\\n'\n",
        ),
        (vec![&key, "\u{ff10}0", &signature], 2, "character 1 is '\u{ff10}'\n"),
        (vec![&key, "\u{fffd}", &signature], 2, "character 1 is '\u{fffd}'\n"),
        (vec![&key, "", &key], 2, "the signature has 64 bytes, not 32"),
        (vec![&key, "", " "], 2, "the signature is not hexadecimal"),
    ] {
        let (got, text) = run(&arguments);
        assert_eq!(got, code, "{arguments:?}: {text}");
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}

#[test]
fn nobody_to_take_the_answer_is_code_2() {
    let mut taken = vec![];
    assert_eq!(which_rule::answer(1, "a line\n", &mut taken), 1);
    assert_eq!(taken, b"a line\n");
    // A slice takes what fits.
    assert_eq!(which_rule::answer(0, "a line\n", &mut [0; 3][..]), 2);
}
