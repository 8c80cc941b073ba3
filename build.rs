//! Checks the switches that `rustc --cfg` sets, verifies `vendor/pins.toml` and assembles
//! `vendor/x86_64/` for x86-64 targets.
//!
//! Looks at the target, never at the host. Where no assembly can be, it does nothing, and where
//! `--cfg rind_backend="portable"` asks for none. `tests/build_refusals.rs` runs this program.

#[path = "vendor/pins.rs"]
mod pins;
#[path = "vendor/prefix.rs"]
mod prefix;

use std::{env, path::Path, process::exit};

/// What `--cfg rind_backend="…"` may name. The list is repeated in `Cargo.toml` for `unexpected_cfgs`.
const BACKENDS: &[&str] = &["portable", "alt", "avx2", "adx"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=vendor");
    println!("cargo::rustc-check-cfg=cfg(rind_asm)");
    // Cargo runs this again when the flags change, since the flags are part of the unit's identity.
    if target_cfg("RIND_INTERNALS").is_some() {
        // For the test of this program. No build but this workspace's own holds the path.
        let itself = env::current_exe().unwrap_or_default();
        println!("cargo::rustc-env=RIND_BUILD_SCRIPT={}", itself.display());
    }
    if let Err(why) = build() {
        println!("cargo::error={why}");
        exit(1);
    }
}

fn build() -> Result<(), String> {
    let pinned = pinned_backend()?;
    match (pinned.as_deref(), no_assembly()) {
        (Some("portable"), _) | (None, Some(_)) => return Ok(()),
        (Some(tier), Some(why)) => {
            return Err(format!("--cfg rind_backend={tier:?} asks for assembly, and {why}"));
        }
        (_, None) => {}
    }
    let routines = verify(Path::new("vendor"))?;
    let prefix = prefix::symbol_prefix(&variable("CARGO_PKG_VERSION"));
    println!("cargo::rustc-env=RIND_SYMBOL_PREFIX={prefix}");
    assemble(&prefix, &routines)?;
    println!("cargo::rustc-cfg=rind_asm");
    Ok(())
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// What the compiler says about the target; empty for a cfg that has no value.
fn target_cfg(name: &str) -> Option<String> {
    env::var(format!("CARGO_CFG_{name}")).ok()
}

/// The compiler itself accepts any value of a `--cfg`.
fn pinned_backend() -> Result<Option<String>, String> {
    let Some(pinned) = target_cfg("RIND_BACKEND") else { return Ok(None) };
    // Two values at once arrive as one list, "a,b", and are no backend either.
    if BACKENDS.contains(&pinned.as_str()) {
        return Ok(Some(pinned));
    }
    let accepted = BACKENDS.join(", ");
    Err(format!("--cfg rind_backend={pinned:?} names no backend; accepted: {accepted}"))
}

/// Why the target can have no assembly, if so.
fn no_assembly() -> Option<String> {
    let target = variable("TARGET");
    let is = |name: &str, value: &str| target_cfg(name).is_some_and(|found| found == value);
    let features = target_cfg("TARGET_FEATURE").unwrap_or_default();
    if !is("TARGET_ARCH", "x86_64") || !is("TARGET_POINTER_WIDTH", "64") {
        Some(format!("{target} is not x86-64 with 64-bit pointers"))
    } else if !features.split(',').any(|feature| feature == "sse2") {
        // Kernels and firmware: nobody saves the registers, or their state is not enabled.
        Some(format!("{target} is built without SSE2, which the assembly uses"))
    } else if target_cfg("MIRI").is_some() {
        Some("Miri executes none".into())
    } else {
        None
    }
}

/// The `.S` files, once every file of `vendor/` is known to be the pinned one.
fn verify(vendor: &Path) -> Result<Vec<String>, String> {
    let unreadable = |e: std::io::Error| format!("vendor/: {e}");
    let text = std::fs::read_to_string(vendor.join("pins.toml"))
        .map_err(|e| format!("vendor/pins.toml is unreadable: {e}"))?;
    let pins = pins::parse(&text).map_err(|why| format!("vendor/{why}; run `cargo xtask pin`"))?;
    let files = pins::sources(vendor).map_err(unreadable)?;
    for file in &files {
        let found = pins::sha256(&vendor.join(file)).map_err(unreadable)?;
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

/// Whether the environment names a compiler for the target, by any of the names that `cc` reads.
fn compiler_is_named() -> bool {
    let target = variable("TARGET");
    let side = if variable("HOST") == target { "HOST" } else { "TARGET" };
    let names = [
        format!("CC_{target}"),
        format!("CC_{}", target.replace(['-', '.'], "_")),
        format!("{side}_CC"),
        "CC".into(),
    ];
    // Each of them, whichever is set: setting another one changes the choice.
    names.iter().for_each(|name| println!("cargo::rerun-if-env-changed={name}"));
    names.iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn assemble(prefix: &str, routines: &[String]) -> Result<(), String> {
    if routines.is_empty() {
        return Err("vendor/x86_64 holds no routine; run `cargo xtask pin` where it does".into());
    }
    let is = |name: &str, value: &str| target_cfg(name).is_some_and(|found| found == value);
    let mut build = cc::Build::new();
    if !compiler_is_named() && is("TARGET_ENV", "msvc") {
        build.compiler("clang"); // cl.exe and ml64.exe do not read GNU syntax
    }
    if is("TARGET_OS", "cygwin") {
        // COFF objects and Windows' calling convention, under compilers that do not say so.
        build.define("_WIN32", None);
    }
    build
        .include("vendor/x86_64/include")
        .define("RIND_PREFIX", prefix)
        .warnings(false)
        .files(routines.iter().map(|file| format!("vendor/{file}")));
    if build.try_get_compiler().is_ok_and(|compiler| compiler.is_like_clang_cl()) {
        // Beside each object it writes a listing, and into the current folder unless told otherwise.
        build.asm_flag(format!("-Fa{}/", variable("OUT_DIR")));
    }
    build.try_compile(&format!("{prefix}asm")).map_err(|cause| {
        let (cause, program) = shortened(&cause.to_string());
        let archiver = build.try_get_archiver();
        let missing = if archiver.is_ok_and(|archiver| *archiver.get_program() == *program) {
            "the archiver that belongs to the assembler (ar, llvm-ar or lib.exe)"
        } else {
            "an assembler for GNU syntax (gcc or clang)"
        };
        format!(
            "cannot assemble vendor/x86_64 for {} ({cause}): install {missing}, or build without \
             assembly: RUSTFLAGS='--cfg rind_backend=\"portable\"'",
            variable("TARGET"),
        )
    })
}

/// What `cc` says, up to the program that it names, without that program's arguments; and the program.
fn shortened(cause: &str) -> (String, String) {
    let mut parts = cause.lines().next().unwrap_or_default().split('"');
    match (parts.next(), parts.next()) {
        (Some(what), Some(program)) => {
            let what = what.trim_end_matches(['`', ' ', ':']);
            (format!("{what} {program}"), program.to_owned())
        }
        (what, _) => (what.unwrap_or_default().to_owned(), String::new()),
    }
}
