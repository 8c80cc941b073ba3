//! `build.rs` assembles what is pinned and nothing else, and each refusal says what to do.
//! Supports row C18 of `SOUNDNESS.md`.
//!
//! The program that cargo built from `build.rs` runs again, over a copy of `vendor/` that is spoilt in one
//! way and in an environment that says which target is meant.

#![cfg(all(rind_internals, target_arch = "x86_64", target_os = "linux"))]

mod assemble;
mod folder;
mod skip;

use assemble::VENDOR;
use folder::{Folder, folder};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LINUX: &str = "x86_64-unknown-linux-gnu";
const MSVC: &str = "x86_64-pc-windows-msvc";
const ROUTINE: &str = "x86_64/bignum_mod_n25519_4.S";

/// A copy of `vendor/`, and the variables that cargo sets for a build script.
struct Build {
    folder: Folder,
    variables: BTreeMap<String, String>,
}

impl Build {
    fn new(test: &str) -> Build {
        let folder = folder(&format!("build_refusals/{test}"));
        let from = Path::new(VENDOR).parent().unwrap();
        for below in ["", "x86_64", "x86_64/include", "x86_64/tables"] {
            fs::create_dir_all(folder.join("vendor").join(below)).unwrap();
            for entry in fs::read_dir(from.join(below)).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_file() {
                    let to = folder.join("vendor").join(below).join(entry.file_name());
                    fs::copy(entry.path(), to).unwrap();
                }
            }
        }
        fs::create_dir_all(folder.join("out")).unwrap();
        let out = folder.join("out").display().to_string();
        let variables = [
            ("PATH", std::env::var("PATH").unwrap()),
            ("OUT_DIR", out),
            ("HOST", LINUX.into()),
            ("TARGET", LINUX.into()),
            ("OPT_LEVEL", "0".into()),
            ("DEBUG", "false".into()),
            ("CARGO_PKG_VERSION", "1.2.3-a".into()),
            ("CARGO_CFG_TARGET_ARCH", "x86_64".into()),
            ("CARGO_CFG_TARGET_POINTER_WIDTH", "64".into()),
            ("CARGO_CFG_TARGET_FEATURE", "fxsr,sse,sse2".into()),
            ("CARGO_CFG_TARGET_OS", "linux".into()),
            ("CARGO_CFG_TARGET_ENV", "gnu".into()),
        ];
        Build { folder, variables: variables.map(|(name, value)| (name.to_owned(), value)).into() }
    }

    fn with(mut self, name: &str, value: &str) -> Build {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// For Windows, with Microsoft's tools.
    fn msvc(self) -> Build {
        self.with("TARGET", MSVC)
            .with("CARGO_CFG_TARGET_OS", "windows")
            .with("CARGO_CFG_TARGET_ENV", "msvc")
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join("vendor").join(file)
    }

    /// Changes the text of a file; a change that changes nothing is a fault of the test.
    fn edit(self, file: &str, change: impl Fn(&str) -> String) -> Build {
        let before = fs::read_to_string(self.path(file)).unwrap();
        let after = change(&before);
        assert_ne!(before, after);
        fs::write(self.path(file), after).unwrap();
        self
    }

    /// What the build script tells cargo, or the error with which it stops.
    fn run(&self) -> Result<String, String> {
        let output = Command::new(env!("RIND_BUILD_SCRIPT"))
            .current_dir(&*self.folder)
            .env_clear()
            .envs(&self.variables)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("cargo::error=")).collect();
        // An error that cargo prints, and exit code 1, or neither; in one sentence.
        assert_eq!(output.status.code(), Some(errors.len() as i32), "{output:?}");
        match errors[..] {
            [] => Ok(text),
            [error] => Err(error.to_owned()),
            _ => panic!("{errors:?}"),
        }
    }

    #[track_caller]
    fn refused(&self, parts: &[&str]) {
        let error = self.run().unwrap_err();
        assert!(error.len() < 300, "{} bytes: {error}", error.len());
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in: {error}");
        }
    }

    /// Whether it builds, and assembly with it.
    #[track_caller]
    fn assembles(&self) -> bool {
        let text = self.run().unwrap();
        let assembled = text.contains("cargo::rustc-cfg=rind_asm\n");
        let library = self.folder.join("out/librind25519_1_2_3__ha_asm.a");
        assert_eq!(library.exists(), assembled);
        assert_eq!(text.contains("RIND_SYMBOL_PREFIX=rind25519_1_2_3__ha_\n"), assembled);
        assembled
    }
}

/// Without it, a script that refuses everything would pass the tests below.
#[test]
fn untouched_copy_is_assembled() {
    assert!(Build::new("untouched").assembles());
}

