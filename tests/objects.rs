//! What the assembled objects hold, for ELF, Mach-O and COFF: only instructions that the tier's token proves,
//! one hidden symbol with the prefix, entries that CET accepts, and nothing writable or executable but the
//! code. Supports row C16 of `SOUNDNESS.md`.

#![cfg(rind_asm)]

mod assemble;
mod folder;
mod object;
mod skip;

use assemble::*;
use folder::folder;
use object::*;
use rind25519::cpu::Tier;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// A target, its format, and what its C compilers put before a name.
struct Target(&'static str, Format, &'static str);

const LINUX: Target = Target("x86_64-unknown-linux-gnu", Format::Elf, "");
const MACOS: Target = Target("x86_64-apple-darwin", Format::MachO, "_");
const WINDOWS: Target = Target("x86_64-pc-windows-msvc", Format::Coff, "");

fn clang_and_llvm() -> bool {
    ["clang", "llvm-nm", "llvm-objdump", "llvm-readobj", "llvm-readelf"]
        .into_iter()
        .all(skip::program)
}

/// The features that a file's header names.
fn header_needs(routine: &str) -> BTreeSet<&'static str> {
    let text = std::fs::read_to_string(format!("{VENDOR}/{routine}.S")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("//   needs")).unwrap();
    ["BMI2", "ADX", "AVX2"].into_iter().filter(|feature| line.contains(feature)).collect()
}

/// The instructions are those of the header, and the binding asks for a token if there is need.
fn instructions_are_known(routine: &str, disassembly: &str) -> Result<(), String> {
    let found = needs(disassembly)?;
    let header = header_needs(routine);
    if found != header {
        return Err(format!("needs {found:?}, where its header says {header:?}"));
    }
    let symbols = rind25519::internals::vendor::SYMBOLS;
    let symbol = symbols.iter().find(|s| s.name == routine).ok_or("no binding")?;
    fits_the_token(routine, symbol.tier, &found)
}

/// The instructions are those that the token of its binding proves: of the forms with MULX `HaveBmi2`, which
/// the tiers `adx` and `avx2` both have, and of those for AVX2 `HaveAvx2`.
fn fits_the_token(routine: &str, tier: Tier, found: &BTreeSet<&str>) -> Result<(), String> {
    let ends = |suffix| routine.ends_with(suffix);
    let (proved, named) = match tier {
        Tier::Adx => (&["BMI2"][..], !ends("_alt") && !ends("_avx2")),
        Tier::Avx2 => (&["AVX2", "BMI2"][..], ends("_avx2")),
        _ => (&[][..], !ends("_avx2")),
    };
    if !named || *found != proved.iter().copied().collect() {
        return Err(format!("needs {found:?}, and its binding asks otherwise"));
    }
    Ok(())
}

/// Symbols of an object: (defined, undefined).
fn symbols(object: &Path) -> Result<(Vec<String>, Vec<String>), String> {
    let text = run(Command::new("llvm-nm").arg(object))?;
    let (mut defined, mut undefined) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["U", name] => undefined.push(name.to_owned()),
            [_, _, name] => defined.push(name.to_owned()),
            _ => {}
        }
    }
    Ok((defined, undefined))
}

/// Everything that the object of a routine, or of a table, promises.
fn check(
    Target(target, format, underscore): &Target,
    vendor: &Path,
    routine: &str,
    folder: &Path,
) -> Result<(), String> {
    let object = assemble_from(vendor, &["clang", "-target", target], "r_", routine, folder)?;
    let tool = |name: &str, options: &[&str]| run(Command::new(name).args(options).arg(&object));
    let table = routine.strip_prefix("tables/");
    let symbol = format!("{underscore}r_{}", table.unwrap_or(routine));
    if table.is_none() {
        let disassembly =
            tool("llvm-objdump", &["-d", "--x86-asm-syntax=intel", "--no-show-raw-insn"])?;
        instructions_are_known(routine, &disassembly)?;
        opens_with_endbr64(&disassembly, &symbol)?;
    }
    let (defined, undefined) = symbols(&object)?;
    if defined != [symbol] {
        return Err(format!("defines {defined:?}"));
    }
    let ours = |name: &String| name.starts_with(&format!("{underscore}r_"));
    if !undefined.iter().all(ours) {
        return Err(format!("refers to {undefined:?}"));
    }
    let mut typed = None;
    match format {
        Format::Elf => {
            let symbols = tool("llvm-objdump", &["--syms"])?;
            symbols_are_hidden(*format, &symbols)?;
            typed = Some(type_and_size(&symbols)?);
            keeps_cet(&tool("llvm-readelf", &["-n"])?)?;
        }
        Format::MachO => symbols_are_hidden(*format, &tool("llvm-nm", &["-m"])?)?,
        Format::Coff => {}
    }
    let sizes = sections(*format, &tool("llvm-readobj", &["--sections"])?)?;
    match (table, sizes) {
        (None, Sizes { code: 1.., .. }) | (Some(_), Sizes { code: 0, tables: 1.. }) => {}
        _ => return Err(format!("holds {sizes:?}")),
    }
    // All that is there is the symbol's.
    let whole = if table.is_none() { ('F', sizes.code) } else { ('O', sizes.tables) };
    match typed {
        Some(found) if found != whole => Err(format!("has type and size {found:?}, not {whole:?}")),
        _ => Ok(()),
    }
}

