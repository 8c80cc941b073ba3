//! Prints which tier runs each operation on this machine: `cargo run --example cpu_report`.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(error) = rind25519::cpu::check() {
        eprintln!("cpu_report: {error}");
        return ExitCode::from(2);
    }
    println!("{}", rind25519::cpu::report());
    ExitCode::SUCCESS
}
