// bignum_mod_n25519_4: z = x mod n, n = 2^252 + 27742317777372353535851937790883648493   CONSTANT TIME
//   void bignum_mod_n25519_4(uint64_t z[4], const uint64_t x[4])
//   in     x[4]: any 256-bit integer
//   out    z[4] < n                         alias: z may be x
//   needs  x86-64-v1          stack 56 bytes: saved registers
//   args   SysV rdi z, rsi x;  Win64 rcx, rdx
//   how    quotient floor(x / 2^252), at most one too large, and one conditional addition

#include "platform.h"
#include "n25519.inc"

FUNC_BEGIN(bignum_mod_n25519_4)
        prologue 2, 0
        mov     rbx, N_C0
        mov     rbp, N_C1
        mov     r11, [rsi]
        mov     r12, [rsi+8]
        mov     r13, [rsi+16]
        mov     r14, [rsi+24]
        xor     r15d, r15d
        n_last
        mov     [rdi], r11
        mov     [rdi+8], r12
        mov     [rdi+16], r13
        mov     [rdi+24], r14
        wipe_registers
        epilogue 0
FUNC_END(bignum_mod_n25519_4)
FILE_END
