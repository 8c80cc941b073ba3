// bignum_madd_n25519: z = (x*y + c) mod n, n = 2^252 + 27742317777372353535851937790883648493   CONSTANT TIME
//   void bignum_madd_n25519(uint64_t z[4], const uint64_t x[4], const uint64_t y[4], const uint64_t c[4])
//   in     x[4], y[4], c[4]: any 256-bit integers
//   out    z[4] < n                         alias: z may be any input
//   needs  BMI2               stack 104 bytes, wiped
//   args   SysV rdi z, rsi x, rdx y, rcx c;  Win64 rcx, rdx, r8, r9
//   how    4x4 words by rows, then three folds by -c = 2^252 mod n and one conditional addition

#include "platform.h"
#include "field_adx.inc"
#include "n25519.inc"

#define LO      rsp
#define Z       rsp+32
#define C       rsp+40
#define STACK   48

FUNC_BEGIN(bignum_madd_n25519)
        prologue 4, STACK
        mov     [Z], rdi
        mov     [C], rcx

        // r8..r15 = x y + c <= (2^256 - 1)^2 + 2^256 - 1 < 2^512; the last row reads y, at r15, first
        mov     rdi, rsi
        mov     r15, rdx
        fe_mul_wide rdi, r15
        mov     rcx, [C]
        add     r8, [rcx]
        adc     r9, [rcx+8]
        adc     r10, [rcx+16]
        adc     r11, [rcx+24]
        adc     r12, 0
        adc     r13, 0
        adc     r14, 0
        adc     r15, 0

        n_reduce8 LO
        mov     rdi, [Z]
        mov     [rdi], r11
        mov     [rdi+8], r12
        mov     [rdi+16], r13
        mov     [rdi+24], r14

        wipe    STACK
        wipe_registers
        epilogue STACK
FUNC_END(bignum_madd_n25519)
FILE_END
