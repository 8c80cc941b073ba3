//! What the assembled objects hold: only instructions that the tier's token proves, only symbols with
//! the prefix, for ELF, Mach-O and COFF. Supports row C16 of `SOUNDNESS.md`.

#![cfg(rind_asm)]

mod assemble;
mod skip;

use assemble::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// General instructions of the first x86-64 CPUs, and the SSE2 that the System V ABI rests on.
/// `endbr64` is a hint there, which does nothing.
const BASE: &str = "adc add and bsf bsr bt btc btr bts call cmp dec div endbr64 imul inc jmp lea mov movabs movsx \
    movsxd movzx mul neg nop not or pop push rcl rcr ret rol ror sar sbb shl shld shr shrd sub test xchg xor \
    data16 cs \
    movaps movd movdqa movdqu movq movups paddd paddq pand pandn pcmpeqd por pshufd psubd psrlq psllq pxor";
/// With a condition after them.
const CONDITIONAL: [&str; 3] = ["cmov", "set", "j"];
const BMI2: &str = "bzhi mulx pdep pext rorx sarx shlx shrx";
const ADX: &str = "adcx adox";

/// What an object's instructions need beyond the base set; an error for what no tier here proves.
fn needs(disassembly: &str) -> Result<BTreeSet<&'static str>, String> {
    let is_in = |list: &str, mnemonic: &str| list.split_whitespace().any(|m| m == mnemonic);
    let mut needs = BTreeSet::new();
    let mut count = 0;
    for line in disassembly.lines() {
        // "  address:<tab>mnemonic operands"
        let Some((address, instruction)) = line.split_once(":\t") else { continue };
        if !address.trim().bytes().all(|b| b.is_ascii_hexdigit()) {
            continue;
        }
        let instruction = instruction.trim();
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        count += 1;
        let vector_state = instruction.contains("ymm") || instruction.contains("zmm");
        if is_in(BMI2, mnemonic) {
            needs.insert("BMI2");
        } else if is_in(ADX, mnemonic) {
            needs.insert("ADX");
        } else if vector_state
            || !(is_in(BASE, mnemonic) || CONDITIONAL.iter().any(|stem| mnemonic.starts_with(stem)))
        {
            return Err(format!("no tier proves `{instruction}`"));
        }
        // The callee-saved vector registers of Windows.
        for register in 6..32 {
            if instruction.contains(&format!("xmm{register}")) {
                return Err(format!("`{instruction}` uses a register that Windows' callers keep"));
            }
        }
    }
    if count == 0 { Err("no instruction found".into()) } else { Ok(needs) }
}

fn disassemble(object: &Path) -> Result<String, String> {
    run(Command::new("objdump").args(["-d", "-M", "intel", "--no-show-raw-insn"]).arg(object))
}

/// The features that a file's header names.
fn header_needs(text: &str) -> BTreeSet<&'static str> {
    let line = text.lines().find_map(|line| line.strip_prefix("//   needs")).unwrap();
    ["BMI2", "ADX"].into_iter().filter(|feature| line.contains(feature)).collect()
}

#[test]
fn objects_need_what_their_headers_say() {
    if !skip::program("objdump") {
        return;
    }
    let folder = folder("objects");
    for routine in routines() {
        let object = assemble(&["cc"], "r_", &routine, &folder).unwrap();
        let found =
            needs(&disassemble(&object).unwrap()).unwrap_or_else(|e| panic!("{routine}: {e}"));
        let header = std::fs::read_to_string(format!("{VENDOR}/{routine}.S")).unwrap();
        assert_eq!(found, header_needs(&header), "{routine}");
        let symbol =
            rind25519::internals::vendor::SYMBOLS.iter().find(|s| s.name == routine).unwrap();
        assert_eq!(
            !found.is_empty(),
            symbol.needs_adx,
            "{routine}: the token that its binding asks for"
        );
        assert!(found.is_empty() || !routine.ends_with("_alt"), "{routine}");
    }
}

/// Symbols of an object: (defined, undefined).
fn symbols(nm: &str, object: &Path) -> (Vec<String>, Vec<String>) {
    let text = run(Command::new(nm).arg(object)).unwrap();
    let (mut defined, mut undefined) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["U", name] => undefined.push(name.to_owned()),
            // Sections and other local names of COFF start with a dot.
            [_, _, name] if !name.starts_with('.') && !name.starts_with('@') => {
                defined.push(name.to_owned())
            }
            _ => {}
        }
    }
    (defined, undefined)
}

#[test]
fn three_object_formats_hold_prefixed_symbols_and_no_others() {
    if !skip::program("clang") || !skip::program("llvm-nm") {
        return;
    }
    let folder = folder("formats");
    for (target, underscore) in [
        ("x86_64-unknown-linux-gnu", ""),
        ("x86_64-apple-darwin", "_"),
        ("x86_64-pc-windows-msvc", ""),
        ("x86_64-pc-windows-gnu", ""),
    ] {
        for routine in routines() {
            let compiler = ["clang", "-target", target];
            let object = assemble(&compiler, "r_", &routine, &folder).unwrap();
            let (defined, undefined) = symbols("llvm-nm", &object);
            assert_eq!(defined, [format!("{underscore}r_{routine}")], "{target}");
            let ours = |name: &String| name.starts_with(&format!("{underscore}r_"));
            assert!(undefined.iter().all(ours), "{target}, {routine}: {undefined:?}");
        }
    }
}

/// Planted faults: instructions beyond a tier, and a disassembly that shows nothing.
#[test]
fn foreign_instructions_are_found() {
    let line = |instruction: &str| format!("   0:\tendbr64\n   4:\t{instruction}\n");
    assert_eq!(needs(&line("mulx   rax,rbx,rcx")).unwrap(), BTreeSet::from(["BMI2"]));
    assert_eq!(needs(&line("adox   rax,rbx")).unwrap(), BTreeSet::from(["ADX"]));
    assert_eq!(needs(&line("cmovae rax,rbx")).unwrap(), BTreeSet::new());
    for foreign in [
        "tzcnt  rax,rbx",
        "andn   rax,rbx,rcx",
        "vpxor  xmm0,xmm0,xmm0",
        "popcnt rax,rbx",
        "pshufb xmm0,xmm1",
        "movdqa xmm6,xmm0",
        "vmovdqa ymm0,ymm1",
        "movbe  rax,QWORD PTR [rdi]",
    ] {
        needs(&line(foreign)).unwrap_err();
    }
    needs("").unwrap_err();
}
