//! Lanes as plain arrays: the meaning of [`Lanes`] and [`Quad`], on any machine.
//!
//! In debug builds a sum that leaves its bits panics, which the vectors' own arithmetic would hide.
#![cfg(any(test, rind_internals))]

use super::double_scalar::scalarmuldouble_vartime;
use super::{Lanes, Quad, halves};
use crate::low::portable::{bignum_inv_p25519, bignum_mul_p25519};
use core::array::from_fn;

/// `N` lanes in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emu<const N: usize>([u64; N]);

/// The signed halves of a word, low first.
const fn split(word: u64) -> (i32, i32) {
    (word as i32, (word >> 32) as i32)
}

impl<const N: usize> Emu<N> {
    fn zip(self, y: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(from_fn(|i| f(self.0[i], y.0[i])))
    }

    fn zip_halves(self, y: Self, f: impl Fn(i32, i32) -> i32) -> Self {
        self.zip(y, |x, y| {
            let ((x0, x1), (y0, y1)) = (split(x), split(y));
            halves(f(x0, y0), f(x1, y1))
        })
    }
}

macro_rules! lanes {
    ($($n:literal)*) => { $(
        impl Lanes for Emu<$n> {
            type Proof = ();
            type Words = [u64; $n];

            fn load((): (), words: &[u64; $n]) -> Self {
                Self(*words)
            }
            fn vector(self, words: &[u64; $n]) -> Self {
                Self(*words)
            }
            fn splat(self, word: u64) -> Self {
                Self([word; $n])
            }
            fn store(self) -> [u64; $n] {
                self.0
            }
            fn add(self, y: Self) -> Self {
                self.zip(y, |x, y| {
                    debug_assert!(x.checked_add_signed(y as i64).is_some(), "{x:#x} + {y:#x}");
                    x.wrapping_add(y)
                })
            }
            fn add_product(self, x: Self, y: Self) -> Self {
                self.add(x.mul_low(y))
            }
            fn mul_low(self, y: Self) -> Self {
                self.zip(y, |x, y| (i64::from(x as i32) * i64::from(y as i32)) as u64)
            }
            fn mul_low_unsigned(self, y: u64) -> Self {
                // The carry of column 9 must not have a 33rd bit.
                debug_assert!(self.0.iter().all(|&x| x >> 32 == 0));
                Self(self.0.map(|x| u64::from(x as u32) * u64::from(y as u32)))
            }
            fn and(self, y: Self) -> Self {
                self.zip(y, |x, y| x & y)
            }
            fn shr<const K: i32>(self) -> Self {
                Self(self.0.map(|x| x >> K))
            }
            fn shl<const K: i32>(self) -> Self {
                Self(self.0.map(|x| x << K))
            }
            fn add_halves(self, y: Self) -> Self {
                self.zip_halves(y, |x, y| x + y)
            }
            fn sub_halves(self, y: Self) -> Self {
                self.zip_halves(y, |x, y| x - y)
            }
            fn join(self, high: Self) -> Self {
                self.zip(high, |x, y| halves(x as i32, y as i32))
            }
        }
    )* };
}
lanes!(1 4);

impl Quad for Emu<4> {
    fn permute<const ORDER: i32>(self) -> Self {
        Self(from_fn(|i| self.0[(ORDER >> (2 * i) & 3) as usize]))
    }
    fn third_from_fourth(self) -> Self {
        Self([0, 0, self.0[3], 0])
    }
    fn swap_neighbours(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, a, d, c])
    }
    fn signed(self, signs: Self) -> Self {
        self.zip_halves(signs, |x, sign| x * sign.signum())
    }
    fn double_second(self) -> Self {
        let [a, b, c, d] = self.0;
        let (low, high) = split(b);
        Self([a, halves(2 * low, 2 * high), c, d])
    }
    fn negate_if(self, negative: bool) -> Self {
        let [a, b, c, d] = self.0;
        let (low, high) = split(a);
        if negative { Self([halves(-low, -high), b, d, c]) } else { self }
    }
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
