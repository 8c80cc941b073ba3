//! X25519 (RFC 7748) on the Montgomery curve v² = u³ + 486662·u² + u, u-coordinates only.
//!
//! A point is X:Z with u = X/Z. Montgomery's ladder holds m·P and (m + 1)·P and reads one bit of
//! the scalar a step. Two remarks save work over the textbook form:
//!
//! - The differential addition is symmetric, so the pair need not be ordered: only the input of the
//!   doubling is chosen, by a mask. Nothing is swapped.
//! - A clamped scalar has bit 254 set and bits 0 to 2 clear. The ladder so starts at m = 1 with
//!   (P, 2P), takes 251 steps for bits 253 to 3, and three doublings follow.

use super::field::{Fe, FeLoose};
use super::scalar::clamp;
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

/// (486662 + 2)/4.
const A24: u32 = (486_662 + 2) / 4;

/// A u-coordinate X:Z.
#[derive(Clone, Copy)]
struct Projective {
    x: Fe,
    z: Fe,
}

/// 2·Q, where Q is given as X + Z and X − Z.
///
/// AA = (X + Z)², BB = (X − Z)², E = AA − BB:  AA·BB : E·(BB + A24·E)
#[inline(always)]
fn double(sum: &FeLoose, difference: &FeLoose) -> Projective {
    let aa = sum.square();
    let bb = difference.square();
    let e = aa.sub(&bb);
    Projective { x: aa.mul(&bb), z: e.mul(&bb.add_small_multiple::<A24>(&e)) }
}

/// u(k·P) for the clamped scalar k and P with u-coordinate u, of any 255 or 256 bits.
fn ladder(k: &[u64; 4], u: &Fe) -> Fe {
    let mut d = Projective { x: *u, z: Fe::ONE }; // what a doubling made, or P
    let mut a = double(&d.x.add(&d.z), &d.x.sub(&d.z)); // what an addition made, or 2P
    let mut last = 0; // the bit before: m·P is d where it is 0, and a where it is 1
    for i in (3..254).rev() {
        let bit = k[i / 64] >> (i % 64) & 1;
        let choice = Choice::from((bit ^ last) as u8);
        last = bit;
        let (ds, dd) = (d.x.add(&d.z), d.x.sub(&d.z));
        let (as_, ad) = (a.x.add(&a.z), a.x.sub(&a.z));
        let (l, r) = (ds.mul(&ad), dd.mul(&as_));
        // The one of the two that is m + bit times P is doubled.
        d = double(
            &FeLoose::conditional_select(&ds, &as_, choice),
            &FeLoose::conditional_select(&dd, &ad, choice),
        );
        a = Projective { x: l.add(&r).square(), z: l.sub(&r).square().mul(u) };
    }
    let choice = Choice::from(last as u8);
    d.x = Fe::conditional_select(&d.x, &a.x, choice);
    d.z = Fe::conditional_select(&d.z, &a.z, choice);
    for _ in 0..3 {
        d = double(&d.x.add(&d.z), &d.x.sub(&d.z));
    }
    let u = d.x.mul(&d.z.invert());
    for wiped in [&mut d.x, &mut d.z, &mut a.x, &mut a.z] {
        wiped.zeroize();
    }
    u
}

/// RFC 7748 X25519: clamps the scalar, masks the point; canonical result, zero for low order.
pub fn curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4] {
    let mut k = *scalar;
    clamp(&mut k);
    let u = Fe::from_words(&[point[0], point[1], point[2], point[3] & (u64::MAX >> 1)]);
    let z = ladder(&k, &u).to_words();
    k.zeroize();
    z
}

#[cfg(test)]
mod tests;
