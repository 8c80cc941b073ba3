// edwards25519_encode: z = the 32 bytes that encode the point p                        CONSTANT TIME
//   void edwards25519_encode(uint8_t z[32], const uint64_t p[8])
//   in     p[8]: affine, x and y < p = 2^255 - 19
//   out    z: bits 0..254 y, bit 255 the low bit of x (RFC 8032, 5.1.2); no alignment asked for
//          alias: z may be p
//   needs  x86-64-v1          stack 0 bytes
//   args   SysV rdi z, rsi p;  Win64 rcx, rdx

#include "platform.h"

FUNC_BEGIN(edwards25519_encode)
        leaf_prologue 2
        mov     rax, [rsi]
        mov     r8, [rsi+32]
        mov     r9, [rsi+40]
        mov     r10, [rsi+48]
        mov     r11, [rsi+56]
        // y < 2^255, so bit 255 is free
        shl     rax, 63
        or      r11, rax
        mov     [rdi], r8
        mov     [rdi+8], r9
        mov     [rdi+16], r10
        mov     [rdi+24], r11
        wipe_registers
        leaf_epilogue
FUNC_END(edwards25519_encode)
FILE_END
