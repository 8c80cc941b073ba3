// bignum_sqr_p25519: z = x^2 mod p, p = 2^255 - 19                      CONSTANT TIME
//   void bignum_sqr_p25519(uint64_t z[4], const uint64_t x[4])
//   in     x[4]: any 256-bit integer
//   out    z[4] < p                         alias: z may be x
//   needs  BMI2               stack 72 bytes: saved registers and z
//   args   SysV rdi z, rsi x;  Win64 rcx, rdx
//   how    6 cross products doubled, 4 squares, high half folded by 2^256 = 38, one exact reduction

#include "platform.h"
#include "field_adx.inc"

FUNC_BEGIN(bignum_sqr_p25519)
        prologue 2, 16
        mov     [rsp], rdi

        // x at rdi, which no macro touches
        mov     rdi, rsi
        fe_sqr_wide rdi
        fe_fold8
        fe_canon

        mov     rdi, [rsp]
        fe_store rdi
        wipe_registers
        epilogue 16
FUNC_END(bignum_sqr_p25519)
FILE_END
