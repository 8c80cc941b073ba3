//! Each assembly routine keeps the C ABI, touches nothing but its arguments, and may work in place: its
//! output in any of its inputs, in several, or in all of them at once.
//! Supports row C15 of `SOUNDNESS.md`.
//!
//! A trampoline fills the callee-saved registers, calls, and looks at what came back. Buffers lie
//! against a page that faults, at their end and at their start.

#![cfg(all(rind_asm, target_os = "linux"))]

mod skip;

use std::arch::global_asm;
use std::sync::Mutex;

use rind25519::cpu::Tier;
use rind25519::internals::vendor::{Argument, SYMBOLS, Symbol};
use rind25519::internals::{HaveAvx2, HaveBmi2};

/// What must survive a call, and the arguments.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Machine {
    /// rbx, rbp, r12 to r15.
    saved: [u64; 6],
    rsp: u64,
    flags: u64,
    mxcsr: u32,
    x87_control: u32,
    /// What the function returned, if it returns anything.
    rax: u64,
}

const DIRECTION_FLAG: u64 = 1 << 10;

// machine_call(function rdi, arguments rsi, machine rdx): loads `saved`, calls function(arguments[0..4]),
// and stores what the machine is afterwards. `machine_at` keeps the pointer where no register and no
// stack pointer has to be trusted.
global_asm!(
    ".local machine_at",
    ".comm machine_at, 8, 8",
    ".global rind_test_machine_call",
    "rind_test_machine_call:",
    "push rbx; push rbp; push r12; push r13; push r14; push r15",
    "sub rsp, 8",
    "mov [rip + machine_at], rdx",
    "mov rbx, [rdx]",
    "mov rbp, [rdx + 8]",
    "mov r12, [rdx + 16]",
    "mov r13, [rdx + 24]",
    "mov r14, [rdx + 32]",
    "mov r15, [rdx + 40]",
    "mov [rdx + 48], rsp",
    "stmxcsr [rsp]",
    "mov rax, rdi",
    "mov r10, rsi",
    "mov rdi, [r10]",
    "mov rsi, [r10 + 8]",
    "mov rdx, [r10 + 16]",
    "mov rcx, [r10 + 24]",
    "call rax",
    "mov rdx, [rip + machine_at]",
    "mov [rdx + 72], rax",
    "mov [rdx], rbx",
    "mov [rdx + 8], rbp",
    "mov [rdx + 16], r12",
    "mov [rdx + 24], r13",
    "mov [rdx + 32], r14",
    "mov [rdx + 40], r15",
    "mov rcx, rsp",
    "mov rsp, [rdx + 48]",
    "mov [rdx + 48], rcx",
    "pushfq",
    "pop qword ptr [rdx + 56]",
    "stmxcsr [rdx + 64]",
    "fnstcw [rdx + 68]",
    "cld",
    "ldmxcsr [rsp]",
    "add rsp, 8",
    "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
    "ret",
    // Planted faults.
    ".global rind_test_spoils_r13, rind_test_sets_direction, rind_test_sets_rounding, rind_test_pops_twice",
    "rind_test_spoils_r13: mov r13d, 1; ret",
    "rind_test_sets_direction: std; ret",
    "rind_test_sets_rounding: sub rsp, 8; stmxcsr [rsp]; xor dword ptr [rsp], 0x2000; ldmxcsr [rsp]; add rsp, 8; ret",
    "rind_test_pops_twice: pop rcx; add rsp, 8; jmp rcx",
    // Reads the byte after 32, the word after `k`; writes the byte before.
    ".global rind_test_reads_past, rind_test_reads_word_past, rind_test_writes_before",
    "rind_test_reads_past: mov al, [rsi + 32]; ret",
    "rind_test_reads_word_past: mov rax, [rdx + 8 * rsi]; ret",
    "rind_test_writes_before: mov byte ptr [rdi - 1], 0; ret",
    // One word, in place: spoils its input; returns what it reads too late; adds two words, unless all
    // three are one.
    ".global rind_test_output_first, rind_test_returns_late, rind_test_not_all_one",
    "rind_test_output_first: mov qword ptr [rdi], 0; mov rax, [rsi]; mov [rdi], rax; ret",
    "rind_test_returns_late: mov qword ptr [rdi], 7; mov rax, [rsi]; ret",
    "rind_test_not_all_one: mov rax, [rsi]; add rax, [rdx]; cmp rsi, rdx; jne 2f; cmp rsi, rdi; jne 2f",
    "not rax",
    "2: mov [rdi], rax; ret",
    // Copies the word that its input's address rounds down to.
    ".global rind_test_wants_alignment",
    "rind_test_wants_alignment: and rsi, -8; mov rax, [rsi]; mov [rdi], rax; ret",
);

