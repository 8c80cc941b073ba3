//! Inversion modulo p by divsteps, in constant time.
//!
//! Bernstein and Yang, *Fast constant-time gcd computation and modular inversion*, IACR ePrint
//! 2019/266, in the variant whose δ starts at 1/2. From f = p and g = x, one divstep is
//!
//! - δ > 0 and g odd: (δ, f, g) ← (1 − δ, g, (g − f)/2)
//! - otherwise:       (δ, f, g) ← (1 + δ, f, (g + (g mod 2)·f)/2)
//!
//! 588 divsteps bring any 0 ≤ x ≤ f < 2^255 to g = 0 and f = ±gcd, by P. Wuille's computation of
//! convex hulls, which `admin/divsteps` repeats. The 590 here come in 10 batches of 59.
//!
//! Each divstep is linear in (f, g), so a batch is a 2×2 matrix M of integers with
//! 2^59·(f', g') = M·(f, g). It depends on the low 59 bits of f and g alone, and its entries
//! satisfy |u| + |v| ≤ 2^59 and |r| + |s| ≤ 2^59. The same matrices take (d, e) from (0, 1) to
//! the place where f = d·x·2^−590 modulo p; the power of two is paid once, at the end.

use super::field::Fe;
use zeroize::Zeroize;

/// Divsteps a batch, and the radix of f and g: dividing by 2^59 drops a limb.
const BATCH: u32 = 59;
const BATCHES: u32 = 10;
const MASK: i64 = (1 << BATCH) - 1;

/// 2^−590 modulo p: the batches together leave d too large by 2^590.
const UNSCALE: Fe = {
    // 1/2 = (p + 1)/2 = 2^254 − 9
    let half = Fe::from_words(&[0u64.wrapping_sub(9), u64::MAX, u64::MAX, u64::MAX >> 2]);
    let mut z = Fe::ONE;
    let mut bit = 10; // 590 < 2^10
    while bit > 0 {
        bit -= 1;
        z = z.square();
        if (BATCHES * BATCH) >> bit & 1 == 1 {
            z = z.mul_tight(&half);
        }
    }
    z
};

/// 2^N times the transition matrix of N divsteps, rows (u, v) and (r, s).
#[derive(Clone, Copy)]
struct Matrix {
    u: i64,
    v: i64,
    r: i64,
    s: i64,
}

impl Matrix {
    /// What `first`, then `self` does.
    #[inline(always)]
    fn after(&self, first: &Matrix) -> Matrix {
        let dot =
            |a: i64, b: i64, c: i64, d: i64| a.wrapping_mul(b).wrapping_add(c.wrapping_mul(d));
        Matrix {
            u: dot(self.u, first.u, self.v, first.r),
            v: dot(self.u, first.v, self.v, first.s),
            r: dot(self.r, first.u, self.s, first.r),
            s: dot(self.r, first.v, self.s, first.s),
        }
    }

    /// (f, g) moved N divsteps on; N of the valid low bits are used up.
    #[inline(always)]
    fn apply_low<const N: u32>(&self, f: i64, g: i64) -> (i64, i64) {
        let row = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> N;
        (row(self.u, self.v), row(self.r, self.s))
    }
}

/// N ≤ 20 divsteps on the low bits of f and g; ζ = −(δ + 1/2).
///
/// The state of six numbers is two words. With f and g cut to 20 bits,
///
/// a = f − u·2^(21 + N) − v·2^(42 + N),   b = g − r·2^(21 + N) − s·2^(42 + N)
///
/// go through the divstep as one number each, since it is linear; a fraction of u with a
/// denominator up to 2^N stays clear of f below. |f|, |g| < 2^20, |u| + |v| ≤ 1 and
/// |r| + |s| ≤ 1 hold throughout, for the new g is the mean of two numbers in range. The
/// coefficients are negated because 1 occurs and −1 does not: −1 is what fits a signed field.
///
/// |a|, |b| < 2^(42 + N) + 2^41, and only halves are added, so nothing overflows.
#[inline(always)]
fn divsteps<const N: u32>(mut zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    const { assert!(N <= 20) };
    // f is odd: half_a = (a − 1)/2 loses nothing, and its complement stands for −a. Then
    // (b ± a)/2 = ⌊b/2⌋ + (±a − 1)/2 + 1 where b is odd: no negation to wait for.
    let mut half_a = ((f & 0xf_ffff) - (1 << (21 + N))) >> 1;
    let mut b = (g & 0xf_ffff) - (1 << (42 + N));
    let mut divstep = || {
        let odd = -(b & 1);
        let positive = zeta >> 63; // δ > 0
        let swap = odd & positive;
        let half_b = b >> 1;
        b = half_b - odd + ((half_a ^ positive) & odd);
        half_a ^= (half_a ^ half_b) & swap;
        zeta = (zeta ^ swap) - 1;
    };
    // Two loops, for each is short enough that the compiler unrolls it.
    for _ in 0..10 {
        divstep();
    }
    for _ in 10..N {
        divstep();
    }
    let a = 2 * half_a + 1;
    // Rounding to the nearest field, since the one below it is signed.
    let low = |w: i64| -(((w + (1 << 20)) << 22) >> 43);
    let high = |w: i64| -((w + (1 << 20) + (1 << 41)) >> 42);
    (zeta, Matrix { u: low(a), v: high(a), r: low(b), s: high(b) })
}