fn objects_keep_their_promises(target: &Target) {
    if !clang_and_llvm() {
        return;
    }
    let folder = folder(&format!("objects-{}", target.0));
    for file in [routines(), tables()].concat() {
        check(target, Path::new(VENDOR), &file, &folder)
            .unwrap_or_else(|fault| panic!("{}, {file}: {fault}", target.0));
    }
}

#[test]
fn elf_objects_keep_their_promises() {
    objects_keep_their_promises(&LINUX);
}
#[test]
fn macho_objects_keep_their_promises() {
    objects_keep_their_promises(&MACOS);
}
#[test]
fn coff_objects_keep_their_promises() {
    objects_keep_their_promises(&WINDOWS);
}

/// The same of the instructions for the assembler that builds this crate here.
#[test]
fn objects_of_the_c_compiler_need_what_their_headers_say() {
    if !skip::program("objdump") {
        return;
    }
    let folder = folder("objects");
    for routine in routines() {
        let object = assemble(&["cc"], "r_", &routine, &folder).unwrap();
        let mut objdump = Command::new("objdump");
        objdump.args(["-d", "-M", "intel", "--no-show-raw-insn"]).arg(object);
        instructions_are_known(&routine, &run(&mut objdump).unwrap())
            .unwrap_or_else(|fault| panic!("{routine}: {fault}"));
    }
}

/// Planted faults.
mod faults {
    use super::*;

