//! The rows of a run with every engine prepared, its answers checked, or its absence explained.

use rind25519::cpu::Tier;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Options;
use super::tiers::{self, Forced};
use crate::clock;
use crate::definitions::{self, Bench, EngineSpec, Model};
use crate::engine::{Absent, Block, Prepared, judge};
use crate::engines;
use crate::host::{Build, Host};
use crate::inputs::Inputs;
use crate::report::{self, Engine, Group, Outcome, Report, Row, Samples};

/// Which part of the definitions to measure: all of it, where a list is empty.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Tiers of ours, by name, besides the one that is chosen by itself.
    pub tiers: Vec<String>,
    /// Rows whose name contains one of these.
    pub rows: Vec<String>,
    /// Engines by name.
    pub engines: Vec<String>,
}

impl Selection {
    fn has_row(&self, name: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| name.contains(part.as_str()))
    }

    fn tiers(&self) -> Result<Vec<Tier>, String> {
        if self.tiers.is_empty() {
            return Ok(tiers::ALL.to_vec());
        }
        let by_name = |name: &String| {
            let known = || tiers::ALL.map(Tier::name).join(", ");
            tiers::ALL
                .into_iter()
                .find(|tier| tier.name() == name)
                .ok_or_else(|| format!("there is no tier {name}; the tiers are {}", known()))
        };
        self.tiers.iter().map(by_name).collect()
    }
}

pub struct Plan {
    pub rows: Vec<PlannedRow>,
    groups: Vec<Group>,
    engines: Vec<Engine>,
    host: Host,
    /// Rounds already measured before this run.
    resumed: usize,
}

pub struct PlannedRow {
    group: usize,
    pub row: Row,
    pub cases: Vec<Case>,
}

/// An engine in a row.
pub struct Case {
    pub name: String,
    pub tier: Option<Tier>,
    pub absent: Option<Absent>,
    pub block: Option<Box<dyn Block>>,
    pub samples: Samples,
    rule: Option<String>,
    pub ran: Vec<Tier>,
}

impl Plan {
    /// `observe`: whether to look at what the libraries execute, which takes some seconds.
    pub fn new(selection: &Selection, observe: bool) -> Result<Self, String> {
        let host = Host::read(false);
        let specs = definitions::engines()?;
        for name in &selection.engines {
            if !specs.iter().any(|spec| spec.name == *name) {
                let known: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
                return Err(format!(
                    "there is no engine {name}; the engines are {}",
                    known.join(", ")
                ));
            }
        }
        let wanted = |name: &str| {
            selection.engines.is_empty() || selection.engines.iter().any(|engine| engine == name)
        };
        let tiers = selection.tiers()?;
        let mut plan = Plan {
            rows: Vec::new(),
            groups: Vec::new(),
            engines: specs.iter().filter(|s| wanted(&s.name)).map(describe).collect(),
            host,
            resumed: 0,
        };
        for group in definitions::groups()? {
            for bench in group.bench.iter().filter(|bench| selection.has_row(&bench.name)) {
                let inputs = Inputs::new(bench.inputs);
                let mut cases = Vec::new();
                let here =
                    |spec: &&EngineSpec| bench.engines.contains(&spec.name) && wanted(&spec.name);
                for spec in specs.iter().filter(here) {
                    cases.extend(plan.cases(spec, &tiers, bench, &inputs));
                }
                plan.rows.push(PlannedRow {
                    group: plan.groups.len(),
                    row: empty_row(bench),
                    cases,
                });
            }
            plan.groups.push(Group {
                name: group.group,
                title: group.title,
                analysis: group.analysis.split_whitespace().collect::<Vec<_>>().join(" "),
                rows: Vec::new(),
            });
        }
        if plan.rows.is_empty() {
            return Err("no row has such a name; `bench-report list` lists them".into());
        }
        if plan.rows.iter().all(|row| row.cases.is_empty()) {
            return Err("none of these rows is one of these engines'".into());
        }
        for (engine, spec) in plan.engines.iter_mut().zip(specs.iter().filter(|s| wanted(&s.name)))
        {
            let timed = |row: &&PlannedRow| {
                let mut timed = row.cases.iter().filter(|case| case.block.is_some());
                observe && timed.any(|case| report::library(&case.name) == spec.name)
            };
            let models: Vec<Model> =
                plan.rows.iter().filter(timed).map(|row| row.row.model).collect();
            engine.choices = engines::choices(spec, &plan.host, &models);
            engine.backend = report::choices_in_words(&engine.choices);
        }
        Ok(plan)
    }

