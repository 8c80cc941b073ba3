//! Points as 32 bytes (RFC 8032, section 5.1.2 and 5.1.3): y, and in the top bit the parity of x.

use subtle::{Choice, ConditionallyNegatable, ConstantTimeEq};

use super::edwards::D;
use super::field::Fe;

/// Canonical decoding: refuses y ≥ p, what is no point, and x = 0 with the sign bit.
///
/// Constant time but for the answer whether it is a point.
pub fn edwards25519_decode(c: &[u8; 32]) -> Option<[u64; 8]> {
    let point = edwards25519_decode_permissive(c)?;
    // What the permissive form let pass is what does not come back.
    bool::from(edwards25519_encode(&point).ct_eq(c)).then_some(point)
}

/// Tolerant decoding: y mod p, and x = 0 with the sign bit is x = 0; refuses only what is no point.
///
/// Constant time but for the answer whether it is a point.
pub fn edwards25519_decode_permissive(c: &[u8; 32]) -> Option<[u64; 8]> {
    let sign = Choice::from(c[31] >> 7);
    let mut y = *c;
    y[31] &= 0x7f;
    let y = Fe::from_bytes(&y);
    // x² = (y² − 1)/(d·y² + 1). The denominator is never 0: −1 is a square and d is not.
    let yy = y.square();
    let (is_square, mut x) =
        Fe::sqrt_ratio(&yy.sub(&Fe::ONE).carry(), &yy.mul(&D).add(&Fe::ONE).carry());
    x.conditional_negate(x.is_negative() ^ sign);
    let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (x.to_words(), y.to_words());
    bool::from(is_square).then_some([x0, x1, x2, x3, y0, y1, y2, y3])
}

/// [`edwards25519_decode_permissive`] of both.
///
/// Constant time but for the answers whether they are points.
pub fn edwards25519_decode_permissive_pair(c: &[u8; 32], e: &[u8; 32]) -> [Option<[u64; 8]>; 2] {
    [edwards25519_decode_permissive(c), edwards25519_decode_permissive(e)]
}

/// RFC 8032 encoding of an affine point.
///
/// in: x, y < p
pub fn edwards25519_encode(p: &[u64; 8]) -> [u8; 32] {
    let mut c = [0; 32];
    for (bytes, word) in c.as_chunks_mut().0.iter_mut().zip(&p[4..]) {
        *bytes = word.to_le_bytes();
    }
    c[31] |= (p[0] as u8 & 1) << 7;
    c
}
