//! Lanes as plain arrays: the meaning of [`Lanes`] and [`Quad`], on any machine.
//!
//! Arithmetic is on integers, not on the doubles of the machine: nothing here rounds unless an operation
//! says that it does, and in debug builds an operation that should be exact and is not panics, which the
//! vectors' own arithmetic would hide.
#![cfg(any(test, rind_internals))]

use super::ladder::ladder;
use super::sums::{scalarmuldouble_vartime, scalarmultriple_vartime};
use super::{Lanes, Quad};
use crate::low::portable::{bignum_inv_p25519, bignum_mul_p25519, clamp};
use core::array::from_fn;

/// `N` lanes in an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emu<const N: usize>([f64; N]);

/// mantissa·2^exponent, the mantissa odd or zero.
#[derive(Clone, Copy)]
struct Dyadic {
    mantissa: i128,
    exponent: i32,
}

impl Dyadic {
    /// in: a normal double, or zero
    fn of(x: f64) -> Self {
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        if bits << 1 == 0 {
            return Self { mantissa: 0, exponent: 0 };
        }
        assert!(field != 0 && field != 0x7ff, "{x} is not a normal double");
        let mantissa = (bits & ((1 << 52) - 1) | 1 << 52) as i128;
        let zeros = mantissa.trailing_zeros();
        let mantissa = mantissa >> zeros;
        let mantissa = if bits >> 63 == 1 { -mantissa } else { mantissa };
        Self { mantissa, exponent: field - 1075 + zeros as i32 }
    }

    fn mul(self, y: Self) -> Self {
        Self { mantissa: self.mantissa * y.mantissa, exponent: self.exponent + y.exponent }
    }

    fn add(self, y: Self) -> Self {
        match (self.mantissa, y.mantissa) {
            (0, _) => y,
            (_, 0) => self,
            _ => {
                let exponent = self.exponent.min(y.exponent);
                let aligned = |x: Self| {
                    let shifted = x.mantissa << (x.exponent - exponent);
                    assert_eq!(shifted >> (x.exponent - exponent), x.mantissa, "beyond 128 bits");
                    shifted
                };
                Self { mantissa: aligned(self) + aligned(y), exponent }
            }
        }
    }

    /// The nearest double, ties to even, and whether it is equal.
    fn rounded(self) -> (f64, bool) {
        let nearest = self.mantissa as f64;
        let scale = f64::from_bits(((self.exponent + 1023) as u64) << 52);
        (nearest * scale, nearest as i128 == self.mantissa)
    }

    fn exact(self) -> f64 {
        let (x, exact) = self.rounded();
        debug_assert!(exact, "{} * 2^{} is not a double", self.mantissa, self.exponent);
        x
    }
}

impl<const N: usize> Emu<N> {
    fn zip(self, y: Self, f: impl Fn(Dyadic, Dyadic) -> f64) -> Self {
        Self(from_fn(|i| f(Dyadic::of(self.0[i]), Dyadic::of(y.0[i]))))
    }

    fn zip3(self, y: Self, z: Self, f: impl Fn(Dyadic, Dyadic, Dyadic) -> f64) -> Self {
        Self(from_fn(|i| f(Dyadic::of(self.0[i]), Dyadic::of(y.0[i]), Dyadic::of(z.0[i]))))
    }
}

