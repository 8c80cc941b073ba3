// edwards25519_scalarmuldouble: res = scalar*P + bscalar*B           VARIABLE TIME: public inputs
//   void edwards25519_scalarmuldouble(uint64_t res[8], const uint64_t scalar[4],
//                                         const uint64_t point[8], const uint64_t bscalar[4])
//   in     scalar[4], bscalar[4]: any 256-bit integers; point[8]: affine P, x and y < p
//   out    res[8]: affine, x and y < p          alias: res may be any input
//   exact  P may have torsion: scalar acts as the integer it is, never mod L
//   needs  BMI2               stack 2088 + 480 bytes, holds nothing secret          table base_odd
//   args   SysV rdi res, rsi scalar, rdx point, rcx bscalar;  Win64 rcx, rdx, r8, r9
//   how    wNAF 5 for P, 8 for B: a doubling for each position below the highest digit (256 at most, 253
//          for scalars below L), about 43 + 28 additions

#include "platform.h"
#include "field_adx.inc"
#include "edwards25519_scalarmuldouble.inc"

FUNC_BEGIN(edwards25519_scalarmuldouble)
        scalarmuldouble SYM(bignum_inv_p25519)
FUNC_END(edwards25519_scalarmuldouble)
FILE_END
