// bignum_inv_p25519: z = x^-1 mod p, and 0 for x = 0 mod p                       CONSTANT TIME
//   void bignum_inv_p25519(uint64_t z[4], const uint64_t x[4])
//   in     x[4]: any 256-bit integer
//   out    z[4] < p          alias: z may be x
//   needs  x86-64-v1          stack 472 bytes, wiped
//   args   SysV rdi z, rsi x;  Win64 rcx, rdx
//   how    safegcd (Bernstein and Yang, eprint 2019/266) with delta starting at 1/2: 590 division
//          steps reach f = +-1, g = 0 from f = p and 0 <= g < p (588 do: admin/divsteps). Ten
//          batches of 59 = 20 + 20 + 19.
//
// A division step, with zeta = -(delta + 1/2), zeta = -1 at the start:
//
//     zeta < 0 and g odd:   (zeta, f, g) = (-zeta - 2,  g,  (g - f) / 2)
//     else:                 (zeta, f, g) = ( zeta - 1,  f,  (g + (g mod 2) f) / 2)
//
// Steps look at the low bits only, and n of them at the low n bits only. So they run on words that
// hold a row's value mod 2^n and its two coefficients at once: one addition and one shift serve all
// three. That a word takes several is from the papers: Bernstein and Yang's case study of integer
// inversion, for values and coefficients; Pornin, eprint 2020/972, for two update factors. The layout is
// this file's, and follows from three questions:
//
// - Which value? The one that is = f (or g) mod 2^n and in [-2^(n-1), 2^(n-1)). Any step keeps it in:
//   (g + f) / 2 and (g - f) / 2 of two such integers are in [-2^(n-1), 2^(n-1)) again (f is odd, so
//   f >= 1 - 2^(n-1) and -f is in it too). Hence n bits are enough, sign included.
// - Which coefficients? After i steps 2^i f = u f0 + v g0 and 2^i g = q f0 + r g0, where f0, g0 stood at
//   the start, and |u| + |v|, |q| + |r| <= 2^i (induction: a step makes a row of u, v, q, r twice a row,
//   or the sum or the difference of both, or leaves it). What is kept is 2^(n-i) u and so on: 2^n or 0
//   at the start, halved along with the value, which is exact n times, and within [-2^n, 2^n]
//   throughout. With its sign that takes n + 2 bits.
// - How many steps? n + 2 (n + 2) <= 64 bits: n <= 20, and n = 20 fills the word to the last bit. A batch
//   starts from 64 known bits of f and g, enough for three rounds; ten batches of 590 steps want 59 each.
//
// A row is the integer  value + 2^20 u + 2^42 v  (VALUE, FIELD below). A field that is negative borrows
// from the one above; half a unit of the field below it, added before the shift, gives the borrow back
// (unpack). All true: |row| <= 2^19 + 2^40 + 2^62 < 2^63, and f, g, f +- g over two fit a signed word.
//
// The matrix of a batch is the product of three, M = its true matrix: |u| + |v| <= 2^59 in each row. A
// common sign of f and g changes no step (each step commutes with it), and the last line takes f's
// sign out again.
//
// With M = (u v; q r), each batch does
//
//     f, g = (u f + v g) / 2^59, (q f + r g) / 2^59        exact; |f|, |g| <= p: signed 256 bits
//     d, e =  u d + v e,          q d + r e      mod p     |d|, |e| <= 2^254 + 2^63
//
// f = d x 2^(649-59k) mod p after k batches of the loop below, which applies the matrix of the
// batch before (at first 2^59 times the identity) while it runs the steps of this one: long
// products fill the slots that the steps' dependency chain leaves. f = +-1 in the end, so the
// inverse is f d.
//
// Products of signed by unsigned: entries are kept as u + 2^59, which is in [0, 2^60], and
// 2^59 (f + g), 2^59 (d + e) are subtracted from both rows.

#include "platform.h"