/// 59 divsteps, given the low 59 bits of f and g or more; the low bits of the new f.
#[inline(always)]
fn batch(zeta: i64, f: i64, g: i64) -> (i64, Matrix, i64) {
    let (zeta, m1) = divsteps::<20>(zeta, f, g);
    let (f, g) = m1.apply_low::<20>(f, g);
    let (zeta, m2) = divsteps::<20>(zeta, f, g);
    let (f, g) = m2.apply_low::<20>(f, g);
    let (zeta, m3) = divsteps::<19>(zeta, f, g);
    let (f, _) = m3.apply_low::<19>(f, g);
    (zeta, m3.after(&m2.after(&m1)), f)
}

#[inline(always)]
fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// (f, g) ← M·(f, g)/2^59, exactly.
///
/// in, out: |f|, |g| ≤ p: four limbs of 59 bits, and the top one signed, ≤ 2^19
#[inline(always)]
fn update_fg(m: &Matrix, f: &mut [i64; 5], g: &mut [i64; 5]) {
    debug_assert!(f[4].unsigned_abs() <= 1 << 19 && g[4].unsigned_abs() <= 1 << 19);
    let mut cf = (wide(m.u, f[0]) + wide(m.v, g[0])) >> BATCH;
    let mut cg = (wide(m.r, f[0]) + wide(m.s, g[0])) >> BATCH;
    for i in 1..5 {
        cf += wide(m.u, f[i]) + wide(m.v, g[i]); // < 2^118 + 2^60
        cg += wide(m.r, f[i]) + wide(m.s, g[i]);
        f[i - 1] = cf as i64 & MASK;
        g[i - 1] = cg as i64 & MASK;
        cf >>= BATCH;
        cg >>= BATCH;
    }
    f[4] = cf as i64;
    g[4] = cg as i64;
}

/// a·d + b·e modulo p, in radix 2^51, |a| + |b| ≤ 2^59.
///
/// in, out: −2^15 < limb < 2^51 + 2^15 − 1
#[inline(always)]
fn combine(a: i64, d: &[i64; 5], b: i64, e: &[i64; 5]) -> [i64; 5] {
    const MASK: i64 = (1 << 51) - 1;
    debug_assert!(a.unsigned_abs() + b.unsigned_abs() <= 1 << BATCH);
    debug_assert!(d.iter().chain(e).all(|&limb| -(1 << 15) < limb && limb < MASK + (1 << 15)));
    let c: [i128; 5] = core::array::from_fn(|i| wide(a, d[i]) + wide(b, e[i])); // |c| < 2^110.1
    // All limbs carry at once, twice. First |carry| < 2^59.1:
    let h: [i64; 5] = core::array::from_fn(|i| (c[i] >> 51) as i64);
    let z0 = i128::from(c[0] as i64 & MASK) + 19 * i128::from(h[4]); // |z0| < 2^63.4
    let z: [i64; 5] = core::array::from_fn(|i| match i {
        0 => 0,
        _ => (c[i] as i64 & MASK) + h[i - 1], // < 2^59.2
    });
    // then |carry| < 2^12.4 out of limb 0, < 2^8.2 out of the others, and 19·2^8.2 < 2^12.5.
    [
        (z0 as i64 & MASK) + 19 * (z[4] >> 51),
        (z[1] & MASK) + (z0 >> 51) as i64,
        (z[2] & MASK) + (z[1] >> 51),
        (z[3] & MASK) + (z[2] >> 51),
        (z[4] & MASK) + (z[3] >> 51),
    ]
}

/// 1/x modulo p, and 0 for 0.
pub(super) fn invert(x: &Fe) -> Fe {
    let split = |w: &[u64; 4]| {
        let m = MASK as u64;
        [
            (w[0] & m) as i64,
            ((w[0] >> 59 | w[1] << 5) & m) as i64,
            ((w[1] >> 54 | w[2] << 10) & m) as i64,
            ((w[2] >> 49 | w[3] << 15) & m) as i64,
            (w[3] >> 44) as i64,
        ]
    };
    // p as words: 2^255 − 19.
    let mut f = split(&[0u64.wrapping_sub(19), u64::MAX, u64::MAX, u64::MAX >> 1]);
    let mut g = split(&x.to_words());
    let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
    let mut zeta = -1; // δ = 1/2
    let mut f_low = 0;
    for _ in 0..BATCHES {
        let m;
        (zeta, m, f_low) = batch(zeta, f[0] | f[1] << BATCH, g[0] | g[1] << BATCH);
        update_fg(&m, &mut f, &mut g);
        (d, e) = (combine(m.u, &d, m.v, &e), combine(m.r, &d, m.s, &e));
    }
    debug_assert_eq!(g, [0; 5], "590 divsteps are enough");
    // f = ±1 unless x = 0, where d = 0: bit 1 is the sign.
    let negative = -(f_low >> 1 & 1);
    let signed = d.map(|limb| (limb ^ negative) - negative);
    let z = Fe::from_signed_limbs(&signed).mul(&UNSCALE);
    for wiped in [&mut f, &mut g, &mut d, &mut e] {
        wiped.zeroize();
    }
    z
}

#[cfg(test)]
mod tests;