unsafe extern "C" {
    fn rind_test_machine_call(
        function: unsafe extern "C" fn(),
        arguments: *const [u64; 4],
        machine: *mut Machine,
    );
    fn rind_test_spoils_r13();
    fn rind_test_sets_direction();
    fn rind_test_sets_rounding();
    fn rind_test_pops_twice();
    fn rind_test_reads_past();
    fn rind_test_writes_before();
    fn rind_test_reads_word_past();
    fn rind_test_output_first();
    fn rind_test_returns_late();
    fn rind_test_not_all_one();
    fn rind_test_wants_alignment();
}

/// What function(arguments) changed that it must not, and what it returned.
fn changes(function: unsafe extern "C" fn(), arguments: &[u64; 4]) -> (Vec<&'static str>, u64) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(()); // `machine_at`
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before: [u64; 6] =
        std::array::from_fn(|i| 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1));
    let mut plain = Machine { saved: before, ..Machine::default() };
    let mut machine = plain;
    extern "C" fn nothing() {}
    // SAFETY: the trampoline saves what the C ABI has it save, and restores it whatever the callee did.
    // The caller of `changes` passes arguments that the function may be called with.
    unsafe {
        rind_test_machine_call(nothing, &[0; 4], &mut plain);
        rind_test_machine_call(function, arguments, &mut machine);
    }
    const NAMES: [&str; 6] = ["rbx", "rbp", "r12", "r13", "r14", "r15"];
    let mut changed: Vec<_> =
        (0..6).filter(|&i| machine.saved[i] != before[i]).map(|i| NAMES[i]).collect();
    let mut check = |ok: bool, what| {
        if !ok {
            changed.push(what)
        }
    };
    check(machine.rsp == plain.rsp, "rsp");
    check(machine.flags & DIRECTION_FLAG == 0, "direction flag");
    check(machine.mxcsr == plain.mxcsr, "mxcsr");
    check(machine.x87_control == plain.x87_control, "x87 control");
    (changed, machine.rax)
}

/// Three pages, the outer two of which fault.
struct Fenced {
    start: *mut u8,
    page: usize,
}

impl Fenced {
    fn new() -> Fenced {
        // SAFETY: an anonymous mapping of our own; the result is checked.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let start = libc::mmap(std::ptr::null_mut(), 3 * page, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            let start = start.cast::<u8>();
            let rw = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(start.add(page).cast(), page, rw), 0);
            Fenced { start, page }
        }
    }

    /// The address of `len` bytes that end, or start, `off` bytes from the edge.
    fn place(&self, len: usize, at_end: bool, off: usize) -> *mut u8 {
        let offset = if at_end { 2 * self.page - len - off } else { self.page + off };
        // SAFETY: within the mapping.
        unsafe { self.start.add(offset) }
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, to which no pointer is left.
        unsafe { libc::munmap(self.start.cast(), 3 * self.page) };
    }
}

/// Bytes for the input `index`: any bit density; coordinates, in a point or several, are below 2^254 < p.
fn input(len: usize, index: usize, round: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64 ^ (index as u64 + 1) << 32 ^ round as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    let dense = round % 3;
    let mut bytes: Vec<u8> = (0..len)
        .map(|_| match dense {
            0 => next(),
            1 => next() & next() & next(),
            _ => next() | next() | next(),
        })
        .collect();
    if len.is_multiple_of(64) {
        bytes.chunks_exact_mut(32).for_each(|coordinate| coordinate[31] &= 0x3f);
    }
    bytes
}

/// How a routine is called.
#[derive(Clone, Copy, Debug)]
struct Setting {
    /// Decides the inputs.
    round: usize,
    /// Against the page after the buffers, or the one before.
    at_end: bool,
    /// How many words an argument has whose length is one.
    words: usize,
    /// A set of arguments, as bits: these inputs hold the same bytes, as far as each of them goes.
    same: u32,
    /// Whether the inputs of `same` are at the address of the output, too.
    in_place: bool,
    /// How many bytes from the edge a buffer of bytes lies, where the contract lets it lie anywhere.
    off: usize,
}

