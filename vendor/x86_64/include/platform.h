// platform.h: one assembly text for ELF, Mach-O and COFF, System V and Windows x64.
//
// Intel syntax, C preprocessor, gas-style .macro; what GNU as and clang's integrated assembler
// both take. A routine file is one routine:
//
//     // name: formula                                   CONSTANT TIME | VARIABLE TIME: public inputs
//     //   in / out / alias / needs / stack / args / how    (the contract, before anything else)
//     #include "platform.h"
//     #include "field_adx.inc"            or field_alt.inc: same macro names, same contracts
//
//     #define STACK 96                    bytes of locals; rsp is 16-byte aligned below them
//     FUNC_BEGIN(bignum_foo_p25519)
//         prologue 3, STACK               three arguments, now in rdi, rsi, rdx on every ABI
//         ...
//         wipe STACK                      if the locals held a secret
//         wipe_registers                  in every constant-time routine
//         epilogue STACK                  restores, ret
//     FUNC_END(bignum_foo_p25519)
//     FILE_END
//
// Build: -DRIND_PREFIX=rind25519_0_2_0_ (any identifier prefix), -I vendor/x86_64/include.
// Macro arguments that are addresses are written without spaces ("rsp+32*3", "rsi"), since gas
// splits arguments at spaces; an address `a` is used as [a], [a+8], ...
// Branch targets and tables that only one file uses get LOCAL(label).

#ifndef RIND_PLATFORM_H
#define RIND_PLATFORM_H

#ifndef RIND_PREFIX
#error "RIND_PREFIX, the versioned prefix of every symbol, must be defined"
#endif

#define RIND_JOIN_(a, b) a##b
#define RIND_JOIN(a, b) RIND_JOIN_(a, b)

#if defined(__APPLE__)
#define RIND_MACHO 1
#define SYM(name) RIND_JOIN(_, RIND_JOIN(RIND_PREFIX, name))
#define LOCAL(name) L##name
#elif defined(_WIN32)
#define WINDOWS_ABI 1
#define SYM(name) RIND_JOIN(RIND_PREFIX, name)
#define LOCAL(name) .L##name
#else
#define RIND_ELF 1
#define SYM(name) RIND_JOIN(RIND_PREFIX, name)
#define LOCAL(name) .L##name
#endif

.intel_syntax noprefix

// ---------------------------------------------------------------- functions and data

#if defined(RIND_ELF)
#define RIND_VISIBILITY(s) .hidden s
#define RIND_TYPE_FUNC(s) .type s, @function
#define RIND_TYPE_DATA(s) .type s, @object
#define RIND_SIZE(s) .size s, .-s
#define RODATA_SECTION .section .rodata, "a", @progbits
#elif defined(RIND_MACHO)
#define RIND_VISIBILITY(s) .private_extern s
#define RIND_TYPE_FUNC(s)
#define RIND_TYPE_DATA(s)
#define RIND_SIZE(s)
#define RODATA_SECTION .section __TEXT, __const
#else
// COFF exports nothing from a static library unless told to: no visibility to restrict.
#define RIND_VISIBILITY(s)
#define RIND_TYPE_FUNC(s) .def s; .scl 2; .type 32; .endef
#define RIND_TYPE_DATA(s)
#define RIND_SIZE(s)
#define RODATA_SECTION .section .rdata, "dr"
#endif

// Unwind data: DWARF call frames, or Windows' structured exception tables.
#if defined(WINDOWS_ABI)
#define RIND_PROC_BEGIN(s) .seh_proc s
#define RIND_PROC_END .seh_endproc
#else
#define RIND_PROC_BEGIN(s) .cfi_startproc
#define RIND_PROC_END .cfi_endproc
#endif

#define FUNC_BEGIN(name)                                                                         \
    .text; .balign 32;                                                                           \
    .globl SYM(name); RIND_VISIBILITY(SYM(name)); RIND_TYPE_FUNC(SYM(name));                     \
    SYM(name):; RIND_PROC_BEGIN(SYM(name)); endbr64

#define FUNC_END(name) RIND_PROC_END; RIND_SIZE(SYM(name))

// Read-only data that other files may reach: lea rax, [rip+SYM(name)].
#define RODATA_BEGIN(name)                                                                       \
    RODATA_SECTION; .balign 64;                                                                  \
    .globl SYM(name); RIND_VISIBILITY(SYM(name)); RIND_TYPE_DATA(SYM(name));                     \
    SYM(name):

#define RODATA_END(name) RIND_SIZE(SYM(name)); .text

// Read-only data of this file: lea rax, [rip+LOCAL(name)].
#define RODATA_LOCAL_BEGIN(name) RODATA_SECTION; .balign 64; LOCAL(name):
#define RODATA_LOCAL_END .text

// Last line of each file. The property note says that the object keeps to CET: every function
// opens with endbr64, and nothing jumps or returns by other means.
#if defined(RIND_ELF)
#define FILE_END                                                                                 \
    .section .note.gnu.property, "a", @note; .balign 8;                                          \
    .long 4, 16, 5, 0x00554e47, 0xc0000002, 4, 3, 0;                                             \
    .section .note.GNU-stack, "", @progbits
#else
// Mach-O without .subsections_via_symbols: the linker keeps a file's tables with its code.
#define FILE_END
#endif

