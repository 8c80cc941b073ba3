//! Whether two points differ by one of small order: equality once the cofactor 8 is cleared.

use super::edwards::Extended;

/// Whether \[8\](P − Q) is the identity. VARIABLE TIME: public inputs.
///
/// in: P and Q affine, x and y < p, of any order.
///
/// A point has order 1, 2 or 4 where x·y = 0: x = 0 has y² = 1, and y = 0 has x² = −1, which doubles to
/// (0, −1). So D has order dividing 8 where 2·D = (E/G, H/F) has E·H = 0; F and G are never 0, the
/// formulas being complete.
pub fn edwards25519_same_coset_vartime(p: &[u64; 8], q: &[u64; 8]) -> bool {
    let (_, minus_q) = Extended::from_affine(q).to_cached();
    let difference = Extended::from_affine(p).add(&minus_q).to_projective();
    let twice = difference.double();
    twice.e.mul(&twice.h).is_zero().into()
}
