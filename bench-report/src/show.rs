//! Tables for a terminal.

use std::fmt::Write as _;

use crate::definitions::{EngineSpec, Group};
use crate::report::Report;
use crate::statistics::{NOISY, cycles, paired, time, unrest};

/// Every row of a report: microseconds with the middle half, cycles, and the ratio to the fastest peer.
pub fn table(report: &Report) -> String {
    let mut text = String::new();
    let (host, build) = (&report.host, &report.build);
    let commit =
        build.commit.as_deref().map_or("no commit", |commit| &commit[..commit.len().min(10)]);
    let dirty = if build.dirty == Some(true) { " and changes" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}, {}, commit {commit}{dirty}", host.cpu.model, report.created);
    if let Some(unrest) = unrest(report.rows()) {
        let word = if unrest > NOISY { "noisy" } else { "quiet" };
        let _ = writeln!(
            text,
            "a {word} host: eight tenths of the idle control's blocks within {:.1} %",
            unrest * 100.0
        );
    }
    for row in report.rows() {
        let _ = writeln!(
            text,
            "\n{:40} {:>10} {:>17} {:>9}  to fastest peer",
            row.title, "µs", "middle half", "cycles"
        );
        let fastest = crate::render::analysis::fastest_peer(report, row);
        for outcome in &row.results {
            let Some(spread) = time(row, outcome).map(|spread| spread.scaled(1e-3)) else {
                let why = outcome.absent.as_deref().unwrap_or("no samples");
                let _ = writeln!(text, "  {:38} {why}", outcome.engine);
                continue;
            };
            let cycles = cycles(row, outcome, report.settings.control_steps);
            let _ = writeln!(
                text,
                "  {:38} {:>10.2} {:>17} {:>9}  {}",
                outcome.engine,
                spread.median,
                format!("{:.2}-{:.2}", spread.lower, spread.upper),
                cycles.map_or_else(String::new, |cycles| format!("{:.0}", cycles.median)),
                fastest
                    .and_then(|fastest| paired(&outcome.samples, &fastest.samples))
                    .map_or_else(String::new, |ratio| format!("{:.3}", ratio.median)),
            );
        }
    }
    text
}

/// What `collect` can measure.
pub fn list(groups: &[Group], engines: &[EngineSpec]) -> String {
    let mut text = String::from("engines\n");
    for engine in engines {
        let version =
            crate::engines::version(engine).unwrap_or_else(|why| format!("absent: {why}"));
        let _ = writeln!(text, "  {:14} {version}", engine.name);
    }
    for group in groups {
        let _ = writeln!(text, "\n{}", group.title);
        for bench in &group.bench {
            let _ = writeln!(text, "  {:24} {}", bench.name, bench.engines.join(", "));
        }
    }
    text
}
