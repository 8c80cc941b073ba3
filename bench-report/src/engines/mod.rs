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

use crate::definitions::{EngineSpec, Model};
use crate::engine::{Absent, Prepared};
use crate::host::Host;
use crate::inputs::Inputs;

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

/// Which of its backends a library uses here. None of them says so itself, except ours: this is what its
/// documentation makes of this CPU and this build.
pub fn backend(name: &str, host: &Host) -> Option<String> {
    let has = |feature: &str| host.features.iter().any(|f| f == feature);
    let adx = has("bmi2") && has("adx");
    let chosen = match name {
        "rind25519" => {
            let report = ::rind25519::cpu::report();
            let rows: Vec<String> =
                report.rows().map(|row| format!("{}: {}", row.operation(), row.tier())).collect();
            return Some(rows.join(", "));
        }
        "aws-lc-rs" if adx => "s2n-bignum, forms for BMI2 and ADX",
        "aws-lc-rs" => "s2n-bignum, _alt forms",
        "ring" if adx => "fiat-crypto in C, with assembly for BMI2 and ADX where it has some",
        "ring" => "fiat-crypto in C",
        "dalek" if cfg!(curve25519_dalek_backend = "serial") => "serial",
        "dalek" if has("avx2") => "AVX2, run-time detection (its IFMA backend needs another build)",
        "dalek" => "serial, no AVX2 here",
        "graviola" | "rind" if adx => "s2n-bignum, forms for BMI2 and ADX",
        "graviola" | "rind" => "s2n-bignum, without BMI2 and ADX",
        "crrl" => "64-bit Rust",
        "ed25519-simd" => "AVX-512 IFMA",
        _ => return None,
    };
    Some(chosen.to_owned())
}