impl<const N: usize> Lanes for Emu<N>
where
    [f64; N]: AsRef<[f64]>,
{
    type Proof = ();
    type Doubles = [f64; N];

    fn load((): (), doubles: &[f64; N]) -> Self {
        Self(*doubles)
    }
    fn vector(self, doubles: &[f64; N]) -> Self {
        Self(*doubles)
    }
    fn splat(self, x: f64) -> Self {
        Self([x; N])
    }
    fn store(self) -> [f64; N] {
        self.0
    }
    fn add(self, y: Self) -> Self {
        self.zip(y, |x, y| x.add(y).exact())
    }
    fn sub(self, y: Self) -> Self {
        self.zip(y, |x, y| x.add(Dyadic { mantissa: -y.mantissa, ..y }).exact())
    }
    fn mul(self, y: Self) -> Self {
        self.zip(y, |x, y| x.mul(y).exact())
    }
    fn mul_add(self, y: Self, z: Self) -> Self {
        self.zip3(y, z, |x, y, z| x.mul(y).add(z).exact())
    }
    fn sub_rounded(self, y: Self) -> Self {
        self.zip(y, |x, y| x.add(Dyadic { mantissa: -y.mantissa, ..y }).rounded().0)
    }
    fn mul_add_rounded(self, y: Self, z: Self) -> Self {
        self.zip3(y, z, |x, y, z| x.mul(y).add(z).rounded().0)
    }
    fn floor(self, bits: u32) -> Self {
        let integers = self.0.map(|x| x as u64);
        debug_assert!(
            integers.iter().zip(self.0).all(|(&n, x)| n >> 52 == 1 && n as f64 == x),
            "{self:?} is not within [2^52, 2^53)"
        );
        Self(integers.map(|n| (n >> bits << bits) as f64))
    }
    fn join(self, low: u64) -> Self {
        let joined = self.0.map(|x| {
            debug_assert!(x as u64 >> 52 == 1 && x as u64 & low == 0, "{x} has bits of {low}");
            x as u64 + low
        });
        Self(joined.map(|n| n as f64))
    }
}

impl Quad for Emu<4> {
    fn permute<const ORDER: i32>(self) -> Self {
        Self(from_fn(|i| self.0[(ORDER >> (2 * i) & 3) as usize]))
    }
    fn swap_neighbours(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, a, d, c])
    }
    fn blend<const LANES: i32>(self, y: Self) -> Self {
        Self(from_fn(|i| if LANES >> i & 1 == 1 { y.0[i] } else { self.0[i] }))
    }
    fn choose_upper(self, y: Self, choice: u64) -> Self {
        if choice == 1 { y } else { y.blend::<0b1100>(self) }
    }
    fn negate_if(self, negative: bool) -> Self {
        let [a, b, c, d] = self.0;
        if negative { Self([a, -b, d, c]) } else { self }
    }
}

/// RFC 7748 X25519: clamps the scalar, masks the point; canonical result, zero for low order. Not constant
/// time: it is a model.
pub fn curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4] {
    let mut k = *scalar;
    clamp(&mut k);
    let [u0, u1, u2, u3] = *point;
    let [x, z] = ladder::<Emu<4>>((), &k, &[u0, u1, u2, u3 & (u64::MAX >> 1)]);
    bignum_mul_p25519(&x, &bignum_inv_p25519(&z))
}

/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P affine
pub fn edwards25519_scalarmuldouble_vartime(
    scalar: &[u64; 4],
    point: &[u64; 8],
    bscalar: &[u64; 4],
) -> [u64; 8] {
    let [x, y, z] = scalarmuldouble_vartime::<Emu<4>>((), scalar, point, bscalar);
    let inverse = bignum_inv_p25519(&z);
    let [x0, x1, x2, x3] = bignum_mul_p25519(&x, &inverse);
    let [y0, y1, y2, y3] = bignum_mul_p25519(&y, &inverse);
    [x0, x1, x2, x3, y0, y1, y2, y3]
}

/// scalar₀·P₀ + scalar₁·P₁ + scalar₂·B as (X, Y, Z), each below p. VARIABLE TIME: public inputs.
///
/// in: any 256-bit integers, P₀ and P₁ affine
pub fn edwards25519_scalarmultriple_vartime(
    scalars: &[[u64; 4]; 3],
    points: &[[u64; 8]; 2],
) -> [[u64; 4]; 3] {
    let sum = scalarmultriple_vartime::<Emu<4>>((), scalars, points);
    sum.map(|coordinate| bignum_mul_p25519(&coordinate, &[1, 0, 0, 0]))
}
