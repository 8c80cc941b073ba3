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

/// The tier's token; where `RIND_REQUIRE_TIERS=a,b` lists the tier there must be one.
pub fn tier<T>(tier: cpu::Tier, token: Option<T>, features: &str) -> Option<T> {
    if token.is_none() {
        let required = std::env::var("RIND_REQUIRE_TIERS").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name == tier.name()),
            "{tier} is required, not here"
        );
        skip(&format!("no {features} here"));
    }
    token
}
