//! A file that is no report is refused in one sentence, whatever is wrong with it.

mod common;

use common::{assert_sentence, bench_report, committed};
use serde_json::{Value, json};

#[track_caller]
fn refused(bytes: &[u8], part: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    std::fs::write(&path, bytes).unwrap();
    for command in ["show", "validate"] {
        let output = bench_report().arg(command).arg(&path).output().unwrap();
        assert_sentence(&output, 2, part);
    }
    let output = bench_report().arg("compare").args([&path, &path]).output().unwrap();
    assert_sentence(&output, 2, part);
}

#[track_caller]
fn refused_with(change: impl FnOnce(&mut Value), part: &str) {
    let (_, mut report) = committed();
    change(&mut report);
    refused(report.to_string().as_bytes(), part);
}

#[test]
fn whole_report_is_accepted() {
    let (name, _) = committed();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(name);
    let output = bench_report().arg("validate").arg(path).output().unwrap();
    assert_eq!(common::said(&output).0, Some(0));
}

#[test]
fn missing_file_is_said() {
    let output = bench_report().args(["show", "/nowhere/report.json"]).output().unwrap();
    assert_sentence(&output, 2, "cannot read /nowhere/report.json: No such file or directory");
}

#[test]
fn truncated_report_is_refused() {
    let (_, report) = committed();
    let text = report.to_string();
    for length in [0, 1, 100, text.len() / 2, text.len() - 1] {
        refused(&text.as_bytes()[..length], "is cut short");
    }
}

#[test]
fn other_files_are_refused() {
    refused(b"name,brand\n1,2\n", "is not JSON");
    refused(b"\xff\xfe\x00", "is not JSON");
    refused(b"{}", "not a report of bench-report");
    refused(b"[1]", "not a report of bench-report");
    refused(b"{\"schema\": \"criterion\", \"version\": 1}", "not a report of bench-report");
}

#[test]
fn newer_schema_is_refused() {
    refused_with(|report| report["version"] = json!(2), "has schema version 2");
    refused_with(|report| report["version"] = json!("one"), "has no schema version");
}

#[test]
fn report_that_breaks_its_schema_is_refused() {
    fn fields(report: &mut Value) -> &mut serde_json::Map<String, Value> {
        report.as_object_mut().unwrap()
    }
    let keeps = "does not keep its schema";
    refused_with(|report| report["created"] = json!("yesterday"), keeps);
    refused_with(|report| drop(fields(report).remove("host")), keeps);
    refused_with(|report| report["groups"] = json!([]), keeps);
    refused_with(|report| report["groups"][0]["rows"][0]["control"]["ns"][0] = json!(-1), keeps);
    refused_with(|report| report["groups"][0]["rows"][0]["model"] = json!("guess"), keeps);
    refused_with(|report| report["groups"][0]["rows"][0]["distinct"] = json!(1), keeps);
    refused_with(|report| report["build"]["commit"] = json!("main"), keeps);
    // A number where the report says that there is none.
    refused_with(
        |report| report["groups"][0]["rows"][0]["results"][0]["absent"] = json!("why"),
        keeps,
    );
}
