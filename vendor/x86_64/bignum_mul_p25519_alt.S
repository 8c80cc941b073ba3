// bignum_mul_p25519_alt: z = x*y mod p, p = 2^255 - 19                      CONSTANT TIME
//   void bignum_mul_p25519_alt(uint64_t z[4], const uint64_t x[4], const uint64_t y[4])
//   in     x[4], y[4]: any 256-bit integers
//   out    z[4] < p                         alias: z may be x, y or both
//   needs  x86-64-v1          stack 72 bytes: saved registers and z
//   args   SysV rdi z, rsi x, rdx y;  Win64 rcx, rdx, r8
//   how    4x4 words by rows, high half folded by 2^256 = 38, one exact reduction at the end

#include "platform.h"
#include "field_alt.inc"

FUNC_BEGIN(bignum_mul_p25519_alt)
        prologue 3, 16
        mov     [rsp], rdi

        // x at rdi and y at rcx, which no row touches
        mov     rdi, rsi
        mov     rcx, rdx
        fe_mul_wide rdi, rcx
        fe_fold8
        fe_canon

        mov     rdi, [rsp]
        fe_store rdi
        wipe_registers
        epilogue 16
FUNC_END(bignum_mul_p25519_alt)
FILE_END
