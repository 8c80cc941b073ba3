//! Debuggers and profilers unwind through each assembly routine from every instruction, and the stack that a
//! routine takes is what its header and `vendor/README.md` say. Supports row C15 of `SOUNDNESS.md`.
//!
//! The stack pointer is followed through the disassembly, along every jump, and compared with the unwind
//! data of the same object: DWARF call frames for ELF, exception tables for COFF.

#![cfg(rind_asm)]

mod assemble;
mod folder;
mod skip;

use assemble::*;
use folder::folder;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Where the caller's frame and its registers are, before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    /// The canonical frame address, the stack pointer before the call, less the stack pointer now.
    cfa: i64,
    /// Callee-saved registers on the stack: their places less the frame address.
    saved: BTreeMap<String, i64>,
}

/// A line of a disassembly.
#[derive(Debug)]
struct Instruction {
    at: u64,
    mnemonic: String,
    operands: Vec<String>,
}

impl Instruction {
    fn operand(&self, n: usize) -> &str {
        self.operands.get(n).map_or("", String::as_str)
    }
}

/// A disassembly's instructions, and the symbols that its relocations name.
fn disassemble(object: &Path) -> Result<(Vec<Instruction>, String), String> {
    let arguments = ["-d", "-r", "-M", "intel", "--no-show-raw-insn"];
    let text = run(Command::new("objdump").args(arguments).arg(object))?;
    let mut instructions = Vec::new();
    let mut relocations = String::new();
    for line in text.lines() {
        // "  address:<tab>mnemonic operands"; a relocation has a space there.
        let Some((address, instruction)) = line.split_once(":\t") else {
            if line.contains(": R_X86_64_") {
                relocations += line;
                relocations += "\n";
            }
            continue;
        };
        let Ok(at) = u64::from_str_radix(address.trim(), 16) else { continue };
        let (mnemonic, operands) =
            instruction.trim().split_once(' ').unwrap_or((instruction.trim(), ""));
        let operands = operands.trim().split(',').map(|o| o.trim().to_owned()).collect();
        instructions.push(Instruction { at, mnemonic: mnemonic.into(), operands });
    }
    if instructions.is_empty() {
        return Err("no instruction found".into());
    }
    Ok((instructions, relocations))
}

/// The 64-bit general registers that an operand names, whichever part of them.
fn registers(operand: &str) -> impl Iterator<Item = String> {
    let words = operand.split(|c: char| !c.is_ascii_alphanumeric());
    words.map(|word| match word {
        "al" | "ah" | "ax" | "eax" => "rax".into(),
        "bl" | "bh" | "bx" | "ebx" => "rbx".into(),
        "cl" | "ch" | "cx" | "ecx" => "rcx".into(),
        "dl" | "dh" | "dx" | "edx" => "rdx".into(),
        "sil" | "si" | "esi" => "rsi".into(),
        "dil" | "di" | "edi" => "rdi".into(),
        "bpl" | "bp" | "ebp" => "rbp".into(),
        numbered => numbered.trim_end_matches(['b', 'w', 'd']).to_owned(),
    })
}

