//! Encodings of points, and bytes that encode none.

use curve25519_dalek::{
    constants::EIGHT_TORSION,
    edwards::{CompressedEdwardsY, EdwardsPoint},
};

pub type Encoding = [u8; 32];

/// p + n, for n from −19 to 18.
pub fn p_plus(n: i8) -> Encoding {
    let mut bytes = [0xff; 32];
    bytes[31] = 0x7f;
    bytes[0] = (0xed_i16 + i16::from(n)) as u8;
    bytes
}

pub fn small(y: u8) -> Encoding {
    core::array::from_fn(|i| if i == 0 { y } else { 0 })
}

/// The encoding and the one with the other sign bit.
pub fn both_signs(y: Encoding) -> [Encoding; 2] {
    let mut other = y;
    other[31] ^= 0x80;
    [y, other]
}

/// Whether y < p, and x = 0 comes without the sign bit: the two refusals of RFC 8032, section 5.1.3.
pub fn is_canonical(encoding: &Encoding) -> bool {
    let mut y = *encoding;
    y[31] &= 0x7f;
    let below_p = y.iter().rev().lt(p_plus(0).iter().rev());
    let x_is_zero = y == small(1) || y == p_plus(-1);
    below_p && !(x_is_zero && encoding[31] >= 0x80)
}

pub fn decode(encoding: &Encoding) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*encoding).decompress()
}

pub fn encode(point: &EdwardsPoint) -> Encoding {
    point.compress().to_bytes()
}

/// The fourteen encodings of points of small order: eight canonical ones, and 0 + p and 1 + p for y, and
/// x = 0 with the sign bit.
pub fn small_order() -> Vec<Encoding> {
    let mut ys: Vec<Encoding> = EIGHT_TORSION
        .iter()
        .map(|point| {
            let mut y = encode(point);
            y[31] &= 0x7f;
            y
        })
        .chain([p_plus(0), p_plus(1)])
        .collect();
    ys.sort();
    ys.dedup();
    assert_eq!(ys.len(), 7);
    ys.into_iter().flat_map(both_signs).collect()
}

/// The other encodings with y ≥ p: points whose logarithm nobody knows, and no points.
pub fn unknown_logarithm() -> Vec<Encoding> {
    (2..19).flat_map(|n| both_signs(p_plus(n))).collect()
}

/// Bytes that encode no point, of small and of any y.
pub fn no_points() -> Vec<Encoding> {
    let any = (0..8u8).map(|n| {
        let mut y = super::families::bytes("no point", n.into());
        y[31] &= 0x7f;
        y
    });
    let ys = (2..40).map(small).chain((2..19).map(p_plus)).chain(any);
    ys.flat_map(both_signs).filter(|encoding| decode(encoding).is_none()).collect()
}
