//! The shape of `pins.toml`, shared by `build.rs`, which verifies it, and `cargo xtask pin`, which writes it.
//!
//! A strict subset of TOML, so that the build needs no TOML parser: `[[file]]` opens an entry, every
//! other line is `key = "value"` without escapes, a comment, or empty.

use std::{fs, io, path::Path};

use sha2::{Digest, Sha256};

/// One file of `vendor/` that takes part in assembling.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pin {
    /// The symbol that the file defines; empty for an include file.
    pub routine: String,
    /// Path below `vendor/`, with `/`.
    pub file: String,
    /// Of the file's bytes, lower-case hex.
    pub sha256: String,
    /// What the routine computes: the first line of the file's header.
    pub contract: String,
    /// `adx` (BMI2 and ADX), `alt` (any x86-64), or `include`.
    pub tier: String,
}

impl Pin {
    const KEYS: [&'static str; 5] = ["routine", "file", "sha256", "contract", "tier"];

    fn field(&mut self, key: &str) -> Option<&mut String> {
        Some(match key {
            "routine" => &mut self.routine,
            "file" => &mut self.file,
            "sha256" => &mut self.sha256,
            "contract" => &mut self.contract,
            "tier" => &mut self.tier,
            _ => return None,
        })
    }
}

/// Reads the text of `pins.toml`; the error names the line.
pub fn parse(text: &str) -> Result<Vec<Pin>, String> {
    let mut pins: Vec<Pin> = Vec::new();
    for (n, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[file]]" {
            pins.push(Pin::default());
            continue;
        }
        let entry = line.split_once(" = ").and_then(|(key, value)| {
            let value = value.strip_prefix('"')?.strip_suffix('"')?;
            Some((pins.last_mut()?.field(key)?, value))
        });
        let (slot, value) = entry.ok_or_else(|| format!("pins.toml line {}: {line}", n + 1))?;
        *slot = value.to_owned();
    }
    Ok(pins)
}

/// The text of `pins.toml`, which [`parse`] reads back.
#[allow(dead_code, reason = "the build only reads")]
pub fn render(pins: &mut [Pin]) -> String {
    let mut text = String::from(
        "# What build.rs assembles. Written by `cargo xtask pin`; a file that differs stops the build.\n",
    );
    for pin in pins {
        text += "\n[[file]]\n";
        for key in Pin::KEYS {
            let value = pin.field(key).map(|v| v.clone()).unwrap_or_default();
            if !value.is_empty() {
                text += &format!("{key} = \"{value}\"\n");
            }
        }
    }
    text
}

/// The hash that a pin holds.
pub fn sha256(path: &Path) -> io::Result<String> {
    // A checkout that turned line ends into CRLF still holds the pinned text.
    let text: Vec<u8> = fs::read(path)?.into_iter().filter(|&b| b != b'\r').collect();
    Ok(Sha256::digest(&text).iter().map(|b| format!("{b:02x}")).collect())
}

/// Paths below `vendor/` of everything that takes part in assembling, sorted.
pub fn sources(vendor: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for dir in ["x86_64", "x86_64/include"] {
        // A folder that is not there leaves its pins without files, which the caller reports.
        for entry in fs::read_dir(vendor.join(dir)).into_iter().flatten() {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".S") || name.ends_with(".h") || name.ends_with(".inc") {
                files.push(format!("{dir}/{name}"));
            }
        }
    }
    files.sort();
    Ok(files)
}