    /// One case of a peer; of ours, one chosen by itself and one a tier.
    fn cases(
        &mut self,
        spec: &EngineSpec,
        tiers: &[Tier],
        bench: &Bench,
        inputs: &Inputs,
    ) -> Vec<Case> {
        let forced = tiers.iter().map(|&tier| Some(tier)).filter(|_| spec.ours);
        [None].into_iter().chain(forced).map(|tier| self.case(spec, tier, bench, inputs)).collect()
    }

    fn case(
        &mut self,
        spec: &EngineSpec,
        tier: Option<Tier>,
        bench: &Bench,
        inputs: &Inputs,
    ) -> Case {
        let name = match tier {
            Some(tier) => format!("{}/{tier}", spec.name),
            None if spec.ours => format!("{}/auto", spec.name),
            None => spec.name.clone(),
        };
        let forced = Forced::to(tier);
        let prepared =
            engines::version(spec).and_then(|_| prepare(spec, tier, bench.model, inputs));
        drop(forced);
        let rule = spec.rule_of(bench.model).map(str::to_owned);
        let mut case = Case {
            name,
            tier,
            absent: None,
            block: None,
            samples: Samples::default(),
            rule,
            ran: Vec::new(),
        };
        match prepared.and_then(|(prepared, ran)| {
            judge(&bench.expect, &prepared.answers).map(|()| (prepared, ran))
        }) {
            Ok((prepared, ran)) => {
                if let Some(engine) =
                    self.engines.iter_mut().find(|engine| engine.name == spec.name)
                {
                    engine.key_bytes = engine.key_bytes.max(prepared.key_bytes);
                }
                (case.block, case.ran) = (Some(prepared.block), ran);
            }
            Err(absent) => case.absent = Some(absent),
        }
        case
    }

    /// A report without samples.
    pub fn empty_report(&self, options: &Options, cpu: Option<u32>) -> Report {
        let mut report = self.report(options.rounds);
        report.host.name = Host::read(options.host_name).name;
        report.command.clone_from(&options.command);
        report.settings.seed = options.seed;
        report.settings.cpu = cpu;
        report
    }

    pub fn report(&self, rounds: u32) -> Report {
        let digest = Sha256::digest(definitions::text());
        let mut report = Report {
            schema: report::SCHEMA.into(),
            version: report::VERSION,
            created: OffsetDateTime::now_utc()
                .replace_nanosecond(0)
                .ok()
                .and_then(|now| now.format(&Rfc3339).ok())
                .unwrap_or_default(),
            command: String::new(),
            host: self.host.clone(),
            build: Build::this(),
            settings: report::Settings {
                rounds,
                seed: 0,
                definitions: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
                cpu: None,
                control_steps: clock::CONTROL_STEPS,
            },
            engines: self.engines.clone(),
            groups: Vec::new(),
        };
        self.fill(&mut report);
        report
    }

    /// Puts the samples so far into the report.
    pub fn fill(&self, report: &mut Report) {
        report.groups = self.groups.clone();
        for planned in &self.rows {
            let mut row = planned.row.clone();
            row.results = planned.cases.iter().map(Case::outcome).collect();
            report.groups[planned.group].rows.push(row);
        }
        report.groups.retain(|group| !group.rows.is_empty());
    }

