//! The program under test, and the committed report as material.
#![allow(dead_code)] // each test binary uses its part

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "../../../tests/skip/mod.rs"]
pub mod skip;

pub fn bench_report() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench-report"));
    // What the tests are run with must not change what they find.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RIND_CPU_DISABLE") {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it; its exit code, and what it said on standard output and standard error.
pub fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    said(&bench_report().args(arguments).output().expect("the program starts"))
}

pub fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Asserts that a run ended with `code` and one sentence that contains `part`.
#[track_caller]
pub fn assert_sentence(output: &Output, code: i32, part: &str) {
    let (exit, _, stderr) = said(output);
    assert_eq!(exit, Some(code), "{stderr}");
    let lines: Vec<&str> =
        stderr.lines().filter(|line| line.starts_with("bench-report: ")).collect();
    assert_eq!(lines.len(), 1, "{stderr}");
    assert!(lines[0].contains(part), "no {part:?} in {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

/// A committed report, with its file's name.
pub fn committed() -> (String, serde_json::Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let path = paths.first().expect("a committed report");
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    (name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

/// The program where no file may get longer than a kibibyte, and the write that would make it so fails, as on a disk
/// that is full after the file was opened.
pub fn bench_report_without_room() -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]);
    let program = bench_report();
    command.arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Every outcome of a report, to be changed.
pub fn outcomes(report: &mut serde_json::Value) -> Vec<&mut serde_json::Value> {
    let groups = report["groups"].as_array_mut().unwrap();
    let rows = groups.iter_mut().flat_map(|group| group["rows"].as_array_mut().unwrap());
    rows.flat_map(|row| row["results"].as_array_mut().unwrap()).collect()
}

/// Makes an outcome slower or faster.
pub fn scale(outcome: &mut serde_json::Value, factor: f64) {
    for ns in outcome["ns"].as_array_mut().unwrap() {
        *ns = ((ns.as_f64().unwrap() * factor).round() as u64).into();
    }
}

pub fn is_ours(outcome: &serde_json::Value) -> bool {
    outcome["engine"].as_str().unwrap().starts_with("rind25519/")
}
