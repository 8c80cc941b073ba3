//! The rules over big integers, each from its definition: what the library's verdicts are judged by.
//!
//! Nothing here is the library's: points are those of `model`, small order is \[8\]P = O, a canonical
//! encoding is one that comes back, and the equation is evaluated with the group law as it is written.

use super::corpus::Case;
use super::model::{Encodings, Point, l, two_to};
use num_bigint::BigUint;
use rind25519::ed25519::Rejection;
use sha2::{Digest as _, Sha512};
use std::{cell::OnceCell, collections::HashMap, rc::Rc};

/// How R is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum R {
    Bytes,
    AnyPoint,
    CanonicalPoint,
}

/// One row of the table of rules.
#[derive(Clone, Copy)]
pub struct Definition {
    /// S is below 2^253 and not below L.
    pub wide_s: bool,
    pub canonical_a: bool,
    /// A is encoded anew before it is hashed.
    pub rehash: bool,
    pub r: R,
    pub cofactor: u8,
    pub small_a_rejected: bool,
    pub small_r_rejected: bool,
}

/// The rules by name.
pub fn definition(name: &str) -> Definition {
    let wide_s = name == "REF10";
    let rehash = name == "EDDSA_JAVA";
    let rule = |canonical_a, r, cofactor, small_rejected| Definition {
        wide_s,
        canonical_a,
        rehash,
        r,
        cofactor,
        small_a_rejected: small_rejected,
        small_r_rejected: small_rejected,
    };
    match name {
        "STANDARD" => rule(false, R::Bytes, 1, false),
        "STRICT" => rule(false, R::Bytes, 1, true),
        "ZIP215" => rule(false, R::AnyPoint, 8, false),
        "RFC8032" => rule(true, R::CanonicalPoint, 8, false),
        "AWS_LC" => rule(true, R::Bytes, 1, false),
        "LIBSODIUM" => rule(true, R::Bytes, 1, true),
        "FIREDANCER" => rule(false, R::AnyPoint, 1, true),
        "SIMD0376" => rule(true, R::CanonicalPoint, 8, true),
        "REF10" => rule(false, R::Bytes, 1, false),
        "EDDSA_JAVA" => rule(false, R::Bytes, 1, false),
        _ => panic!("{name} is no rule"),
    }
}

/// A decoded point, with what is asked of it more than once.
struct Decoded {
    point: Point,
    canonical: [u8; 32],
    small: bool,
    /// 2^i·P.
    doubles: OnceCell<Vec<Point>>,
}

impl Decoded {
    fn new(encoding: &[u8; 32]) -> Option<Self> {
        let point = Point::decode(encoding, Encodings::Any)?;
        Some(Self {
            canonical: point.encode(),
            small: point.mul(&8u8.into()).is_identity(),
            point,
            doubles: OnceCell::new(),
        })
    }

    /// n·P, for the integer that n is.
    fn mul(&self, n: &BigUint) -> Point {
        let doubles = self.doubles.get_or_init(|| {
            let next = |point: &Point| Some(point.add(point));
            std::iter::successors(Some(self.point.clone()), next).take(256).collect()
        });
        (0..n.bits())
            .filter(|&i| n.bit(i))
            .fold(Point::identity(), |sum, i| sum.add(&doubles[i as usize]))
    }
}

/// Remembers points, of which the corpus has fewer than signatures.
pub struct Judge {
    base: Decoded,
    points: HashMap<[u8; 32], Option<Rc<Decoded>>>,
}

/// What the rules ask about one case.
pub struct Facts {
    s: BigUint,
    key: [u8; 32],
    r: [u8; 32],
    a: Option<Rc<Decoded>>,
    r_point: Option<Rc<Decoded>>,
    /// \[S\]B − \[k\]A, with the bytes hashed as they came and with A encoded anew.
    r_prime: [Option<Point>; 2],
}

impl Judge {
    pub fn new() -> Self {
        let base = Decoded::new(&Point::base().encode()).expect("B");
        Self { base, points: HashMap::new() }
    }

    fn point(&mut self, encoding: &[u8; 32]) -> Option<Rc<Decoded>> {
        self.points.entry(*encoding).or_insert_with(|| Decoded::new(encoding).map(Rc::new)).clone()
    }

    pub fn facts(&mut self, case: &Case) -> Facts {
        let (r, s) = case.signature.split_at(32);
        let r: [u8; 32] = r.try_into().expect("32 bytes");
        let s = BigUint::from_bytes_le(s);
        let (a, r_point) = (self.point(&case.key), self.point(&r));
        let r_prime = match &a {
            // Where no rule takes S, nobody asks.
            Some(a) if s < two_to(253) => {
                let s_b = self.base.mul(&s);
                let minus_k_a = |hashed: &[u8; 32]| {
                    let hash = Sha512::new()
                        .chain_update(r)
                        .chain_update(hashed)
                        .chain_update(&case.message)
                        .finalize();
                    s_b.add(&a.mul(&(BigUint::from_bytes_le(&hash) % l())).neg())
                };
                let first = minus_k_a(&case.key);
                let again = match a.canonical == case.key {
                    true => first.clone(),
                    false => minus_k_a(&a.canonical),
                };
                [Some(first), Some(again)]
            }
            _ => [None, None],
        };
        Facts { s, key: case.key, r, a, r_point, r_prime }
    }
}

impl Facts {
    /// The verdict under a rule, and the first check that fails.
    pub fn verdict(&self, rule: &Definition) -> Result<(), Rejection> {
        let end = if rule.wide_s { two_to(253) } else { l() };
        if self.s >= end {
            return Err(Rejection::ScalarOutOfRange);
        }
        let a = self.a.as_ref().ok_or(Rejection::KeyNotAPoint)?;
        if rule.canonical_a && a.canonical != self.key {
            return Err(Rejection::KeyNonCanonical);
        }
        if rule.small_a_rejected && a.small {
            return Err(Rejection::KeySmallOrder);
        }
        let r = self.r_point.as_ref();
        if rule.r != R::Bytes {
            let r = r.ok_or(Rejection::SignatureRNotAPoint)?;
            if rule.r == R::CanonicalPoint && r.canonical != self.r {
                return Err(Rejection::SignatureRNonCanonical);
            }
        }
        if rule.small_r_rejected && r.is_some_and(|r| r.small) {
            return Err(Rejection::SignatureRSmallOrder);
        }
        let r_prime = self.r_prime[usize::from(rule.rehash)].as_ref().expect("S < 2^253");
        let holds = match rule.r {
            R::Bytes => r_prime.encode() == self.r,
            R::AnyPoint | R::CanonicalPoint => {
                let difference = r_prime.add(&r.expect("a point").point.neg());
                difference.mul(&rule.cofactor.into()).is_identity()
            }
        };
        if holds { Ok(()) } else { Err(Rejection::EquationFailed) }
    }
}
