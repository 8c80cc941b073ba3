//! What a test says when it cannot run here, and the variables that forbid it to say so.
#![allow(dead_code)] // each test binary uses its part

use rind25519::cpu;
use std::io::Write as _;
use std::process::Command;

/// Says on standard error what was not tested.
pub fn skip(why: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    // Not `eprintln!`, which the harness swallows; in one write, for tests run side by side.
    let line = format!("skipped: {why} ({test})\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error");
}

/// Whether a program is here; under `RIND_REQUIRE_<PROGRAM>=1` (capitals, `_` for `-`) it must be.
pub fn program(name: &str) -> bool {
    // `openssl` has a command for it, the others an option; what matters is that it starts.
    let here = Command::new(name).arg("--version").output().is_ok();
    if !here {
        let variable = format!("RIND_REQUIRE_{}", name.to_uppercase().replace('-', "_"));
        let required = std::env::var_os(&variable).is_some_and(|value| value == "1");
        assert!(!required, "{variable}=1, and there is no {name} program here");
        skip(&format!("no {name} program here"));
    }
    here
}

/// The tier of this name, exactly.
pub fn tier_named(name: &str) -> Result<cpu::Tier, String> {
    use cpu::Tier::{Adx, Alt, Avx2, Ifma, Portable};
    [Ifma, Adx, Avx2, Alt, Portable]
        .into_iter()
        .find(|tier| tier.name() == name)
        .ok_or(format!("{name:?} is no tier"))
}

/// A list as `RIND_REQUIRE_TIERS` has it.
pub fn tiers_named(list: &str) -> Result<Vec<cpu::Tier>, String> {
    if list.is_empty() { Ok(Vec::new()) } else { list.split(',').map(tier_named).collect() }
}

/// What `RIND_REQUIRE_TIERS` lists; a name in it that is none is a failure.
pub fn required_tiers() -> Vec<cpu::Tier> {
    match std::env::var("RIND_REQUIRE_TIERS") {
        Ok(list) => tiers_named(&list).unwrap_or_else(|why| panic!("RIND_REQUIRE_TIERS: {why}")),
        Err(std::env::VarError::NotPresent) => Vec::new(),
        Err(why) => panic!("RIND_REQUIRE_TIERS: {why}"),
    }
}

/// The tier's token; where `RIND_REQUIRE_TIERS=a,b` lists the tier there must be one.
pub fn tier<T>(tier: cpu::Tier, token: Option<T>, features: &str) -> Option<T> {
    if token.is_none() {
        assert!(!required_tiers().contains(&tier), "{tier} is required, not here");
        skip(&format!("no {features} here"));
    }
    token
}
