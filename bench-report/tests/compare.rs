//! `compare` finds what moved, and its exit code says whether something of ours got slower.

mod common;

use common::{committed, is_ours, outcomes, run, scale};

/// Compares the committed report with itself after a change.
fn compare(change: impl Fn(&mut serde_json::Value), threshold: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (_, mut report) = committed();
    std::fs::write(path("before"), report.to_string()).unwrap();
    change(&mut report);
    std::fs::write(path("after"), report.to_string()).unwrap();
    let (code, stdout, stderr) =
        run(&["compare", &path("before"), &path("after"), "--threshold", threshold]);
    assert_eq!(stderr, "");
    (code, stdout)
}

fn scale_all(report: &mut serde_json::Value, ours: bool, factor: f64) {
    outcomes(report).into_iter().filter(|o| is_ours(o) == ours).for_each(|o| scale(o, factor));
}

#[test]
fn report_has_not_moved_from_itself() {
    let (code, stdout) = compare(|_| (), "0%");
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("0 of "), "{stdout}");
}

#[test]
fn slower_is_found_and_fails() {
    let (code, stdout) = compare(|report| scale_all(report, true, 1.5), "3%");
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("+50.0 % slower"), "{stdout}");
    // Less than the threshold is no movement.
    assert_eq!(compare(|report| scale_all(report, true, 1.5), "60%").0, Some(0));
}

#[test]
fn faster_and_peers_do_not_fail() {
    let (code, stdout) = compare(|report| scale_all(report, true, 0.5), "3%");
    assert_eq!(code, Some(0));
    assert!(stdout.contains("faster"), "{stdout}");
    let (code, stdout) = compare(|report| scale_all(report, false, 2.0), "3%");
    assert_eq!(code, Some(0));
    assert!(stdout.contains("are of peers"), "{stdout}");
}

#[test]
fn slower_clock_is_no_movement() {
    let slow_clock = |report: &mut serde_json::Value| {
        outcomes(report).into_iter().for_each(|o| scale(o, 1.4));
        for group in report["groups"].as_array_mut().unwrap() {
            group["rows"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|row| scale(&mut row["control"], 1.4));
        }
    };
    let (code, stdout) = compare(slow_clock, "3%");
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("0 of "), "{stdout}");
}
