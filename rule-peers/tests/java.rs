//! Promise: Java's SunEC, where there is a JDK, gives the verdicts of `AWS_LC`. SOUNDNESS.md, C21.
//!
//! `java Verify.java` judges the corpus, and random and damaged signatures, in one process. No JDK: a visible skip, or a failure under
//! `RIND_REQUIRE_JAVAC=1`.

#[path = "../../tests/corpus/mod.rs"]
mod corpus;
mod random;
#[path = "../../tests/skip/mod.rs"]
mod skip;

use corpus::{Case, corpus};
use random::random;
use rind25519::ed25519::Predicate;
use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Stdio},
};

#[test]
fn aws_lc_is_sun_ec() {
    // A runtime alone does not run a source file.
    if !skip::program("javac") {
        return;
    }
    let random = random(64);
    let cases = || corpus().iter().chain(&random);
    let mut lines = String::new();
    for case in cases() {
        let [key, message, signature] =
            [&case.key[..], &case.message, &case.signature].map(hex::encode);
        let message = if message.is_empty() { "-" } else { &message };
        writeln!(lines, "{key} {message} {signature}").expect("a string");
    }
    let mut child = Command::new("java")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/Verify.java"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java, where javac is");
    let mut input = child.stdin.take().expect("a pipe");
    // The program answers at the end of its input, so one thread is enough.
    input.write_all(lines.as_bytes()).expect("java reads");
    drop(input);
    let output = child.wait_with_output().expect("its output");
    assert!(output.status.success(), "{}", output.status);
    let verdicts = String::from_utf8(output.stdout).expect("text");
    let verdicts: Vec<bool> = verdicts.lines().map(|line| line == "1").collect();
    assert_eq!(verdicts.len(), cases().count());

    let differing = |rule: Predicate| {
        let differs = |case: &Case, theirs: bool| {
            rule.verify(&case.key, &case.message, &case.signature).is_ok() != theirs
        };
        let cases = cases().zip(&verdicts);
        cases.filter(|(case, theirs)| differs(case, **theirs)).collect::<Vec<_>>()
    };
    let found = differing(Predicate::AWS_LC);
    assert!(found.is_empty(), "{} cases, the first: {:?}", found.len(), found[0]);
    // The planted fault: under another rule there are differences.
    assert!(!differing(Predicate::STANDARD).is_empty());
}
