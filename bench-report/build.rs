//! What only the build knows: compiler, flags, commit, and whether the measured sources differ from it.

use std::env;
use std::process::Command;

/// What a measurement depends on, from the root of the repository.
const SOURCES: &[&str] = &[
    "src",
    "vendor",
    "build.rs",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
    "rustls-rind25519/src",
    "rustls-rind25519/examples",
    "bench-report/src",
    "bench-report/definitions",
    "bench-report/engines.toml",
    "bench-report/build.rs",
    "bench-report/Cargo.toml",
];

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir("..").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed=../{source}");
    }
    // The log of HEAD grows with every commit and checkout; the index changes with every look at it.
    let log = output("git", &["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| std::path::Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let status = ["--no-optional-locks", "status", "--porcelain", "--untracked-files=all", "--"];
    let dirty = output("git", &[&status[..], SOURCES].concat());
    let set = |name: &str, value: Option<String>| {
        println!("cargo::rustc-env=BENCH_REPORT_{name}={}", value.unwrap_or_default());
    };
    set("COMMIT", output("git", &["rev-parse", "HEAD"]));
    set("DIRTY", dirty.map(|changes| u8::from(!changes.is_empty()).to_string()));
    set("RUSTC", output(&env::var("RUSTC").unwrap_or("rustc".into()), &["--version"]));
    // Paths in flags would tell where the project lies; only what is passed is of interest.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    set("FLAGS", Some(flags));
    set("TARGET", env::var("TARGET").ok());
    let profile = env::var("PROFILE").unwrap_or_default();
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    set("PROFILE", Some(format!("{profile}, opt-level {level}")));
}
