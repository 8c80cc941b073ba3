//! Checks the switches that `rustc --cfg` sets: the compiler itself accepts any value.

use std::env;
use std::process::exit;

/// What `--cfg rind_backend="…"` may name. The list is repeated in `Cargo.toml` for `unexpected_cfgs`.
const BACKENDS: &[&str] = &["portable"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo runs this again when the flags change, since the flags are part of the unit's identity.
    let Ok(pinned) = env::var("CARGO_CFG_RIND_BACKEND") else { return };
    // Two values at once arrive as one list, "a,b", and are no backend either.
    if !BACKENDS.contains(&pinned.as_str()) {
        let accepted = BACKENDS.join(", ");
        println!(
            "cargo::error=--cfg rind_backend={pinned:?} names no backend; accepted: {accepted}"
        );
        exit(1);
    }
}
