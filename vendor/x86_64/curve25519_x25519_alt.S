// curve25519_x25519_alt: res = x(scalar * point), RFC 7748                    CONSTANT TIME
//   void curve25519_x25519_alt(uint64_t res[4], const uint64_t scalar[4], const uint64_t point[4])
//   in     scalar[4]: any, clamped here; point[4]: any, bit 255 ignored, u mod p
//   out    res[4] < p; 0 if the point has low order         alias: res may be scalar or point
//   needs  x86-64-v1          stack 776 + 480 bytes, wiped
//   args   SysV rdi res, rsi scalar, rdx point;  Win64 rcx, rdx, r8
//   how    2P, 251 ladder steps of 5M + 4S + 1 small product, 3 doublings, one inversion

#include "platform.h"
#include "field_alt.inc"
#include "x25519.inc"

.macro x25519_enter
.endm

.macro x25519_step
        x25519_sums
        x25519_products X25519_C, X25519_B, X25519_D, X25519_A
.endm

FUNC_BEGIN(curve25519_x25519_alt)
        prologue 3, X25519_STACK
        x25519_body
        epilogue X25519_STACK
FUNC_END(curve25519_x25519_alt)
FILE_END
