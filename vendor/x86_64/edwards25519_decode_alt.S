// edwards25519_decode_alt: z = the point (x, y) that 32 bytes encode; returns 0, or 1 for no point   CONSTANT TIME
//   uint64_t edwards25519_decode_alt(uint64_t z[8], const uint8_t c[32])
//   in     c: bits 0..254 y, bit 255 the low bit of x; no alignment asked for
//   out    z[8] affine, x and y < p; all 0 where 1 is returned          alias: z may be c
//          1 for y >= p, for y with no x, and for x = 0 with the sign bit set (RFC 8032, 5.1.3)
//   needs  x86-64-v1          stack 488 bytes, wiped
//   args   SysV rdi z, rsi c;  Win64 rcx, rdx
//   how    u = y^2 - 1, v = d y^2 + 1, r = (u v)^((p-5)/8), x = u r or u r i

#include "platform.h"
#include "field_alt.inc"
#include "fe51_alt.inc"
#include "sqrt_p25519.inc"
#include "edwards25519_decode.inc"

FUNC_BEGIN(edwards25519_decode_alt)
        decode_body 1
FUNC_END(edwards25519_decode_alt)

FE51_TABLES
SQRT_TABLES
DECODE_TABLES
FILE_END
