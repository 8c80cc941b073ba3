//! `cargo xtask <command>`: writes the generated files of rind25519.

fn main() -> std::process::ExitCode {
    eprintln!("usage: cargo xtask <command>");
    std::process::ExitCode::from(2)
}
