//! `cargo xtask <command>`: writes the generated files of rind25519.

use std::process::ExitCode;

mod edwards;
mod tables;

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    let written = match command.as_deref() {
        Some("tables") => tables::write(),
        _ => {
            eprintln!("usage: cargo xtask <command>");
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