    /// Takes over the samples of an interrupted run; the number of its rounds.
    pub fn take_samples(&mut self, earlier: &Report) -> Result<u32, String> {
        let rows = self.rows.iter_mut().zip(earlier.rows());
        for (planned, row) in rows {
            planned.row.control = row.control.clone();
            self.resumed = row.control.ns.len();
            for (case, outcome) in planned.cases.iter_mut().zip(&row.results) {
                let complete = outcome.samples.ns.len() == self.resumed;
                if case.absent.is_none() && !complete {
                    return Err(format!(
                        "cannot resume: {} lacks samples in {}",
                        case.name, row.name
                    ));
                }
                case.samples = outcome.samples.clone();
            }
        }
        u32::try_from(self.resumed).map_err(|e| e.to_string())
    }

    /// Forgets what an interrupted round measured.
    pub fn drop_round(&mut self, round: u32) {
        for planned in &mut self.rows {
            planned.row.control.truncate(round as usize);
            for case in &mut planned.cases {
                case.samples.truncate(round as usize);
            }
        }
    }
}

/// The engine with its answers; ours with the tiers that really ran, which must be the one asked for.
fn prepare(
    spec: &EngineSpec,
    tier: Option<Tier>,
    model: Model,
    inputs: &Inputs,
) -> Result<(Prepared, Vec<Tier>), Absent> {
    if !spec.ours {
        return Ok((engines::prepare(&spec.name, model, inputs)?, Vec::new()));
    }
    if model == Model::Inversion {
        // The one routine that no operation is named after.
        return match tier {
            None => Ok((engines::rind25519::inversion(inputs, false)?, Vec::new())),
            Some(Tier::Portable) => {
                Ok((engines::rind25519::inversion(inputs, true)?, vec![Tier::Portable]))
            }
            Some(_) => Err("one form for every x86-64 CPU".into()),
        };
    }
    let mut prepared = engines::prepare(&spec.name, model, inputs)?;
    // What is timed, not what the checks did around it.
    prepared.block.run(0, 1)?;
    let ran = engines::rind25519::ran(model);
    match tier {
        Some(tier) if ran.iter().any(|&ran| ran != tier) => Err(format!(
            "no {tier} form of this that runs here: {} would",
            ran.iter().map(|tier| tier.name()).collect::<Vec<_>>().join(", ")
        )),
        _ => Ok((prepared, ran)),
    }
}

fn describe(spec: &EngineSpec) -> Engine {
    let version = engines::version(spec);
    let notes = [spec.notes.as_deref(), spec.needs.as_deref()];
    let mut notes: Vec<String> = notes.into_iter().flatten().map(str::to_owned).collect();
    if let (Some(needs), Some(last)) = (&spec.needs, notes.last_mut()) {
        *last = format!("Needs {needs}.");
    }
    if let Err(why) = &version {
        notes.push(format!("Absent: {why}."));
    }
    Engine {
        name: spec.name.clone(),
        ours: spec.ours,
        version: version.ok(),
        rule: spec.rule.clone(),
        strict: spec.strict.clone(),
        keys: spec.keys.clone(),
        decodes_again: spec.decodes_again,
        key_bytes: None,
        backend: None,
        choices: Vec::new(),
        notes: (!notes.is_empty()).then(|| notes.join(" ")),
    }
}

fn empty_row(bench: &Bench) -> Row {
    Row {
        name: bench.name.clone(),
        title: bench.title.clone(),
        model: bench.model,
        message: bench.inputs.message,
        batch: bench.batch,
        distinct: bench.inputs.distinct,
        iterations: bench.iterations,
        control: Samples::default(),
        results: Vec::new(),
    }
}

impl Case {
    fn outcome(&self) -> Outcome {
        Outcome {
            engine: self.name.clone(),
            rule: self.rule.clone(),
            ran: self.ran.iter().map(|tier| tier.name().to_owned()).collect(),
            absent: self.absent.clone(),
            samples: self.samples.clone(),
        }
    }
}
