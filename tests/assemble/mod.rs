//! vendor/x86_64, assembled once more by the tests: for other targets and under other prefixes.
#![allow(dead_code)] // each test binary uses its part

use std::path::{Path, PathBuf};
use std::process::Command;

pub const VENDOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vendor/x86_64");

/// Standard output of a program that succeeds, else its standard error.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// The routines' names, sorted.
pub fn routines() -> Vec<String> {
    let names = std::fs::read_dir(VENDOR).unwrap().filter_map(|entry| {
        Some(entry.unwrap().file_name().to_str()?.strip_suffix(".S")?.to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The objects of the tables that routines share, as names for [`assemble`].
pub fn tables() -> Vec<String> {
    let entries = std::fs::read_dir(format!("{VENDOR}/tables")).unwrap();
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.unwrap().file_name();
            Some(format!("tables/{}", name.to_str()?.strip_suffix(".S")?))
        })
        .collect();
    names.sort();
    names
}

/// One routine's or table's object file, in `folder`.
pub fn assemble(
    compiler: &[&str],
    prefix: &str,
    routine: &str,
    folder: &Path,
) -> Result<PathBuf, String> {
    assemble_from(Path::new(VENDOR), compiler, prefix, routine, folder)
}

/// The same, from another folder's files.
pub fn assemble_from(
    vendor: &Path,
    compiler: &[&str],
    prefix: &str,
    routine: &str,
    folder: &Path,
) -> Result<PathBuf, String> {
    let object = folder.join(format!("{prefix}{}.o", routine.replace('/', "_")));
    run(Command::new(compiler[0])
        .args(&compiler[1..])
        .arg("-I")
        .arg(vendor.join("include"))
        .args([&format!("-DRIND_PREFIX={prefix}"), "-c"])
        .arg(vendor.join(format!("{routine}.S")))
        .arg("-o")
        .arg(&object))?;
    Ok(object)
}
