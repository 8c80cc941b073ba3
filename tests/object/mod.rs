//! What the tools print of an object file, read: pure functions of that text, so that each can be shown
//! to fail.
#![allow(dead_code)] // each test binary uses its part

use std::collections::BTreeSet;

/// General instructions of the first x86-64 CPUs, and the SSE2 that the System V ABI rests on.
/// `endbr64` is a hint there, which does nothing.
const BASE: &str = "adc add and bsf bsr bt btc btr bts call cmp dec div endbr64 imul inc jmp lea mov movabs movsx \
    movsxd movzx mul neg nop not or pop push rcl rcr ret rol ror sar sbb shl shld shr shrd sub test xchg xor \
    movaps movd movdqa movdqu movq movups paddd paddq pand pandn pcmpeqd por pshufd psubd psrlq psllq pxor";
/// With one of these conditions after them.
const CONDITIONAL: [&str; 3] = ["cmov", "set", "j"];
const CONDITIONS: &str =
    "o no b nb c nc ae nae e ne z nz be nbe a na s ns p np pe po l nl ge nge le nle g ng";
/// Printed before the mnemonic, and no instructions.
const PREFIXES: &str = "data16 cs";
const BMI2: &str = "bzhi mulx pdep pext rorx sarx shlx shrx";
const ADX: &str = "adcx adox";
/// With 256-bit registers or lesser ones; `vzeroupper` is of AVX, which AVX2 implies.
const AVX2: &str = "vmovd vmovdqu vpand vpbroadcastd vpcmpeqd vpor vpxor vzeroupper";

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// A line of a disassembly: a symbol, or an instruction, in Intel syntax, without its prefixes.
enum Line<'a> {
    Symbol(&'a str),
    Instruction(&'a str),
}

/// GNU objdump and llvm-objdump alike: "address <symbol>:" and "  address:  instruction".
fn lines(disassembly: &str) -> impl Iterator<Item = Line<'_>> {
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
    disassembly.lines().filter_map(move |line| {
        let (address, rest) = line.trim().split_once([':', ' '])?;
        if !is_hex(address) {
            return None;
        }
        let mut rest = rest.trim();
        if let Some(symbol) = rest.strip_prefix('<') {
            return symbol.strip_suffix(">:").map(Line::Symbol);
        }
        while let Some((first, others)) = rest.split_once(char::is_whitespace)
            && is_in(PREFIXES, first)
        {
            rest = others.trim();
        }
        Some(Line::Instruction(rest))
    })
}

/// What an object's instructions need beyond the base set; an error for what no tier here proves.
pub fn needs(disassembly: &str) -> Result<BTreeSet<&'static str>, String> {
    let mut needs = BTreeSet::new();
    let mut count = 0;
    for line in lines(disassembly) {
        let Line::Instruction(instruction) = line else { continue };
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        count += 1;
        let conditional = || {
            let rest = CONDITIONAL.iter().filter_map(|stem| mnemonic.strip_prefix(stem));
            rest.into_iter().any(|condition| is_in(CONDITIONS, condition))
        };
        let vector_state = instruction.contains("ymm") || instruction.contains("zmm");
        if is_in(AVX2, mnemonic) && !instruction.contains("zmm") {
            needs.insert("AVX2");
        } else if is_in(BMI2, mnemonic) {
            needs.insert("BMI2");
        } else if is_in(ADX, mnemonic) {
            needs.insert("ADX");
        } else if vector_state || !(is_in(BASE, mnemonic) || conditional()) {
            return Err(format!("no tier proves `{instruction}`"));
        }
        // The callee-saved vector registers of Windows.
        for register in 6..32 {
            if ["xmm", "ymm"].iter().any(|kind| instruction.contains(&format!("{kind}{register}")))
            {
                return Err(format!("`{instruction}` uses a register that Windows' callers keep"));
            }
        }
    }
    if count == 0 { Err("no instruction found".into()) } else { Ok(needs) }
}