// ---- stack
#define F       rsp         // f[4], signed
#define G       rsp+32      // g[4]
#define D       rsp+64      // d[4], signed
#define E       rsp+96      // e[4]
#define FNEW    rsp+128     // row f before the subtraction of f + g
#define GNEW    rsp+160
#define DNEW    rsp+192     // row d until e no longer needs the old one
#define DE59    rsp+224     // 2^59 (d + e), five words
#define MU      rsp+264     // u + 2^59 of the last batch
#define MV      rsp+272
#define MQ      rsp+280
#define MR      rsp+288
#define DSIGN   rsp+296     // 0 or -1
#define ESIGN   rsp+304
#define FLOW    rsp+312     // the low words that the next 20 steps start from
#define GLOW    rsp+320
#define A1      rsp+328     // matrix of the first 20 steps, u v q r
#define A2      rsp+360     // of the second 20; then of the first 40
#define RES     rsp+392
#define COUNT   rsp+400
#define STACK   416

// ---- registers of the division steps
#define h       r8          // (f - 1) / 2: f is odd, so this loses nothing
#define g       r9
#define t       r10         // zeta < 0 ? ~h : h, the same form of what an odd g is added to
#define half    r11         // floor(g / 2)
#define swap    r12         // 2^63 if g is odd; the carry of swap + zeta says: swap
#define zeta    rbp
#define nzeta   rbx
// Long products use rax, rdx, rcx, rsi, rdi, r13, r14, r15; between steps no flag is live.

#define VALUE   20          // bits of the value, and steps at most
#define FIELD   (VALUE+2)   // bits of a coefficient
#define U_AT    VALUE       // where u (or q) starts
#define V_AT    (VALUE+FIELD)

// One division step. For odd g and f = 2h + 1: (g + f) / 2 = floor(g / 2) + h + 1, and -f = 2 ~h + 1;
// a swap makes h = floor(g / 2). The chain is 7 cycles for two steps: swap, its carry, h, ~h, t,
// sum, g. Flags for the conditional moves come from shifts and additions: on this core they arrive
// a cycle later from test and and.
.macro divstep
        mov     swap, g
        mov     half, g
        shl     swap, 63
        sar     half, 1
        lea     g, [half+t+1]
        cmovnc  g, half
        add     swap, zeta
        mov     nzeta, zeta
        cmovc   h, half
        mov     t, h
        not     nzeta
        cmovc   zeta, nzeta
        not     t
        dec     zeta
        cmovns  t, h
.endm

.macro divsteps n
    .rept \n
        divstep
    .endr
.endm

// pack at, n: from f = bits at.. of h, and g = rax, to packed rows with n steps to go. Two shifts bring the
// value of f to [-2^19, 2^19), and halve it; that of g is brought there by 2^19 before the mask and 2^19
// less after it, where the coefficient is added anyhow: 2^n in the u of row f, in the v of row g.
// h has half of its coefficient. Clobbers rax, rdx.
.macro pack at, n
        lea     g, [rax+(1<<(VALUE-1))]
        shl     h, 64-VALUE-\at
        mov     rax, 1<<(U_AT+\n-1)
        mov     rdx, (1<<(V_AT+\n))-(1<<(VALUE-1))
        and     g, (1<<VALUE)-1
        sar     h, 64-VALUE+1
        add     g, rdx
        add     h, rax
        mov     t, h
        not     t
        cmp     zeta, 0
        cmovns  t, h
.endm

// unpack: coefficients of rows f, g into u, v, q, r = r10, r11, rbx, r9. Clobbers rax.
// Half a unit of u, 2^19, and for v also half a unit of v, 2^41, make what is below the field nonnegative.
.macro unpack
        mov     rax, (1<<(V_AT-1))+(1<<(VALUE-1))
        lea     r10, [h+h+1+(1<<(VALUE-1))]
        lea     rbx, [g+(1<<(VALUE-1))]
        lea     r11, [rax+2*h+1]
        add     r9, rax
        shl     r10, 64-V_AT
        shl     rbx, 64-V_AT
        sar     r11, V_AT
        sar     r9, V_AT
        sar     r10, 64-FIELD
        sar     rbx, 64-FIELD
