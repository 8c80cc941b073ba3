//! The base-point tables of `src/low/tables/` and `vendor/`, from the curve's definition.

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
fn render() -> [(PathBuf, String); 6] {
    let curve = Curve::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let directory = root.join("src/low/tables");
    let vendor = root.join("vendor/x86_64/tables");
    [
        (directory.join("base_windows.rs"), base_windows(&curve)),
        (directory.join("base_odd.rs"), base_odd(&curve)),
        (directory.join("base_odd_lanes.rs"), base_odd_lanes(&curve)),
        (vendor.join("base_windows.S"), base_windows_asm(&curve)),
        (vendor.join("base_odd.S"), base_odd_asm(&curve, "base_odd", "B", &curve.base())),
        (
            vendor.join("base_odd_high.S"),
            base_odd_asm(&curve, "base_odd_high", "2^128 B", &high_base(&curve)),
        ),
    ]
}

const HEADER: &str = "//! Written by `cargo xtask tables`.\n\nuse super::{PackedNiels, Table};\n\n";

/// j·16^i·B for j = 1..8 in each of the 64 windows i.
fn base_windows(curve: &Curve) -> String {
    let mut text = String::from(HEADER);
    text += "/// `[i][j]` is (j + 1)·16^i·B: a digit 1..8 of a signed radix-16 scalar, 48 KiB.\n";
    text += "#[rustfmt::skip]\n";
    text += "pub static BASE_WINDOWS: Table<[[PackedNiels; 8]; 64]> = Table([\n";
    for multiples in windows(curve) {
        text += "[\n";
        entries(&mut text, curve, &multiples);
        text += "],\n";
    }
    text + "]);\n"
}

/// j·16^i·B, j = 1..8, for i = 0..63.
fn windows(curve: &Curve) -> Vec<Vec<Point>> {
    let mut unit = curve.base();
    let mut windows = Vec::new();
    for _ in 0..64 {
        let multiples = progression(curve, &unit, &unit, 8);
        unit = curve.add(&multiples[7], &multiples[7]);
        windows.push(multiples);
    }
    windows
}

/// One table an object, which routines of either form share.
fn table_asm(name: &str, comment: &str, entries: &str) -> String {
    format!(
        "// Written by `cargo xtask tables`.\n{comment}\n#include \"platform.h\"\n\nRODATA_BEGIN({name})\n\
         {entries}RODATA_END({name})\nFILE_END\n"
    )
}

/// The odd multiples ±1, ±3, …, ±15 of 16^i·B.
fn base_windows_asm(curve: &Curve) -> String {
    let mut text = String::new();
    for window in windows(curve) {
        let twice = &window[1];
        let odd = progression(curve, &window[0], twice, 8);
        let borrow_free = |point| curve.halved_niels(point)[8] < u64::MAX - 37;
        assert!(odd.iter().all(borrow_free), "negation by complement would borrow");
        entries_asm(&mut text, curve, &odd);
    }
    let comment = "// Entry 8i + j is (2j + 1) 16^i B as ((y+x)/2, (y-x)/2, dxy) mod p, 48 KiB. Words 8 are below\n\
                   // 2^64 - 38, so that the complement of dxy minus 37, which is -dxy mod p, borrows nowhere.\n";
    table_asm("base_windows", comment, &text)
}

/// Odd multiples of a point for digits of width 8: wider ones do not fit the bytes of a frame below a page.
fn base_odd_asm(curve: &Curve, name: &str, formula: &str, point: &Point) -> String {
    let mut text = String::new();
    entries_asm(&mut text, curve, &odd_multiples(curve, point, 8));
    let comment =
        format!("// Entry j is (2j + 1) {formula} as ((y+x)/2, (y-x)/2, dxy) mod p, 6 KiB.\n");
    table_asm(name, &comment, &text)
}

fn entries_asm(text: &mut String, curve: &Curve, points: &[Point]) {
    for point in points {
        *text += "\n";
        curve.halved_niels(point).chunks_exact(4).for_each(|words| quads(text, words));
    }
}

fn quads(text: &mut String, words: &[u64]) {
    let words: Vec<_> = words.iter().map(|word| format!("{word:#018x}")).collect();
    // Writing to a String cannot fail.
    let _ = writeln!(text, "        .quad {}", words.join(", "));
}

/// Odd multiples of B and of 2^128·B for digits of width 9.
fn base_odd(curve: &Curve) -> String {
    odd_tables(curve, "", "PackedNiels", "12 KiB", entries)
}

/// The same multiples, each as six vectors of four lanes.
fn base_odd_lanes(curve: &Curve) -> String {
    odd_tables(curve, "_LANES", "LanesNiels", "24 KiB", |text, curve, points| {
        for point in points {
            *text += "    [\n";
            for vector in curve.lanes_niels(point) {
                let doubles = vector.map(|limb| format!("{limb:?}.0"));
                // Writing to a String cannot fail.
                let _ = writeln!(text, "        [{}],", doubles.join(", "));
            }
            *text += "    ],\n";
        }
    })
}

/// The file of both tables, their names with `suffix`, whose entries of type `entry` are written by `write`.
fn odd_tables(
    curve: &Curve,
    suffix: &str,
    entry: &str,
    size: &str,
    write: impl Fn(&mut String, &Curve, &[Point]),
) -> String {
    let mut text =
        format!("//! Written by `cargo xtask tables`.\n\nuse super::{{{entry}, Table}};\n\n");
    let tables = [("BASE_ODD", "B", curve.base()), ("BASE_ODD_HIGH", "2^128·B", high_base(curve))];
    for (name, formula, point) in tables {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "/// `[j]` is (2·j + 1)·{formula}: the digits of a wNAF of width 9, {size}.\n\
             #[rustfmt::skip]\n\
             pub static {name}{suffix}: Table<[{entry}; 128]> = Table([\n"
        );
        write(&mut text, curve, &odd_multiples(curve, &point, 9));
        text += "]);\n\n";
    }
    text.trim_end().to_owned() + "\n"
}

/// (2·j + 1)·point, as many as there are positive digits of a wNAF of this width.
fn odd_multiples(curve: &Curve, point: &Point, width: u32) -> Vec<Point> {
    progression(curve, point, &curve.add(point, point), 1 << (width - 2))
}

/// 2^128·B.
fn high_base(curve: &Curve) -> Point {
    (0..128).fold(curve.base(), |point, _| curve.add(&point, &point))
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
