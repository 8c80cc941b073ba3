// bignum_invsqrt_p25519_alt: z = 1/sqrt(x) mod p, the even root; returns the Legendre symbol   CONSTANT TIME
//   int64_t bignum_invsqrt_p25519_alt(uint64_t z[4], const uint64_t x[4])
//   in     x[4]: any 256-bit integer
//   out    z[4] < p, even, alias: z may be x; and the value returned:
//          1   x is a nonzero square, x z^2 = 1
//          0   x = 0 mod p, z = 0
//         -1   x is no square, x z^2 = i, the even square root of -1
//   needs  x86-64-v1          stack 392 bytes, wiped
//   args   SysV rdi z, rsi x;  Win64 rcx, rdx
//   how    r = x^((p-5)/8), 251 squarings in radix 2^51 and 11 products; times i where x r^2 is -1 or -i

#include "platform.h"
#include "field_alt.inc"
#include "fe51_alt.inc"
#include "sqrt_p25519.inc"
#include "bignum_invsqrt_p25519.inc"

FUNC_BEGIN(bignum_invsqrt_p25519_alt)
        invsqrt_body
FUNC_END(bignum_invsqrt_p25519_alt)

FE51_TABLES
SQRT_TABLES
FILE_END
