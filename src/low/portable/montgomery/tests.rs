//! The ladder in words beside x25519-dalek, on edge and random inputs. `tests/vectors_rfc.rs` has the
//! vectors of RFC 7748.

use super::*;
use proptest::{array::uniform32, prelude::*};

fn words(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..][..8].try_into().unwrap()))
}

fn ours(scalar: &[u8; 32], point: &[u8; 32]) -> [u8; 32] {
    let z = curve25519_x25519(&words(scalar), &words(point));
    let mut bytes = [0; 32];
    for (b, z) in bytes.chunks_exact_mut(8).zip(z) {
        b.copy_from_slice(&z.to_le_bytes());
    }
    bytes
}

#[track_caller]
fn agrees_with_dalek(scalar: &[u8; 32], point: &[u8; 32]) -> [u8; 32] {
    let got = ours(scalar, point);
    assert_eq!(
        hex::encode(got),
        hex::encode(x25519_dalek::x25519(*scalar, *point)),
        "scalar {}, point {}",
        hex::encode(scalar),
        hex::encode(point)
    );
    got
}

fn unhex(s: &str) -> [u8; 32] {
    hex::decode(s).unwrap().try_into().unwrap()
}

/// Coordinates on both sides of p, 2^255 and 2^256, of twist and curve, and of each low order.
#[test]
fn edge_points_agree_with_dalek() {
    let mut points: std::vec::Vec<[u8; 32]> = [0u8, 1, 2, 9, 18, 19]
        .map(|n| {
            let mut small = [0; 32];
            small[0] = n;
            small
        })
        .to_vec();
    for low in 0xda..=0xff {
        for (rest, top) in [(0xff, 0x7f), (0xff, 0xff), (0, 0x80)] {
            let mut point = [rest; 32];
            (point[0], point[31]) = (low, top);
            points.push(point);
        }
    }
    let order8 = [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ];
    for point in order8.map(unhex) {
        assert_eq!(ours(&[0x55; 32], &point), [0; 32]);
        points.push(point);
    }
    for point in points {
        for scalar in [[0; 32], [0xff; 32], [0x55; 32], [0xaa; 32], [0x07; 32]] {
            agrees_with_dalek(&scalar, &point);
        }
    }
}

#[test]
fn low_order_gives_zero() {
    // 0, 1, −1, and p and p + 1 written out.
    for (low, rest, top) in
        [(0, 0, 0), (1, 0, 0), (0xec, 0xff, 0x7f), (0xed, 0xff, 0x7f), (0xee, 0xff, 0x7f)]
    {
        let mut point = [rest; 32];
        (point[0], point[31]) = (low, top);
        assert_eq!(ours(&[0x33; 32], &point), [0; 32]);
    }
}

proptest! {
    #[test]
    fn random_inputs_agree_with_dalek(scalar in uniform32(any::<u8>()), point in uniform32(any::<u8>())) {
        agrees_with_dalek(&scalar, &point);
    }
}
