//! One host's numbers as cells, for Markdown and HTML alike.

use serde::Serialize;

use super::analysis::{self, Gap, Than};
use super::gaps::Explanations;
use crate::definitions::Model;
use crate::report::{Engine, Group, Known, Outcome, Report, Row, library, tier};
use crate::statistics::{NOISY, time, unrest};

/// What a number is marked for, because it is not the work of its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OtherRule,
    DecodesAgain,
    LargeKey,
}

impl Mark {
    const ALL: [Mark; 3] = [Mark::OtherRule, Mark::DecodesAgain, Mark::LargeKey];

    fn sign(self) -> &'static str {
        match self {
            Mark::OtherRule => "†",
            Mark::DecodesAgain => "‡",
            Mark::LargeKey => "§",
        }
    }

    fn sentence(self, large_key: usize) -> String {
        match self {
            Mark::OtherRule => "another acceptance rule than ours".into(),
            Mark::DecodesAgain => {
                "decodes the key again in each verification, though it was parsed before".into()
            }
            Mark::LargeKey => format!(
                "a parsed key takes {large_key} bytes or more (see the libraries below), and the many keys in turn \
                 of such a row do not stay in the first-level cache: with one key it would be faster"
            ),
        }
    }

    /// The marks of a number.
    fn of(report: &Report, row: &Row, outcome: &Outcome, large_key: usize) -> Vec<Mark> {
        let engine = report.engine(&outcome.engine);
        let rule_of_ours = analysis::ours(row).and_then(|ours| ours.rule.as_ref());
        let applies = |mark: &Mark| match mark {
            Mark::OtherRule => row.model.verifies() && outcome.rule.as_ref() != rule_of_ours,
            Mark::DecodesAgain => {
                row.model == Model::VerifyParsed && engine.is_some_and(|e| e.decodes_again)
            }
            Mark::LargeKey => {
                matches!(row.model, Model::VerifyParsed | Model::VerifyStrict)
                    && engine.and_then(|e| e.key_bytes).is_some_and(|bytes| bytes >= large_key)
            }
        };
        Mark::ALL.into_iter().filter(applies).collect()
    }
}

#[derive(Serialize)]
pub struct HostTable {
    pub stem: String,
    pub title: String,
    pub facts: Vec<(String, String)>,
    pub groups: Vec<GroupCells>,
    pub libraries: Vec<Library>,
    pub gaps: Vec<ExplainedGap>,
    pub absences: Vec<(String, String)>,
}

#[derive(Serialize)]
pub struct GroupCells {
    pub name: String,
    pub title: String,
    pub analysis: String,
    /// Engines that have a number in some row.
    pub columns: Vec<String>,
    pub rows: Vec<RowCells>,
    /// What the marks mean that stand in these rows.
    pub legend: String,
}

#[derive(Serialize)]
pub struct RowCells {
    pub title: String,
    pub cells: Vec<Cell>,
    pub ratio: String,
    pub ratio_value: f64,
    pub spread: String,
    pub fastest: String,
    /// Ours is slower than the fastest peer.
    pub loss: bool,
}

#[derive(Serialize, Default)]
pub struct Cell {
    /// Microseconds, or a dash.
    pub text: String,
    /// One after the other.
    pub marks: String,
    pub value: f64,
    /// What the cell says when asked: the spread, or why there is no number.
    pub hint: String,
}

#[derive(Serialize)]
pub struct Library {
    pub name: String,
    pub version: String,
    pub rule: String,
    pub keys: String,
    pub size: String,
    pub backend: String,
    pub notes: String,
}

#[derive(Serialize)]
pub struct ExplainedGap {
    pub what: String,
    pub why: String,
}

impl HostTable {
    pub fn new(stem: &str, report: &Report, explanations: &Explanations, large_key: usize) -> Self {
        let group = |group| GroupCells::new(report, group, large_key);
        let groups = report.groups.iter().map(group).collect();
        let gaps = analysis::gaps(report);
        HostTable {
            stem: stem.into(),
            title: title(report),
            facts: facts(report),
            groups,
            libraries: report.engines.iter().map(|engine| Library::new(report, engine)).collect(),
            gaps: gaps.iter().map(|gap| ExplainedGap::new(report, gap, explanations)).collect(),
            absences: absences(report),
        }
    }
}

