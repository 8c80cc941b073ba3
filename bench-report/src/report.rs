//! A report: one run on one machine, every sample kept. `bench-report/SCHEMA.md` describes the file,
//! `report.schema.json` is its JSON Schema.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::definitions::Model;
use crate::files;
use crate::host::{Build, Host};

pub const SCHEMA: &str = "rind25519-bench-report";
/// Rises with every change that an older reader would misunderstand.
pub const VERSION: u64 = 1;
/// How the reason of an absence begins that is the engine's fault.
pub const WRONG_ANSWER: &str = "wrong answer";
const JSON_SCHEMA: &str = include_str!("../report.schema.json");

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    pub schema: String,
    pub version: u64,
    /// When the run began, UTC, RFC 3339.
    pub created: String,
    /// The arguments, without paths and hosts.
    pub command: String,
    pub host: Host,
    pub build: Build,
    pub settings: Settings,
    pub engines: Vec<Engine>,
    pub groups: Vec<Group>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub rounds: u32,
    pub seed: u64,
    /// SHA-256 of definitions and engines: reports with the same value measured the same things.
    pub definitions: String,
    /// The CPU that the run was pinned to.
    pub cpu: Option<u32>,
    /// Additions in a control block.
    pub control_steps: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Engine {
    pub name: String,
    pub ours: bool,
    pub version: Option<String>,
    pub rule: Option<String>,
    pub strict: Option<String>,
    pub keys: String,
    /// Whether a verification with a parsed key decodes the key again.
    pub decodes_again: bool,
    /// The size of the type that verification rows rotate over.
    pub key_bytes: Option<usize>,
    /// The choices in one line.
    pub backend: Option<String>,
    /// Absent in reports of before it was recorded how a backend is known.
    #[serde(default)]
    pub choices: Vec<Choice>,
    pub notes: Option<String>,
}

/// What a library uses here for an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub operation: String,
    pub backend: String,
    pub known: Known,
}

/// How a choice is known, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// The library says so.
    Told,
    /// Another build would be needed for another choice.
    Build,
    /// By the multiplications that it was seen to execute.
    Observed,
    /// By its documentation and the CPU's features.
    Inferred,
}

impl Known {
    pub fn words(self) -> &'static str {
        match self {
            Known::Told => "told by the library",
            Known::Build => "fixed at build",
            Known::Observed => "seen in what it executed",
            Known::Inferred => "inferred from CPU features",
        }
    }
}

/// Choices in one line: operations with the same one together.
pub fn choices_in_words(choices: &[Choice]) -> Option<String> {
    let mut together: Vec<(String, &str, Known)> = Vec::new();
    for choice in choices {
        let same = |(_, backend, known): &&mut (String, &str, Known)| {
            *backend == choice.backend && *known == choice.known
        };
        match together.iter_mut().find(same) {
            Some((operations, ..)) => *operations += &format!(", {}", choice.operation),
            None => together.push((choice.operation.clone(), &choice.backend, choice.known)),
        }
    }
    // How it is known once, after the last that is known so.
    let mut text = String::new();
    for (i, (operations, backend, known)) in together.iter().enumerate() {
        text += &format!("{}{operations}: {backend}", if i == 0 { "" } else { "; " });
        if together.get(i + 1).is_none_or(|(.., next)| next != known) {
            text += &format!(" ({})", known.words());
        }
    }
    (!text.is_empty()).then_some(text)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Group {
    pub name: String,
    pub title: String,
    pub analysis: String,
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub name: String,
    pub title: String,
    pub model: Model,
    /// Bytes of a message.
    pub message: u32,
    /// Items in one call.
    pub batch: u32,
    /// Inputs that the calls rotate over.
    pub distinct: u32,
    /// Calls in a block.
    pub iterations: u32,
    /// One control block before each round of the row.
    pub control: Samples,
    pub results: Vec<Outcome>,
}

/// One engine in one row: samples, or why there are none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The engine's name, for ours with "/" and the tier that was asked for, or "auto".
    pub engine: String,
    pub rule: Option<String>,
    /// The tiers of ours that really ran.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ran: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub absent: Option<String>,
    #[serde(flatten)]
    pub samples: Samples,
}

/// Whole blocks, one a round, in the order of the rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    pub ns: Vec<u64>,
    /// Ticks of the time-stamp counter, where there is one.
    pub tsc: Vec<u64>,
}

impl Report {
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Engines that answered wrongly, and so have no number.
    pub fn wrong_answers(&self) -> Vec<String> {
        let outcomes = self.rows().flat_map(|row| row.results.iter().map(move |o| (row, o)));
        let wrong = |(row, outcome): (&Row, &Outcome)| {
            let absent = outcome.absent.as_deref().filter(|why| why.starts_with(WRONG_ANSWER))?;
            Some(format!("{}, {}: {absent}", row.name, outcome.engine))
        };
        outcomes.filter_map(wrong).collect()
    }