#[test]
fn checkout_with_crlf_is_assembled() {
    let build = Build::new("crlf").edit(ROUTINE, |text| text.replace('\n', "\r\n"));
    assert!(build.edit("pins.toml", |text| text.replace('\n', "\r\n")).assembles());
}

#[test]
fn changed_file_is_refused() {
    for (i, file) in [ROUTINE, "x86_64/include/platform.h"].into_iter().enumerate() {
        Build::new(&format!("changed_{i}")).edit(file, |text| text.to_owned() + " ").refused(&[
            file,
            "differs from vendor/pins.toml",
            "cargo xtask pin",
        ]);
    }
}

#[test]
fn unlisted_file_is_refused() {
    for file in ["x86_64/added.S", "x86_64/include/added.inc", "x86_64/platform.h"] {
        let build = Build::new("unlisted");
        fs::write(build.path(file), "// nothing\n").unwrap();
        build.refused(&[file, "is not pinned", "cargo xtask pin"]);
    }
}

#[test]
fn missing_file_is_refused() {
    let build = Build::new("missing");
    fs::remove_file(build.path(ROUTINE)).unwrap();
    build.refused(&[ROUTINE, "is pinned but missing", "cargo xtask pin"]);
    fs::remove_file(build.path("pins.toml")).unwrap();
    build.refused(&["vendor/pins.toml is unreadable"]);
}

/// In place of a line's end, where it hides a line from some readers, and in its middle.
#[test]
fn lone_carriage_return_is_refused() {
    let message = ["bignum_mod_n25519_4.S", "a carriage return that ends no line"];
    Build::new("cr").edit(ROUTINE, |text| text.replacen('\n', "\r", 1)).refused(&message);
    Build::new("cr").edit(ROUTINE, |text| text.replacen('\n', "\r\r\n", 1)).refused(&message);
    Build::new("cr").edit(ROUTINE, |text| text.to_owned() + "\r").refused(&message);
}

#[test]
fn wrong_pins_are_refused() {
    let refused = |change: fn(&str) -> String, parts: &[&str]| {
        Build::new("pins").edit("pins.toml", change).refused(parts);
    };
    let key = |text: &str| text.replacen("tier = ", "level = ", 1);
    refused(key, &["vendor/pins.toml line 8: level = ", "cargo xtask pin"]);
    refused(|text| text.replacen("[[file]]", "[[folder]]", 1), &["pins.toml line 3: [[folder]]"]);
    refused(
        |text| text.replacen("\"alt\"", "\"ifma\"", 1),
        &["none of adx, avx2, alt, table, include"],
    );
    let entry = "[[file]]\nfile = \"x86_64/include/none.inc\"\nsha256 = \"";
    let foreign = format!("{entry}{}\"\ntier = \"include\"\n", "0".repeat(64));
    let build = Build::new("pins").edit("pins.toml", |text| format!("{text}\n{foreign}"));
    build.refused(&["x86_64/include/none.inc is pinned but missing"]);
    drop(build);
    // Of two pins for one file, one would be checked by nothing.
    let twice = |text: &str| format!("{text}\n{}", &text[text.find("[[file]]").unwrap()..]);
    refused(twice, &["pins.toml has two entries for x86_64/"]);
}

#[test]
fn missing_assembler_is_refused_and_both_ways_out_work() {
    let build = Build::new("no_assembler").with("CC", "/nonexistent/cc");
    build.refused(&[
        "cannot assemble vendor/x86_64 for x86_64-unknown-linux-gnu",
        "/nonexistent/cc",
        "install an assembler for GNU syntax (gcc or clang)",
        "or build without assembly: RUSTFLAGS='--cfg rind_backend=\"portable\"'",
    ]);
    let portable = build.with("CARGO_CFG_RIND_BACKEND", "portable");
    assert!(!portable.assembles());
    let mut installed = portable;
    installed.variables.remove("CARGO_CFG_RIND_BACKEND");
    assert!(installed.with("CC", "cc").assembles());
}

/// A program that is there and fails is named without the line of its arguments.
#[test]
fn assembler_that_fails_and_missing_archiver_are_told_apart() {
    let failed = Build::new("fails").with("CC", "false");
    failed
        .refused(&["did not execute successfully", " false): install an assembler for GNU syntax"]);
    let build = Build::new("no_archiver").with("AR", "/nonexistent/ar");
    build.refused(&[
        "/nonexistent/ar",
        "install the archiver",
        "lib.exe",
        "or build without assembly",
    ]);
}

/// Every file but those in `out`, with its length.
fn files_outside_out(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if !entry.file_type().unwrap().is_dir() {
                found.insert(path, entry.metadata().unwrap().len());
            } else if path != folder.join("out") {
                folders.push(path);
            }
        }
    }
    found
}

