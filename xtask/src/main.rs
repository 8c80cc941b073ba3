//! `cargo xtask <command>`: writes the generated files of rind25519.

use std::{path::Path, process::ExitCode};

mod edwards;
mod pin;
mod tables;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace");
    let command = std::env::args().nth(1);
    let written = match command.as_deref() {
        Some("pin") => pin::write(root),
        Some("tables") => tables::write().map_err(|e| e.to_string()),
        _ => {
            eprintln!("usage: cargo xtask <command>");
            eprintln!("  pin     vendor/pins.toml: the hash of each file that build.rs assembles");
            eprintln!("  tables  src/low/tables/: multiples of the base point");
            return ExitCode::from(2);
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
