//! A constant-time routine of `vendor/` leaves nothing of its inputs in the registers that a callee may
//! change, in the flags, or in the stack below it. Supports rows C7 and C15 of `SOUNDNESS.md`.
//!
//! A trampoline calls the routine on inputs at the same addresses but with other contents, and keeps the
//! machine as it comes back. Whatever differs between two calls depends on the inputs, every one of which
//! counts as secret; only a value that the routine returns may.

#![cfg(all(rind_asm, target_os = "linux"))]

mod skip;

use std::arch::global_asm;

use rind25519::cpu::Tier;
use rind25519::internals::vendor::{Argument, SYMBOLS, Symbol};
use rind25519::internals::{HaveAvx2, HaveBmi2};

/// Stack looked at, in words: more than the deepest constant-time routine takes, its callee included.
const STACK: usize = 512;
const REGISTERS: [&str; 9] = ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"];

/// The machine after a call.
#[repr(C)]
#[derive(Clone, PartialEq, Eq)]
struct After {
    registers: [u64; 9],
    xmm: [[u64; 2]; 16],
    /// The words below the stack pointer, lowest first.
    stack: [u64; STACK],
    flags: u64,
}

// after_call(function rdi, arguments rsi, after rdx): fills the stack below with a pattern, calls
// function(arguments[0..4]) with all other registers the same each time, and stores what is left.
global_asm!(
    ".global rind_test_after_call",
    "rind_test_after_call:",
    "push rbx; push rbp; push r12; push r13; push r14; push r15",
    "sub rsp, 8",
    "mov rbx, rdx",
    "mov r10, rsi",
    "mov r11, rdi",
    "xor ebp, ebp",
    "xor r12d, r12d",
    "xor r13d, r13d",
    "xor r14d, r14d",
    "xor r15d, r15d",
    "lea rdi, [rsp - 8*{stack}]",
    "mov ecx, {stack}",
    "mov rax, 0x5a5a5a5a5a5a5a5a",
    "rep stosq",
    "pxor xmm0, xmm0; pxor xmm1, xmm1; pxor xmm2, xmm2; pxor xmm3, xmm3",
    "pxor xmm4, xmm4; pxor xmm5, xmm5; pxor xmm6, xmm6; pxor xmm7, xmm7",
    "pxor xmm8, xmm8; pxor xmm9, xmm9; pxor xmm10, xmm10; pxor xmm11, xmm11",
    "pxor xmm12, xmm12; pxor xmm13, xmm13; pxor xmm14, xmm14; pxor xmm15, xmm15",
    "mov rdi, [r10]",
    "mov rsi, [r10 + 8]",
    "mov rdx, [r10 + 16]",
    "mov rcx, [r10 + 24]",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "xor r10d, r10d",
    "call r11",
    "mov [rbx], rax",
    "mov [rbx + 8], rcx",
    "mov [rbx + 16], rdx",
    "mov [rbx + 24], rsi",
    "mov [rbx + 32], rdi",
    "mov [rbx + 40], r8",
    "mov [rbx + 48], r9",
    "mov [rbx + 56], r10",
    "mov [rbx + 64], r11",
    "movups [rbx + 72], xmm0; movups [rbx + 88], xmm1; movups [rbx + 104], xmm2; movups [rbx + 120], xmm3",
    "movups [rbx + 136], xmm4; movups [rbx + 152], xmm5; movups [rbx + 168], xmm6; movups [rbx + 184], xmm7",
    "movups [rbx + 200], xmm8; movups [rbx + 216], xmm9; movups [rbx + 232], xmm10; movups [rbx + 248], xmm11",
    "movups [rbx + 264], xmm12; movups [rbx + 280], xmm13; movups [rbx + 296], xmm14; movups [rbx + 312], xmm15",
    // None of this changes a flag.
    "lea rsi, [rsp - 8*{stack}]",
    "lea rdi, [rbx + 328]",
    "mov ecx, {stack}",
    "rep movsq",
    "pushfq",
    "pop qword ptr [rbx + 328 + 8*{stack}]",
    "add rsp, 8",
    "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
    "ret",
    // Planted faults: a word of the input in a register, in a vector register, in the stack, in a flag.
    ".global rind_test_leaves_register, rind_test_leaves_vector, rind_test_leaves_stack, rind_test_leaves_flag",
    "rind_test_leaves_register: mov r9, [rsi + 8]; ret",
    "rind_test_leaves_vector: movups xmm5, [rsi]; ret",
    "rind_test_leaves_stack: mov rax, [rsi]; mov [rsp - 1000], rax; xor eax, eax; ret",
    "rind_test_leaves_flag: cmp byte ptr [rsi], 0x80; ret",
    stack = const STACK,
);

unsafe extern "C" {
    fn rind_test_after_call(
        function: unsafe extern "C" fn(),
        arguments: *const [u64; 4],
        after: *mut After,
    );
    fn rind_test_leaves_register();
    fn rind_test_leaves_vector();
    fn rind_test_leaves_stack();
    fn rind_test_leaves_flag();
}

/// What the calls of a routine on different inputs leave different, in order and each once.
fn depends_on_input(symbol: &Symbol) -> Vec<String> {
    depends_on_input_unless(symbol, |_, _| false)
}

