// edwards25519_scalarmulbase_alt: res = scalar*B                               CONSTANT TIME
//   in     scalar[4]: any 256-bit integer
//   out    res[8]: affine, x and y < p          alias: res may be scalar
//   needs  base ISA      stack 544 bytes, wiped; bignum_inv_p25519 below it      table base_windows in .rodata
//   args   SysV rdi res, rsi scalar;  Win64 rcx, rdx
//   how    64 signed odd digits of 4 bits, 63 mixed additions; each look-up reads the whole window

#include "platform.h"
#include "field_alt.inc"
#include "edwards25519_scalarmulbase.inc"

FUNC_BEGIN(edwards25519_scalarmulbase_alt)
        scalarmulbase SYM(bignum_inv_p25519)
FUNC_END(edwards25519_scalarmulbase_alt)

        scalarmulbase_data
#include "base_windows.inc"

FILE_END
