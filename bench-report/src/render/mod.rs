//! From reports to what people read: tables in BENCHMARKS.md, plots beside it, one HTML page. The same
//! reports give the same bytes, so that what is stale shows.

pub mod analysis;
mod curves;
mod gaps;
mod html;
mod markdown;
mod plots;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::report::Report;
use crate::{definitions, files};
use gaps::Explanations;
use table::HostTable;

const REPORTS: &str = "bench-report/reports";
const RENDERED: &str = "bench-report/rendered";
const GAPS: &str = "bench-report/gaps.toml";
const PAGE: &str = "BENCHMARKS.md";

/// A report and what is drawn of it.
pub struct Host {
    /// The name of the report's file, without `.json`.
    pub stem: String,
    pub report: Report,
    pub table: HostTable,
    pub plots: Vec<plots::Plot>,
}

struct Rendering {
    files: BTreeMap<PathBuf, String>,
    findings: Vec<String>,
}

/// Writes everything that is not as it should be; the paths written.
pub fn write(root: &Path) -> Result<Vec<PathBuf>, String> {
    let rendering = render(root)?;
    let files = rendering.files.iter().map(|(path, text)| (root.join(path), text));
    let stale: Vec<_> =
        files.filter(|(path, text)| fs::read_to_string(path).ok().as_ref() != Some(text)).collect();
    let bytes: Vec<_> =
        stale.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    files::write_all(&bytes)?;
    for path in leftovers(root, &rendering)? {
        fs::remove_file(&path)
            .map_err(|e| format!("cannot remove {}: {}", path.display(), files::plain(&e)))?;
    }
    Ok(stale.into_iter().map(|(path, _)| path).collect())
}

/// What is stale, left over, or not explained.
pub fn check(root: &Path) -> Result<Vec<String>, String> {
    let rendering = render(root)?;
    let mut findings = Vec::new();
    for (path, text) in &rendering.files {
        if fs::read_to_string(root.join(path)).ok().as_ref() != Some(text) {
            findings.push(format!("{} is stale: run `bench-report render`", path.display()));
        }
    }
    for path in leftovers(root, &rendering)? {
        findings
            .push(format!("{} belongs to no report: run `bench-report render`", path.display()));
    }
    findings.extend(rendering.findings);
    Ok(findings)
}

fn render(root: &Path) -> Result<Rendering, String> {
    let explanations = Explanations::parse(&read(&root.join(GAPS))?)?;
    let large_key = definitions::large_key()?;
    let mut hosts = Vec::new();
    for path in entries(&root.join(REPORTS))?.iter().filter(|path| is(path, "json")) {
        let report = Report::load(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let table = HostTable::new(&stem, &report, &explanations, large_key);
        let plots = plots::all(&report).map_err(|e| format!("{}: {e}", path.display()))?;
        hosts.push(Host { stem, report, table, plots });
    }
    if hosts.is_empty() {
        return Err(format!("there is no report in {}", root.join(REPORTS).display()));
    }
    let mut files = BTreeMap::new();
    for host in &hosts {
        for plot in &host.plots {
            files.insert(Path::new(RENDERED).join(plot.file(&host.stem)), plot.svg.clone());
        }
    }
    let page = markdown::splice(&read(&root.join(PAGE))?, &markdown::page(&hosts, RENDERED))
        .map_err(|e| format!("{PAGE}: {e}"))?;
    files.insert(PAGE.into(), page);
    files.insert(Path::new(RENDERED).join("index.html"), html::page(&hosts)?);
    let gaps: Vec<_> = hosts.iter().flat_map(|host| analysis::gaps(&host.report)).collect();
    Ok(Rendering { files, findings: explanations.check(&gaps) })
}

/// Files in the folder of rendered ones that no report asks for.
fn leftovers(root: &Path, rendering: &Rendering) -> Result<Vec<PathBuf>, String> {
    let folder = root.join(RENDERED);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let wanted = |path: &PathBuf| rendering.files.keys().any(|file| root.join(file) == *path);
    Ok(entries(&folder)?.into_iter().filter(|path| !wanted(path)).collect())
}

/// The files of a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let error =
        |e: std::io::Error| format!("cannot read {}: {}", folder.display(), files::plain(&e));
    let entries = fs::read_dir(folder).map_err(error)?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(error)?;
    paths.sort();
    Ok(paths)
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path)
        .map_err(|e| format!("cannot read {}: {}", path.display(), files::plain(&e)))
}