    pub fn engine(&self, outcome: &str) -> Option<&Engine> {
        self.engines.iter().find(|engine| engine.name == library(outcome))
    }

    /// Compact where it is numbers, so that a report can be looked at and kept in a repository.
    pub fn to_json(&self) -> Result<String, String> {
        let value = serde_json::to_value(self).map_err(|e| format!("cannot write JSON: {e}"))?;
        let mut text = String::new();
        pretty(&value, 0, &mut text);
        text.push('\n');
        Ok(text)
    }

    pub fn save(&self, path: &Path) -> Result<(), String> {
        files::write(path, self.to_json()?.as_bytes())
    }

    /// Reads a report; what is wrong with the file is said in a sentence.
    pub fn load(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let text =
            fs::read(path).map_err(|e| format!("cannot read {name}: {}", files::plain(&e)))?;
        Self::parse(&text).map_err(|problem| format!("{name} {problem}"))
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        let value: serde_json::Value = serde_json::from_slice(text).map_err(|e| {
            if e.is_eof() {
                format!("is cut short: the JSON ends in line {}", e.line())
            } else {
                format!("is not JSON: line {}, column {}", e.line(), e.column())
            }
        })?;
        if value["schema"] != SCHEMA {
            return Err("is JSON, but not a report of bench-report".into());
        }
        match value["version"].as_u64() {
            Some(VERSION) => (),
            Some(newer) if newer > VERSION => {
                return Err(format!(
                    "has schema version {newer}, and this program knows {VERSION}: update bench-report"
                ));
            }
            _ => return Err(format!("has no schema version that this program knows ({VERSION})")),
        }
        validate(&value)?;
        serde_json::from_value(value).map_err(|e| format!("does not keep its schema: {e}"))
    }
}

/// Holds a report against `report.schema.json`.
pub fn validate(value: &serde_json::Value) -> Result<(), String> {
    let schema = serde_json::from_str(JSON_SCHEMA)
        .map_err(|e| format!("cannot be checked, report.schema.json is broken: {e}"))?;
    let validator = jsonschema::validator_for(&schema)
        .map_err(|e| format!("cannot be checked, report.schema.json is broken: {e}"))?;
    validator.validate(value).map_err(|e| {
        let problem: String = e.to_string().chars().take(200).collect();
        let place = e.instance_path().to_string();
        format!(
            "does not keep its schema: at {}: {problem}",
            if place.is_empty() { "/" } else { &place }
        )
    })
}

/// The library of an outcome: what stands before the tier.
pub fn library(outcome: &str) -> &str {
    outcome.split('/').next().unwrap_or(outcome)
}

/// The tier that was asked for, of an outcome of ours.
pub fn tier(outcome: &str) -> Option<&str> {
    outcome.split_once('/').map(|(_, tier)| tier)
}

/// JSON with a field a line, but lists of numbers and of words in one.
fn pretty(value: &serde_json::Value, depth: usize, text: &mut String) {
    use serde_json::Value;
    let indent = |text: &mut String, depth| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', depth));
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push('{');
            for (i, (name, value)) in fields.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                indent(text, depth + 1);
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(": ");
                pretty(value, depth + 1, text);
            }
            indent(text, depth);
            text.push('}');
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                indent(text, depth + 1);
                pretty(item, depth + 1, text);
            }
            indent(text, depth);
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_is_the_same_json() {
        let value = serde_json::json!({"a": [1, 2], "b": [{"c": "x\n"}, {}], "d": null, "e": {}});
        let mut text = String::new();
        pretty(&value, 0, &mut text);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn choices_are_grouped_in_words() {
        let choice = |operation: &str, backend: &str, known| Choice {
            operation: operation.into(),
            backend: backend.into(),
            known,
        };
        let choices = [
            choice("verify", "mulx", Known::Observed),
            choice("sign", "mulx", Known::Observed),
            choice("X25519", "mul", Known::Observed),
            choice("CPU", "0x1", Known::Told),
        ];
        assert_eq!(
            choices_in_words(&choices).as_deref(),
            Some(
                "verify, sign: mulx; X25519: mul (seen in what it executed); CPU: 0x1 (told by the library)"
            )
        );
        assert_eq!(choices_in_words(&[]), None);
    }

    #[test]
    fn outcome_names_split() {
        assert_eq!((library("rind25519/adx"), tier("rind25519/adx")), ("rind25519", Some("adx")));
        assert_eq!((library("ring"), tier("ring")), ("ring", None));
    }
}
