//! The program: subcommands, options, exit codes. 0 is success, 1 a finding (a gap, something slower, a
//! wrong answer), 2 an error, 130 an interruption.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::collect::{self, plan::Selection, remote};
use crate::report::Report;
use crate::{compare, definitions, engines, host, instructions, render, show};

#[derive(Parser)]
#[command(
    name = "bench-report",
    version,
    about = "Measures rind25519 beside the other libraries of its field"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure on this machine, or on others, and write a report
    Collect(CollectArgs),
    /// Make BENCHMARKS.md's tables, the plots and the HTML page from all reports
    Render(RenderArgs),
    /// Which rows moved from one report to another; exit code 1 where one of ours got slower
    Compare(CompareArgs),
    /// A report as a table for the terminal
    Show { report: PathBuf },
    /// What can be measured, and with whom
    List,
    /// Hold reports against the schema
    Validate {
        #[arg(required = true)]
        reports: Vec<PathBuf>,
    },
    /// Which multiplications an engine executes: what `collect` asks, in a process of its own
    #[command(hide = true)]
    Observe { engine: String, model: String },
}

#[derive(Args)]
struct CollectArgs {
    /// Where the report goes [default: bench-report/reports/<cpu>-<date>.json]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Fewer rounds: well under two minutes
    #[arg(long, conflicts_with = "rounds")]
    quick: bool,
    /// Check every answer, measure nothing, write nothing
    #[arg(long, conflicts_with_all = ["out", "resume", "host"])]
    test: bool,
    /// Blocks of each engine in each row
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: Option<u32>,
    /// A tier of ours to force; repeatable [default: every tier]
    #[arg(long, value_name = "TIER")]
    tier: Vec<String>,
    /// Only rows whose name contains this; repeatable
    #[arg(long, value_name = "TEXT")]
    row: Vec<String>,
    /// Only this engine; repeatable
    #[arg(long, value_name = "NAME")]
    engine: Vec<String>,
    /// Go on with an interrupted run that had the same options
    #[arg(long, conflicts_with = "host")]
    resume: bool,
    /// The CPU to stay on [default: the last one allowed]
    #[arg(long, value_name = "NUMBER")]
    cpu: Option<u32>,
    /// Number that the order of the blocks follows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Put the machine's name into the report
    #[arg(long)]
    host_name: bool,
    /// Measure there instead, through ssh; repeatable
    #[arg(long, value_name = "USER@HOST")]
    host: Vec<String>,
    /// A configuration file for ssh and scp
    #[arg(long, value_name = "FILE", requires = "host")]
    ssh_config: Option<PathBuf>,
    /// The program to copy there [default: built now, statically linked]
    #[arg(long, value_name = "FILE", requires = "host")]
    binary: Option<PathBuf>,
}

#[derive(Args)]
struct RenderArgs {
    /// Write nothing; fail where something is stale or a gap is not explained
    #[arg(long)]
    check: bool,
    /// The repository
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    root: PathBuf,
}

#[derive(Args)]
struct CompareArgs {
    before: PathBuf,
    after: PathBuf,
    /// Movements up to this are none
    #[arg(long, default_value = "3%", value_parser = compare::threshold)]
    threshold: f64,
}

/// Runs the program; `statically_linked` is what only its own crate knows.
pub fn main(statically_linked: bool) -> ExitCode {
    host::set_statically_linked(statically_linked);
    if let Err(error) = rind25519::cpu::check() {
        eprintln!("bench-report: {error}");
        return ExitCode::from(2);
    }
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench-report: {error}");
            let interrupted = error.starts_with("interrupted");
            ExitCode::from(if interrupted { 130 } else { 2 })
        }
    }
}

fn run(command: Command) -> Result<ExitCode, String> {
    match command {
        Command::Collect(args) => collect(args),
        Command::Render(RenderArgs { check: false, root }) => {
            for path in render::write(&root)? {
                println!("wrote {}", path.display());
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Render(RenderArgs { check: true, root }) => Ok(findings(&render::check(&root)?)),
        Command::Compare(CompareArgs { before, after, threshold }) => {
            let comparison =
                compare::compare(&Report::load(&before)?, &Report::load(&after)?, threshold)?;
            print!("{comparison}");
            Ok(if comparison.slower() { ExitCode::from(1) } else { ExitCode::SUCCESS })
        }
        Command::Show { report } => {
            print!("{}", show::table(&Report::load(&report)?));
            Ok(ExitCode::SUCCESS)
        }
        Command::List => {
            print!("{}", show::list(&definitions::groups()?, &definitions::engines()?));
            Ok(ExitCode::SUCCESS)
        }
        Command::Validate { reports } => {
            for path in reports {
                let report = Report::load(&path)?;
                println!(
                    "{}: {} rows, schema {}",
                    path.display(),
                    report.rows().count(),
                    report.version
                );
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Observe { engine, model } => {
            instructions::end_after(30);
            let model = serde_json::from_value(model.into()).map_err(|e| e.to_string())?;
            let words = engines::observe(&engine, model).ok_or("nothing was seen")?;
            println!("{words}");
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Prints what a check found.
fn findings(findings: &[String]) -> ExitCode {
    for finding in findings {
        eprintln!("bench-report: {finding}");
    }
    if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn collect(args: CollectArgs) -> Result<ExitCode, String> {
    let selection = Selection {
        tiers: args.tier.clone(),
        rows: args.row.clone(),
        engines: args.engine.clone(),
    };
    if args.test {
        let (lines, wrong) = collect::test(&selection)?;
        println!("{}", lines.join("\n"));
        return Ok(findings(&wrong));
    }
    let command = args.measured();
    if !args.host.is_empty() {
        let request = remote::Request {
            arguments: command,
            ssh_config: args.ssh_config,
            binary: args.binary,
            out: args.out,
        };
        let mut wrong = Vec::new();
        for host in remote::measure_all(&args.host, &request)? {
            println!("wrote {}", host.path.display());
            wrong.extend(host.report.wrong_answers());
        }
        return Ok(findings(&wrong));
    }
    let full = if args.quick { collect::QUICK_ROUNDS } else { collect::ROUNDS };
    let options = collect::Options {
        selection,
        rounds: args.rounds.unwrap_or(full),
        seed: args.seed,
        cpu: args.cpu,
        host_name: args.host_name,
        resume: args.resume,
        out: args.out,
        command: format!("bench-report collect {}", command.join(" ")).trim_end().to_owned(),
    };
    let collected = collect::run(&options)?;
    print!("{}", show::table(&collected.report));
    println!("wrote {}", collected.path.display());
    Ok(findings(&collected.report.wrong_answers()))
}

impl CollectArgs {
    /// The options that say what is measured: no path, no host.
    fn measured(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut flag = |given: bool, name: &str| words.extend(given.then(|| name.to_owned()));
        flag(self.quick, "--quick");
        flag(self.host_name, "--host-name");
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        for (name, values) in
            [("--tier", &self.tier), ("--row", &self.row), ("--engine", &self.engine)]
        {
            values.iter().for_each(|value| option(name, value.clone()));
        }
        if let Some(rounds) = self.rounds {
            option("--rounds", rounds.to_string());
        }
        if let Some(cpu) = self.cpu {
            option("--cpu", cpu.to_string());
        }
        if self.seed != 1 {
            option("--seed", self.seed.to_string());
        }
        words
    }
}
