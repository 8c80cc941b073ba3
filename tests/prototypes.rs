//! A routine's header, its row in `vendor/README.md` and its binding say the same: prototype, timing, and
//! what it needs of the CPU. Supports row C15 of `SOUNDNESS.md`.

#![cfg(rind_asm)]

mod assemble;

use assemble::{VENDOR, routines};
use rind25519::internals::vendor::{Argument, SYMBOLS, Symbol};

const README: &str = include_str!("../vendor/README.md");

/// What both texts say of a routine.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// As the README writes it.
    prototype: String,
    constant_time: bool,
    needs: String,
}

/// The first of `list` that `text` ends with, or begins with, and what stands for it.
fn one_of<T: Copy>(
    list: &[(&str, T)],
    text: &str,
    fits: fn(&str, &str) -> bool,
) -> Result<T, String> {
    let found = list.iter().find(|(word, _)| fits(text, word));
    found.map(|(_, meaning)| *meaning).ok_or(format!("unknown: {text}"))
}

/// The C prototype of a header: what it returns, and its arguments.
fn declaration(routine: &str, header: &str) -> Result<(String, Vec<String>), String> {
    let lines = header.lines().skip(1).map_while(|line| line.strip_prefix("//   "));
    let text = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    let (returns, rest) = text.split_once(&format!(" {routine}(")).ok_or("no prototype")?;
    let (arguments, _) = rest.split_once(')').ok_or("a prototype without an end")?;
    Ok((returns.to_owned(), arguments.split(',').map(|a| a.trim().to_owned()).collect()))
}

fn said_by_header(routine: &str, header: &str) -> Result<Said, String> {
    let (returns, arguments) = declaration(routine, header)?;
    let returns = one_of(
        &[("void", ""), ("int64_t", "int64 "), ("uint64_t", "u64 ")],
        &returns,
        |text, word| text == word,
    )?;
    let short = |argument: &String| {
        let name = argument.rsplit(' ').next().unwrap_or_default();
        // As many words as the argument before says.
        name.strip_prefix('*').map_or(name.to_owned(), |name| format!("{name}[k]"))
    };
    let arguments: Vec<String> = arguments.iter().map(short).collect();
    let first = header.lines().next().unwrap_or_default();
    let timing = [("   CONSTANT TIME", true), ("   VARIABLE TIME: public inputs", false)];
    let needs = header.lines().find_map(|line| line.strip_prefix("//   needs "));
    let needs = needs.and_then(|needs| Some(needs.trim().split_once("  ")?.0));
    Ok(Said {
        prototype: format!("{returns}({})", arguments.join(", ")),
        constant_time: one_of(&timing, first, |text, word| text.ends_with(word))?,
        needs: needs.ok_or("no `needs`")?.replace("x86-64-v1", "v1"),
    })
}

/// The rows of the README's table: name and cells.
fn rows(readme: &str) -> Vec<(&str, Vec<&str>)> {
    readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "))
        .map(|(name, cells)| (name, cells.split(" | ").collect()))
        .collect()
}

fn said_by_readme(routine: &str, readme: &str) -> Result<Said, String> {
    let rows = rows(readme);
    let mut found = rows.iter().filter(|(name, _)| *name == routine);
    let (Some((_, cells)), None) = (found.next(), found.next()) else {
        return Err("not one row in the README".into());
    };
    let [prototype, _, _, timing, needs, _, _] = cells[..] else {
        return Err(format!("{} cells", cells.len()));
    };
    let timings = [("constant", true), ("**public only**", false)];
    Ok(Said {
        prototype: prototype.trim_matches('`').to_owned(),
        constant_time: one_of(&timings, timing, |text, word| text.starts_with(word))?,
        needs: needs.to_owned(),
    })
}

/// Lengths and directions of the binding are those of the C prototype.
fn binding_fits(symbol: &Symbol, header: &str) -> Result<(), String> {
    let (returns, declared) = declaration(symbol.name, header)?;
    let mut follows_words = false;
    let fits = |(argument, declared): (&Argument, &String)| {
        let size = if declared.contains("uint8_t") { 1 } else { 8 };
        let count = declared.split_once('[').and_then(|(_, n)| n.strip_suffix(']')?.parse().ok());
        let bytes = count.map(|count: usize| size * count);
        let is_input = declared.starts_with("const ");
        let fits = match *argument {
            Argument::Words(_) => !is_input && !declared.contains(['*', '[']),
            Argument::In(_) if follows_words => is_input && declared.contains('*'),
            Argument::In(len) => is_input && bytes == Some(len),
            Argument::Out(len) => !is_input && bytes == Some(len),
        };
        follows_words = matches!(argument, Argument::Words(_));
        fits
    };
    let same = symbol.arguments.len() == declared.len()
        && symbol.arguments.iter().zip(&declared).all(fits)
        && symbol.returns == (returns != "void")
        && symbol.takes_public_inputs() != said_by_header(symbol.name, header)?.constant_time;
    if same { Ok(()) } else { Err(format!("{symbol:?}, where the header says {declared:?}")) }
}

fn header(routine: &str) -> String {
    std::fs::read_to_string(format!("{VENDOR}/{routine}.S")).unwrap()
}

#[test]
fn each_row_says_what_the_header_says() {
    for routine in routines() {
        let said = said_by_header(&routine, &header(&routine));
        assert_eq!(said_by_readme(&routine, README), said, "{routine}");
        assert!(said.is_ok(), "{routine}: {said:?}");
    }
    let mut names: Vec<_> = rows(README).into_iter().map(|row| row.0.to_owned()).collect();
    names.sort();
    assert_eq!(names, routines(), "a row without a routine, or twice");
}

#[test]
fn each_binding_has_the_prototype_of_the_header() {
    for symbol in SYMBOLS {
        binding_fits(symbol, &header(symbol.name))
            .unwrap_or_else(|e| panic!("{}: {e}", symbol.name));
    }
    assert_eq!(SYMBOLS.len(), routines().len());
}

/// Planted faults, in each column and in each part of a binding.
#[test]
fn each_difference_is_seen() {
    let routine = "edwards25519_decode";
    let text = header(routine);
    let right = said_by_header(routine, &text).unwrap();
    for (from, to) in [
        ("z[8]", "z[4]"),
        ("const uint8_t c[32]", "const uint8_t c[32], uint64_t k"),
        ("uint64_t edwards", "void edwards"),
        ("  CONSTANT TIME", "  VARIABLE TIME: public inputs"),
        ("needs  BMI2", "needs  x86-64-v1"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        assert_ne!(said_by_header(routine, &wrong).unwrap(), right, "{to}");
    }
    for (from, to) in [("`u64 (z[8], c[32])`", "`(z[8], c[32])`"), ("| constant |", "| quick |")] {
        let wrong = README.replace(from, to);
        assert_ne!(said_by_readme(routine, &wrong).as_ref(), Ok(&right), "{to}");
    }
    let symbol = SYMBOLS.iter().find(|symbol| symbol.name == routine).unwrap();
    binding_fits(symbol, &text).unwrap();
    binding_fits(&Symbol { returns: false, ..*symbol }, &text).unwrap_err();
    for wrong in [
        &[Argument::Out(64)][..],
        &[Argument::Out(32), Argument::In(32)],
        &[Argument::Out(64), Argument::In(4)],
        &[Argument::In(64), Argument::In(32)],
        &[Argument::Out(64), Argument::Words(32)],
    ] {
        binding_fits(&Symbol { arguments: wrong, ..*symbol }, &text).unwrap_err();
    }
}
