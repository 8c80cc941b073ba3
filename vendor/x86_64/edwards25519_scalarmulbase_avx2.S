// edwards25519_scalarmulbase_avx2: res = scalar*B                               CONSTANT TIME
//   void edwards25519_scalarmulbase_avx2(uint64_t res[8], const uint64_t scalar[4])
//   in     scalar[4]: any 256-bit integer
//   out    res[8]: affine, x and y < p          alias: res may be scalar
//   needs  AVX2, BMI2    stack 648 + 480 bytes, wiped          table base_windows
//   args   SysV rdi res, rsi scalar;  Win64 rcx, rdx
//   how    64 signed odd digits of 4 bits, 63 mixed additions; each look-up reads the whole window

#include "platform.h"
#include "field_adx.inc"
#define SELECT_AVX2
#include "edwards25519_scalarmulbase.inc"
#include "edwards25519_window_avx2.inc"

FUNC_BEGIN(edwards25519_scalarmulbase_avx2)
        scalarmulbase SYM(bignum_inv_p25519)
FUNC_END(edwards25519_scalarmulbase_avx2)

scalarmulbase_data
FILE_END