/// The frame before each instruction, by its address, as far as the code reaches; padding is left out.
///
/// The caller's registers are its own: no instruction names one that is not saved, but the push that does.
fn follow(code: &[Instruction], callee_saved: &[&str]) -> Result<BTreeMap<u64, Frame>, String> {
    let index: BTreeMap<u64, usize> = code.iter().enumerate().map(|(i, c)| (c.at, i)).collect();
    let mut frames: BTreeMap<u64, Frame> = BTreeMap::new();
    let mut open = vec![(0, Frame { cfa: 8, saved: BTreeMap::new() })];
    while let Some((i, mut frame)) = open.pop() {
        let Some(line) = code.get(i) else { return Err("runs off its end".into()) };
        let error = |what: &str| Err(format!("{:x}: {} {what}", line.at, line.mnemonic));
        match frames.get(&line.at) {
            Some(before) if *before == frame => continue,
            Some(_) => return error("is reached with two frames"),
            None => frames.insert(line.at, frame.clone()),
        };
        let first = line.operand(0);
        let immediate = || -> Result<i64, String> {
            let digits = line.operand(1).strip_prefix("0x").unwrap_or("not hexadecimal");
            // -128 is printed as a word of 64 bits.
            let value = u64::from_str_radix(digits, 16).map_err(|e| format!("{line:?}: {e}"))?;
            Ok(value as i64)
        };
        let not_saved = |register: &String| {
            callee_saved.contains(&register.as_str()) && !frame.saved.contains_key(register)
        };
        if line.mnemonic != "push"
            && let Some(register) = line.operands.iter().flat_map(|o| registers(o)).find(not_saved)
        {
            return error(&format!("uses {register}, which is not saved"));
        }
        match line.mnemonic.as_str() {
            "push" => {
                frame.cfa += 8;
                if callee_saved.contains(&first) && !frame.saved.contains_key(first) {
                    frame.saved.insert(first.into(), -frame.cfa);
                }
            }
            "pop" => {
                if callee_saved.contains(&first)
                    && frame.saved.remove(first).is_none_or(|place| place != -frame.cfa)
                {
                    return error("restores what is not there");
                }
                frame.cfa -= 8;
            }
            "sub" if first == "rsp" => frame.cfa += immediate()?,
            "add" if first == "rsp" => frame.cfa -= immediate()?,
            "leave" | "enter" => return error("is unknown"),
            other if other.starts_with("push") || other.starts_with("pop") => {
                return error("is unknown");
            }
            _ if first == "rsp" => return error("changes rsp in an unknown way"),
            _ => {}
        }
        let jumps = line.mnemonic.starts_with('j');
        if jumps {
            let target = first.split_whitespace().next().unwrap_or_default();
            let target = u64::from_str_radix(target, 16).ok().and_then(|at| index.get(&at));
            let Some(&target) = target else { return error("leaves the routine") };
            open.push((target, frame.clone()));
        }
        match line.mnemonic.as_str() {
            "jmp" => {}
            "ret" if frame.cfa != 8 || !frame.saved.is_empty() => {
                return error("leaves something on the stack");
            }
            "ret" => {}
            _ => open.push((i + 1, frame)),
        }
    }
    let padding =
        |line: &&Instruction| matches!(&line.mnemonic[..], "nop" | "data16" | "cs" | "xchg");
    match code.iter().find(|line| !frames.contains_key(&line.at) && !padding(line)) {
        Some(line) => Err(format!("{:x}: {} is never reached", line.at, line.mnemonic)),
        None => Ok(frames),
    }
}

const SYSTEM_V: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];

/// The rows of an object's one call frame description: from an address on, that frame. The last row says
/// where the description ends.
fn call_frames(object: &Path) -> Result<Vec<(u64, Option<Frame>)>, String> {
    let text = run(Command::new("readelf").arg("--debug-dump=frames-interp").arg(object))?;
    let address = |word: &str| u64::from_str_radix(word, 16).map_err(|e| format!("{word}: {e}"));
    let mut columns: Vec<&str> = Vec::new();
    let mut common = None; // the row that all descriptions start with
    let mut rows = Vec::new();
    let mut ends = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, _, _, "FDE", _, range, ..] => {
                let range = range.strip_prefix("pc=").and_then(|range| range.split_once(".."));
                let (start, end) = range.ok_or_else(|| format!("unknown: {line}"))?;
                rows.push((address(start)?, common.clone()));
                ends.push(address(end)?);
            }
            ["LOC", ..] => columns = words,
            [at, cfa, ..] if at.len() == 16 => {
                let place = |word: &str, prefix| word.strip_prefix(prefix)?.parse::<i64>().ok();
                let cfa = place(cfa, "rsp").ok_or_else(|| format!("unknown: {line}"))?;
                let mut saved = BTreeMap::new();
                for (column, word) in columns.iter().zip(&words).skip(2) {
                    match (*column, *word) {
                        ("ra", "c-8") | (_, "u") => {}
                        (column, word) => {
                            let place =
                                place(word, "c").ok_or_else(|| format!("unknown: {line}"))?;
                            saved.insert(column.to_owned(), place);
                        }
                    }
                }
                let frame = Some(Frame { cfa, saved });
                match ends.len() {
                    0 => common = frame,
                    _ => rows.push((address(at)?, frame)),
                }
            }
            _ => {}
        }
    }
    match ends[..] {
        [end] => rows.push((end, None)),
        _ => return Err(format!("{} descriptions", ends.len())),
    }
    Ok(rows)
}

/// Bytes below the return address, or where the unwind data and the code part.
fn depth(object: &Path) -> Result<i64, String> {
    let (code, _) = disassemble(object)?;
    let rows = call_frames(object)?;
    let frames = follow(&code, &SYSTEM_V)?;
    for (at, frame) in &frames {
        let row = rows.iter().rev().find(|(from, _)| from <= at).and_then(|(_, row)| row.as_ref());
        if row != Some(frame) {
            return Err(format!("{at:x}: {frame:?}, but the call frames say {row:?}"));
        }
    }
    Ok(frames.values().map(|frame| frame.cfa).max().unwrap_or(8) - 8)
}

fn tools() -> bool {
    ["cc", "objdump", "readelf"].into_iter().all(skip::program)
}