impl GroupCells {
    fn new(report: &Report, group: &Group, large_key: usize) -> Self {
        let columns = columns(report, group);
        let row = |row| RowCells::new(report, row, &columns, large_key);
        let rows: Vec<RowCells> = group.rows.iter().map(row).collect();
        let stands = |mark: &Mark| {
            rows.iter().flat_map(|row| &row.cells).any(|cell| cell.marks.contains(mark.sign()))
        };
        let marks = Mark::ALL.into_iter().filter(stands);
        let legend: Vec<String> =
            marks.map(|mark| format!("{} {}", mark.sign(), mark.sentence(large_key))).collect();
        GroupCells {
            name: group.name.clone(),
            title: group.title.clone(),
            analysis: group.analysis.clone(),
            rows,
            legend: legend.join("; "),
            columns: columns.iter().map(|name| heading(name)).collect(),
        }
    }
}

/// Engines that have a number in a row of the group, ours first, in the order of engines.toml.
fn columns(report: &Report, group: &Group) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for engine in &report.engines {
        for outcome in group.rows.iter().flat_map(|row| &row.results) {
            let new = library(&outcome.engine) == engine.name
                && !outcome.samples.ns.is_empty()
                && !names.contains(&outcome.engine.as_str());
            names.extend(new.then_some(outcome.engine.as_str()));
        }
    }
    names.into_iter().map(str::to_owned).collect()
}

/// `rind25519/adx` is "ours, adx".
pub fn heading(engine: &str) -> String {
    match tier(engine) {
        Some("auto") => "ours".into(),
        Some(tier) => format!("ours, {tier}"),
        None => engine.into(),
    }
}

fn title(report: &Report) -> String {
    let cpu = &report.host.cpu;
    let number = |n: Option<u32>| n.map_or("?".into(), |n| n.to_string());
    format!(
        "{}, family {} model {} stepping {}, {}",
        cpu.model.replace("(R)", "").replace("(TM)", "").replace("  ", " ").trim(),
        number(cpu.family),
        number(cpu.model_number),
        number(cpu.stepping),
        report.created.split('T').next().unwrap_or_default(),
    )
}

fn facts(report: &Report) -> Vec<(String, String)> {
    let (host, build, settings) = (&report.host, &report.build, &report.settings);
    let unknown = || "not readable".to_owned();
    let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(unknown);
    let commit = match (&build.commit, build.dirty) {
        (Some(commit), Some(false)) => commit.chars().take(10).collect(),
        (Some(commit), _) => format!("{} with changes", &commit[..commit.len().min(10)]),
        (None, _) => unknown(),
    };
    let quiet = unrest(report.rows()).map_or_else(unknown, |unrest| {
        let word = if unrest > NOISY { "noisy" } else { "quiet" };
        format!("{word}: eight tenths of the idle control's blocks within {:.1} %", unrest * 100.0)
    });
    let denied = match host.denied.as_slice() {
        [] => String::new(),
        denied => format!("; denied: {}", denied.join(", ")),
    };
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("command", report.command.clone()),
        fact("measured", format!("{}, {} rounds", report.created, settings.rounds)),
        fact("commit", commit),
        fact("compiler", format!("{}, {}", or_unknown(&build.rustc), build.profile)),
        fact("flags", build.flags.clone()),
        fact("microcode", or_unknown(&host.cpu.microcode)),
        fact("features", format!("{}{denied}", host.features.join(", "))),
        fact("XCR0", or_unknown(&host.cpu.xcr0)),
        fact("hypervisor", host.hypervisor.clone().unwrap_or_else(|| "none seen".into())),
        fact(
            "governor, boost, SMT",
            [&host.governor, &host.boost, &host.smt].map(or_unknown).join(", "),
        ),
        fact("kernel", or_unknown(&host.kernel)),
        fact("host", quiet),
    ]
}

impl RowCells {
    fn new(report: &Report, row: &Row, columns: &[String], large_key: usize) -> Self {
        let cell = |name: &String| {
            let outcome = row.results.iter().find(|outcome| outcome.engine == *name);
            outcome.map_or_else(Cell::dash, |outcome| Cell::new(report, row, outcome, large_key))
        };
        let ratio = analysis::ratio(report, row);
        let fastest = analysis::fastest_peer(report, row);
        RowCells {
            title: row.title.clone(),
            cells: columns.iter().map(cell).collect(),
            ratio: ratio.map_or("–".into(), |ratio| format!("{:.2}", ratio.median)),
            ratio_value: ratio.map_or(f64::MAX, |ratio| ratio.median),
            spread: ratio.map_or(String::new(), |r| format!("{:.2}–{:.2}", r.lower, r.upper)),
            fastest: fastest.map_or("–".into(), |outcome| outcome.engine.clone()),
            loss: ratio.is_some_and(|ratio| ratio.median > 1.0),
        }
    }
}

