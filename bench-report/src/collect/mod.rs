//! Measuring: rounds of short blocks in shuffled order, so that no engine has the quiet minute to itself.

mod checkpoint;
mod interrupt;
pub mod plan;
pub mod remote;
mod tiers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;

use crate::clock;
use crate::engines;
use crate::files;
use crate::report::{Report, Samples};
use plan::{Plan, Selection};

/// Rounds of a full run and of a quick one.
pub const ROUNDS: u32 = 120;
pub const QUICK_ROUNDS: u32 = 20;

#[derive(Clone, Debug)]
pub struct Options {
    pub selection: Selection,
    pub rounds: u32,
    pub seed: u64,
    pub cpu: Option<u32>,
    pub host_name: bool,
    pub resume: bool,
    /// None: `bench-report/reports/<cpu>-<date>.json`, or the same under the current folder.
    pub out: Option<PathBuf>,
    pub command: String,
}

/// How a run ended that wrote a report.
#[derive(Debug)]
pub struct Collected {
    pub path: PathBuf,
    pub report: Report,
}

/// Prepares everything and checks every answer; measures nothing. A line for each case, and what was wrong.
pub fn test(selection: &Selection) -> Result<(Vec<String>, Vec<String>), String> {
    let plan = Plan::new(selection, false)?;
    let mut lines = Vec::new();
    for row in &plan.rows {
        for case in &row.cases {
            let verdict = case.absent.as_deref().unwrap_or("right answers");
            lines.push(format!("{:24} {:20} {verdict}", row.row.name, case.name));
        }
    }
    Ok((lines, plan.report(0).wrong_answers()))
}

/// Measures, and writes the report.
pub fn run(options: &Options) -> Result<Collected, String> {
    interrupt::listen()?;
    let cpu = pin(options.cpu)?;
    let mut plan = Plan::new(&options.selection, true)?;
    let mut report = plan.empty_report(options, cpu);
    let path = options.out.clone().unwrap_or_else(|| default_path(&report, options.resume));
    let partial = checkpoint::path(&path);
    files::check_writable(&path)?;
    let mut done = 0;
    if options.resume {
        let earlier = checkpoint::load(&partial, &report)?;
        done = plan.take_samples(&earlier)?;
        report.created = earlier.created;
    } else if partial.exists() {
        eprintln!(
            "{} of an interrupted run is replaced; --resume would go on with it",
            partial.display()
        );
    }

    let bar = ProgressBar::new(u64::from(options.rounds)).with_position(u64::from(done));
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} rounds, {eta} left  {msg}");
    bar.set_style(style.map_err(|e| e.to_string())?);
    let mut saved: Option<Instant> = None;
    for round in done..options.rounds {
        if !measure(&mut plan, options.seed, round, &bar)? {
            plan.drop_round(round);
            plan.fill(&mut report);
            report.save(&partial)?;
            bar.abandon();
            return Err(format!(
                "interrupted after {round} of {} rounds; the same command with --resume goes on",
                options.rounds
            ));
        }
        bar.inc(1);
        // Seldom: writing takes time from nobody's block, but moves the disk.
        if saved.is_none_or(|saved| saved.elapsed() > Duration::from_secs(5)) {
            plan.fill(&mut report);
            report.save(&partial)?;
            saved = Some(Instant::now());
        }
    }
    bar.finish_and_clear();
    plan.fill(&mut report);
    report.save(&path)?;
    let _ = std::fs::remove_file(&partial);
    Ok(Collected { path, report })
}

/// One round: every row once, in random order, and in it every engine once, in random order. A round's
/// order follows from its number, so a resumed run is the run that it would have been. False where an
/// interruption cut it short.
fn measure(plan: &mut Plan, seed: u64, round: u32, bar: &ProgressBar) -> Result<bool, String> {
    let mut rng = StdRng::seed_from_u64(seed.wrapping_add(u64::from(round)));
    let mut rows: Vec<usize> = (0..plan.rows.len()).collect();
    rows.shuffle(&mut rng);
    for row in rows {
        let row = &mut plan.rows[row];
        bar.set_message(row.row.title.clone());
        row.row.control.push(clock::control());
        let iterations = row.row.iterations as usize;
        // All engines of a row work on the same inputs in a round, other ones in the next.
        let start = round as usize * iterations;
        let mut cases: Vec<usize> = (0..row.cases.len()).collect();
        cases.shuffle(&mut rng);
        for case in cases {
            if interrupt::asked() {
                return Ok(false);
            }
            let case = &mut row.cases[case];
            let Some(block) = &mut case.block else { continue };
            let forced = tiers::Forced::to(case.tier);
            let reading = block
                .run(start, iterations.div_ceil(8)) // caches and branch predictors warm
                .and_then(|_| block.run(start, iterations));
            drop(forced);
            // The routine of a row without operations was chosen by name.
            let ran = engines::rind25519::ran(row.row.model);
            if case.tier.is_some() && !ran.is_empty() && ran != case.ran {
                return Err(format!("{}: {} ran on another tier", row.row.name, case.name));
            }
            let reading = reading.map_err(|e| format!("{}, {}: {e}", row.row.name, case.name))?;
            case.samples.push(reading);
        }
    }
    Ok(true)
}

impl Samples {
    pub(crate) fn push(&mut self, reading: clock::Reading) {
        self.ns.push(reading.ns);
        self.tsc.extend(reading.tsc);
    }

    pub(crate) fn truncate(&mut self, count: usize) {
        self.ns.truncate(count);
        self.tsc.truncate(count);
    }
}

/// Keeps this process on one CPU, the last that it may use unless told otherwise: the first has the
/// interrupts.
fn pin(wanted: Option<u32>) -> Result<Option<u32>, String> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None).map_err(|e| format!("cannot read the CPU set: {e}"))?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|&cpu| allowed.is_set(cpu));
    let Some(cpu) = wanted.map(|cpu| cpu as usize).or(last) else { return Ok(None) };
    if cpu >= CpuSet::MAX_CPU || !allowed.is_set(cpu) {
        return Err(format!("there is no CPU {cpu} that this process may run on"));
    }
    let mut one = CpuSet::new();
    one.set(cpu);
    sched_setaffinity(None, &one).map_err(|e| format!("cannot stay on CPU {cpu}: {e}"))?;
    Ok(u32::try_from(cpu).ok())
}

/// Among the other reports where the tool runs in its repository, else where it was started.
fn default_folder() -> &'static Path {
    let reports = Path::new("bench-report/reports");
    if reports.is_dir() { reports } else { Path::new("") }
}

/// The CPU and the day, in [`default_folder`]. A number is
/// added where there is a report of that name, unless a run of it is to be resumed.
fn default_path(report: &Report, resume: bool) -> PathBuf {
    let day = report.created.split('T').next().unwrap_or_default();
    let stem = format!("{}-{day}", report.host.file_stem());
    let folder = default_folder();
    let names = (1..).map(|n| match n {
        1 => folder.join(format!("{stem}.json")),
        n => folder.join(format!("{stem}-{n}.json")),
    });
    let mut names = names.take(1000);
    let fits =
        |path: &PathBuf| if resume { checkpoint::path(path).exists() } else { !path.exists() };
    names.find(fits).unwrap_or_else(|| folder.join(format!("{stem}.json")))
}
