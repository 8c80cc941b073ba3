// curve25519_x25519: res = x(scalar * point), RFC 7748                    CONSTANT TIME
//   void curve25519_x25519(uint64_t res[4], const uint64_t scalar[4], const uint64_t point[4])
//   in     scalar[4]: any, clamped here; point[4]: any, bit 255 ignored, u mod p
//   out    res[4] < p; 0 if the point has low order         alias: res may be scalar or point
//   needs  BMI2               stack 776 + 480 bytes, wiped
//   args   SysV rdi res, rsi scalar, rdx point;  Win64 rcx, rdx, r8
//   how    2P, 251 ladder steps of 5M + 4S + 1 small product, 3 doublings, one inversion

#include "platform.h"
#include "field_adx.inc"
#include "x25519.inc"
#include "x25519_step_adx.inc"

FUNC_BEGIN(curve25519_x25519)
        prologue 3, X25519_STACK
        x25519_body
        epilogue X25519_STACK
FUNC_END(curve25519_x25519)
FILE_END
