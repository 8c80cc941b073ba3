//! The shape of `pins.toml`, shared by `build.rs`, which verifies it, and `cargo xtask pin`, which writes it.
//!
//! A strict subset of TOML, so that the build needs no TOML parser: `[[file]]` opens an entry, every
//! other line is `key = "value"` without escapes, a comment, or empty.

use std::{fs, io, path::Path};

use sha2::{Digest, Sha256};

/// One file of `vendor/` that takes part in assembling.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pin {
    /// The routine that the file defines; empty for a table or an include file.
    pub routine: String,
    /// Path below `vendor/`, with `/`.
    pub file: String,
    /// Of the file's bytes, lower-case hex.
    pub sha256: String,
    /// What the routine computes: the first line of the file's header.
    pub contract: String,
    /// `adx` (BMI2 and ADX), `avx2` (AVX2, FMA and BMI2), `alt` (any x86-64), `table`, or `include`.
    pub tier: String,
}

impl Pin {
    const KEYS: [&'static str; 5] = ["routine", "file", "sha256", "contract", "tier"];
    const TIERS: [&'static str; 5] = ["adx", "avx2", "alt", "table", "include"];

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

    /// What an entry lacks, or holds and must not.
    fn fault(&self) -> Option<&'static str> {
        let Pin { routine, file, sha256, contract, tier } = self;
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        let named = !routine.is_empty() && !contract.is_empty();
        if file.is_empty() {
            Some("no file")
        } else if sha256.len() != 64 || !sha256.bytes().all(hex) {
            Some("its sha256 is not 64 digits of lower-case hex")
        } else if !Pin::TIERS.contains(&tier.as_str()) {
            Some("its tier is none of adx, avx2, alt, table, include")
        } else if (tier == "include") == file.ends_with(".S") {
            Some("an include is every file but a .S")
        } else if ["adx", "avx2", "alt"].contains(&tier.as_str()) && !named {
            Some("a routine has a name and a contract")
        } else {
            None
        }
    }
}

/// Reads the text of `pins.toml`; the error names the line or the entry. An entry is whole, and a file has
/// one: a second one would be a pin that nothing checks.
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
        if !slot.is_empty() {
            return Err(format!("pins.toml line {}, a second time: {line}", n + 1));
        }
        *slot = value.to_owned();
    }
    for (i, pin) in pins.iter().enumerate() {
        if let Some(fault) = pin.fault() {
            return Err(format!("pins.toml, entry {} ({:?}): {fault}", i + 1, pin.file));
        }
        if pins[..i].iter().any(|other| other.file == pin.file) {
            return Err(format!("pins.toml has two entries for {}", pin.file));
        }
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

/// The hash that a pin holds; an error names the file.
pub fn sha256(path: &Path) -> io::Result<String> {
    let named = |what: &dyn std::fmt::Display| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        io::Error::other(format!("{file}: {what}"))
    };
    // A checkout that turned line ends into CRLF still holds the pinned text. A CR elsewhere is a line's
    // end to some readers and none to others, so what is reviewed may not be what is assembled.
    let text = String::from_utf8(fs::read(path).map_err(|error| named(&error))?);
    let text = text.map_err(|_| named(&"not UTF-8"))?.replace("\r\n", "\n");
    if text.contains('\r') {
        return Err(named(&"a carriage return that ends no line"));
    }
    Ok(Sha256::digest(text).iter().map(|b| format!("{b:02x}")).collect())
}

/// Paths below `vendor/` of everything that takes part in assembling, sorted.
pub fn sources(vendor: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for dir in ["x86_64", "x86_64/include", "x86_64/tables"] {
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
