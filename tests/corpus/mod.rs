//! Signatures that only an attacker makes: keys and commitments of small and of mixed order, second
//! encodings, and scalars at the edges of the range. Made with curve25519-dalek, so that nothing
//! here leans on what is tested.

use curve25519_dalek::{
    constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION},
    edwards::EdwardsPoint,
    scalar::Scalar,
};
use rind25519::ed25519::{Digest, Sha512};

/// The subgroup order, 2^252 + 27742317777372353535851937790883648493.
pub const L: [u8; 32] = {
    let mut order = [0; 32];
    let low = 27742317777372353535851937790883648493u128.to_le_bytes();
    let mut i = 0;
    while i < 16 {
        order[i] = low[i];
        i += 1;
    }
    order[31] = 0x10;
    order
};

/// What a verifier is given.
#[derive(Clone, Debug)]
pub struct Case {
    pub key: [u8; 32],
    pub message: Vec<u8>,
    pub signature: [u8; 64],
    /// Whether the key is known to have order L.
    pub torsion_free_key: bool,
}

/// p + n, for n from −19 to 18.
pub fn p_plus(n: i8) -> [u8; 32] {
    let mut bytes = [0xff; 32];
    bytes[31] = 0x7f;
    bytes[0] = (0xed_i16 + i16::from(n)) as u8;
    bytes
}

/// Whether y < p, and x = 0 comes without the sign bit: the two refusals of RFC 8032, section 5.1.3.
pub fn is_canonical(encoding: &[u8; 32]) -> bool {
    let mut y = *encoding;
    y[31] &= 0x7f;
    let below_p = y.iter().rev().lt(p_plus(0).iter().rev());
    let mut one = [0; 32];
    one[0] = 1;
    let x_is_zero = y == one || y == p_plus(-1);
    below_p && !(x_is_zero && encoding[31] >= 0x80)
}

/// k = SHA-512(R ‖ A ‖ M) mod L.
pub fn challenge(r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> Scalar {
    let hash = Sha512::new().chain_update(r).chain_update(a).chain_update(message).finalize();
    Scalar::from_bytes_mod_order_wide(&hash.into())
}

fn scalar(seed: u8) -> Scalar {
    Scalar::from_bytes_mod_order([seed; 32])
}

fn join(r: &[u8; 32], s: &[u8; 32]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(r);
    signature[32..].copy_from_slice(s);
    signature
}

/// A signature by a signer who knows a, under the key a·B + T, with the commitment r·B + T'.
fn sign_mixed(t: &EdwardsPoint, t_r: &EdwardsPoint, message: &[u8]) -> Case {
    let (a, r) = (scalar(3), scalar(message[0]));
    let key = (ED25519_BASEPOINT_POINT * a + t).compress().to_bytes();
    let commitment = (ED25519_BASEPOINT_POINT * r + t_r).compress().to_bytes();
    let s = r + challenge(&commitment, &key, message) * a;
    Case {
        key,
        message: message.to_vec(),
        signature: join(&commitment, &s.to_bytes()),
        torsion_free_key: t.is_torsion_free(),
    }
}

/// Each torsion of the key with each of the commitment, over messages enough for every k mod 8.
pub fn mixed_order_cases() -> Vec<Case> {
    let mut cases = vec![];
    for t in &EIGHT_TORSION {
        for t_r in &EIGHT_TORSION {
            for message in 0..12u8 {
                cases.push(sign_mixed(t, t_r, &[message, 0xa5]));
            }
        }
    }
    cases
}

/// The fourteen encodings of points of small order.
pub fn small_order_encodings() -> Vec<[u8; 32]> {
    let mut ys: Vec<[u8; 32]> = EIGHT_TORSION
        .iter()
        .map(|point| {
            let mut y = point.compress().to_bytes();
            y[31] &= 0x7f;
            y
        })
        .chain([p_plus(0), p_plus(1)])
        .collect();
    ys.sort();
    ys.dedup();
    assert_eq!(ys.len(), 7);
    ys.iter().flat_map(|y| [*y, with_sign(y)]).collect()
}

fn with_sign(y: &[u8; 32]) -> [u8; 32] {
    let mut encoding = *y;
    encoding[31] |= 0x80;
    encoding
}

/// The product of odd keys, odd commitments and odd scalars, and the one honest signature.
pub fn edge_cases() -> Vec<Case> {
    let honest = sign_mixed(&EIGHT_TORSION[0], &EIGHT_TORSION[0], b"honest");
    let honest_r: [u8; 32] = honest.signature[..32].try_into().expect("32 bytes");

    let mut keys = small_order_encodings();
    let mixed = EIGHT_TORSION.iter().map(|t| sign_mixed(t, t, b"mixed").key);
    keys.extend(mixed);
    // y from p + 2 on, point or not.
    keys.extend((2..19).flat_map(|n| [p_plus(n), with_sign(&p_plus(n))]));

    let mut commitments = small_order_encodings();
    commitments.push(honest_r);
    commitments.extend((2..8).map(p_plus));

    let one_bit =
        |bit: usize| core::array::from_fn(|i| if i == bit / 8 { 1 << (bit % 8) } else { 0 });
    let mut below_l = L;
    below_l[0] -= 1;
    let mut top: [u8; 32] = [0xff; 32];
    top[31] = 0x7f;
    let scalars = [[0; 32], one_bit(0), below_l, L, one_bit(252), one_bit(253), top, [0xff; 32]];

    let mut cases = vec![honest];
    let mut push = |key: &[u8; 32], r: &[u8; 32], s: &[u8; 32], message: [u8; 3]| {
        cases.push(Case {
            key: *key,
            message: message.to_vec(),
            signature: join(r, s),
            torsion_free_key: false,
        });
    };
    for (i, key) in keys.iter().enumerate() {
        for (j, r) in commitments.iter().enumerate() {
            for s in &scalars {
                push(key, r, s, [i as u8, j as u8, 0]);
            }
        }
    }
    // With S = 0 and a key of small order, R fits where it is [−k mod 8]A: messages for every k.
    for (i, key) in small_order_encodings().iter().enumerate() {
        for (j, r) in small_order_encodings().iter().enumerate() {
            for message in 1..12 {
                push(key, r, &[0; 32], [i as u8, j as u8, message]);
            }
        }
    }
    cases
}