/// The source tree may be read-only, and is not the build's. clang-cl writes a listing of what it assembles
/// into the current folder, unless it is told where.
#[test]
fn nothing_is_written_outside_the_output_folder() {
    let check = |build: Build| {
        let before = files_outside_out(&build.folder);
        assert!(before.len() > 30, "{before:?}");
        build.run().unwrap();
        assert_eq!(files_outside_out(&build.folder), before);
    };
    check(Build::new("writes"));
    if !skip::program("clang") || !skip::program("llvm-ar") {
        return;
    }
    // The compiler goes by its name.
    let build = Build::new("writes_cl").msvc();
    let bin = folder("build_refusals/clang-cl");
    let named = bin.join("clang-cl");
    let clang = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("clang"))
        .find(|clang| clang.exists())
        .expect("it has just started");
    std::os::unix::fs::symlink(clang, &named).unwrap();
    let build = build.with("CC", named.to_str().unwrap()).with("AR", "llvm-ar");
    let out = build.folder.join("out");
    check(build);
    let mut written = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
    assert!(written.any(|path| path.extension().is_some_and(|extension| extension == "asm")));
}

/// A compiler named for the target is the one that is used, on Windows too, where clang is the default.
#[test]
fn each_variable_that_names_a_compiler_is_honoured() {
    let check = |build: &dyn Fn() -> Build, names: [&str; 4]| {
        for name in names {
            build().with(name, "/nonexistent/named").refused(&["/nonexistent/named"]);
        }
        // Asked again when one of them changes, whichever is set.
        let build = build().with("CC", "/nonexistent/named");
        let output = Command::new(env!("RIND_BUILD_SCRIPT"))
            .current_dir(&*build.folder)
            .env_clear()
            .envs(&build.variables)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for name in names {
            assert!(text.contains(&format!("cargo::rerun-if-env-changed={name}\n")), "{name}");
        }
    };
    let linux = || Build::new("named");
    check(&linux, [&format!("CC_{LINUX}"), "CC_x86_64_unknown_linux_gnu", "HOST_CC", "CC"]);
    let msvc = || Build::new("named").msvc();
    check(&msvc, [&format!("CC_{MSVC}"), "CC_x86_64_pc_windows_msvc", "TARGET_CC", "CC"]);
    // With none of them, and nothing on the path: clang is what was looked for.
    msvc().with("PATH", "/nonexistent").refused(&["clang"]);
}

/// COFF, for compilers that do not define `_WIN32`.
#[test]
fn cygwin_objects_are_coff() {
    if !skip::program("clang") || !skip::program("llvm-ar") {
        return;
    }
    let build = Build::new("cygwin")
        .with("TARGET", "x86_64-pc-cygwin")
        .with("CARGO_CFG_TARGET_OS", "cygwin")
        .with("CARGO_CFG_TARGET_ENV", "")
        .with("CC", "clang")
        .with("AR", "llvm-ar");
    assert!(build.assembles());
    let object = fs::read_dir(build.folder.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "o"))
        .unwrap();
    // IMAGE_FILE_MACHINE_AMD64, with which a COFF object begins.
    assert_eq!(fs::read(object).unwrap()[..2], [0x64, 0x86]);
}

/// Where no assembly can be, the portable tier is built, and a pin to another one is an error that says so.
#[test]
fn targets_without_assembly_are_portable_and_refuse_other_pins() {
    for (name, value, why) in [
        ("CARGO_CFG_TARGET_FEATURE", "fxsr,soft-float", "is built without SSE2"),
        ("CARGO_CFG_TARGET_FEATURE", "sse,sse20", "is built without SSE2"),
        ("CARGO_CFG_MIRI", "", "Miri executes none"),
        ("CARGO_CFG_TARGET_ARCH", "aarch64", "is not x86-64"),
        ("CARGO_CFG_TARGET_POINTER_WIDTH", "32", "is not x86-64 with 64-bit pointers"),
    ] {
        let build = || Build::new("portable").with(name, value);
        assert!(!build().assembles(), "{name}={value}");
        assert!(!build().with("CARGO_CFG_RIND_BACKEND", "portable").assembles());
        for tier in ["alt", "avx2", "adx"] {
            build()
                .with("CARGO_CFG_RIND_BACKEND", tier)
                .refused(&[&format!("--cfg rind_backend={tier:?} asks for assembly"), why]);
        }
    }
}

#[test]
fn unknown_backends_are_refused() {
    for wrong in ["", "nonsense", "ifma", "Alt", "alt,adx"] {
        Build::new("unknown")
            .with("CARGO_CFG_RIND_BACKEND", wrong)
            .refused(&["names no backend; accepted: portable, alt, avx2, adx"]);
    }
    for pinned in ["alt", "avx2", "adx"] {
        assert!(Build::new("pinned").with("CARGO_CFG_RIND_BACKEND", pinned).assembles());
    }
}
