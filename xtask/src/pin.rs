//! `cargo xtask pin`: writes `vendor/pins.toml` from the files of `vendor/` and their headers.

#[path = "../../vendor/pins.rs"]
mod pins;

use std::{fs, path::Path};

use pins::Pin;

fn at(path: &'static str) -> impl Fn(std::io::Error) -> String {
    move |e| format!("{path}: {e}")
}

/// A pin for every file as it is now.
fn current(vendor: &Path) -> Result<Vec<Pin>, String> {
    let mut pins = Vec::new();
    for file in pins::sources(vendor).map_err(at("vendor"))? {
        let path = vendor.join(&file);
        let text = fs::read_to_string(&path).map_err(at("vendor"))?;
        let sha256 = pins::sha256(&path).map_err(at("vendor"))?;
        let mut pin = match file.strip_prefix("x86_64/").and_then(|f| f.strip_suffix(".S")) {
            Some(table) if table.starts_with("tables/") => {
                Pin { tier: "table".into(), ..Pin::default() }
            }
            Some(routine) => header(routine, &text)?,
            None => Pin { tier: "include".into(), ..Pin::default() },
        };
        (pin.file, pin.sha256) = (file, sha256);
        pins.push(pin);
    }
    Ok(pins)
}

/// Pins every file as it is now.
pub fn write(root: &Path) -> Result<(), String> {
    let vendor = root.join("vendor");
    let mut pins = current(&vendor)?;
    let text = pins::render(&mut pins);
    if pins::parse(&text)? != pins {
        return Err("a header holds a character that pins.toml cannot: a quote".into());
    }
    fs::write(vendor.join("pins.toml"), text).map_err(at("vendor/pins.toml"))
}

/// Contract and tier from a routine's header: its first line, and its `needs` line.
fn header(routine: &str, text: &str) -> Result<Pin, String> {
    let first = text.lines().next().unwrap_or_default();
    let contract = first
        .strip_prefix("// ")
        .and_then(|l| l.strip_prefix(routine))
        .and_then(|l| l.strip_prefix(": "))
        .ok_or_else(|| format!("{routine}.S: the first line must be `// {routine}: <contract>`"))?;
    let needs = text
        .lines()
        .take_while(|l| l.starts_with("//"))
        .find_map(|l| l.strip_prefix("//   needs "))
        .ok_or_else(|| format!("{routine}.S: no `//   needs` line in the header"))?;
    // The tier of AVX2 asks for BMI2 as well, not for ADX.
    let tier = if needs.contains("AVX2") {
        if needs.contains("ADX") {
            return Err(format!("{routine}.S: no tier asks for AVX2 and ADX"));
        }
        "avx2"
    } else if needs.contains("ADX") || needs.contains("BMI2") {
        "adx"
    } else {
        "alt"
    };
    if routine.ends_with("_alt") && tier != "alt" {
        return Err(format!("{routine}.S: an _alt routine needs nothing beyond the base ISA"));
    }
    Ok(Pin {
        routine: routine.into(),
        contract: contract.split_whitespace().collect::<Vec<_>>().join(" "),
        tier: tier.into(),
        ..Pin::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pins that are checked in are those of the files, contract and tier of each header included;
    /// build.rs compares the hashes alone.
    #[test]
    fn pins_are_current() {
        let vendor = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vendor");
        let text = fs::read_to_string(vendor.join("pins.toml")).unwrap();
        let current = current(&vendor).unwrap();
        assert_eq!(pins::parse(&text).unwrap(), current, "run `cargo xtask pin`");
        // Planted faults: a tier, and a contract, that a hand has changed.
        for (from, to) in [("tier = \"adx\"", "tier = \"alt\""), ("CONSTANT TIME", "QUICK")] {
            assert_ne!(pins::parse(&text.replacen(from, to, 1)).unwrap(), current);
        }
    }

    fn pin(file: &str, tier: &str) -> Pin {
        let (routine, contract) = if tier == "include" { ("", "") } else { ("a", "z = x*y") };
        Pin {
            routine: routine.into(),
            file: file.into(),
            sha256: "0123456789abcdef".repeat(4),
            contract: contract.into(),
            tier: tier.into(),
        }
    }

    #[test]
    fn text_is_read_back() {
        let mut pins = vec![pin("x86_64/a.S", "alt"), pin("x86_64/include/a.inc", "include")];
        assert_eq!(pins::parse(&pins::render(&mut pins)), Ok(pins));
    }

    /// Planted faults in pins.toml and in a header.
    #[test]
    fn malformed_text_is_refused() {
        for text in [
            "[[file]]\nfile = unquoted",
            "[[file]]\nnone = \"x\"",
            "file = \"x\"",
            "[[file]",
            "[[other]]",
        ] {
            assert!(pins::parse(text).unwrap_err().contains(" line "), "{text}");
        }
        let refused = |pins: &mut [Pin], why: &str| {
            let error = pins::parse(&pins::render(pins)).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        refused(&mut [pin("", "alt")], "no file");
        refused(&mut [Pin { sha256: "00".into(), ..pin("a.S", "alt") }], "not 64 digits");
        refused(&mut [Pin { sha256: "A".repeat(64), ..pin("a.S", "alt") }], "not 64 digits");
        refused(&mut [pin("a.S", "ifma")], "none of adx, avx2, alt, table, include");
        refused(&mut [pin("a.S", "include")], "every file but a .S");
        refused(&mut [pin("a.inc", "alt")], "every file but a .S");
        refused(&mut [Pin { contract: "".into(), ..pin("a.S", "alt") }], "a name and a contract");
        refused(&mut [pin("a.S", "alt"), pin("a.S", "alt")], "two entries for a.S");
        let twice = pins::render(&mut [pin("a.S", "alt")]) + "tier = \"adx\"\n";
        assert!(pins::parse(&twice).unwrap_err().contains("a second time"));
        assert!(header("a", "// b: another routine\n//   needs base ISA").is_err());
        assert!(header("a", "// a: no needs line\n").is_err());
        assert!(header("a_alt", "// a_alt: z = x\n//   needs  BMI2").is_err());
        assert!(header("a", "// a: z = x\n//   needs  AVX2, BMI2, ADX").is_err());
        for (needs, tier) in
            [("BMI2", "adx"), ("AVX2, BMI2", "avx2"), ("AVX2", "avx2"), ("x86-64-v1", "alt")]
        {
            let text = format!("// a: z = x\n//   needs  {needs}    stack 8");
            assert_eq!(header("a", &text).unwrap().tier, tier, "{needs}");
        }
    }
}