/// The object's one symbol is `symbol`, and an indirect branch to it meets `endbr64`.
pub fn opens_with_endbr64(disassembly: &str, symbol: &str) -> Result<(), String> {
    let mut lines = lines(disassembly);
    match lines.next() {
        Some(Line::Symbol(first)) if first == symbol => {}
        _ => return Err(format!("{symbol} is not what the code begins with")),
    }
    match lines.next() {
        Some(Line::Instruction("endbr64")) => {}
        _ => return Err(format!("{symbol} does not open with endbr64")),
    }
    match lines.find_map(|line| if let Line::Symbol(other) = line { Some(other) } else { None }) {
        Some(other) => Err(format!("{other} is a second entry, or a local label that got out")),
        None => Ok(()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Elf,
    MachO,
    Coff,
}

/// No other file of a program can see a defined symbol by dynamic linking. Of ELF, `llvm-objdump --syms`;
/// of Mach-O, `llvm-nm -m`.
pub fn symbols_are_hidden(format: Format, symbols: &str) -> Result<(), String> {
    let mut count = 0;
    for line in symbols.lines() {
        let (is_global, is_hidden) = match format {
            Format::Elf => {
                // "address flags section size name"; above it stands the file's path.
                let address = line.get(..16).unwrap_or_default();
                let is_row = address.bytes().all(|b| b.is_ascii_hexdigit());
                let flags = line.get(17..24).filter(|_| is_row).unwrap_or_default();
                (flags.contains(['g', 'w']) && !line.contains("*UND*"), line.contains(" .hidden "))
            }
            Format::MachO => (
                line.contains(" external ") && !line.contains("(undefined)"),
                line.contains(" private external "),
            ),
            Format::Coff => return Ok(()), // a symbol is exported by a directive only: see `sections`
        };
        if is_global && !is_hidden {
            return Err(format!("not hidden: {line}"));
        }
        count += usize::from(is_global);
    }
    if count == 0 { Err("no symbol found".into()) } else { Ok(()) }
}

/// The type of ELF's one global symbol, `F` for code and `O` for a table, and its size, by which debuggers
/// and profilers know where it ends; `llvm-objdump --syms`.
pub fn type_and_size(symbols: &str) -> Result<(char, u64), String> {
    let address = |line: &str| Some(line.get(..16)?.bytes().all(|b| b.is_ascii_hexdigit()));
    let rows = symbols.lines().filter(|line| address(line) == Some(true)).filter_map(|line| {
        let (flags, size) = (line.get(17..24)?, line.split('\t').nth(1)?.split(' ').next()?);
        flags.contains('g').then_some((flags.chars().last()?, size))
    });
    match rows.collect::<Vec<_>>()[..] {
        [(of_type, size)] => {
            let size = u64::from_str_radix(size, 16).map_err(|e| format!("{size}: {e}"))?;
            Ok((of_type, size))
        }
        _ => Err(format!("not one symbol with a size: {symbols}")),
    }
}

/// What an object holds, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    pub code: u64,
    /// Read-only.
    pub tables: u64,
}

/// Code is in the text section and nowhere else, where the format can say so, and nothing can be written.
/// Takes what `llvm-readobj --sections` prints.
pub fn sections(format: Format, text: &str) -> Result<Sizes, String> {
    let (mut sizes, mut stack_note) = (Sizes::default(), false);
    for section in text.split("  Section {").skip(1) {
        let field = |key: &str| {
            let value = section.lines().find_map(|line| line.trim().strip_prefix(key))?;
            Some(value.split(" (").next()?.trim())
        };
        let has = |flag: &str| section.contains(flag);
        let name = field("Name: ").ok_or("a section without a name")?;
        let (size, writable, executable) = match format {
            Format::Elf => (field("Size: "), has("SHF_WRITE"), has("SHF_EXECINSTR")),
            Format::MachO => (
                field("Size: "),
                !["__TEXT", "__LD"].contains(&field("Segment: ").unwrap_or_default()),
                false, // all of __TEXT is mapped executable, tables too
            ),
            Format::Coff => (field("RawDataSize: "), has("_MEM_WRITE"), has("_MEM_EXECUTE")),
        };
        let size = size.ok_or("a section without a size")?;
        let size = match size.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => size.parse(),
        }
        .map_err(|e| format!("{name}: {e}"))?;
        match name {
            ".note.GNU-stack" => {
                if executable {
                    return Err("asks for an executable stack".into());
                }
                stack_note = true;
            }
            ".drectve" => return Err("gives the linker directives".into()),
            _ if size == 0 => {}
            _ if writable => return Err(format!("{name} is writable")),
            ".text" | "__text" => sizes.code += size,
            _ if executable => return Err(format!("{name} is executable")),
            ".rodata" | "__const" | ".rdata" => sizes.tables += size,
            _ => {}
        }
    }
    if format == Format::Elf && !stack_note {
        Err("no .note.GNU-stack, so the linker assumes that the stack is executable".into())
    } else {
        Ok(sizes)
    }
}

/// The note by which the linker keeps CET for the whole program; `llvm-readelf -n`.
pub fn keeps_cet(notes: &str) -> Result<(), String> {
    let features = notes.lines().find_map(|line| line.trim().split_once("x86 feature: "));
    match features {
        Some((_, "IBT, SHSTK")) => Ok(()),
        other => Err(format!("the CET note says {other:?}")),
    }
}
