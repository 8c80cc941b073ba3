// bignum_mod_n25519: z = x mod n, n = 2^252 + 27742317777372353535851937790883648493     CONSTANT TIME
//   void bignum_mod_n25519(uint64_t z[4], uint64_t k, const uint64_t *x)
//   in     x[k]: any integer below 2^(64k), any k; k is public
//   out    z[4] < n                         alias: z may be x
//   needs  x86-64-v1          stack 120 bytes, wiped
//   args   SysV rdi z, rsi k, rdx x;  Win64 rcx, rdx, r8
//   how    r = (2^256 r + the next four words) mod n, from the top

#include "platform.h"
#include "n25519.inc"

#define LO      rsp
#define Z       rsp+32
#define X       rsp+40
#define LEFT    rsp+48      // words not yet taken in, a multiple of four
#define STACK   64

FUNC_BEGIN(bignum_mod_n25519)
        prologue 3, STACK
        mov     [Z], rdi
        mov     [X], rdx

        // r = r12..r15 = the top k mod 4 words, or the top four if that is 0 and more are to come
        xor     r12d, r12d
        xor     r13d, r13d
        xor     r14d, r14d
        xor     r15d, r15d
        mov     eax, esi
        and     rsi, -4
        lea     rcx, [rdx+8*rsi]
        and     eax, 3
        jz      LOCAL(whole)
        mov     r12, [rcx]
        dec     eax
        jz      LOCAL(top)
        mov     r13, [rcx+8]
        dec     eax
        jz      LOCAL(top)
        mov     r14, [rcx+16]
LOCAL(top):
        // r < 2^192 < n: reduced as it stands if nothing follows
        test    rsi, rsi
        jz      LOCAL(done)
        jmp     LOCAL(block)
LOCAL(whole):
        cmp     rsi, 4
        jb      LOCAL(done)
        je      LOCAL(block)
        sub     rsi, 4
        mov     r12, [rcx-32]
        mov     r13, [rcx-24]
        mov     r14, [rcx-16]
        mov     r15, [rcx-8]

LOCAL(block):
        sub     rsi, 4
        mov     [LEFT], rsi
        mov     rdx, [X]
        mov     r8, [rdx+8*rsi]
        mov     r9, [rdx+8*rsi+8]
        mov     r10, [rdx+8*rsi+16]
        mov     r11, [rdx+8*rsi+24]
        n_reduce8 LO
        mov     r15, r14
        mov     r14, r13
        mov     r13, r12
        mov     r12, r11
        mov     rsi, [LEFT]
        test    rsi, rsi
        jnz     LOCAL(block)

LOCAL(done):
        mov     rdi, [Z]
        mov     [rdi], r12
        mov     [rdi+8], r13
        mov     [rdi+16], r14
        mov     [rdi+24], r15
        wipe    STACK
        wipe_registers
        epilogue STACK
FUNC_END(bignum_mod_n25519)
FILE_END
