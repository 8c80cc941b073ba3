//! The libraries, one file each: how each is called in each model.

pub mod aws_lc_rs;
pub mod crrl;
pub mod dalek;
pub mod ed25519_simd;
pub mod graviola;
pub mod handshake;
pub mod openssl;
pub mod rind;
pub mod rind25519;
pub mod ring;

use std::process::{Command, Stdio};

use crate::definitions::{EngineSpec, InputSpec, Model};
use crate::engine::{Absent, Prepared};
use crate::host::Host;
use crate::inputs::Inputs;
use crate::instructions;
use crate::report::{Choice, Known};

/// What a library says to a model that it has no call for.
pub(crate) const NOT_OFFERED: &str = "does not offer this";

/// The engine of that name, checked and ready to be timed, or why not.
pub fn prepare(name: &str, model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    match name {
        "rind25519" => rind25519::prepare(model, inputs),
        "aws-lc-rs" => aws_lc_rs::prepare(model, inputs),
        "ring" => ring::prepare(model, inputs),
        "dalek" => dalek::prepare(model, inputs),
        "graviola" => graviola::prepare(model, inputs),
        "rind" => rind::prepare(model, inputs),
        "crrl" => crrl::prepare(model, inputs),
        "ed25519-simd" => ed25519_simd::prepare(model, inputs),
        "openssl" => openssl::prepare(model, inputs),
        _ => Err(format!("this program has no engine {name}")),
    }
}

/// The version that was built in, from Cargo.lock; a library that is found at run time tells it itself.
pub fn version(spec: &EngineSpec) -> Result<String, Absent> {
    let Some(package) = &spec.package else { return openssl::version() };
    let one = |package: &str| {
        crate::host::locked_version(package).ok_or(format!("no {package} in Cargo.lock"))
    };
    let mut version = one(package)?;
    for also in &spec.also {
        version += &format!(", {also} {}", one(also)?);
    }
    Ok(version)
}

/// What a library uses here for the operations of `models`, and how that is known. Empty where the library is
/// absent; without models only what costs nothing to ask for.
pub fn choices(spec: &EngineSpec, host: &Host, models: &[Model]) -> Vec<Choice> {
    let choice = |operation: &str, backend: String, known| Choice {
        operation: operation.into(),
        backend,
        known,
    };
    if version(spec).is_err() {
        return Vec::new();
    }
    let mut choices = Vec::new();
    match spec.name.as_str() {
        "rind25519" => {
            let report = ::rind25519::cpu::report();
            let told = |operation: &str, tier: &str| choice(operation, tier.into(), Known::Told);
            choices.extend(
                report.rows().map(|row| told(&row.operation().to_string(), row.tier().name())),
            );
            return choices;
        }
        "ed25519-simd" if !cfg!(target_feature = "avx512ifma") => return choices,
        "ed25519-simd" => choices.push(choice("all", "AVX-512 IFMA".into(), Known::Build)),
        "dalek" if cfg!(curve25519_dalek_backend = "serial") => {
            choices.push(choice("all", "serial".into(), Known::Build));
        }
        "openssl" => {
            choices.extend(openssl::cpu().ok().map(|told| choice("CPU found", told, Known::Told)));
        }
        _ => (),
    }
    for (operation, call) in operations(models) {
        let words = call.iter().find_map(|&model| observed(&spec.name, model));
        choices.extend(match (words, inferred(&spec.name, host)) {
            (Some(words), _) => Some(choice(operation, words, Known::Observed)),
            (None, Some(words)) => Some(choice(operation, words.into(), Known::Inferred)),
            (None, None) => None,
        });
    }
    choices
}

/// The operations that models are about, each with the models to observe it in, the first that a library has.
fn operations(models: &[Model]) -> Vec<(&'static str, &'static [Model])> {
    type About = fn(Model) -> bool;
    const ALL: [(&str, &[Model], About); 3] = [
        ("verify", &[Model::VerifyParsed, Model::VerifyStrictBytes], Model::verifies),
        ("sign", &[Model::Sign], |model| matches!(model, Model::Sign | Model::Keygen)),
        ("X25519", &[Model::X25519Shared], |model| {
            matches!(model, Model::X25519Shared | Model::X25519Public)
        }),
    ];
    let asked = |about: About| models.iter().any(|&model| about(model));
    let all = ALL.into_iter().filter(|&(.., about)| asked(about));
    all.map(|(operation, call, _)| (operation, call)).collect()
}

/// The multiplications that a library is seen to execute in a call, by this program once more in a process of its own:
/// what goes wrong there ends that process and no run.
fn observed(name: &str, model: Model) -> Option<String> {
    let model = serde_json::to_value(model).ok()?;
    let output = Command::new("/proc/self/exe")
        .args(["observe", name, model.as_str()?])
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let words = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !words.trim().is_empty()).then(|| words.trim().to_owned())
}

/// The same in this process.
pub fn observe(name: &str, model: Model) -> Option<String> {
    let inputs = Inputs::new(InputSpec { seed: 25519, distinct: 2, message: 59 });
    let mut block = prepare(name, model, &inputs).ok()?.block;
    // Once before, for what a library does on its first call.
    block.run(0, 1).ok()?;
    let mut done = Ok(());
    let seen = instructions::executed(instructions::ENOUGH, || done = block.run(1, 1).map(drop))?;
    done.ok()?;
    instructions::words(&seen)
}

/// What documentation makes of this CPU, where nothing could be observed.
fn inferred(name: &str, host: &Host) -> Option<&'static str> {
    let has = |feature: &str| host.features.iter().any(|f| f == feature);
    let adx = has("bmi2") && has("adx");
    Some(match name {
        "aws-lc-rs" | "graviola" | "rind" if adx => "s2n-bignum, forms for BMI2 and ADX",
        "aws-lc-rs" | "graviola" | "rind" => "s2n-bignum, without BMI2 and ADX",
        "ring" if adx => "fiat-crypto in C, with assembly for BMI2 and ADX where it has some",
        "ring" => "fiat-crypto in C",
        "dalek" if has("avx2") => "AVX2",
        "dalek" => "serial",
        "crrl" => "64-bit Rust",
        _ => return None,
    })
}