/// Whether the routine takes the 32 bytes of an encoding as this argument, at any alignment.
fn is_encoding(symbol: &Symbol, argument: usize) -> bool {
    let name = symbol.name;
    name.starts_with("edwards25519_decode") && argument >= 1
        || name.starts_with("edwards25519_encode") && argument == 0
}

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    changed: Vec<&'static str>,
    output: Vec<u8>,
    returned: Option<u64>,
}

/// The bytes that each argument points to; for `Words`, those of the next.
fn lengths(symbol: &Symbol, words: usize) -> Vec<usize> {
    let follows = |i: usize| i > 0 && matches!(symbol.arguments[i - 1], Argument::Words(_));
    let length = |i| match symbol.arguments[i] {
        _ if follows(i) => 8 * words,
        Argument::Out(len) | Argument::In(len) => len,
        Argument::Words(_) => 8 * words,
    };
    (0..symbol.arguments.len()).map(length).collect()
}

/// A call with every buffer in a fence of its own, or, in place, some inputs in the output's.
fn call(symbol: &Symbol, setting: Setting) -> Outcome {
    let Setting { round, at_end, words, same, in_place, off } = setting;
    let fences: Vec<Fenced> = symbol.arguments.iter().map(|_| Fenced::new()).collect();
    let lengths = lengths(symbol, words);
    let is_same = |i: usize| same >> i & 1 == 1;
    let shares = |i: usize| i == 0 || in_place && is_same(i);
    // All that share start at one address, so the longest of them decides where that is.
    let longest = (0..lengths.len()).filter(|&i| shares(i)).map(|i| lengths[i]).max();
    // In place, the buffer is a point's as well, which is aligned.
    let off = |i| if is_encoding(symbol, i) && !in_place { off } else { 0 };
    let out_at = fences[0].place(longest.unwrap_or(0), at_end, off(0));
    let mut arguments = [0; 4];
    arguments[0] = out_at as u64;
    let mut untouched = Vec::new();
    for (i, argument) in symbol.arguments.iter().enumerate().skip(1) {
        match *argument {
            Argument::Out(_) => unreachable!("one output, and it comes first"),
            Argument::Words(_) => arguments[i] = words as u64,
            Argument::In(_) => {
                let len = lengths[i];
                let mut bytes = input(len, i, round);
                if is_same(i) {
                    // The longest input's: a point's first half is a scalar as well.
                    let longest =
                        (1..lengths.len()).filter(|&i| is_same(i)).map(|i| lengths[i]).max();
                    bytes = input(longest.unwrap_or(len), 1, round);
                    bytes.truncate(len);
                }
                let at = if shares(i) { out_at } else { fences[i].place(len, at_end, off(i)) };
                // SAFETY: `len` bytes of a fence's middle page.
                unsafe { at.copy_from(bytes.as_ptr(), len) };
                arguments[i] = at as u64;
                if !shares(i) {
                    untouched.push((at, bytes));
                }
            }
        }
    }
    let (mut changed, rax) = changes(symbol.address, &arguments);
    for (at, bytes) in untouched {
        // SAFETY: written above, and still mapped.
        if unsafe { std::slice::from_raw_parts(at, bytes.len()) } != bytes {
            changed.push("an input");
        }
    }
    // SAFETY: `lengths[0]` bytes of a fence's middle page, which starts as zeros.
    let output = unsafe { std::slice::from_raw_parts(out_at, lengths[0]) }.to_vec();
    Outcome { changed, output, returned: symbol.returns.then_some(rax) }
}

/// The lengths to try: one, unless it is an argument.
fn word_counts(symbol: &Symbol) -> std::ops::RangeInclusive<usize> {
    let any = symbol.arguments.iter().any(|argument| matches!(argument, Argument::Words(_)));
    if any { 0..=12 } else { 0..=0 }
}

/// The routines that this machine can run; a visible skip for the others.
fn symbols() -> impl Iterator<Item = &'static Symbol> {
    let bmi2 = skip::tier(Tier::Adx, HaveBmi2::get(), "bmi2").is_some();
    let avx2 = skip::tier(Tier::Avx2, HaveAvx2::get(), "avx2, fma and bmi2").is_some();
    SYMBOLS.iter().filter(move |symbol| match symbol.tier {
        Tier::Adx => bmi2,
        Tier::Avx2 => avx2,
        _ => true,
    })
}