.endm

// next20 m, n: keep the matrix of the last 20 steps in m, apply it to the low words, pack for n. f, g mod 2^64
// gave 44 (then 24) good bits; the next steps want 20 (then 19).
.macro next20 m, n
        unpack
        mov     rax, [FLOW]
        mov     rdx, [GLOW]
        mov     [\m], r10
        mov     [\m+8], r11
        mov     [\m+16], rbx
        mov     [\m+24], r9
        mov     r8, rax
        imul    r8, r10
        imul    r11, rdx
        imul    rax, rbx
        imul    rdx, r9
        add     r8, r11
        add     rax, rdx
        mov     rdx, r8
        sar     rdx, 20
        sar     rax, 20
        mov     [FLOW], rdx
        mov     [GLOW], rax
        pack    20, \n
.endm

// mac2 acc, hi, cu, p, cv, q: acc += cu p + cv q, hi = its carry word.
// cu, cv <= 2^60: with acc < 2^64 the sum is < 2^126, and hi < 2^62 drops nothing.
.macro mac2 acc, hi, cu, p, cv, q
        mov     rax, \cu
        mul     qword ptr [\p]
        add     \acc, rax
        adc     rdx, 0
        mov     \hi, rdx
        mov     rax, \cv
        mul     qword ptr [\q]
        add     \acc, rax
        adc     \hi, rdx
.endm

// mul2 lo, hi, cu, p, cv, q: the same without an addend.
.macro mul2 lo, hi, cu, p, cv, q
        mov     rax, \cu
        mul     qword ptr [\p]
        mov     \lo, rax
        mov     \hi, rdx
        mov     rax, \cv
        mul     qword ptr [\q]
        add     \lo, rax
        adc     \hi, rdx
.endm

// de_signs acc, cu, cv: the row's top word acc, less what reading signed d, e as unsigned added.
// Clobbers rax, rdx.
.macro de_signs acc, cu, cv
        mov     rax, [DSIGN]
        mov     rdx, [ESIGN]
        and     rax, \cu
        and     rdx, \cv
        sub     \acc, rax
        sub     \acc, rdx
.endm

// de_sum: rcx, rsi, rdi, r13, r14 = d + e, five signed words.
.macro de_sum
        mov     rcx, [D]
        mov     rsi, [D+8]
        mov     rdi, [D+16]
        mov     r13, [D+24]
        mov     r14, [DSIGN]
        add     rcx, [E]
        adc     rsi, [E+8]
        adc     rdi, [E+16]
        adc     r13, [E+24]
        adc     r14, [ESIGN]
.endm

// de_times_2_59: 2^59 times that, < 2^316 in magnitude, to DE59. Clobbers rax and the five.
.macro de_times_2_59
        mov     rax, rcx
        shl     rax, 59
        shrd    rcx, rsi, 5
        shrd    rsi, rdi, 5
        shrd    rdi, r13, 5
        shrd    r13, r14, 5
        mov     [DE59], rax
        mov     [DE59+8], rcx
        mov     [DE59+16], rsi
        mov     [DE59+24], rdi
        mov     [DE59+32], r13
.endm

// less_de59: rcx, rsi, rdi, r13, r14 -= 2^59 (d + e): now the row's exact signed value,
// |row| <= 2^59 (2^254 + 2^63)
.macro less_de59
        sub     rcx, [DE59]
        sbb     rsi, [DE59+8]
        sbb     rdi, [DE59+16]
        sbb     r13, [DE59+24]
        sbb     r14, [DE59+32]
.endm

