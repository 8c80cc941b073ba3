// edwards25519_decode_permissive_pair: two of edwards25519_decode_permissive in less time   CONSTANT TIME
//   uint64_t edwards25519_decode_permissive_pair(uint64_t z[16], const uint8_t c[32], const uint8_t e[32])
//   in     c, e: bits 0..254 y, bit 255 the low bit of x; no alignment asked for
//   out    z[16] the point of c, then that of e: affine, x and y < p; all 0 where there is none
//          returns 1 if c has no point, plus 2 if e has none; y >= p counts as y - p, x = 0 with the
//          sign bit as x = 0                                           alias: z may be c or e
//   needs  BMI2               stack 840 bytes, wiped
//   args   SysV rdi z, rsi c, rdx e;  Win64 rcx, rdx, r8
//   how    edwards25519_decode_permissive, with the powers of both in one run of squarings

#include "platform.h"
#include "field_adx.inc"
#include "fe51_adx.inc"
#include "fe_pair_adx.inc"
#include "sqrt_p25519.inc"
#include "edwards25519_decode.inc"

FUNC_BEGIN(edwards25519_decode_permissive_pair)
        decode_pair_body
FUNC_END(edwards25519_decode_permissive_pair)

FE51_TABLES
SQRT_TABLES
DECODE_TABLES
FILE_END
