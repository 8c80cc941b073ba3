//! Plain Rust: the meaning of every routine, and the oracle of every other tier.

mod double_scalar;
mod edwards;
mod encoding;
pub mod field;
mod fixed_base;
mod scalar;

pub use double_scalar::edwards25519_scalarmuldouble_vartime;
pub use encoding::{edwards25519_decode, edwards25519_decode_permissive, edwards25519_encode};
pub use fixed_base::{curve25519_x25519base, edwards25519_scalarmulbase};
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