// fold: five words mod p into four. row + 2^254 = hi 2^255 + lo + 2^254, -2^254 <= lo < 2^254;
// row = lo + 19 hi mod p. |hi| <= 2^58 + 1, so 19 hi fits a signed word, and the result is in
// +-(2^254 + 2^63): four signed words drop nothing. Clobbers rax, rdx, r14.
.macro fold
        mov     rax, 1<<62
        add     r13, rax
        adc     r14, 0
        add     r13, r13
        adc     r14, r14
        shr     r13, 1
        sub     r13, rax
        imul    r14, r14, 19
        mov     rdx, r14
        sar     rdx, 63
        add     rcx, r14
        adc     rsi, rdx
        adc     rdi, rdx
        adc     r13, rdx
.endm

FUNC_BEGIN(bignum_inv_p25519)
        prologue 2, STACK
        mov     [RES], rdi

        // g = x mod p. r8..r11 = x mod 2^255 + 19 floor(x / 2^255) < 2^255 + 19
        mov     r8, [rsi]
        mov     r9, [rsi+8]
        mov     r10, [rsi+16]
        mov     r11, [rsi+24]
        mov     rax, r11
        shr     rax, 63
        btr     r11, 63
        lea     rdx, [rax+8*rax]
        lea     rax, [rax+2*rdx]
        add     r8, rax
        adc     r9, 0
        adc     r10, 0
        adc     r11, 0
        // y = r + 19 < 2^256 reaches 2^255 exactly when r >= p, and then y - 2^255 = r - p
        mov     rax, r8
        mov     rdx, r9
        mov     rsi, r10
        mov     rdi, r11
        add     rax, 19
        adc     rdx, 0
        adc     rsi, 0
        adc     rdi, 0
        btr     rdi, 63
        cmovc   r8, rax
        cmovc   r9, rdx
        cmovc   r10, rsi
        cmovc   r11, rdi
        mov     [G], r8
        mov     [G+8], r9
        mov     [G+16], r10
        mov     [G+24], r11

        // f = p
        xor     eax, eax
        mov     rdx, -19
        mov     [F], rdx
        lea     rdx, [rax-1]
        mov     [F+8], rdx
        mov     [F+16], rdx
        shr     rdx, 1
        mov     [F+24], rdx

        // d = 0, e = 2^-649 mod p, less p to be in +-2^254
        mov     [D], rax
        mov     [D+8], rax
        mov     [D+16], rax
        mov     [D+24], rax
        mov     [DSIGN], rax
        mov     rdx, 0x18d1e7e3a264b2ba
        mov     [E], rdx
        mov     rdx, 0x8d912700b58a4855
        mov     [E+8], rdx
        mov     rdx, 0xeca116482ee0c2ad
        mov     [E+16], rdx
        mov     rdx, 0xd8666a38ce52a234
        mov     [E+24], rdx
        sar     rdx, 63
        mov     [ESIGN], rdx

        // the matrix before the first: 2^59 times the identity, each entry plus 2^59
        mov     r10, 1<<59
        lea     r9, [r10+r10]
        mov     r11, r10
        mov     r12, r9
        mov     zeta, -1
        mov     dword ptr [COUNT], 10

