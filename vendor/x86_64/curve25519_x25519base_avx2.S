// curve25519_x25519base_avx2: res = X25519(scalar, 9), RFC 7748                 CONSTANT TIME
//   void curve25519_x25519base_avx2(uint64_t res[4], const uint64_t scalar[4])
//   in     scalar[4]: any 256-bit integer; clamped here
//   out    res[4] < p          alias: res may be scalar
//   needs  AVX2, BMI2    stack 648 + 480 bytes, wiped          table base_windows
//   args   SysV rdi res, rsi scalar;  Win64 rcx, rdx
//   how    64 signed odd digits of 4 bits, 63 mixed additions; each look-up reads the whole window

#include "platform.h"
#include "field_adx.inc"
#define SELECT_AVX2
#include "edwards25519_scalarmulbase.inc"
#include "edwards25519_window_avx2.inc"

FUNC_BEGIN(curve25519_x25519base_avx2)
        x25519base SYM(bignum_inv_p25519)
FUNC_END(curve25519_x25519base_avx2)

scalarmulbase_data
FILE_END
