//! Two versions of the crate link into one program, and with s2n-bignum's own names.
//! Supports row C17 of `SOUNDNESS.md`. (`routines` is a program with s2n-bignum itself in it.)

#![cfg(all(rind_asm, unix))]

mod assemble;
mod folder;
#[path = "../vendor/prefix.rs"]
mod prefix;
mod skip;

use assemble::*;
use folder::folder;
use std::path::{Path, PathBuf};
use std::process::Command;

fn objects(prefix: &str, folder: &Path) -> Vec<PathBuf> {
    let names = [routines(), tables()].concat();
    names.iter().map(|name| assemble(&["cc"], prefix, name, folder).unwrap()).collect()
}

/// A program that calls both versions and a function under s2n-bignum's plain name.
fn link(folder: &Path, objects: &[PathBuf]) -> Result<PathBuf, String> {
    let source = folder.join("main.c");
    let text = "
        #include <stdint.h>
        #include <string.h>
        void one_edwards25519_scalarmulbase(uint64_t *, const uint64_t *);
        void two_edwards25519_scalarmulbase(uint64_t *, const uint64_t *);
        int edwards25519_scalarmulbase(void) { return 1; }
        int main(void) {
            uint64_t scalar[4] = {1, 2, 3, 4}, a[8] = {0}, b[8] = {1};
            one_edwards25519_scalarmulbase(a, scalar);
            two_edwards25519_scalarmulbase(b, scalar);
            return !(a[0] != 0 && memcmp(a, b, sizeof a) == 0 && edwards25519_scalarmulbase() == 1);
        }";
    std::fs::write(&source, text).unwrap();
    let program = folder.join("main");
    run(Command::new("cc").arg(&source).args(objects).arg("-o").arg(&program))?;
    Ok(program)
}

