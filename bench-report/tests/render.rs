//! What is rendered follows from the reports, and `--check` finds whatever does not.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{committed, outcomes, said, scale};
use serde_json::Value;

/// A repository with one report and nothing rendered yet.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new(change: impl FnOnce(&mut Value)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository(folder);
        fs::create_dir_all(repository.path("bench-report/reports")).unwrap();
        let page = "# Page\n<!-- begin: rendered by bench-report, do not edit -->\n\
                    <!-- end: rendered by bench-report -->\nThe end.\n";
        fs::write(repository.path("BENCHMARKS.md"), page).unwrap();
        fs::write(repository.path("bench-report/gaps.toml"), "").unwrap();
        let (_, mut report) = committed();
        // As if we were ahead in every row, whatever the committed report says.
        for outcome in outcomes(&mut report) {
            if let Some(tier) = outcome["engine"].as_str().unwrap().strip_prefix("rind25519/") {
                let order = ["auto", "ifma", "avx2", "adx", "alt", "portable"];
                let place = order.iter().position(|name| *name == tier).unwrap();
                let ns = outcome["ns"].as_array_mut().unwrap();
                ns.fill((1000 + 10 * place).into());
            }
        }
        change(&mut report);
        fs::write(repository.path("bench-report/reports/host.json"), report.to_string()).unwrap();
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn render(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let root = self.0.path();
        let output = common::bench_report()
            .arg("render")
            .args(arguments)
            .arg("--root")
            .arg(root)
            .output()
            .unwrap();
        let (code, _, stderr) = said(&output);
        (code, stderr)
    }

    #[track_caller]
    fn check_finds(&self, part: &str) {
        let (code, stderr) = self.render(&["--check"]);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(part), "no {part:?} in {stderr}");
    }

    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut paths: Vec<PathBuf> = fs::read_dir(self.path("bench-report/rendered"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .chain([self.path("BENCHMARKS.md")])
            .collect();
        paths.sort();
        paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// Ours, as users get it, twice as slow as the fastest of all in one row.
fn slow_signing(report: &mut Value) {
    let rows = report["groups"].as_array_mut().unwrap().iter_mut();
    let mut rows = rows.flat_map(|group| group["rows"].as_array_mut().unwrap());
    let row = rows.find(|row| row["name"] == "sign-59").unwrap();
    let slowest = row["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|outcome| {
            outcome["ns"].as_array().unwrap().iter().filter_map(Value::as_u64).max()
        })
        .max()
        .unwrap();
    let ours = &mut row["results"].as_array_mut().unwrap()[0];
    ours["ns"].as_array_mut().unwrap().fill((2 * slowest).into());
}

#[test]
fn same_reports_give_same_bytes() {
    let repository = Repository::new(|_| ());
    assert_eq!(repository.render(&[]), (Some(0), String::new()));
    let once = repository.files();
    assert!(once.len() > 3, "{once:?}");
    fs::remove_dir_all(repository.path("bench-report/rendered")).unwrap();
    repository.render(&[]);
    assert_eq!(repository.files(), once);
    assert_eq!(repository.render(&["--check"]), (Some(0), String::new()));
}

#[test]
fn page_has_table_plots_and_rules() {
    let repository = Repository::new(slow_signing);
    repository.render(&[]);
    let page = fs::read_to_string(repository.path("BENCHMARKS.md")).unwrap();
    assert!(page.starts_with("# Page\n") && page.ends_with("The end.\n"), "{page}");
    for part in ["| sign, 59 B | **", "AWS_LC", "decodes the 32 bytes again", "µs"] {
        assert!(page.contains(part), "no {part:?} in {page}");
    }
    // Every plot that the page shows is there.
    let plots: Vec<&str> = page
        .split("](bench-report/rendered/")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect();
    assert!(plots.len() > 3);
    for plot in plots {
        let svg = fs::read_to_string(repository.path("bench-report/rendered").join(plot)).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<text"), "{plot}");
    }
}

/// A group of the page, from its heading to the next.
fn group<'a>(page: &'a str, heading: &str) -> &'a str {
    let start = page.find(heading).unwrap_or_else(|| panic!("no {heading:?}")) + heading.len();
    &page[start..start + page[start..].find("#### ").unwrap()]
}

