//! The base-point tables of `src/low/tables/`, from the curve's definition.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::edwards::{Curve, Point};

/// Writes every table.
pub fn write() -> std::io::Result<()> {
    for (path, text) in render() {
        std::fs::write(&path, text)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}

/// Each file and what belongs in it.
fn render() -> [(PathBuf, String); 2] {
    let curve = Curve::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/low/tables");
    [
        (directory.join("base_windows.rs"), base_windows(&curve)),
        (directory.join("base_odd.rs"), base_odd(&curve)),
    ]
}

const HEADER: &str = "//! Written by `cargo xtask tables`.\n\nuse super::{PackedNiels, Table};\n\n";

/// j·16^i·B for j = 1..8 in each of the 64 windows i.
fn base_windows(curve: &Curve) -> String {
    let mut text = String::from(HEADER);
    text += "/// `[i][j]` is (j + 1)·16^i·B: a digit 1..8 of a signed radix-16 scalar, 48 KiB.\n";
    text += "#[rustfmt::skip]\n";
    text += "pub static BASE_WINDOWS: Table<[[PackedNiels; 8]; 64]> = Table([\n";
    let mut unit = curve.base();
    for _ in 0..64 {
        let multiples = progression(curve, &unit, &unit, 8);
        text += "[\n";
        entries(&mut text, curve, &multiples);
        text += "],\n";
        unit = curve.add(&multiples[7], &multiples[7]);
    }
    text + "]);\n"
}

/// The 64 odd multiples of B that a wNAF of width 8 asks for.
fn base_odd(curve: &Curve) -> String {
    let mut text = String::from(HEADER);
    text += "/// `[j]` is (2·j + 1)·B: the digits of a wNAF of width 8, 6 KiB.\n";
    text += "#[rustfmt::skip]\n";
    text += "pub static BASE_ODD: Table<[PackedNiels; 64]> = Table([\n";
    let base = curve.base();
    entries(&mut text, curve, &progression(curve, &base, &curve.add(&base, &base), 64));
    text + "]);\n"
}

/// first, first + step, first + 2·step, …
fn progression(curve: &Curve, first: &Point, step: &Point, count: usize) -> Vec<Point> {
    std::iter::successors(Some(first.clone()), |a| Some(curve.add(a, step))).take(count).collect()
}

fn entries(text: &mut String, curve: &Curve, points: &[Point]) {
    for point in points {
        *text += "    [\n";
        for coordinate in curve.packed_niels(point).chunks_exact(4) {
            let words: Vec<_> = coordinate.iter().map(|word| format!("{word:#018x}")).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "        {},", words.join(", "));
        }
        *text += "    ],\n";
    }
}

#[cfg(test)]
mod tests {
    /// The checked-in tables are the ones that the curve's definition gives.
    #[test]
    fn tables_are_current() {
        for (path, text) in super::render() {
            let on_disk = std::fs::read_to_string(&path).unwrap();
            assert!(on_disk == text, "{} is stale: run `cargo xtask tables`", path.display());
        }
    }
}
