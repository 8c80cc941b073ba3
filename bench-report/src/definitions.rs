//! What is measured, with whom, and the right answers: `definitions/*.toml` and `engines.toml`, which are
//! built into the program so that it runs on machines without a source tree.

use serde::{Deserialize, Serialize};

const FILES: &[(&str, &str)] = &[
    ("verify.toml", include_str!("../definitions/verify.toml")),
    ("verify_bytes.toml", include_str!("../definitions/verify_bytes.toml")),
    ("verify_strict.toml", include_str!("../definitions/verify_strict.toml")),
    ("sign.toml", include_str!("../definitions/sign.toml")),
    ("x25519.toml", include_str!("../definitions/x25519.toml")),
    ("parts.toml", include_str!("../definitions/parts.toml")),
    ("handshake.toml", include_str!("../definitions/handshake.toml")),
];
const ENGINES: &str = include_str!("../engines.toml");

/// What one call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    VerifyParsed,
    VerifyBytes,
    VerifyStrict,
    VerifyStrictBytes,
    Sign,
    Keygen,
    #[serde(rename = "x25519-shared")]
    X25519Shared,
    #[serde(rename = "x25519-public")]
    X25519Public,
    KeyDecode,
    Inversion,
    Handshake,
}

impl Model {
    pub fn is_strict(self) -> bool {
        matches!(self, Model::VerifyStrict | Model::VerifyStrictBytes)
    }

    /// Whether an acceptance rule has a part in it.
    pub fn verifies(self) -> bool {
        self.is_strict() || matches!(self, Model::VerifyParsed | Model::VerifyBytes)
    }
}

/// One file of definitions: rows that are shown together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub group: String,
    pub title: String,
    /// Why the rows exist, and what they may not be compared with.
    pub analysis: String,
    #[serde(default)]
    pub engines: Vec<String>,
    pub bench: Vec<Bench>,
}

/// One row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    pub name: String,
    pub title: String,
    pub model: Model,
    pub inputs: InputSpec,
    pub expect: Expect,
    /// Calls in a block.
    pub iterations: u32,
    /// Items in one call; a call of one item may leave it out.
    #[serde(default = "one")]
    pub batch: u32,
    /// The engines of the row, where they are not those of the file.
    #[serde(default)]
    pub engines: Vec<String>,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputSpec {
    pub seed: u64,
    pub distinct: u32,
    /// Bytes of a message.
    pub message: u32,
}

/// What every engine must answer before it is timed; a field that is there must match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Honest signatures accepted.
    pub accept: Option<u32>,
    /// Inputs of which each altered form (message, R, S, key) was refused.
    pub refuse: Option<u32>,
    /// SHA-256 of all answers, one after the other.
    pub answers: Option<String>,
    /// Answers that the other side of an agreement computed too, for engines that choose the secret.
    pub agree: Option<u32>,
    /// What a handshake negotiated.
    pub negotiated: Option<String>,
}

/// A library to measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    pub name: String,
    /// The crate whose version in Cargo.lock is the engine's.
    pub package: Option<String>,
    #[serde(default)]
    pub also: Vec<String>,
    #[serde(default)]
    pub ours: bool,
    pub rule: Option<String>,
    pub strict: Option<String>,
    pub keys: String,
    /// Whether a verification with a parsed key decodes the key again.
    #[serde(default)]
    pub decodes_again: bool,
    pub needs: Option<String>,
    pub notes: Option<String>,
}

impl EngineSpec {
    /// The rule of a row of `model`, where one has a part in it.
    pub fn rule_of(&self, model: Model) -> Option<&str> {
        let rule = if model.is_strict() { &self.strict } else { &self.rule };
        model.verifies().then_some(rule.as_deref()).flatten()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineFile {
    large_key: usize,
    engine: Vec<EngineSpec>,
}

/// Every group, in the order of the tables.
pub fn groups() -> Result<Vec<Group>, String> {
    let mut groups = Vec::new();
    for (file, text) in FILES {
        let mut group: Group =
            toml::from_str(text).map_err(|e| format!("definitions/{file}: {}", e.message()))?;
        for bench in &mut group.bench {
            if bench.engines.is_empty() {
                bench.engines.clone_from(&group.engines);
            }
        }
        groups.push(group);
    }
    Ok(groups)
}

fn engine_file() -> Result<EngineFile, String> {
    toml::from_str(ENGINES).map_err(|e| format!("engines.toml: {}", e.message()))
}

/// Every engine, ours first.
pub fn engines() -> Result<Vec<EngineSpec>, String> {
    Ok(engine_file()?.engine)
}

/// Bytes from which on a parsed key is a large one.
pub fn large_key() -> Result<usize, String> {
    Ok(engine_file()?.large_key)
}

/// One string that changes with every change of what is measured.
pub fn text() -> String {
    FILES.iter().map(|(_, text)| *text).chain([ENGINES]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_file_is_built_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/definitions");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut built_in: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        there.sort();
        built_in.sort_unstable();
        assert_eq!(there, built_in);
    }

    #[test]
    fn names_are_unique_and_engines_known() {
        let known: HashSet<String> = engines().unwrap().into_iter().map(|e| e.name).collect();
        let mut names = HashSet::new();
        for bench in groups().unwrap().into_iter().flat_map(|group| group.bench) {
            assert!(names.insert(bench.name.clone()), "{} twice", bench.name);
            assert!(!bench.engines.is_empty(), "{} has no engine", bench.name);
            for engine in &bench.engines {
                assert!(known.contains(engine), "{}: unknown engine {engine}", bench.name);
            }
            assert!(bench.inputs.distinct >= 64, "{}: too few inputs", bench.name);
            assert_ne!(bench.expect, Expect::default(), "{}: expects nothing", bench.name);
        }
    }

    #[test]
    fn our_rule_and_no_other_counts_as_ours() {
        let ours: Vec<bool> = engines().unwrap().iter().map(|engine| engine.ours).collect();
        assert_eq!(ours.iter().filter(|&&ours| ours).count(), 1);
        assert!(ours[0], "ours comes first");
    }
}