#[test]
fn large_keys_carry_a_mark_where_parsed_keys_rotate() {
    let render = |bytes: u64| {
        let repository = Repository::new(|report| {
            for engine in report["engines"].as_array_mut().unwrap() {
                let size = if engine["name"] == "rind" { bytes } else { 64 };
                engine["key_bytes"] = size.into();
            }
        });
        repository.render(&[]);
        let read = |name: &str| fs::read_to_string(repository.path(name)).unwrap();
        (read("BENCHMARKS.md"), read("bench-report/rendered/index.html"))
    };
    let (page, html) = render(4560);
    let parsed = group(&page, "#### Verification, key parsed before\n");
    let row = parsed.lines().find(|line| line.starts_with("| verify, 59 B |")).unwrap();
    assert_eq!(row.matches('§').count(), 1, "{row}");
    let words = parsed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("; § a parsed key takes 512 bytes or more"), "{words}");
    assert!(!group(&page, "#### Verification, key as bytes\n").contains('§'));
    // Four rows, and the sentence below them.
    assert_eq!(html.matches('§').count(), 5);
    let (page, html) = render(511);
    assert!(!page.contains('§') && !html.contains('§'));
}

#[test]
fn stale_and_left_over_files_are_found() {
    let repository = Repository::new(|_| ());
    repository.check_finds("BENCHMARKS.md is stale");
    repository.render(&[]);
    let page = repository.path("BENCHMARKS.md");
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replacen("µs", "ns", 1)).unwrap();
    repository.check_finds("BENCHMARKS.md is stale");
    repository.render(&[]);
    let stray = repository.path("bench-report/rendered/old-host-sign.svg");
    fs::write(&stray, "").unwrap();
    repository.check_finds("belongs to no report");
    repository.render(&[]);
    assert!(!stray.exists());
    // Prose around the tables is nobody's business here.
    fs::write(&page, text.replace("The end.", "Another end.")).unwrap();
    assert_eq!(repository.render(&["--check"]), (Some(0), String::new()));
}

#[test]
fn gap_needs_an_entry_and_an_entry_a_gap() {
    let repository = Repository::new(slow_signing);
    repository.render(&[]);
    repository.check_finds("sign-59: rind25519/auto");
    let gaps = repository.path("bench-report/gaps.toml");
    let host = {
        let (_, stderr) = repository.render(&["--check"]);
        stderr.split("bench-report: ").nth(1).unwrap().split(',').next().unwrap().to_owned()
    };
    let entry = |row: &str| {
        format!(
            "[[gap]]\nhost = '{host}'\nrow = '{row}'\nengine = 'rind25519/auto'\nthan = 'fastest-peer'\nwhy = 'a test'\n"
        )
    };
    fs::write(&gaps, entry("sign-59")).unwrap();
    repository.check_finds("BENCHMARKS.md is stale"); // it tells the reasons too
    repository.render(&[]);
    assert_eq!(repository.render(&["--check"]), (Some(0), String::new()));
    fs::write(&gaps, entry("sign-59") + &entry("verify-59")).unwrap();
    repository.check_finds("verify-59");
    repository.check_finds("has closed");
}

#[test]
fn tier_slower_than_the_one_below_is_a_gap() {
    let repository = Repository::new(|report| {
        for outcome in outcomes(report) {
            if outcome["engine"] == "rind25519/alt" {
                scale(outcome, 1.5);
            }
        }
    });
    repository.render(&[]);
    repository.check_finds("rind25519/alt takes 1.49 of the time of rind25519/portable");
}

#[test]
fn missing_reports_and_marks_are_said() {
    let repository = Repository::new(|_| ());
    fs::write(repository.path("BENCHMARKS.md"), "no marks").unwrap();
    let (code, stderr) = repository.render(&[]);
    assert!(code == Some(2) && stderr.contains("exactly once"), "{stderr}");
    fs::remove_file(repository.path("bench-report/reports/host.json")).unwrap();
    let (code, stderr) = repository.render(&[]);
    assert!(code == Some(2) && stderr.contains("there is no report"), "{stderr}");
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("gaps.toml").exists());
}

