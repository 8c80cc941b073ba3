//! Two versions of the crate link into one program, and with s2n-bignum's own names.
//! Supports row C17 of `SOUNDNESS.md`.

#![cfg(all(rind_asm, unix))]

mod assemble;
#[path = "../vendor/prefix.rs"]
mod prefix;
mod skip;

use assemble::*;
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

#[test]
fn two_versions_link_and_run_in_one_program() {
    let folder = folder("two_versions");
    let objects = [objects("one_", &folder), objects("two_", &folder)].concat();
    let program = link(&folder, &objects).unwrap();
    if std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx") {
        run(&mut Command::new(program)).unwrap();
    } else {
        skip::skip("no bmi2 and adx here to run what was linked");
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
