//! edwards25519 over big integers: affine points and the textbook addition law.

use num_bigint::BigUint;

/// −x² + y² = 1 + d·x²·y² mod p = 2^255 − 19.
pub struct Curve {
    p: BigUint,
    d: BigUint,
}

/// An affine point, both coordinates below p.
#[derive(Clone)]
pub struct Point {
    x: BigUint,
    y: BigUint,
}

impl Curve {
    /// edwards25519: d = −121665/121666.
    pub fn new() -> Self {
        let p = (BigUint::from(1u8) << 255) - 19u8;
        let d = (&p - 121665u32) * inverse(&121666u32.into(), &p) % &p;
        Self { p, d }
    }

    /// B: y = 4/5, and the even x.
    pub fn base(&self) -> Point {
        let Self { p, d } = self;
        let y = 4u8 * inverse(&5u8.into(), p) % p;
        let y2 = &y * &y % p;
        // x² = (y² − 1)/(d·y² + 1); p = 5 mod 8, so w^((p+3)/8) is a root of w or of −w.
        let w = (&y2 + (p - 1u8)) * inverse(&(d * &y2 + 1u8), p) % p;
        let mut x = w.modpow(&((p + 3u8) >> 3), p);
        if &x * &x % p != w {
            let sqrt_minus_one = BigUint::from(2u8).modpow(&((p - 1u8) >> 2), p);
            x = x * sqrt_minus_one % p;
        }
        assert_eq!(&x * &x % p, w);
        if x.bit(0) {
            x = p - x;
        }
        Point { x, y }
    }

    /// a + b: x = (x₁y₂ + y₁x₂)/(1 + t), y = (y₁y₂ + x₁x₂)/(1 − t), t = d·x₁x₂y₁y₂; complete.
    pub fn add(&self, a: &Point, b: &Point) -> Point {
        let Self { p, d } = self;
        let t = d * &a.x % p * &b.x % p * &a.y % p * &b.y % p;
        let x = (&a.x * &b.y + &a.y * &b.x) * inverse(&(&t + 1u8), p) % p;
        let y = (&a.y * &b.y + &a.x * &b.x) * inverse(&(p + 1u8 - &t), p) % p;
        Point { x, y }
    }

    /// (y + x, y − x, 2·d·x·y) as twelve little-endian words, the form of `low::tables`.
    pub fn packed_niels(&self, a: &Point) -> [u64; 12] {
        self.scaled_niels(a, &1u8.into())
    }

    /// Half of [`Self::packed_niels`], coordinate by coordinate, the form of `vendor/`: the mixed
    /// addition then needs no 2·Z.
    pub fn halved_niels(&self, a: &Point) -> [u64; 12] {
        self.scaled_niels(a, &((&self.p + 1u8) >> 1))
    }

    /// (2, 2·d·x·y, y + x, y − x), a coordinate a lane, six limbs, the form of `low::lanes`: limb i is
    /// 43 bits at an even i, 42 at an odd one.
    pub fn lanes_niels(&self, a: &Point) -> [[u64; 4]; 6] {
        let words = self.packed_niels(a);
        let coordinate =
            |i: usize| words[4 * i..][..4].iter().rev().fold(BigUint::ZERO, |n, &w| (n << 64) + w);
        let lanes = [BigUint::from(2u8), coordinate(2), coordinate(0), coordinate(1)];
        core::array::from_fn(|i| {
            lanes.each_ref().map(|n| {
                let limb = (n >> (85 * i).div_ceil(2)) % (1u64 << (43 - i % 2));
                limb.iter_u64_digits().next().unwrap_or(0)
            })
        })
    }

    fn scaled_niels(&self, a: &Point, scale: &BigUint) -> [u64; 12] {
        let Self { p, d } = self;
        let coordinates = [&a.y + &a.x, &a.y + p - &a.x, 2u8 * d * &a.x % p * &a.y];
        let mut words = [0; 12];
        for (four, coordinate) in words.chunks_exact_mut(4).zip(coordinates) {
            four.copy_from_slice(&words_of(&(coordinate * scale % p)));
        }
        words
    }
}

/// a^(p − 2), the inverse mod the prime p.
fn inverse(a: &BigUint, p: &BigUint) -> BigUint {
    a.modpow(&(p - 2u8), p)
}

/// Little-endian words of an integer below 2^256.
fn words_of(a: &BigUint) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, digit) in words.iter_mut().zip(a.iter_u64_digits()) {
        *word = digit;
    }
    words
}