fn keeps_the_abi_within_its_buffers(symbol: &Symbol) -> Result<(), String> {
    for (words, round) in word_counts(symbol).flat_map(|words| (0..6).map(move |r| (words, r))) {
        let at = |at_end, off| Setting { round, at_end, words, same: 0, in_place: false, off };
        let unaligned = (0..symbol.arguments.len()).any(|i| is_encoding(symbol, i));
        let offs = if unaligned { 0..8 } else { 0..1 };
        let first = call(symbol, at(true, 0));
        for (off, at_end) in offs.flat_map(|off| [(off, true), (off, false)]) {
            let outcome = call(symbol, at(at_end, off));
            if !outcome.changed.is_empty() {
                return Err(format!("{} changes {}", symbol.name, outcome.changed.join(", ")));
            }
            if outcome != first {
                return Err(format!("{} depends on where its buffers are", symbol.name));
            }
        }
    }
    Ok(())
}

/// The sets of inputs that the output may be in, as bits.
fn sets_of_inputs(symbol: &Symbol) -> impl Iterator<Item = u32> + use<> {
    let is_input = |i: &usize| matches!(symbol.arguments[*i], Argument::In(_));
    let inputs = (1..symbol.arguments.len()).filter(is_input).fold(0, |set, i| set | 1 << i);
    (1..=inputs).filter(move |set| set & !inputs == 0)
}