// ---------------------------------------------------------------- frames

// push_saved r: a callee-saved register, with its unwind data.   pop_saved r: the reverse.
.macro push_saved r
        push    \r
#if defined(WINDOWS_ABI)
        .seh_pushreg \r
#else
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset \r, 0
#endif
.endm

.macro pop_saved r
        pop     \r
#if !defined(WINDOWS_ABI)
        .cfi_adjust_cfa_offset -8
        .cfi_restore \r
#endif
.endm

// stack_alloc n: n bytes of locals (n may be 0). Each page is touched on the way down, which
// Windows requires and the guard pages of Rust's threads rely on.
.macro stack_alloc n
    .if \n > 0
    .if \n >= 4096
        or      qword ptr [rsp-4096], 0
    .endif
    .if \n >= 8192
        or      qword ptr [rsp-8192], 0
    .endif
    .if \n >= 12288
        .error "frame too large: extend stack_alloc"
    .endif
        sub     rsp, \n
#if defined(WINDOWS_ABI)
        .seh_stackalloc \n
#else
        .cfi_adjust_cfa_offset \n
#endif
    .endif
.endm

.macro stack_free n
    .if \n > 0
        add     rsp, \n
#if !defined(WINDOWS_ABI)
        .cfi_adjust_cfa_offset -(\n)
#endif
    .endif
.endm

// args_to_sysv n: the first n (at most 4) integer arguments into rdi, rsi, rdx, rcx.
.macro args_to_sysv n
#if defined(WINDOWS_ABI)
    .if \n > 0
        mov     rdi, rcx
    .endif
    .if \n > 1
        mov     rsi, rdx
    .endif
    .if \n > 2
        mov     rdx, r8
    .endif
    .if \n > 3
        mov     rcx, r9
    .endif
#endif
.endm

// prologue nargs, n: saves every callee-saved register, allocates n bytes (n a multiple of 16),
// brings the arguments to rdi, rsi, rdx, rcx. Below it rsp is 16-byte aligned.
// xmm6 to xmm15 are callee-saved on Windows: routines here use xmm0 to xmm5 only.
.macro prologue nargs, n
#if defined(WINDOWS_ABI)
        push_saved rdi
        push_saved rsi
#endif
        push_saved rbx
        push_saved rbp
        push_saved r12
        push_saved r13
        push_saved r14
        push_saved r15
        stack_alloc (\n)+8
#if defined(WINDOWS_ABI)
        .seh_endprologue
#endif
        args_to_sysv \nargs
.endm

.macro epilogue n
        stack_free (\n)+8
        pop_saved r15
        pop_saved r14
        pop_saved r13
        pop_saved r12
        pop_saved rbp
        pop_saved rbx
#if defined(WINDOWS_ABI)
        pop_saved rsi
        pop_saved rdi
#endif
        ret
.endm

// leaf_prologue nargs / leaf_epilogue: a routine that touches only volatile registers, plus rdi
// and rsi, and needs no stack of its own.
.macro leaf_prologue nargs
#if defined(WINDOWS_ABI)
        push_saved rdi
        push_saved rsi
        .seh_endprologue
        args_to_sysv \nargs
#endif
.endm

.macro leaf_epilogue
#if defined(WINDOWS_ABI)
        pop_saved rsi
        pop_saved rdi
#endif
        ret
.endm

// call_routine sym, n: call one of our routines; its n arguments are in rdi, rsi, rdx, rcx
// whatever the ABI. Clobbers every register but rsp. Clears rbx, rbp and r12..r15 first: the callee saves
// them in its frame, where nobody would wipe our words.
// Our routines do not use Windows' shadow space, so none is kept for them.
.macro call_routine sym, n
    .irp saved, ebx, ebp, r12d, r13d, r14d, r15d
        xor     \saved, \saved
    .endr
#if defined(WINDOWS_ABI)
    .if \n > 3
        mov     r9, rcx
    .endif
    .if \n > 2
        mov     r8, rdx
    .endif
    .if \n > 1
        mov     rdx, rsi
    .endif
    .if \n > 0
        mov     rcx, rdi
    .endif
#endif
        call    \sym
.endm

// wipe_registers r: zeroes the volatile general registers, and rax = r, or 0 if r is not given. Each
// constant-time routine ends with it: words of a secret would outlive the call in them. The vector
// registers are the routine's own to clear; `wipe` leaves xmm0 zero.
.macro wipe_registers r
    .ifb \r
        xor     eax, eax
    .else
        mov     rax, \r
    .endif
    .irp volatile, ecx, edx, esi, edi, r8d, r9d, r10d, r11d
        xor     \volatile, \volatile
    .endr
.endm

// wipe n: zeroes [rsp, rsp+n), n a multiple of 16. Clobbers xmm0, rcx, flags.
.macro wipe n
        pxor    xmm0, xmm0
    .if \n > 256
        mov     ecx, \n
LOCAL(wipe\@):
        movups  [rsp+rcx-16], xmm0
        sub     ecx, 16
        jnz     LOCAL(wipe\@)
    .else
        .set    LOCAL(wipe_at), 0
    .rept (\n)/16
        movups  [rsp+LOCAL(wipe_at)], xmm0
        .set    LOCAL(wipe_at), LOCAL(wipe_at)+16
    .endr
    .endif
.endm

#endif