/// Whatever is wrong with one of the reports, all that was rendered before stays.
#[test]
fn report_that_is_none_leaves_what_was_rendered() {
    let repository = Repository::new(|_| ());
    repository.render(&[]);
    let before = repository.files();
    let (_, mut newer) = committed();
    newer["version"] = 2.into();
    let text = newer.to_string();
    let cases: [(&str, &str); 4] = [
        (&text[..text.len() / 2], "second.json is cut short"),
        ("name,brand\n1,2\n", "second.json is not JSON"),
        ("{\"schema\": \"criterion\", \"version\": 1}", "second.json is JSON, but not a report"),
        (&text, "second.json has schema version 2"),
    ];
    for (report, part) in cases {
        fs::write(repository.path("bench-report/reports/second.json"), report).unwrap();
        for arguments in [&[][..], &["--check"]] {
            let (code, stderr) = repository.render(arguments);
            assert!(code == Some(2) && stderr.contains(part), "{stderr}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
        }
        assert_eq!(repository.files(), before);
    }
}

#[test]
fn files_that_cannot_be_written_leave_what_was_rendered() {
    let repository = Repository::new(|_| ());
    repository.render(&[]);
    let before = repository.files();
    let report = repository.path("bench-report/reports/host.json");
    let mut second: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    second["host"]["cpu"]["model_number"] = 1.into();
    fs::write(repository.path("bench-report/reports/second.json"), second.to_string()).unwrap();
    let output = common::bench_report_without_room()
        .args(["render", "--root"])
        .arg(repository.path(""))
        .output()
        .unwrap();
    common::assert_sentence(&output, 2, "File too large; what was there before is untouched");
    assert_eq!(repository.files(), before);
    // A folder where a file has to be: it is the last one, and no other is replaced for that.
    let plot = before.iter().map(|(path, _)| path).rfind(|path| path.extension().unwrap() == "svg");
    let plot = plot.unwrap();
    fs::remove_dir_all(repository.path("bench-report/rendered")).unwrap();
    fs::write(repository.path("bench-report/rendered"), "a file").unwrap();
    let (code, stderr) = repository.render(&[]);
    assert!(code == Some(2) && stderr.starts_with("bench-report: cannot "), "{stderr}");
    assert!(!plot.exists());
    let page = before.iter().find(|(path, _)| path.ends_with("BENCHMARKS.md")).unwrap();
    assert_eq!(fs::read(&page.0).unwrap(), page.1);
}

/// Two machines: a section each, in the order of the files' names, and gaps and plots of their own.
#[test]
fn hosts_stand_one_below_the_other() {
    let repository = Repository::new(|_| ());
    let first = fs::read(repository.path("bench-report/reports/host.json")).unwrap();
    let mut second: Value = serde_json::from_slice(&first).unwrap();
    second["host"]["cpu"]["model"] = "AMD EPYC Test".into();
    second["host"]["cpu"]["model_number"] = 17.into();
    slow_signing(&mut second);
    fs::write(repository.path("bench-report/reports/another.json"), second.to_string()).unwrap();
    repository.render(&[]);
    let page = fs::read_to_string(repository.path("BENCHMARKS.md")).unwrap();
    let html = fs::read_to_string(repository.path("bench-report/rendered/index.html")).unwrap();
    for text in [&page, &html] {
        let (one, other) = (text.find("AMD EPYC Test").unwrap(), text.rfind("Intel Xeon").unwrap());
        assert!(one < other, "another.json comes before host.json");
    }
    assert_eq!(page.matches("#### Where we are behind").count(), 1);
    assert_eq!(page.matches("\n### ").count(), 2);
    for stem in ["another", "host"] {
        assert!(html.contains(&format!("<section id=\"{stem}\">")), "{stem}");
        assert!(repository.path(&format!("bench-report/rendered/{stem}-sign.svg")).exists());
    }
    // An entry counts for its host alone.
    let entry = |host: &str| {
        format!(
            "[[gap]]\nhost = '{host}'\nrow = 'sign-59'\nengine = 'rind25519/auto'\nthan = 'fastest-peer'\nwhy = 'a test'\n"
        )
    };
    let (_, stderr) = repository.render(&["--check"]);
    let host = stderr.split("bench-report: ").nth(1).unwrap().split(',').next().unwrap();
    assert!(host.ends_with("-17"), "{stderr}");
    fs::write(repository.path("bench-report/gaps.toml"), entry("another-host-1")).unwrap();
    repository.check_finds("has closed");
    fs::write(repository.path("bench-report/gaps.toml"), entry(host)).unwrap();
    repository.render(&[]);
    assert_eq!(repository.render(&["--check"]), (Some(0), String::new()));
}