/// A program that depends on this package and on a copy of it under another version, as cargo builds it for
/// anybody: with no cfg of this workspace. Returns the program.
fn two_packages(folder: &Path, other: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = folder.join("copy");
    let program = folder.join("program");
    std::fs::create_dir_all(&copy).unwrap();
    std::fs::create_dir_all(program.join("src")).unwrap();
    for name in ["src", "vendor", "build.rs", "README.md"] {
        std::os::unix::fs::symlink(root.join(name), copy.join(name)).unwrap();
    }
    // Its own workspace, and only what a program needs of it.
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let sections = manifest.split("\n[").filter(|section| {
        !["[bench", "[example", "[test", "dev-dependencies"].iter().any(|s| section.starts_with(s))
    });
    let manifest = sections.collect::<Vec<_>>().join("\n[");
    let version = format!("version = {:?}", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    let members = manifest.lines().find(|line| line.starts_with("members = ")).unwrap();
    let manifest = manifest
        .replace(members, "members = []")
        .replace(&version, &format!("version = {other:?}"));
    std::fs::write(copy.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(root.join("Cargo.lock"), program.join("Cargo.lock")).unwrap();
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         one = {{ package = \"rind25519\", path = {root:?} }}\n\
         two = {{ package = \"rind25519\", path = {copy:?} }}\n"
    );
    std::fs::write(program.join("Cargo.toml"), manifest).unwrap();
    let source = r#"
        macro_rules! exercise {
            ($version:ident) => {{
                use $version::{ed25519::SigningKey, x25519::{PublicKey, StaticSecret}};
                let key = SigningKey::from_seed(&[7; 32]);
                let signature = key.sign(b"message");
                key.verifying_key().verify(b"message", &signature).unwrap();
                assert!(key.verifying_key().verify(b"another", &signature).is_err());
                let theirs = PublicKey::from(&StaticSecret::from([8; 32]));
                let shared = StaticSecret::from([9; 32]).diffie_hellman(&theirs).unwrap();
                let tier = $version::cpu::report().tier($version::cpu::Operation::Verify).name();
                println!("{} {tier}", stringify!($version));
                (signature.to_bytes(), *shared.as_bytes())
            }};
        }
        fn main() {
            assert_eq!(exercise!(one), exercise!(two));
        }"#;
    std::fs::write(program.join("src/main.rs"), source).unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    run(Command::new(cargo)
        .args(["build", "--quiet", "--offline"])
        .current_dir(&program)
        .env("RUSTFLAGS", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("two_packages-target"),
        ))
    .unwrap();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("two_packages-target/debug/program")
}

/// Whether every routine that both operations need is in the program under each of the versions.
fn holds_versions(symbols: &str, versions: &[&str]) -> Result<(), String> {
    for version in versions {
        for routine in ["edwards25519_scalarmuldouble", "curve25519_x25519", "bignum_inv_p25519"] {
            let name = format!("{}{routine}", prefix::symbol_prefix(version));
            if !symbols.split_whitespace().any(|s| s == name || s == format!("_{name}")) {
                return Err(format!("no {name}"));
            }
        }
    }
    Ok(())
}

#[test]
fn two_packages_build_into_one_program_and_run() {
    if !skip::program("nm") {
        return;
    }
    let (ours, other) = (env!("CARGO_PKG_VERSION"), "9.8.7-other");
    // One at a time: all that is built for it lies in one folder, too.
    let folder = folder("two_packages");
    let program = two_packages(&folder, other);
    let output = run(&mut Command::new(&program)).unwrap();
    let tiers: Vec<&str> =
        output.lines().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
    assert!(matches!(tiers[..], ["adx", "adx"] | ["avx2", "avx2"] | ["alt", "alt"]), "{output}");
    let symbols = run(Command::new("nm").arg(program)).unwrap();
    holds_versions(&symbols, &[ours, other]).unwrap();
    // Planted fault: a version that is not there.
    holds_versions(&symbols, &[ours, "9.8.6"]).unwrap_err();
}

#[test]
fn two_prefixes_link_and_run_in_one_program() {
    let folder = folder("two_versions");
    let objects = [objects("one_", &folder), objects("two_", &folder)].concat();
    let program = link(&folder, &objects).unwrap();
    if std::is_x86_feature_detected!("bmi2") {
        run(&mut Command::new(program)).unwrap();
    } else {
        skip::skip("no bmi2 here to run what was linked");
    }
}

#[test]
fn the_build_links_versioned_symbols() {
    let prefix = prefix::symbol_prefix(env!("CARGO_PKG_VERSION"));
    if !skip::program("nm") {
        return;
    }
    let symbols = run(Command::new("nm").arg(std::env::current_exe().unwrap())).unwrap();
    // This program refers to every binding, so each symbol must be in it under the prefix.
    for symbol in rind25519::internals::vendor::SYMBOLS {
        std::hint::black_box(symbol.address);
        let name = format!("{prefix}{}", symbol.name);
        assert!(symbols.split_whitespace().any(|s| s == name || s == format!("_{name}")), "{name}");
    }
}

/// Planted fault: the same version twice does not link.
#[test]
fn one_version_twice_is_refused() {
    let (folder, again) = (folder("one_version_twice"), folder("one_version_again"));
    let objects =
        [objects("one_", &folder), objects("two_", &folder), objects("one_", &again)].concat();
    let error = link(&folder, &objects).unwrap_err();
    assert!(error.contains("one_edwards25519_scalarmulbase"), "{error}");
}

/// Two versions that have one prefix, among all that end in up to four of some characters.
fn one_prefix_for_two(prefix: impl Fn(&str) -> String) -> Option<[String; 2]> {
    let mut versions = vec![String::from("0.1.0")];
    let mut prefixes = std::collections::BTreeMap::new();
    for _ in 0..=4 {
        for version in &versions {
            if let Some(other) = prefixes.insert(prefix(version), version.clone()) {
                return Some([other, version.clone()]);
            }
        }
        let longer =
            |version: &String| ["0", "h", "p", ".", "-", "+"].map(|end| format!("{version}{end}"));
        // An identifier between dots is never empty.
        versions = versions.iter().flat_map(longer).filter(|v| !v.contains("..")).collect();
    }
    assert!(prefixes.len() > 1000, "{}", prefixes.len());
    None
}

#[test]
fn versions_have_distinct_prefixes() {
    assert_eq!(one_prefix_for_two(prefix::symbol_prefix), None);
    let prefix = prefix::symbol_prefix("1.2.3-a.4+b-c");
    assert!(prefix.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()), "{prefix}");
    // Planted fault.
    assert!(one_prefix_for_two(|version| version.replace(['.', '-', '+'], "_")).is_some());
}
