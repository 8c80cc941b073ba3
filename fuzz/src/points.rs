//! Points of every order, by a known logarithm, and encodings that only an attacker makes.

use crate::model::{self, Affine, Words, bytes, p, words};
use num_bigint::BigUint;
use rind25519::internals::{door, portable};
use std::sync::LazyLock;

/// The eight points of small order: the n-th is n times one of order 8.
pub fn torsion(n: u8) -> &'static Affine {
    static TORSION: LazyLock<[Affine; 8]> = LazyLock::new(|| {
        let order_8 = model::torsion_generator();
        std::array::from_fn(|n| order_8.mul(&n.into()).to_affine())
    });
    &TORSION[usize::from(n % 8)]
}

/// logarithm·B + the n-th point of small order.
pub fn with_torsion(logarithm: &Words, n: u8) -> Affine {
    let t = torsion(n);
    let scalars = [[1, 0, 0, 0], [0; 4], *logarithm];
    affine(&door::edwards25519_scalarmultriple_vartime(&scalars, &[*t, *t]))
}

/// (X/Z, Y/Z).
pub fn affine([x, y, z]: &[Words; 3]) -> Affine {
    let inverse = portable::bignum_inv_p25519(z);
    let [x, y] = [x, y].map(|c| portable::bignum_mul_p25519(c, &inverse));
    std::array::from_fn(|i| if i < 4 { x[i] } else { y[i - 4] })
}

/// Both signs of every y of a point of small order, of every y from p on, and of one that is no point's. The
/// logarithm of the first fourteen is 0, up to torsion; nobody knows it of the others.
pub fn odd_encodings() -> &'static [[u8; 32]] {
    static ODD: LazyLock<Vec<[u8; 32]>> = LazyLock::new(|| {
        let mut ys: Vec<Words> = Vec::new();
        for n in 0..8 {
            let y = torsion(n)[4..].try_into().expect("4 words");
            if !ys.contains(&y) {
                ys.push(y);
            }
        }
        ys.extend((0..19u8).map(|n| words::<4>(&(p() + n))));
        ys.push(words(&BigUint::from(2u8)));
        assert_eq!(ys.len(), 5 + 19 + 1);
        let both = |y: &Words| {
            [0, 0x80].map(|sign| {
                let mut encoding = bytes(y);
                encoding[31] |= sign;
                encoding
            })
        };
        ys.iter().flat_map(both).collect()
    });
    &ODD
}
