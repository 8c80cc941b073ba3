//! Promise: keys, signatures and shared secrets are those of RFC 8032 and RFC 7748, on every vector
//! that the two documents print.

use rind25519::{
    ed25519::{Digest, Sha512, Signature, SigningKey},
    x25519::{PublicKey, StaticSecret, x25519},
};

/// One block of `vectors/rfc8032.txt`.
#[derive(Clone, Default)]
struct Vector {
    section: String,
    name: String,
    secret: Vec<u8>,
    public: Vec<u8>,
    message: Vec<u8>,
    context: Vec<u8>,
    signature: Vec<u8>,
}

fn rfc8032() -> Vec<Vector> {
    include_str!("vectors/rfc8032.txt")
        .split("\n\n")
        .skip(1) // the heading
        .map(|block| {
            let mut vector = Vector::default();
            for line in block.lines() {
                let (field, value) = line.split_once('=').expect("field = value");
                let value = value.trim();
                let bytes = || hex::decode(value).expect("hexadecimal");
                match field.trim() {
                    "section" => vector.section = value.into(),
                    "name" => vector.name = value.into(),
                    "secret" => vector.secret = bytes(),
                    "public" => vector.public = bytes(),
                    "message" => vector.message = bytes(),
                    "context" => vector.context = bytes(),
                    "signature" => vector.signature = bytes(),
                    other => panic!("unknown field {other}"),
                }
            }
            vector
        })
        .collect()
}

/// The public key, the signature, and the verdicts of both rules.
fn check(vector: &Vector) -> Result<(), &'static str> {
    let key = SigningKey::try_from(&vector.secret[..]).map_err(|_| "secret")?;
    let public = key.verifying_key();
    let (message, context) = (&vector.message[..], &vector.context[..]);
    let hash = || Sha512::new().chain_update(message);
    let ours = match &vector.section[..] {
        "7.1" => key.sign(message),
        "7.2" => key.sign_with_context(message, context).map_err(|_| "context")?,
        "7.3" => key.sign_prehashed(hash(), Some(context)).map_err(|_| "context")?,
        _ => return Err("section"),
    };
    if public.as_bytes()[..] != vector.public[..] {
        return Err("public key");
    }
    let theirs = Signature::from_slice(&vector.signature).map_err(|_| "signature length")?;
    if ours != theirs {
        return Err("signature");
    }
    let verdict = match &vector.section[..] {
        "7.1" => public.verify(message, &theirs).and(public.verify_strict(message, &theirs)),
        "7.2" => public.verify_with_context(message, context, &theirs),
        _ => public
            .verify_prehashed(hash(), Some(context), &theirs)
            .and(public.verify_prehashed_strict(hash(), None, &theirs)),
    };
    verdict.map_err(|_| "verdict")
}

#[test]
fn rfc_8032_vectors_hold() {
    let vectors = rfc8032();
    let count = |section| vectors.iter().filter(|vector| vector.section == section).count();
    assert_eq!((count("7.1"), count("7.2"), count("7.3")), (5, 4, 1), "vectors in the file");
    assert_eq!(vectors[3].message.len(), 1023);
    for vector in &vectors {
        assert_eq!(check(vector), Ok(()), "{} {}", vector.section, vector.name);
    }
}

/// The planted fault: a vector with one wrong bit, wherever it is, does not pass.
#[test]
fn rfc_8032_check_sees_one_wrong_bit() {
    for vector in rfc8032() {
        let flip = |field: fn(&mut Vector) -> &mut Vec<u8>| {
            let mut wrong = vector.clone();
            match field(&mut wrong).last_mut() {
                Some(byte) => *byte ^= 1,
                None => field(&mut wrong).push(1),
            }
            assert_ne!(check(&wrong), Ok(()), "{} {}", vector.section, vector.name);
        };
        flip(|v| &mut v.secret);
        flip(|v| &mut v.public);
        flip(|v| &mut v.message);
        flip(|v| &mut v.signature);
        if vector.section != "7.1" {
            flip(|v| &mut v.context);
        }
    }
}

fn bytes(hexadecimal: &str) -> [u8; 32] {
    hex::decode(hexadecimal).expect("hexadecimal").try_into().expect("32 bytes")
}

/// RFC 7748, section 5.2, the two single vectors. The second has bit 255 of u set.
#[test]
fn rfc_7748_function_vectors_hold() {
    for (k, u, expected) in [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ),
        (
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ),
    ] {
        assert_eq!(hex::encode(x25519(bytes(k), bytes(u))), expected);
        let shared = StaticSecret::from(bytes(k)).diffie_hellman(&PublicKey::from(bytes(u)));
        assert_eq!(shared.map(|shared| hex::encode(shared.as_bytes())), Ok(expected.into()));
    }
}

/// RFC 7748, section 5.2: k and u start as the base point; k becomes X25519(k, u), u the old k.
fn iterated(times: u32) -> String {
    let nine = core::array::from_fn(|i| if i == 0 { 9 } else { 0 });
    let (mut k, mut u) = (nine, nine);
    for _ in 0..times {
        (k, u) = (x25519(k, u), k);
    }
    hex::encode(k)
}

#[test]
fn rfc_7748_iterated_vector_holds_for_1_and_1000() {
    let once = "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079";
    let thousand = "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51";
    assert_eq!(iterated(1), once);
    assert_eq!(iterated(1_000), thousand);
    assert_ne!(iterated(999), thousand, "the planted fault: one iteration short");
}

#[test]
#[ignore = "a million iterations take minutes without optimisation: run with --release"]
fn rfc_7748_iterated_vector_holds_for_1_000_000() {
    let million = "7c3911e0ab2586fd864497297e575e6f3bc601c0883c30df5f4dd2d24f665424";
    assert_eq!(iterated(1_000_000), million);
}

/// RFC 7748, section 6.1.
#[test]
fn rfc_7748_agreement_vector_holds() {
    let alice = bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    let (alice, bob) = (StaticSecret::from(alice), StaticSecret::from(bob));
    let (alice_public, bob_public) = (PublicKey::from(&alice), PublicKey::from(&bob));
    assert_eq!(
        hex::encode(alice_public.as_bytes()),
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
    );
    assert_eq!(
        hex::encode(bob_public.as_bytes()),
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
    );
    for shared in [alice.diffie_hellman(&bob_public), bob.diffie_hellman(&alice_public)] {
        assert_eq!(
            shared.map(|shared| hex::encode(shared.as_bytes())),
            Ok("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742".into())
        );
    }
}