/// The same without what is `allowed` to stay: a word, beside what the routine has written.
fn depends_on_input_unless(
    symbol: &Symbol,
    allowed: fn(word: u64, output: &[u64; 16]) -> bool,
) -> Vec<String> {
    let mut buffers = [[0u64; 16]; 4];
    let arguments: [u64; 4] = std::array::from_fn(|i| match symbol.arguments.get(i) {
        Some(Argument::Words(_)) => 8,
        Some(Argument::Out(len) | Argument::In(len)) => {
            assert!(*len <= size_of_val(&buffers[i]));
            buffers[i].as_mut_ptr() as u64
        }
        None => 0,
    });
    let mut after =
        Box::new(After { registers: [0; 9], xmm: [[0; 2]; 16], stack: [0; STACK], flags: 0 });
    let mut first: Option<After> = None;
    let mut found = Vec::new();
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..32 {
        for word in buffers.as_flattened_mut() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *word = state >> 2; // below p, where a coordinate is asked for
        }
        // SAFETY: the routine is a C function of at most four integers or pointers, each to a buffer of its
        // own of at least the length it asks for, `Words` included. The caller
        // saw to it that the CPU has its instructions. `after` is big enough, and 4 KiB of stack are there.
        unsafe { rind_test_after_call(symbol.address, &arguments, &mut *after) };
        let first = first.get_or_insert_with(|| (*after).clone());
        let mut compare = |same: bool, name: String| {
            if !same && !found.contains(&name) {
                found.push(name);
            }
        };
        let same = |now: u64, then: u64| now == then || allowed(now, &buffers[0]);
        for (i, name) in REGISTERS.iter().enumerate().skip(usize::from(symbol.returns)) {
            compare(same(after.registers[i], first.registers[i]), (*name).to_owned());
        }
        for i in 0..16 {
            let [low, high] = [0, 1].map(|half| same(after.xmm[i][half], first.xmm[i][half]));
            compare(low && high, format!("xmm{i}"));
        }
        for i in 0..STACK {
            compare(same(after.stack[i], first.stack[i]), format!("[rsp-{}]", 8 * (STACK - i)));
        }
        compare(after.flags == first.flags, "flags".to_owned());
    }
    found
}

#[test]
fn nothing_of_the_inputs_outlives_a_call() {
    let bmi2 = skip::tier(Tier::Adx, HaveBmi2::get(), "bmi2").is_some();
    let avx2 = skip::tier(Tier::Avx2, HaveAvx2::get(), "avx2, fma and bmi2").is_some();
    let mut called = 0;
    for symbol in SYMBOLS {
        let here = match symbol.tier {
            Tier::Adx => bmi2,
            Tier::Avx2 => avx2,
            _ => true,
        };
        if symbol.takes_public_inputs() || !here {
            continue;
        }
        let found = depends_on_input(symbol);
        assert!(found.is_empty(), "{} leaves {}", symbol.name, found.join(", "));
        called += 1;
    }
    assert!(called >= 12, "{called} routines");
}

/// The ladder of the AVX2 tier is Rust: its result passes through what the compiler chooses on the way to
/// the caller. Of all else nothing stays in vectors or stack; general registers and flags are left out.
#[test]
fn lanes_leave_nothing_but_their_result() {
    use rind25519::internals::avx2;

    unsafe extern "C" fn ladder(out: *mut u64, scalar: *const [u64; 4], point: *const [u64; 4]) {
        let have = HaveAvx2::get().expect("the caller has looked");
        // SAFETY: the trampoline's buffers have 16 words each.
        let (scalar, point) = unsafe { (&*scalar, &*point) };
        for (i, word) in avx2::curve25519_x25519(have, scalar, point).into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { out.add(i).write_volatile(word) };
        }
    }
    let Some(have) = skip::tier(Tier::Avx2, HaveAvx2::get(), "avx2, fma and bmi2") else { return };
    // The first call sets the inexact flag of MXCSR, which each call reads: so it is set from here on.
    std::hint::black_box(avx2::curve25519_x25519(have, &[1; 4], &[9, 0, 0, 0]));
    // SAFETY: only the type of the pointer changes; it is called with what `arguments` says.
    let address = unsafe {
        std::mem::transmute::<
            unsafe extern "C" fn(*mut u64, *const [u64; 4], *const [u64; 4]),
            unsafe extern "C" fn(),
        >(ladder)
    };
    let arguments = &[Argument::Out(32), Argument::In(32), Argument::In(32)];
    let symbol = Symbol { name: "ladder", tier: Tier::Alt, address, arguments, returns: false };
    let found = depends_on_input_unless(&symbol, |word, output| output[..4].contains(&word));
    let kept: Vec<&String> =
        found.iter().filter(|name| name.contains("rsp") || name.contains("xmm")).collect();
    assert!(kept.is_empty(), "{kept:?}");
    // Planted fault: what is not excused is seen, and it is the result.
    assert!(
        depends_on_input(&symbol).iter().any(|name| name.contains("xmm") || name.contains("rsp"))
    );
}

/// Planted faults, each of which must be found, and nothing else with it.
#[test]
fn what_is_left_behind_is_found() {
    let fault = |address| {
        let arguments = &[Argument::Out(32), Argument::In(32)];
        depends_on_input(&Symbol {
            name: "fault",
            tier: Tier::Alt,
            address,
            arguments,
            returns: false,
        })
    };
    assert_eq!(fault(rind_test_leaves_register), ["r9"]);
    assert_eq!(fault(rind_test_leaves_vector), ["xmm5"]);
    // The trampoline looks after the return, which moves the stack pointer by a word.
    assert_eq!(fault(rind_test_leaves_stack), ["[rsp-1008]"]);
    assert_eq!(fault(rind_test_leaves_flag), ["flags"]);
}
