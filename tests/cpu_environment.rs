//! `RIND_CPU_DISABLE_<feature>` denies what it names, and a wrong variable stops the process.
//!
//! Supports row C10 of `SOUNDNESS.md`. Each case is a process of its own: this binary, run
//! again with one of the `child_…` tests below, which are `ignored` so that they run only so. That the
//! cfg is set at all is asserted here: a build without it would pass the other rows by reading nothing.

use std::ffi::OsStr;
use std::process::{Command, Output};

use rind25519::cpu::{self, Operation};
use rind25519::ed25519::SigningKey;
use rind25519::x25519::{PublicKey, StaticSecret};

const FEATURES: [&str; 9] =
    ["bmi2", "adx", "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma"];

/// Signs, verifies and agrees, then prints what the report says.
#[test]
#[ignore = "a child process of the other tests"]
fn child_works() {
    let key = SigningKey::from_seed(&[7; 32]);
    key.verifying_key().verify(b"message", &key.sign(b"message")).unwrap();
    let (ours, theirs) = (StaticSecret::from([1; 32]), StaticSecret::from([2; 32]));
    let shared = ours.diffie_hellman(&PublicKey::from(&theirs)).unwrap();
    assert!(shared == theirs.diffie_hellman(&PublicKey::from(&ours)).unwrap());
    let report = cpu::report();
    println!("denied:{}", report.denied().map(|name| format!(" {name}")).collect::<String>());
    for &operation in Operation::ALL {
        println!("{operation}: {}", report.tier(operation));
    }
}

/// Prints what [`cpu::check`] says, twice.
#[test]
#[ignore = "a child process of the other tests"]
fn child_checks() {
    for _ in 0..2 {
        match cpu::check() {
            Ok(()) => println!("check: fine"),
            Err(error) => println!("check: {error}"),
        }
    }
}

#[test]
#[ignore = "a child process of the other tests"]
fn child_signs() {
    let _ = SigningKey::from_seed(&[7; 32]).sign(b"");
    println!("went on");
}

#[test]
#[ignore = "a child process of the other tests"]
fn child_verifies() {
    // A point and a scalar that reach the equation: the answer does not matter.
    let mut key = [0; 32];
    key[0] = 1;
    let key = rind25519::ed25519::VerifyingKey::from_bytes(&key).unwrap();
    let _ = key.verify(b"", &rind25519::ed25519::Signature::from_bytes(&[0; 64]));
    println!("went on");
}

#[test]
#[ignore = "a child process of the other tests"]
fn child_agrees() {
    let _ = StaticSecret::from([7; 32]).diffie_hellman(&PublicKey::from([9; 32]));
    println!("went on");
}

#[test]
#[ignore = "a child process of the other tests"]
fn child_publishes() {
    let _ = PublicKey::from(&StaticSecret::from([7; 32]));
    println!("went on");
}

#[test]
#[ignore = "a child process of the other tests"]
fn child_reports() {
    let _ = cpu::report();
    println!("went on");
}

/// Runs `child` with these variables and with none of ours that this process may have.
fn run<N: AsRef<OsStr>, V: AsRef<OsStr>>(child: &str, variables: &[(N, V)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", "--test-threads=1", child]);
    for name in FEATURES {
        command.env_remove(format!("RIND_CPU_DISABLE_{name}"));
    }
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command.output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}
fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[allow(clippy::assertions_on_constants)] // another build has another constant
fn this_build_reads_the_variables() {
    assert!(cfg!(rind_cpu_disable), "RUSTFLAGS replaced the flags of .cargo/config.toml");
}

#[test]
fn each_feature_can_be_denied_and_the_routines_still_work() {
    for name in FEATURES {
        let output = run("child_works", &[(format!("RIND_CPU_DISABLE_{name}"), "1")]);
        assert!(output.status.success(), "{name}: {}{}", stdout(&output), stderr(&output));
        assert!(
            stdout(&output).contains(&format!("denied: {name}\n")),
            "{name}: {}",
            stdout(&output)
        );
    }
    let all = FEATURES.map(|name| (format!("RIND_CPU_DISABLE_{name}"), "1"));
    let output = run("child_works", &all);
    assert!(output.status.success());
    assert!(stdout(&output).contains(&format!("denied: {}\n", FEATURES.join(" "))));
}

#[test]
fn zero_and_nothing_deny_nothing() {
    for value in ["0", ""] {
        let output = run("child_works", &[("RIND_CPU_DISABLE_adx", value)]);
        assert!(output.status.success());
        assert!(stdout(&output).contains("denied:\n"), "{}", stdout(&output));
    }
}

/// Names and values that are errors, with words that the sentence must have.
const WRONG: [(&str, &str, &str); 6] = [
    ("RIND_CPU_DISABLE_adz", "1", "\"RIND_CPU_DISABLE_adz\" denies no CPU feature"),
    ("RIND_CPU_DISABLE_ADX", "1", "\"RIND_CPU_DISABLE_ADX\" denies no CPU feature"),
    ("RIND_CPU_DISABLE_sse2", "0", "\"RIND_CPU_DISABLE_sse2\" denies no CPU feature"),
    ("RIND_CPU_DISABLE", "adx", "\"RIND_CPU_DISABLE\" denies no CPU feature"),
    ("RIND_CPU_DISABLE_adx", "yes", "RIND_CPU_DISABLE_adx is \"yes\""),
    ("RIND_CPU_DISABLE_avx2", "2", "RIND_CPU_DISABLE_avx2 is \"2\""),
];

#[test]
fn check_returns_the_error_each_time() {
    for (name, value, words) in WRONG {
        let output = run("child_checks", &[(name, value)]);
        assert!(output.status.success(), "{name}");
        assert_eq!(
            stdout(&output).matches(&format!("check: {words}")).count(),
            2,
            "{}",
            stdout(&output)
        );
    }
    let output = run("child_checks", &[("RIND_CPU_DISABLE_adx", "1")]);
    assert_eq!(stdout(&output).matches("check: fine").count(), 2);
}

#[test]
fn wrong_variable_stops_every_operation_with_code_2() {
    for child in
        ["child_signs", "child_verifies", "child_agrees", "child_publishes", "child_reports"]
    {
        for (name, value, words) in WRONG {
            let output = run(child, &[(name, value)]);
            assert_eq!(
                output.status.code(),
                Some(2),
                "{child}, {name}={value}: {}",
                stderr(&output)
            );
            assert_eq!(stderr(&output).lines().count(), 1, "one sentence: {}", stderr(&output));
            assert!(
                stderr(&output).starts_with(&format!("rind25519: {words}")),
                "{}",
                stderr(&output)
            );
            assert!(!stdout(&output).contains("went on"));
        }
        let output = run(child, &[("RIND_CPU_DISABLE_adx", "1")]);
        assert!(output.status.success() && stdout(&output).contains("went on"), "{child}");
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_stop_it_without_a_panic() {
    use std::os::unix::ffi::OsStrExt as _;
    let name = OsStr::from_bytes(b"RIND_CPU_DISABLE_\xff");
    let output = run("child_signs", &[(name, "1")]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let value = OsStr::from_bytes(b"\xff");
    let output = run("child_signs", &[("RIND_CPU_DISABLE_adx", value)]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
