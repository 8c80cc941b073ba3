//! A run gives a valid report, and whatever ends it early leaves what was there before.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{assert_sentence, bench_report, said, skip};
use serde_json::Value;

/// A small run: rows and engines that need little time even without optimisation.
fn small() -> Command {
    let mut command = bench_report();
    command.args(["collect", "--engine", "rind25519", "--row", "inversion", "--out"]);
    command
}

fn load(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn outcome<'a>(report: &'a Value, engine: &str) -> &'a Value {
    let results = report["groups"][0]["rows"][0]["results"].as_array().unwrap();
    results.iter().find(|outcome| outcome["engine"] == engine).unwrap()
}

#[test]
fn every_engine_answers_rightly() {
    let (code, stdout, stderr) = common::run(&["collect", "--test"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.lines().filter(|line| line.ends_with("right answers")).count() > 50, "{stdout}");
}

#[test]
fn run_writes_a_valid_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/report.json");
    let arguments =
        ["collect", "--rounds", "3", "--row", "public-key", "--row", "handshake", "--out"];
    let (code, stdout, stderr) = said(&bench_report().args(arguments).arg(&path).output().unwrap());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("public key from seed"), "{stdout}");
    assert_eq!(said(&bench_report().arg("validate").arg(&path).output().unwrap()).0, Some(0));
    let report = load(&path);
    assert_eq!(outcome(&report, "dalek")["ns"].as_array().unwrap().len(), 3);
    let names: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing else is left: {names:?}");
    assert_eq!(report["host"].get("name"), None);
    assert!(!report.to_string().contains(folder.path().to_str().unwrap()), "no path in a report");
}

#[test]
fn denied_tier_is_absent_and_never_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let output = bench_report()
        .args([
            "collect",
            "--rounds",
            "2",
            "--row",
            "x25519-public",
            "--engine",
            "rind25519",
            "--out",
        ])
        .arg(&path)
        .env("RIND_CPU_DISABLE_adx", "1")
        .output()
        .unwrap();
    assert_eq!(said(&output).0, Some(0));
    let report = load(&path);
    assert_eq!(report["host"]["denied"], serde_json::json!(["adx"]));
    let (adx, auto) = (outcome(&report, "rind25519/adx"), outcome(&report, "rind25519/auto"));
    assert!(adx["absent"].as_str().unwrap().contains("adx") && adx["ns"] == serde_json::json!([]));
    assert_ne!(auto["ran"], serde_json::json!(["adx"]));
    assert_eq!(outcome(&report, "rind25519/portable")["ran"], serde_json::json!(["portable"]));
}

/// The choices of an engine in a run of `program`, with its version.
fn choices(program: &mut Command, engine: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    program
        .args(["--rounds", "1", "--row", "x25519-shared", "--engine", engine, "--out"])
        .arg(&path);
    let output = program.output().unwrap();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    load(&path)["engines"][0]["choices"].as_array().unwrap().clone()
}

fn backend<'a>(choices: &'a [Value], known: &str) -> Option<&'a str> {
    choices.iter().find(|choice| choice["known"] == known)?["backend"].as_str()
}

/// What OpenSSL is seen to execute follows the features that it is told to do without.
#[test]
fn backend_of_a_peer_is_what_it_executes() {
    let with = |bits: Option<&str>| {
        let mut program = bench_report();
        program.arg("collect").env_remove("OPENSSL_ia32cap");
        choices(program.envs(bits.map(|bits| ("OPENSSL_ia32cap", bits))), "openssl")
    };
    let free = with(None);
    if free.is_empty() {
        return skip::skip("no libcrypto.so.3 here");
    }
    assert!(backend(&free, "told").unwrap().contains("OPENSSL_ia32cap="), "{free:?}");
    let observed = backend(&free, "observed").expect("a program may step through itself");
    if !observed.contains("adcx") {
        return skip::skip("OpenSSL uses no ADX here");
    }
    // What follows the colon is CPUID.7.EBX first, on every vendor's CPU: BMI2 is bit 8, ADX bit 19.
    let denied = with(Some(":~0x80100"));
    let observed = backend(&denied, "observed").unwrap();
    assert!(observed.contains("mul") && !observed.contains("adcx"), "{denied:?}");
}

#[test]
fn backend_that_cannot_be_observed_is_said_to_be_inferred() {
    // Without /proc this program cannot start itself once more.
    let script = r#"mount -t tmpfs none /proc && exec "$0" collect "$@""#;
    let mut hidden = Command::new("unshare");
    hidden.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_bench-report")]);
    let mounts = ["-rm", "mount", "-t", "tmpfs", "none", "/proc"];
    let mounts = Command::new("unshare").args(mounts).output();
    if !mounts.is_ok_and(|output| output.status.success()) {
        return skip::skip("no file system may be mounted here");
    }
    let choices = choices(&mut hidden, "aws-lc-rs");
    assert_eq!(backend(&choices, "observed"), None, "{choices:?}");
    assert!(backend(&choices, "inferred").unwrap().contains("s2n-bignum"), "{choices:?}");
}