    /// The error for a copy of one routine, one of whose files says `wrong` in place of `right`.
    fn error(target: &Target, file: &str, right: &str, wrong: &str) -> String {
        const ROUTINE: &str = "bignum_invsqrt_p25519";
        let folder = folder(&format!("objects-faults-{}", target.0));
        let from = Path::new(VENDOR);
        std::fs::create_dir_all(folder.join("include")).unwrap();
        for entry in from.join("include").read_dir().unwrap().map(Result::unwrap) {
            std::fs::copy(entry.path(), folder.join("include").join(entry.file_name())).unwrap();
        }
        std::fs::copy(from.join(format!("{ROUTINE}.S")), folder.join(format!("{ROUTINE}.S")))
            .unwrap();
        check(target, &folder, ROUTINE, &folder).expect("right before the fault is planted");
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(right), "{file} has no {right:?} to spoil");
        std::fs::write(&path, text.replace(right, wrong)).unwrap();
        check(target, &folder, ROUTINE, &folder).expect_err(wrong)
    }

    #[track_caller]
    fn found(target: &Target, right: &str, wrong: &str, says: &str) {
        let error = error(target, "include/platform.h", right, wrong);
        assert!(error.contains(says), "{}, {wrong:?}: {error}", target.0);
    }

    const ENTRY: &str = "RIND_PROC_BEGIN(SYM(name)); endbr64";

    fn found_in_every_format(target: &Target) {
        let after = |what: &str| format!("RIND_PROC_BEGIN(SYM(name)); {what}");
        found(target, ENTRY, &after("nop"), "does not open with endbr64");
        found(target, ENTRY, &after("endbr64; tzcnt rax, rax"), "no tier proves `tzcnt");
        found(target, ENTRY, &after("endbr64; adox rax, rax"), "where its header says");
        found(target, ENTRY, &after("endbr64; movdqa xmm6, xmm0"), "Windows' callers keep");
        found(target, ENTRY, &after("endbr64; call memcpy"), "refers to");
        found(target, ENTRY, &after("endbr64; within:"), "within is a second entry");
    }

    #[test]
    fn of_elf() {
        if !clang_and_llvm() {
            return;
        }
        found_in_every_format(&LINUX);
        found(&LINUX, ".hidden s", ".globl s", "not hidden");
        found(&LINUX, ".type s, @function", "", "has type and size");
        found(&LINUX, ".size s, .-s", "", "has type and size");
        found(&LINUX, ".GNU-stack, \"\"", ".GNU-stack, \"x\"", "executable stack");
        found(&LINUX, ".section .note.GNU-stack, \"\", @progbits", ".text", "no .note.GNU-stack");
        found(&LINUX, "0xc0000002, 4, 3", "0xc0000002, 4, 1", "the CET note says");
        found(&LINUX, ".note.gnu.property, \"a\", @note", ".rodata", "the CET note says None");
        // Under a new name: the assembler knows the flags of the usual one.
        found(&LINUX, ".rodata, \"a\"", ".tables, \"aw\"", ".tables is writable");
    }

    #[test]
    fn of_macho() {
        if !clang_and_llvm() {
            return;
        }
        found_in_every_format(&MACOS);
        found(&MACOS, ".private_extern s", ".globl s", "not hidden");
        found(&MACOS, "__TEXT, __const", "__DATA, __const", "__const is writable");
    }

    #[test]
    fn of_coff() {
        if !clang_and_llvm() {
            return;
        }
        found_in_every_format(&WINDOWS);
        found(&WINDOWS, ".rdata, \"dr\"", ".tables, \"dw\"", ".tables is writable");
        let export = "endbr64; .section .drectve, \"yn\"; .ascii \" -export:r\"; .text";
        found(&WINDOWS, "endbr64", export, "directives");
    }

    /// A form with MULX must not use ADX, which the tier `avx2` does not prove, and each name says its tier.
    #[test]
    fn of_tokens() {
        let fits = |routine, tier, found: &[&'static str]| {
            fits_the_token(routine, tier, &found.iter().copied().collect())
        };
        fits("a", Tier::Adx, &["BMI2"]).unwrap();
        fits("a_avx2", Tier::Avx2, &["AVX2", "BMI2"]).unwrap();
        fits("a_alt", Tier::Alt, &[]).unwrap();
        fits("a", Tier::Alt, &[]).unwrap();
        fits("a", Tier::Adx, &["BMI2", "ADX"]).unwrap_err();
        fits("a", Tier::Adx, &["AVX2", "BMI2"]).unwrap_err();
        fits("a", Tier::Adx, &[]).unwrap_err();
        fits("a_alt", Tier::Adx, &["BMI2"]).unwrap_err();
        fits("a_avx2", Tier::Avx2, &["AVX2", "BMI2", "ADX"]).unwrap_err();
        fits("a_avx2", Tier::Avx2, &["BMI2"]).unwrap_err();
        fits("a", Tier::Avx2, &["AVX2", "BMI2"]).unwrap_err();
        fits("a_alt", Tier::Alt, &["BMI2"]).unwrap_err();
        fits("a_avx2", Tier::Alt, &[]).unwrap_err();
    }

    /// Instructions beyond a tier, behind a prefix too, and a disassembly that shows nothing.
    #[test]
    fn of_instructions() {
        let line = |instruction: &str| format!("   0:\tendbr64\n   4:\t{instruction}\n");
        for (instruction, features) in [
            ("mulx   rax,rbx,rcx", &["BMI2"][..]),
            ("vpand  ymm5,ymm4,ymm1", &["AVX2"][..]),
            ("adox   rax,rbx", &["ADX"]),
            ("cmovae rax,rbx", &[]),
            ("setne  al", &[]),
            ("data16 cs nop WORD PTR [rax+rax*1+0x0]", &[]),
        ] {
            let features = features.iter().copied().collect();
            assert_eq!(needs(&line(instruction)), Ok(features), "{instruction}");
        }
        for foreign in [
            "tzcnt  rax,rbx",
            "andn   rax,rbx,rcx",
            "vpxord zmm0,zmm0,zmm0",
            "vpand  ymm6,ymm4,ymm1",
            "popcnt rax,rbx",
            "pshufb xmm0,xmm1",
            "movdqa xmm6,xmm0",
            "vmovdqa ymm0,ymm1",
            "movbe  rax,QWORD PTR [rdi]",
            "setssbsy",
            "jmpe   rax",
            "data16 popcnt ax,bx",
            "cs data16 tzcnt ax,bx",
            "data16",
            "cs",
        ] {
            needs(&line(foreign)).expect_err(foreign);
        }
        needs("").unwrap_err();
    }

    /// A table that could be executed, which the disassembly of whole objects meets first, and texts that
    /// show nothing.
    #[test]
    fn of_sections() {
        let section = |name: &str, flags: &str| {
            format!("  Section {{\n    Name: {name} (1)\n    Size: 8\n    {flags} (0x4)\n")
        };
        let with = |flags: &str| {
            section(".text", "SHF_EXECINSTR")
                + &section(".note.GNU-stack", "")
                + &section(".rodata", flags)
        };
        assert_eq!(sections(Format::Elf, &with("SHF_ALLOC")), Ok(Sizes { code: 8, tables: 8 }));
        let error = sections(Format::Elf, &with("SHF_EXECINSTR")).unwrap_err();
        assert_eq!(error, ".rodata is executable");
        for format in [Format::MachO, Format::Coff] {
            assert_eq!(sections(format, ""), Ok(Sizes::default()));
        }
        symbols_are_hidden(Format::Elf, "").unwrap_err();
        symbols_are_hidden(Format::MachO, "").unwrap_err();
    }
}
