//! Plain Rust: the meaning of every routine, and the oracle of every other tier.

mod coset;
mod edwards;
mod encoding;
pub mod field;
mod fixed_base;
mod inverse;
mod montgomery;
mod scalar;
mod sums;

pub use coset::edwards25519_same_coset_vartime;
pub use encoding::{
    edwards25519_decode, edwards25519_decode_permissive, edwards25519_decode_permissive_pair,
    edwards25519_encode,
};
pub use fixed_base::{curve25519_x25519base, edwards25519_scalarmulbase};
pub use montgomery::curve25519_x25519;
pub use scalar::{L, bignum_madd_n25519, bignum_mod_n25519, clamp};
pub use sums::{edwards25519_scalarmuldouble_vartime, edwards25519_scalarmultriple_vartime};

use field::Fe;
use subtle::ConditionallyNegatable;

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
/// (the Legendre symbol of x, z) with x·z² = 1 mod p where the symbol is 1; z is even, < p.
///
/// Where the symbol is 0, z = 0. Where it is −1 there is no such z, and x·z² is √−1 or −√−1.
pub fn bignum_invsqrt_p25519(x: &[u64; 4]) -> (i64, [u64; 4]) {
    let x = Fe::from_words(x);
    let (is_square, mut z) = Fe::sqrt_ratio(&Fe::ONE, &x);
    z.conditional_negate(z.is_negative());
    let square = i64::from(is_square.unwrap_u8());
    let nonzero = i64::from((!x.is_zero()).unwrap_u8());
    (2 * square - nonzero, z.to_words())
}