#[test]
fn interrupted_run_keeps_what_it_has_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let partial = folder.path().join("report.json.partial");
    fs::write(&path, "an earlier report").unwrap();
    // Far more than pass before the signal comes, however late that is.
    const ENDLESS: &str = "100000";
    let mut child =
        small().arg(&path).args(["--rounds", ENDLESS]).stderr(Stdio::piped()).spawn().unwrap();
    while !partial.exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended, and kept nothing on the way");
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_sentence(&output, 130, "interrupted after");
    assert_eq!(fs::read_to_string(&path).unwrap(), "an earlier report");

    // Another run is not the same run.
    let other = small().arg(&path).args(["--rounds", "99999", "--resume"]).output().unwrap();
    assert_sentence(&other, 2, "cannot be resumed: a setting differs");
    let mut kept = load(&partial);
    let rounds_before = outcome(&kept, "rind25519/auto")["ns"].as_array().unwrap().clone();
    assert!(!rounds_before.is_empty());
    // The rest would take minutes: as if three rounds more had been asked for.
    let rounds = rounds_before.len() + 3;
    kept["settings"]["rounds"] = rounds.into();
    fs::write(&partial, kept.to_string()).unwrap();
    let resume = || {
        let rounds = rounds.to_string();
        small().arg(&path).args(["--rounds", &rounds, "--resume"]).output().unwrap()
    };
    let output = resume();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    let report = load(&path);
    let rounds_now = outcome(&report, "rind25519/auto")["ns"].as_array().unwrap();
    assert_eq!(rounds_now.len(), rounds);
    assert_eq!(rounds_now[..rounds_before.len()], rounds_before);
    assert!(!partial.exists());
    assert_sentence(&resume(), 2, "nothing to resume");
}

/// As a keyboard does. The shell's own `kill`: not every system has a program of that name.
fn interrupt(child: &Child) {
    let kill = Command::new("sh").args(["-c", "kill -INT $0", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
}

#[test]
fn full_disk_is_said_and_the_earlier_report_kept() {
    // A file system of 64 KiB, in a namespace of its own.
    let mounts =
        Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).output();
    if !mounts.is_ok_and(|output| output.status.success()) {
        return skip::skip("no file system may be mounted here");
    }
    let script = r#"
        mount -t tmpfs -o size=64k none /mnt && echo earlier > /mnt/report.json &&
        head -c 40000 /dev/zero > /mnt/ballast || exit 99
        "$0" collect --engine rind25519 --row inversion --rounds 1000 --out /mnt/report.json
        code=$?
        [ "$(cat /mnt/report.json)" = earlier ] || exit 98
        exit $code"#;
    let program = env!("CARGO_BIN_EXE_bench-report");
    let output =
        Command::new("unshare").args(["-rm", "sh", "-c", script, program]).output().unwrap();
    assert_sentence(&output, 2, "No space left on device");
}

#[test]
fn unknown_names_are_refused() {
    let refused = |arguments: &[&str], part: &str| {
        let output = bench_report().arg("collect").args(arguments).output().unwrap();
        assert_sentence(&output, 2, part);
    };
    refused(&["--test", "--tier", "sse9"], "there is no tier sse9; the tiers are ifma, avx2");
    refused(&["--test", "--engine", "nacl"], "there is no engine nacl; the engines are rind25519");
    refused(&["--test", "--row", "verify-60"], "no row has such a name");
    refused(&["--row", "inversion", "--engine", "openssl"], "none of these rows is one of these");
    refused(&["--rounds", "1", "--cpu", "1000000"], "there is no CPU 1000000");
    let output = bench_report().args(["collect", "--resume", "--host", "nobody"]).output().unwrap();
    let (code, _, stderr) = said(&output);
    assert!(code == Some(2) && stderr.contains("cannot be used with '--host"), "{stderr}");
}

#[test]
fn destination_that_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "earlier").unwrap();
    // More rounds than anyone waits for: it is refused before they are measured.
    let collect = |out: &Path| small().arg(out).args(["--rounds", "100000"]).output().unwrap();
    assert_sentence(&collect(&file.join("report.json")), 2, "cannot write ");
    assert_sentence(&collect(folder.path()), 2, "it is a folder");
    assert_eq!(fs::read(&file).unwrap(), b"earlier");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn earlier_report_survives_a_write_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    assert_eq!(said(&small().arg(&path).args(["--rounds", "2"]).output().unwrap()).0, Some(0));
    let earlier = fs::read(&path).unwrap();
    assert!(earlier.len() > 2048);
    let mut command = common::bench_report_without_room();
    command.args(small().get_args()).arg(&path).args(["--rounds", "2"]);
    assert_sentence(
        &command.output().unwrap(),
        2,
        "File too large; what was there before is untouched",
    );
    assert_eq!(fs::read(&path).unwrap(), earlier);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half-written is left");
}
