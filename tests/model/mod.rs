//! edwards25519 over big integers, the judge of the routines: projective points, the textbook
//! addition law, double-and-add; and the inputs that every tier's tests share.
#![allow(dead_code)] // each test binary uses its part

use num_bigint::BigUint;
use std::sync::LazyLock;

pub type Words = [u64; 4];
pub type Affine = [u64; 8];

/// 2^n.
pub fn two_to(n: u32) -> BigUint {
    BigUint::from(1u8) << n
}

/// p = 2^255 − 19.
pub fn p() -> BigUint {
    two_to(255) - 19u8
}

/// L, the order of B.
pub fn l() -> BigUint {
    two_to(252) + 27742317777372353535851937790883648493u128
}

pub fn integer(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |n, &word| (n << 64) + word)
}

/// The low words of n; panics if it needs more than `N`.
pub fn words<const N: usize>(n: &BigUint) -> [u64; N] {
    let mut words = [0; N];
    for (i, digit) in n.iter_u64_digits().enumerate() {
        words[i] = digit;
    }
    words
}

pub fn bytes(words: &Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (eight, word) in bytes.chunks_exact_mut(8).zip(words) {
        eight.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

pub fn inverse(a: &BigUint) -> BigUint {
    a.modpow(&(p() - 2u8), &p())
}

/// d = −121665/121666.
static D: LazyLock<BigUint> =
    LazyLock::new(|| (p() - 121665u32) * inverse(&121666u32.into()) % p());

/// (X : Y : Z).
#[derive(Clone, Debug)]
pub struct Point {
    x: BigUint,
    y: BigUint,
    z: BigUint,
}

impl Point {
    pub fn identity() -> Self {
        Self { x: 0u8.into(), y: 1u8.into(), z: 1u8.into() }
    }

    /// B: y = 4/5, x even.
    pub fn base() -> Self {
        let y = 4u8 * inverse(&5u8.into()) % p();
        Self::decode(&bytes(&words(&y)), Encodings::Canonical).unwrap()
    }

    pub fn from_affine(point: &Affine) -> Self {
        Self { x: integer(&point[..4]), y: integer(&point[4..]), z: 1u8.into() }
    }

    pub fn to_affine(&self) -> Affine {
        let z = inverse(&self.z);
        words(&((&self.x * &z % p()) + ((&self.y * &z % p()) << 256)))
    }

    /// Bernstein, Birkner, Joye, Lange, Peters, "Twisted Edwards curves" (2008), section 6, a = −1.
    pub fn add(&self, q: &Self) -> Self {
        let p = &p();
        let a = &self.z * &q.z % p;
        let b = &a * &a % p;
        let c = &self.x * &q.x % p;
        let d = &self.y * &q.y % p;
        let e = &*D * &c % p * &d % p;
        let f = &b + p - &e;
        let g = &b + &e;
        let cross = (&self.x + &self.y) * (&q.x + &q.y) + 2u8 * p * p - &c - &d;
        Self { x: &a * &f % p * cross % p, y: a * &g % p * (d + c) % p, z: f * g % p }
    }

    /// −self = (−x, y).
    pub fn neg(&self) -> Self {
        Self { x: (p() - &self.x) % p(), y: self.y.clone(), z: self.z.clone() }
    }

    pub fn is_identity(&self) -> bool {
        self.x == BigUint::ZERO && self.y == self.z
    }

    /// n·self, for the integer that n is.
    pub fn mul(&self, n: &BigUint) -> Self {
        (0..n.bits()).rev().fold(Self::identity(), |acc, i| {
            let twice = acc.add(&acc);
            if n.bit(i) { twice.add(self) } else { twice }
        })
    }

    /// RFC 8032, section 5.1.3, and its tolerant reading.
    pub fn decode(c: &[u8; 32], accept: Encodings) -> Option<Self> {
        let p = &p();
        let sign = c[31] >> 7 == 1;
        let y = BigUint::from_bytes_le(c) % two_to(255);
        if accept == Encodings::Canonical && &y >= p {
            return None;
        }
        let y = y % p;
        let yy = &y * &y % p;
        let xx = (&yy + p - 1u8) * inverse(&(&*D * &yy + 1u8)) % p;
        // p = 5 mod 8: xx^((p + 3)/8) is a root of xx or of −xx.
        let root = xx.modpow(&((p + 3u8) >> 3), p);
        let x = [root.clone(), root * BigUint::from(2u8).modpow(&((p - 1u8) >> 2), p) % p]
            .into_iter()
            .find(|x| x * x % p == xx)?;
        if x == BigUint::ZERO && sign && accept == Encodings::Canonical {
            return None;
        }
        let x = if x.bit(0) == sign { x } else { (p - x) % p };
        Some(Self { x, y, z: 1u8.into() })
    }

    pub fn encode(&self) -> [u8; 32] {
        let [x0, _, _, _, y @ ..] = self.to_affine();
        let mut c = bytes(&y);
        c[31] |= (x0 as u8 & 1) << 7;
        c
    }
}

/// RFC 7748, section 5, by its definition: u of (the clamped scalar)·P for a P with this u, 0 where that is the
/// point at infinity. Over (X : Z), double-and-add with the difference known (Montgomery 1987, section 10.3.1).
pub fn x25519(scalar: &Words, u: &Words) -> BigUint {
    let p = &p();
    let u = integer(u) % two_to(255) % p;
    let k = integer(scalar) % two_to(254) + two_to(254);
    let k = (k >> 3u32) << 3u32;
    let minus = |a: &BigUint, b: &BigUint| (a + p - b) % p;
    let square = |a: &BigUint| a * a % p;
    let double = |[x, z]: &[BigUint; 2]| {
        // (X² − Z²)² : 4·X·Z·(X² + 486662·X·Z + Z²)
        let (xx, zz, xz) = (square(x), square(z), x * z % p);
        let sum = &xx + 486_662u32 * &xz + &zz;
        [square(&minus(&xx, &zz)), 4u8 * xz * sum % p]
    };
    // m·P and (m + 1)·P, whose difference is (u : 1).
    let (mut low, mut high) = ([1u8.into(), BigUint::ZERO], [u.clone(), 1u8.into()]);
    for i in (0..255).rev() {
        // (X·X' − Z·Z')² : u·(X·Z' − Z·X')²
        let [a, b] = [&low, &high];
        let x = minus(&(&a[0] * &b[0] % p), &(&a[1] * &b[1] % p));
        let z = minus(&(&a[0] * &b[1] % p), &(&a[1] * &b[0] % p));
        let sum = [square(&x), &u * square(&z) % p];
        (low, high) = if k.bit(i) { (sum, double(&high)) } else { (double(&low), sum) };
    }
    let [x, z] = low;
    x * inverse(&z) % p
}

/// Which encodings of a point decoding accepts.
#[derive(Clone, Copy, PartialEq)]
pub enum Encodings {
    Canonical,
    /// y ≥ p, and x = 0 with the sign bit, too.
    Any,
}

/// A point of order 8.
pub fn torsion_generator() -> Point {
    (2u8..)
        .filter_map(|y| Point::decode(&bytes(&[y.into(), 0, 0, 0]), Encodings::Canonical))
        .map(|point| point.mul(&l()))
        .find(|point| point.mul(&4u8.into()).to_affine() != Point::identity().to_affine())
        .unwrap()
}

/// The identity and the other small-order points; B; a point of order L; each with torsion added.
pub fn edge_points() -> Vec<Affine> {
    let order_8 = torsion_generator();
    let torsion: Vec<Point> = (0..8u8).map(|i| order_8.mul(&i.into())).collect();
    let base = Point::base();
    let other = base.mul(&integer(&[0x0123_4567_89ab_cdef, 0xfedc_ba98, 7 << 40, 1 << 50]));
    let mut points = Vec::new();
    for start in [Point::identity(), base, other] {
        points.extend(torsion.iter().map(|t| start.add(t).to_affine()));
    }
    points
}

/// Scalars on both sides of every boundary of a routine mod L, mod 8·L or over 256 bits.
pub fn edge_scalars() -> Vec<Words> {
    let edges = [
        BigUint::ZERO,
        1u8.into(),
        2u8.into(),
        7u8.into(),
        8u8.into(),
        15u8.into(),
        16u8.into(),
        l() - 1u8,
        l(),
        l() + 1u8,
        2u8 * l(),
        8u8 * l() - 1u8,
        8u8 * l(),
        8u8 * l() + 1u8,
        15u8 * l(),
        two_to(252) - 1u8,
        two_to(252),
        two_to(255) - 1u8,
        two_to(255),
        two_to(256) - 1u8,
        integer(&[0x8888_8888_8888_8888; 4]),
        integer(&[0x7777_7777_7777_7777; 4]),
    ];
    edges.iter().map(words).collect()
}

/// Field elements at the edges of p, 2p, 2^255 and 2^256, and with one or all bits of a word.
pub fn edge_elements() -> Vec<Words> {
    let (one, two) = (BigUint::from(1u8), BigUint::from(2u8));
    let mut edges =
        vec![BigUint::ZERO, one.clone(), two.clone(), 19u8.into(), 37u8.into(), 38u8.into()];
    for edge in [p(), 2u8 * p(), two_to(255), two_to(51), two_to(204), (p() - 1u8) / 2u8] {
        edges.extend([&edge - &two, &edge - &one, edge.clone(), &edge + &one]);
    }
    edges.push(two_to(256) - two);
    edges.push(two_to(256) - one);
    for i in 0..4 {
        edges.push(two_to(64 * i + 63));
        edges.push((two_to(64) - 1u8) << (64 * i));
    }
    edges.iter().map(words).collect()
}
