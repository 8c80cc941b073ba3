//! Plain Rust: the meaning of every routine, and the oracle of every other tier.

pub mod field;
mod scalar;

pub use scalar::{bignum_madd_n25519, bignum_mod_n25519};

use field::Fe;

/// −x mod p, for any input.
pub fn bignum_neg_p25519(x: &[u64; 4]) -> [u64; 4] {
    Fe::from_words(x).neg().to_words()
}
/// x·y mod p, for any inputs.
pub fn bignum_mul_p25519(x: &[u64; 4], y: &[u64; 4]) -> [u64; 4] {
    Fe::from_words(x).mul(&Fe::from_words(y)).to_words()
}
/// x² mod p, for any input.
pub fn bignum_sqr_p25519(x: &[u64; 4]) -> [u64; 4] {
    Fe::from_words(x).square().to_words()
}
/// 1/x mod p, and 0 for 0, for any input.
pub fn bignum_inv_p25519(x: &[u64; 4]) -> [u64; 4] {
    Fe::from_words(x).invert().to_words()
}
/// RFC 7748 X25519: clamps the scalar, masks the point; canonical result, zero for low order.
pub fn curve25519_x25519(_scalar: &[u64; 4], _point: &[u64; 4]) -> [u64; 4] {
    unimplemented!()
}
/// X25519 of the base point u = 9.
pub fn curve25519_x25519base(_scalar: &[u64; 4]) -> [u64; 4] {
    unimplemented!()
}
/// Canonical decoding: refuses y ≥ p, non-residues, and x = 0 with the sign bit.
pub fn edwards25519_decode(_c: &[u8; 32]) -> Option<[u64; 8]> {
    unimplemented!()
}
/// Tolerant decoding: y mod p, and x = 0 with the sign bit is x = 0; refuses only what is no point.
pub fn edwards25519_decode_permissive(_c: &[u8; 32]) -> Option<[u64; 8]> {
    unimplemented!()
}
/// RFC 8032 encoding of an affine, reduced point.
pub fn edwards25519_encode(_p: &[u64; 8]) -> [u8; 32] {
    unimplemented!()
}
/// scalar·B for any 256-bit scalar; affine, reduced. Constant time.
pub fn edwards25519_scalarmulbase(_scalar: &[u64; 4]) -> [u64; 8] {
    unimplemented!()
}
/// scalar·P + bscalar·B, exact for P with torsion; affine, reduced. VARIABLE TIME: public inputs.
pub fn edwards25519_scalarmuldouble_vartime(
    _scalar: &[u64; 4],
    _point: &[u64; 8],
    _bscalar: &[u64; 4],
) -> [u64; 8] {
    unimplemented!()
}
