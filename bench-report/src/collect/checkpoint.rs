//! What an interrupted run leaves beside its output, and when another may go on with it.

use std::path::{Path, PathBuf};

use crate::report::Report;

/// `<output>.partial`, a report like any other, with fewer rounds.
pub fn path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// The earlier part of the run that `now` is about to be: same machine, program, settings.
pub fn load(partial: &Path, now: &Report) -> Result<Report, String> {
    if !partial.exists() {
        return Err(format!("there is nothing to resume: no {}", partial.display()));
    }
    let earlier = Report::load(partial)?;
    let differs = |what: &str| {
        Err(format!(
            "{} cannot be resumed: {what} differs; run again without --resume",
            partial.display()
        ))
    };
    if earlier.settings != now.settings {
        return differs("a setting");
    }
    if earlier.build != now.build {
        return differs("the program");
    }
    let machine = |report: &Report| {
        let host = &report.host;
        (host.cpu.cpuid.clone(), host.cpu.model.clone(), host.denied.clone(), host.kernel.clone())
    };
    if machine(&earlier) != machine(now) {
        return differs("the machine");
    }
    let names = |report: &Report| -> Vec<String> {
        let rows = report.rows();
        rows.flat_map(|r| r.results.iter().map(|o| format!("{} {}", r.name, o.engine))).collect()
    };
    if names(&earlier) != names(now) {
        return differs("what is measured");
    }
    Ok(earlier)
}