#[test]
fn call_frames_hold_at_every_instruction() {
    if !tools() {
        return;
    }
    let folder = folder("unwind");
    for routine in routines() {
        let object = assemble(&["cc"], "r_", &routine, &folder).unwrap();
        depth(&object).unwrap_or_else(|e| panic!("{routine}: {e}"));
    }
}

/// The figures of "stack 776 + 480 bytes": a routine's own, and its callee's with the return address.
fn stack_of_header(text: &str) -> Result<String, String> {
    let needs = text.lines().find(|line| line.starts_with("//   needs ")).unwrap_or_default();
    let stack = needs.split_once(" stack ").and_then(|(_, rest)| rest.split_once(" bytes"));
    stack.map(|(figures, _)| figures.to_owned()).ok_or_else(|| format!("no stack in: {needs}"))
}

/// The same from the row of `vendor/README.md`, whose last columns are stack and cycles.
fn stack_of_readme(text: &str, routine: &str) -> Result<String, String> {
    let row = text.lines().find(|line| line.starts_with(&format!("| `{routine}` |")));
    let cells = row.map(|row| row.split(" | ").collect::<Vec<_>>());
    let cell = cells.and_then(|cells| Some(cells[cells.len().checked_sub(2)?].replace(',', "")));
    cell.ok_or_else(|| format!("no row for {routine}"))
}

/// What both say, if it is what the object takes.
fn stack_agrees(found: &str, header: &str, readme: &str, routine: &str) -> Result<(), String> {
    for said in [stack_of_header(header)?, stack_of_readme(readme, routine)?] {
        if said != found {
            return Err(format!("{routine}: stack {found} bytes, not {said}"));
        }
    }
    Ok(())
}

#[test]
fn stack_is_what_header_and_readme_say() {
    if !tools() {
        return;
    }
    let folder = folder("stack");
    let readme = std::fs::read_to_string(format!("{VENDOR}/../README.md")).unwrap();
    let objects = routines().into_iter().map(|routine| {
        let object = assemble(&["cc"], "r_", &routine, &folder).unwrap();
        let calls = disassemble(&object).unwrap().1;
        (routine, depth(&object).unwrap(), calls)
    });
    let objects: Vec<_> = objects.collect();
    for (routine, own, relocations) in &objects {
        let callee = objects
            .iter()
            .filter(|(name, ..)| relocations.contains(&format!("\tr_{name}-")))
            .map(|(_, depth, _)| depth + 8)
            .max();
        let found = callee.map_or(own.to_string(), |callee| format!("{own} + {callee}"));
        let header = std::fs::read_to_string(format!("{VENDOR}/{routine}.S")).unwrap();
        stack_agrees(&found, &header, &readme, routine).unwrap();
    }
}

/// Windows unwinds by the instructions of the prologue, and reads an epilogue's own; between them the
/// whole frame must be there.
fn exception_table_holds(object: &Path) -> Result<(), String> {
    let (code, _) = disassemble(object)?;
    let callee_saved = [&["rdi", "rsi"], &SYSTEM_V[..]].concat();
    let frames = follow(&code, &callee_saved)?;
    let text = run(Command::new("llvm-readobj").arg("--unwind").arg(object))?;
    let figure = |text: &str| text.trim().parse::<i64>().map_err(|e| format!("{text}: {e}"));
    let mut end_of_prologue = 0;
    let (mut size, mut saved) = (8, BTreeSet::new());
    for line in text.lines() {
        if let Some(end) = line.trim().strip_prefix("PrologSize: ") {
            end_of_prologue = figure(end)? as u64;
        }
        if let Some((_, bytes)) = line.split_once("ALLOC_").and_then(|(_, a)| a.split_once("size="))
        {
            size += figure(bytes)?;
        }
        if let Some((_, register)) = line.split_once("PUSH_NONVOL reg=") {
            size += 8;
            saved.insert(register.to_lowercase());
        }
    }
    for (at, frame) in frames.range(end_of_prologue..) {
        let line = code.iter().find(|line| line.at == *at).expect("it was followed");
        let whole = frame.cfa == size && frame.saved.keys().eq(&saved);
        if !whole && !["pop", "ret"].contains(&&line.mnemonic[..]) {
            return Err(format!("{at:x}: {frame:?}, but the table says {size}, {saved:?}"));
        }
    }
    Ok(())
}

#[test]
fn windows_tables_hold_at_every_instruction() {
    if !["clang", "objdump", "llvm-readobj"].into_iter().all(skip::program) {
        return;
    }
    let folder = folder("unwind_windows");
    let compiler = ["clang", "-target", "x86_64-pc-windows-msvc"];
    for routine in routines() {
        let object = assemble(&compiler, "r_", &routine, &folder).unwrap();
        exception_table_holds(&object).unwrap_or_else(|e| panic!("{routine}: {e}"));
    }
}