fn works_in_place(symbol: &Symbol) -> Result<(), String> {
    for (words, round) in word_counts(symbol).flat_map(|words| (0..6).map(move |r| (words, r))) {
        for same in sets_of_inputs(symbol) {
            let call = |in_place, at_end| {
                call(symbol, Setting { round, at_end, words, same, in_place, off: 0 })
            };
            let want = call(false, true);
            for got in [call(true, true), call(true, false)] {
                if got != want || !got.changed.is_empty() {
                    return Err(format!(
                        "{}, {words} words, fails with its output in the inputs {same:#b}: {got:x?}, not {want:x?}",
                        symbol.name
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Sets, not single inputs: a routine of three inputs has seven, its two-input cousins three.
#[test]
fn every_set_of_inputs_is_tried() {
    let of = |name| sets_of_inputs(SYMBOLS.iter().find(|symbol| symbol.name == name).unwrap());
    assert_eq!(of("bignum_mul_p25519").collect::<Vec<_>>(), [0b10, 0b100, 0b110]);
    assert_eq!(of("bignum_mod_n25519").collect::<Vec<_>>(), [0b100]);
    assert_eq!(of("edwards25519_scalarmuldouble").count(), 7);
}

/// A routine returns a value if its prototype says so.
#[test]
fn returned_values_are_known() {
    let returning = SYMBOLS.iter().filter(|symbol| symbol.returns);
    let expected = |name: &str| name.contains("invsqrt") || name.contains("decode");
    assert!(returning.clone().all(|symbol| expected(symbol.name)));
    assert_eq!(returning.count(), 8);
}

#[test]
fn every_routine_keeps_the_abi_within_its_buffers() {
    symbols().for_each(|symbol| keeps_the_abi_within_its_buffers(symbol).unwrap());
}

#[test]
fn every_routine_works_in_place() {
    symbols().for_each(|symbol| works_in_place(symbol).unwrap());
}

/// `takes_public_inputs`, by which other tests let a routine vary, is what the routine's own header says.
#[test]
fn variable_time_is_what_the_header_says() {
    for symbol in SYMBOLS {
        let file = format!("{}/vendor/x86_64/{}.S", env!("CARGO_MANIFEST_DIR"), symbol.name);
        let text = std::fs::read_to_string(&file).unwrap();
        let first = text.lines().next().unwrap();
        let varies = first.ends_with("VARIABLE TIME: public inputs");
        assert_ne!(varies, first.ends_with("   CONSTANT TIME"), "{file}: {first}");
        assert_eq!(symbol.takes_public_inputs(), varies, "{file}: {first}");
    }
}

/// Points are of one or two; coordinates are below p in each.
#[test]
fn coordinates_are_reduced() {
    for round in 0..6 {
        for len in [64, 128] {
            let below = |coordinate: &[u8]| coordinate[31] < 0x40;
            assert!(input(len, 1, round).chunks_exact(32).all(below));
        }
    }
}

/// Every `.S` file is in the table, so none escapes these tests.
#[test]
fn every_file_is_in_the_table() {
    let mut files: Vec<String> =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/vendor/x86_64"))
            .unwrap()
            .filter_map(|entry| {
                entry.unwrap().file_name().to_str()?.strip_suffix(".S").map(str::to_owned)
            })
            .collect();
    let mut names: Vec<String> = SYMBOLS.iter().map(|symbol| symbol.name.to_owned()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}

/// Planted faults, each of which must be found.
mod faults {
    use super::*;

    fn faulty(address: unsafe extern "C" fn()) -> Symbol {
        let arguments = &[Argument::Out(8), Argument::In(8)];
        Symbol { name: "fault", tier: Tier::Alt, address, arguments, returns: false }
    }

    #[test]
    fn spoilt_register_flag_or_stack_pointer() {
        let found = |address| keeps_the_abi_within_its_buffers(&faulty(address)).unwrap_err();
        assert_eq!(found(rind_test_spoils_r13), "fault changes r13");
        assert_eq!(found(rind_test_sets_direction), "fault changes direction flag");
        assert_eq!(found(rind_test_sets_rounding), "fault changes mxcsr");
        assert_eq!(found(rind_test_pops_twice), "fault changes rsp");
    }

    /// Only where the contract lets it lie anywhere, so the name is that of such a routine.
    #[test]
    fn encoding_that_must_be_aligned() {
        let symbol = Symbol { name: "edwards25519_decode", ..faulty(rind_test_wants_alignment) };
        let error = keeps_the_abi_within_its_buffers(&symbol).unwrap_err();
        assert_eq!(error, "edwards25519_decode depends on where its buffers are");
        keeps_the_abi_within_its_buffers(&faulty(rind_test_wants_alignment)).unwrap();
    }

    #[test]
    fn output_written_before_the_input_is_read() {
        works_in_place(&faulty(rind_test_output_first)).unwrap_err();
    }

    /// Its output is right in place; what it returns is not, and is looked at only if it returns.
    #[test]
    fn value_returned_from_a_spoilt_input() {
        works_in_place(&faulty(rind_test_returns_late)).unwrap();
        works_in_place(&Symbol { returns: true, ..faulty(rind_test_returns_late) }).unwrap_err();
    }

    #[test]
    fn sum_wrong_only_where_all_operands_are_one() {
        let arguments = &[Argument::Out(8), Argument::In(8), Argument::In(8)];
        let symbol = Symbol { arguments, ..faulty(rind_test_not_all_one) };
        let error = works_in_place(&symbol).unwrap_err();
        assert!(error.contains("in the inputs 0b110"), "{error}");
    }

    /// Whether a child process that calls the routine dies of a fault.
    fn faults(
        address: unsafe extern "C" fn(),
        at_end: bool,
        arguments: fn(*mut u8) -> [u64; 4],
    ) -> bool {
        // SAFETY: the child makes one call and exits without unwinding; the memory it needs is its copy.
        unsafe {
            let child = libc::fork();
            assert!(child >= 0);
            if child == 0 {
                // To die of it as any program does: the handler that Rust installs takes a lock, which
                // another thread may have held at the fork, and a core file would lie about.
                libc::signal(libc::SIGSEGV, libc::SIG_DFL);
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &none);
                let fence = Fenced::new();
                let arguments = arguments(fence.place(32, at_end, 0));
                rind_test_machine_call(address, &arguments, &mut Machine::default());
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            libc::WIFSIGNALED(status)
                && [libc::SIGSEGV, libc::SIGBUS].contains(&libc::WTERMSIG(status))
        }
    }

    #[test]
    fn access_beyond_a_buffer() {
        let both = |at: *mut u8| [at as u64, at as u64, 0, 0];
        assert!(faults(rind_test_reads_past, true, both));
        assert!(faults(rind_test_writes_before, false, both));
        assert!(!faults(rind_test_reads_past, false, both), "the next byte is readable there");
        let four_words = |at: *mut u8| [at as u64, 4, at as u64, 0];
        assert!(faults(rind_test_reads_word_past, true, four_words));
        let none_at_the_end = |at: *mut u8| [at as u64, 0, at.wrapping_add(32) as u64, 0];
        assert!(faults(rind_test_reads_word_past, true, none_at_the_end));
    }
}
