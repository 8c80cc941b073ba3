//! Checks the switches that `rustc --cfg` sets, verifies `vendor/pins.toml` and assembles
//! `vendor/x86_64/` for x86-64 targets.
//!
//! Looks at the target, never at the host. Does nothing for other architectures, and nothing under
//! `--cfg rind_backend="portable"`.

#[path = "vendor/pins.rs"]
mod pins;

use std::{env, path::Path, process::exit};

/// What `--cfg rind_backend="…"` may name. The list is repeated in `Cargo.toml` for `unexpected_cfgs`.
const BACKENDS: &[&str] = &["portable", "alt", "adx"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=vendor");
    println!("cargo::rustc-check-cfg=cfg(rind_asm)");

    // Cargo runs this again when the flags change, since the flags are part of the unit's identity.
    if let Err(why) = check_backend() {
        println!("cargo::error={why}");
        exit(1);
    }
    let target = |name: &str| env::var(format!("CARGO_CFG_{name}")).unwrap_or_default();
    if target("TARGET_ARCH") != "x86_64"
        || target("TARGET_POINTER_WIDTH") != "64"
        || target("RIND_BACKEND") == "portable"
    {
        return;
    }
    if let Err(why) = verify(Path::new("vendor")).and_then(|routines| {
        let prefix = symbol_prefix();
        println!("cargo::rustc-env=RIND_SYMBOL_PREFIX={prefix}");
        assemble(&prefix, &routines, &target("TARGET_ENV"))
    }) {
        println!("cargo::error={why}");
        exit(1);
    }
    println!("cargo::rustc-cfg=rind_asm");
}

/// The compiler itself accepts any value of a `--cfg`.
fn check_backend() -> Result<(), String> {
    let Ok(pinned) = env::var("CARGO_CFG_RIND_BACKEND") else { return Ok(()) };
    // Two values at once arrive as one list, "a,b", and are no backend either.
    if BACKENDS.contains(&pinned.as_str()) {
        return Ok(());
    }
    let accepted = BACKENDS.join(", ");
    Err(format!("--cfg rind_backend={pinned:?} names no backend; accepted: {accepted}"))
}

/// Distinct for each version, so that two versions of this crate, or s2n-bignum, link into one program.
fn symbol_prefix() -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version: String =
        version.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("rind25519_{version}_")
}

/// The `.S` files, once every file of `vendor/` is known to be the pinned one.
fn verify(vendor: &Path) -> Result<Vec<String>, String> {
    let read = |e: std::io::Error| format!("vendor/ is unreadable: {e}");
    let text = std::fs::read_to_string(vendor.join("pins.toml")).map_err(read)?;
    let pins = pins::parse(&text)?;
    let files = pins::sources(vendor).map_err(read)?;
    for file in &files {
        let found = pins::sha256(&vendor.join(file)).map_err(read)?;
        match pins.iter().find(|pin| pin.file == *file) {
            None => return Err(format!("vendor/{file} is not pinned; run `cargo xtask pin`")),
            Some(pin) if pin.sha256 != found => {
                return Err(format!(
                    "vendor/{file} differs from vendor/pins.toml; if the change is meant, run `cargo xtask pin`"
                ));
            }
            Some(_) => {}
        }
    }
    if let Some(pin) = pins.iter().find(|pin| !files.contains(&pin.file)) {
        return Err(format!("vendor/{} is pinned but missing; run `cargo xtask pin`", pin.file));
    }
    Ok(files.into_iter().filter(|file| file.ends_with(".S")).collect())
}

fn assemble(prefix: &str, routines: &[String], target_env: &str) -> Result<(), String> {
    if routines.is_empty() {
        return Ok(());
    }
    let mut build = cc::Build::new();
    if target_env == "msvc" && env::var_os("CC").is_none() {
        build.compiler("clang"); // cl.exe and ml64.exe do not read GNU syntax
    }
    build
        .include("vendor/x86_64/include")
        .define("RIND_PREFIX", prefix)
        .warnings(false)
        .files(routines.iter().map(|file| format!("vendor/{file}")))
        .try_compile(&format!("{prefix}asm"))
        .map_err(|cause| {
            let cause = cause.to_string();
            let cause = cause.lines().next().unwrap_or_default().to_owned();
            format!(
                "cannot assemble vendor/x86_64 for {} ({cause}): install an assembler for GNU syntax \
                 (gcc or clang), or build without assembly: RUSTFLAGS='--cfg rind_backend=\"portable\"'",
                env::var("TARGET").unwrap_or_default(),
            )
        })
}
