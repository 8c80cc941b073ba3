// edwards25519_scalarmultriple_alt: res = a*P + r*Q + b*B as X, Y, Z           VARIABLE TIME: public inputs
//   void edwards25519_scalarmultriple_alt(uint64_t res[12], const uint64_t scalars[12], const uint64_t points[16])
//   in     scalars: a, r, b, any 256-bit integers; points: affine P, then Q, x and y < p
//   out    res: X, Y, Z < p, Z not 0; the sum is (X/Z, Y/Z)          alias: res may be any input
//   exact  P and Q may have torsion: a and r act as the integers they are, never mod L
//   needs  x86-64-v1               stack 3624 bytes, holds nothing secret          tables base_odd, base_odd_high
//   args   SysV rdi res, rsi scalars, rdx points;  Win64 rcx, rdx, r8
//   how    wNAF 5 for P and Q, 8 for B and 2^128 B: a doubling for each position below the highest digit,
//          128 where a and r have 128 bits, and then about 43 + 28 additions

#include "platform.h"
#include "field_alt.inc"
#include "edwards25519_scalarmultriple.inc"

FUNC_BEGIN(edwards25519_scalarmultriple_alt)
        scalarmultriple
FUNC_END(edwards25519_scalarmultriple_alt)
FILE_END