LOCAL(batch):
        // r9, r10, r11, r12 = u, v, q, r + 2^59 of the batch before
        mov     [MU], r9
        mov     [MV], r10
        mov     [MQ], r11
        mov     [MR], r12

        // Low words of the new f, g: r8:rcx:rsi and rbx:rdi:r13 = words 0, 1 and carry of the rows
        mul2    r8, rcx, r9, F, r10, G
        mul2    rbx, rdi, r11, F, r12, G
        mac2    rcx, rsi, r9, F+8, r10, G+8
        mac2    rdi, r13, r11, F+8, r12, G+8
        mov     r14, [F]
        add     r14, [G]
        mov     rdx, rcx
        mov     rax, rdi
        shr     r8, 59
        shl     rdx, 5
        shr     rbx, 59
        shl     rax, 5
        or      r8, rdx
        or      rax, rbx
        mov     [FNEW], r8
        mov     [GNEW], rax
        sub     r8, r14
        sub     rax, r14
        mov     [FLOW], r8
        mov     [GLOW], rax
        pack    0, 20

        // 20 steps; and meanwhile words 1 to 3 of f, g
        divsteps 2
        mac2    rsi, r14, [MU], F+16, [MV], G+16
        shrd    rcx, rsi, 59
        mov     [FNEW+8], rcx
        divsteps 2
        mac2    r13, r15, [MQ], F+16, [MR], G+16
        shrd    rdi, r13, 59
        mov     [GNEW+8], rdi
        divsteps 2
        mac2    r14, rcx, [MU], F+24, [MV], G+24
        divsteps 2
        mac2    r15, rdi, [MQ], F+24, [MR], G+24
        divsteps 2
        // the top words, mod 2^64, less what reading signed f, g as unsigned added
        mov     rax, [F+24]
        mov     rdx, [G+24]
        sar     rax, 63
        sar     rdx, 63
        mov     [A1], rax
        mov     [A1+8], rdx
        and     rax, [MU]
        and     rdx, [MV]
        sub     rcx, rax
        sub     rcx, rdx
        divsteps 2
        mov     rax, [A1]
        mov     rdx, [A1+8]
        and     rax, [MQ]
        and     rdx, [MR]
        sub     rdi, rax
        sub     rdi, rdx
        shrd    rsi, r14, 59
        shrd    r14, rcx, 59
        shrd    r13, r15, 59
        shrd    r15, rdi, 59
        divsteps 2
        // f + g in rcx, rdi, rax, rdx; the rows' words 2, 3 in rsi:r14 and r13:r15
        mov     rcx, [F]
        mov     rdi, [F+8]
        mov     rax, [F+16]
        mov     rdx, [F+24]
        add     rcx, [G]
        adc     rdi, [G+8]
        adc     rax, [G+16]
        adc     rdx, [G+24]
        mov     [F+16], rax
        divsteps 2
        mov     rax, [FNEW]
        sub     rax, rcx
        mov     [F], rax
        mov     rax, [FNEW+8]
        sbb     rax, rdi
        mov     [F+8], rax
        sbb     rsi, [F+16]
        sbb     r14, rdx
        mov     rax, [GNEW]
        sub     rax, rcx
        mov     [G], rax
        mov     rax, [GNEW+8]
        sbb     rax, rdi
        mov     [G+8], rax
        sbb     r13, [F+16]
        sbb     r15, rdx
        mov     [F+16], rsi
        mov     [F+24], r14
        mov     [G+16], r13
        mov     [G+24], r15
        divsteps 4
        next20  A1, 20

        // 20 steps; and meanwhile 2^59 (d + e) and row d
        divsteps 1
        de_sum
        divsteps 2
        de_times_2_59
        divsteps 2
        mul2    rcx, rsi, [MU], D, [MV], E
        divsteps 2
        mac2    rsi, rdi, [MU], D+8, [MV], E+8
        divsteps 2
        mac2    rdi, r13, [MU], D+16, [MV], E+16
        divsteps 2
        mac2    r13, r14, [MU], D+24, [MV], E+24
        divsteps 2
        de_signs r14, [MU], [MV]
        divsteps 2
        less_de59
        divsteps 2
        fold
        mov     [DNEW], rcx
        mov     [DNEW+8], rsi
        mov     [DNEW+16], rdi
        mov     [DNEW+24], r13
        divsteps 3
        next20  A2, 19

        // 19 steps; and meanwhile row e and the matrix of the first 40 steps
        divsteps 2
        mul2    rcx, rsi, [MQ], D, [MR], E
        divsteps 2
        mac2    rsi, rdi, [MQ], D+8, [MR], E+8
        divsteps 2
        mac2    rdi, r13, [MQ], D+16, [MR], E+16
        divsteps 2
        mac2    r13, r14, [MQ], D+24, [MR], E+24
        divsteps 2
        de_signs r14, [MQ], [MR]
        less_de59
        divsteps 2
        fold
        mov     [E], rcx
        mov     [E+8], rsi
        mov     [E+16], rdi
        mov     [E+24], r13
        sar     r13, 63
        mov     [ESIGN], r13
        divsteps 2
        mov     rax, [DNEW]
        mov     rdx, [DNEW+8]
        mov     rcx, [DNEW+16]
        mov     rsi, [DNEW+24]
        mov     [D], rax
        mov     [D+8], rdx
        mov     [D+16], rcx
        mov     [D+24], rsi
        sar     rsi, 63
        mov     [DSIGN], rsi
        divsteps 2
        // rcx rsi / rdi r13 = A2 A1; entries of 40 steps, below 2^41
        mov     rax, [A2]
        mov     rdx, [A2+8]
        mov     rcx, [A1]
        mov     rsi, [A1+8]
        mov     rdi, [A1+16]
        mov     r13, [A1+24]
        mov     r14, rcx
        mov     r15, rsi
        imul    rcx, rax
        imul    rsi, rax
        mov     rax, rdi
        imul    rax, rdx
        add     rcx, rax
        imul    rdx, r13
        add     rsi, rdx
        divsteps 2
        mov     rax, [A2+16]
        mov     rdx, [A2+24]
        imul    r14, rax
        imul    r15, rax
        imul    rdi, rdx
        imul    r13, rdx
        add     rdi, r14
        add     r13, r15
        divsteps 1
        unpack

        // the batch's matrix plus 2^59: (r10 r11 / rbx r9) times (rcx rsi / rdi r13)
        mov     r15, 1<<59
        mov     rax, r10
        mov     rdx, r11
        imul    rax, rcx
        imul    rdx, rdi
        imul    r10, rsi
        imul    r11, r13
        imul    rcx, rbx
        imul    rdi, r9
        imul    rsi, rbx
        imul    r13, r9
        add     rax, rdx
        add     r10, r11
        add     rcx, rdi
        lea     r12, [rsi+r13]
        lea     r9, [rax+r15]
        add     r10, r15
        lea     r11, [rcx+r15]
        add     r12, r15
        dec     dword ptr [COUNT]
        jnz     LOCAL(batch)

        // After 590 steps f = +-1: u f + v g = +-2^59 of the last rows, both below 2^64. Its sign in
        // rbp: 0 or -1.
        mov     [MU], r9
        mov     [MV], r10
        mov     rax, r9
        mov     rdx, r10
        sub     rax, r15
        sub     rdx, r15
        imul    rax, [F]
        imul    rdx, [G]
        lea     rbp, [rax+rdx]
        sar     rbp, 63

        // row d alone
        de_sum
        de_times_2_59
        mul2    rcx, rsi, r9, D, r10, E
        mac2    rsi, rdi, r9, D+8, r10, E+8
        mac2    rdi, r13, r9, D+16, r10, E+16
        mac2    r13, r14, r9, D+24, r10, E+24
        de_signs r14, r9, r10
        less_de59
        fold

        // f d, then p more if negative: |f d| <= 2^254 + 2^63 < p, so the result is in [0, p)
        xor     rcx, rbp
        xor     rsi, rbp
        xor     rdi, rbp
        xor     r13, rbp
        sub     rcx, rbp
        sbb     rsi, rbp
        sbb     rdi, rbp
        sbb     r13, rbp
        mov     rax, r13
        sar     rax, 63
        mov     rdx, rax
        mov     r8, rax
        and     rdx, -19
        shr     r8, 1
        add     rcx, rdx
        adc     rsi, rax
        adc     rdi, rax
        adc     r13, r8
        mov     rdx, [RES]
        mov     [rdx], rcx
        mov     [rdx+8], rsi
        mov     [rdx+16], rdi
        mov     [rdx+24], r13

        wipe    STACK
        wipe_registers
        epilogue STACK
FUNC_END(bignum_inv_p25519)

FILE_END