/// Planted faults in code: each body stands between a prologue and an epilogue.
#[test]
fn wrong_unwind_data_is_found() {
    if !tools() || !["clang", "llvm-readobj"].into_iter().all(skip::program) {
        return;
    }
    let folder = folder("unwind_faults");
    let object = |name: &str, compiler: &[&str], body: &str| {
        let source = folder.join(format!("{name}.S"));
        let text = format!(
            "#include \"platform.h\"\nFUNC_BEGIN(fault)\nprologue 2, 32\n{body}\nepilogue 32\n\
             FUNC_END(fault)\nFILE_END\n"
        );
        std::fs::write(&source, text).unwrap();
        let object = folder.join(format!("{name}.o"));
        let include = format!("{VENDOR}/include");
        let arguments = ["-I", &include, "-DRIND_PREFIX=r_", "-c", "-o"];
        run(Command::new(compiler[0])
            .args(&compiler[1..])
            .args(arguments)
            .arg(&object)
            .arg(&source))
        .unwrap();
        object
    };
    let found = |name: &str, body: &str| depth(&object(name, &["cc"], body));
    assert_eq!(found("right", "mov [rsp], rdi"), Ok(88));
    // An epilogue in the middle: what follows unwinds as if the frame were gone.
    let middle = "test rdi, rdi\njz LOCAL(rest)\nepilogue 32\nLOCAL(rest):\nmov [rsp], rdi";
    assert!(found("middle", middle).unwrap_err().contains("call frames say"));
    assert!(found("unseen_push", "push rax\npop rax").unwrap_err().contains("call frames say"));
    let other_slot = ".cfi_rel_offset rbx, 0\nnop";
    assert!(found("other_slot", other_slot).unwrap_err().contains("call frames say"));
    let uneven = "LOCAL(again):\nsub rsp, 8\njmp LOCAL(again)";
    assert!(found("uneven", uneven).unwrap_err().contains("two frames"));
    assert!(found("unknown", "lea rsp, [rsp-8]").unwrap_err().contains("unknown way"));
    assert!(found("kept", "push rax").unwrap_err().contains("restores"));
    assert!(found("unreached", "ret\nnop").unwrap_err().contains("leaves something"));
    // Restored and saved again, with an instruction between.
    let between = |saved: &[&str], instruction: &str| {
        let pops: String = saved.iter().rev().map(|r| format!("pop {r}\n")).collect();
        let pushes: String = saved.iter().map(|r| format!("push {r}\n")).collect();
        format!("add rsp, 40\n{pops}{instruction}\n{pushes}sub rsp, 40")
    };
    for part in ["r13", "r13d", "r13w", "r13b"] {
        let body = between(&SYSTEM_V[3..], &format!("mov {part}, 1"));
        let error = found("not_saved", &body).unwrap_err();
        assert!(error.contains("uses r13, which is not saved"), "{error}");
    }

    let windows = ["clang", "-target", "x86_64-pc-windows-msvc"];
    let found = |name: &str, body: &str| exception_table_holds(&object(name, &windows, body));
    assert_eq!(found("right_w", "mov [rsp], rdi"), Ok(()));
    assert!(found("push_w", "push rax\nnop\npop rax").unwrap_err().contains("the table says"));
    for (part, whole) in [("sil", "rsi"), ("edi", "rdi"), ("ebp", "rbp"), ("bh", "rbx")] {
        let saved = [&["rdi", "rsi"], &SYSTEM_V[..]].concat();
        let body = between(&saved, &format!("xor {part}, {part}"));
        let error = found("not_saved_w", &body).unwrap_err();
        assert!(error.contains(&format!("uses {whole}, which is not saved")), "{error}");
    }
}

/// Planted faults in the figures.
#[test]
fn wrong_stack_figures_are_found() {
    let header = |stack| format!("// f: z\n//   needs  BMI2     stack {stack} bytes, wiped\n");
    let readme =
        |stack| format!("| `f` | `(z)` | any | < p | constant | base | {stack} | 3,450 |\n");
    let agrees = |a, b| stack_agrees("1744 + 480", &header(a), &readme(b), "f");
    assert_eq!(agrees("1744 + 480", "1,744 + 480"), Ok(()));
    agrees("1744", "1,744 + 480").unwrap_err();
    agrees("1744 + 480", "1,736 + 480").unwrap_err();
    stack_agrees("0", "// f: z\n", &readme("0"), "f").unwrap_err();
    stack_agrees("0", &header("0"), "", "f").unwrap_err();
}