impl Cell {
    fn dash() -> Self {
        Cell { text: "–".into(), value: f64::MAX, ..Cell::default() }
    }

    fn new(report: &Report, row: &Row, outcome: &Outcome, large_key: usize) -> Self {
        let Some(time) = time(row, outcome).map(|time| time.scaled(1e-3)) else {
            return Cell { hint: outcome.absent.clone().unwrap_or_default(), ..Cell::dash() };
        };
        let marks = Mark::of(report, row, outcome, large_key).into_iter().map(Mark::sign).collect();
        let ran = outcome.ran.join(", ");
        let on = if ran.is_empty() { ran } else { format!(", on {ran}") };
        Cell {
            text: microseconds(time.median),
            marks,
            value: time.median,
            hint: format!(
                "middle half {}–{}{on}",
                microseconds(time.lower),
                microseconds(time.upper)
            ),
        }
    }
}

/// Three digits that mean something.
pub fn microseconds(value: f64) -> String {
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$}")
}

impl Library {
    fn new(report: &Report, engine: &Engine) -> Self {
        let dash = || "–".to_owned();
        let rule = match (&engine.rule, &engine.strict) {
            (Some(rule), Some(strict)) => format!("{rule}; strict: {strict}"),
            (Some(rule), None) => rule.clone(),
            (None, Some(strict)) => format!("strict: {strict}"),
            (None, None) => dash(),
        };
        Library {
            name: engine.name.clone(),
            version: engine.version.clone().unwrap_or_else(|| "absent".into()),
            rule,
            keys: engine.keys.clone(),
            size: engine.key_bytes.map_or_else(dash, |bytes| format!("{bytes} B")),
            backend: backend(report, engine).unwrap_or_else(dash),
            notes: engine.notes.clone().unwrap_or_default(),
        }
    }
}

/// The backend with how it is known. Older reports do not tell that: of peers it was inferred, of one that was not
/// in the build, too, which is left out.
fn backend(report: &Report, engine: &Engine) -> Option<String> {
    if engine.ours || !engine.choices.is_empty() {
        return engine.backend.clone();
    }
    let mut outcomes = report.rows().flat_map(|row| &row.results);
    let timed = outcomes.any(|o| library(&o.engine) == engine.name && !o.samples.ns.is_empty());
    let known = Known::Inferred.words();
    engine.backend.as_ref().filter(|_| timed).map(|backend| format!("{backend} ({known})"))
}

impl ExplainedGap {
    fn new(report: &Report, gap: &Gap, explanations: &Explanations) -> Self {
        let row = report.rows().find(|row| row.name == gap.row);
        let row = row.map_or(gap.row.as_str(), |row| row.title.as_str());
        let (who, other) = (heading(&gap.engine), heading(&gap.other));
        let than = match gap.than {
            Than::FastestPeer => "the fastest peer",
            Than::TierBelow => "the tier below",
        };
        ExplainedGap {
            what: format!("{row}: {who} takes {:.2} of the time of {other}, {than}", gap.ratio),
            why: one_line(explanations.of(gap).unwrap_or("not explained")),
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why there is no number, once for each reason.
fn absences(report: &Report) -> Vec<(String, String)> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for row in report.rows() {
        for outcome in &row.results {
            let Some(why) = &outcome.absent else { continue };
            let reason = format!("{}: {why}", heading(&outcome.engine));
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, rows)) => rows.push(row.title.clone()),
                None => reasons.push((reason, vec![row.title.clone()])),
            }
        }
    }
    let place = |rows: Vec<String>| match rows.len() {
        0..4 => rows.join("; "),
        many => format!("{many} rows"),
    };
    reasons.into_iter().map(|(reason, rows)| (reason, place(rows))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_have_three_digits() {
        let cases =
            [(0.1234, "0.12"), (7.955, "7.96"), (27.04, "27.0"), (99.96, "100.0"), (412.3, "412")];
        for (value, text) in cases {
            assert_eq!(microseconds(value), text);
        }
    }
}
