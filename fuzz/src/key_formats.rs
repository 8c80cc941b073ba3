//! Key files: nothing panics; what is taken is of a form that is written down, and goes out and in again.

use crate::input::{Input, noise};
use crate::key_parts::{bit_string, oid};
use crate::planted;
use pkcs8::der::{SecretDocument, pem};
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use rind25519::ed25519::{SigningKey, VerifyingKey, pkcs8};
use rind25519::internals::portable;
use rind25519::x25519::{PublicKey, StaticSecret};
use serde::Serialize;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use std::fmt::Debug;

/// The first byte says how the rest is read.
pub fn check(data: &[u8]) {
    let Some((mode, rest)) = data.split_first() else { return };
    if mode % 2 == 0 {
        private_der(rest);
        public_der(rest);
        text(rest);
        pair(rest);
        serde_forms(rest);
    } else {
        private_der(&assembled(rest));
    }
}

/// One element of DER, of any length.
fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let head = match content.len() {
        n @ 0..128 => vec![tag, n as u8],
        n @ 128..256 => vec![tag, 0x81, n as u8],
        n => vec![tag, 0x82, (n >> 8) as u8, n as u8],
    };
    [head, content.to_vec()].concat()
}

const ATTRIBUTES: u8 = 1;
const PUBLIC_KEY: u8 = 2;
const EXTENSION: u8 = 4;
const WRONG_KEY: u8 = 8;
const EXPLICIT: u8 = 16;
const EXTENSION_FIRST: u8 = 32;

/// A private key's file out of its parts, with the lengths that they have.
fn assembled(data: &[u8]) -> Vec<u8> {
    let mut input = Input::new(data);
    let [flags, version, curve, unused_bits, tag, length] = input.bytes();
    let seed: [u8; 32] = input.bytes();
    let content = input.rest(255);
    let (attributes, extension) = content.split_at(usize::from(length).min(content.len()));
    let mut public = public_of(&seed);
    if flags & WRONG_KEY != 0 {
        public[usize::from(length) % 32] ^= 1;
    }
    let public = match flags & EXPLICIT {
        0 => bit_string(0x81, unused_bits, &public),
        _ => tlv(0xa1, &bit_string(0x03, unused_bits, &public)),
    };
    let extension = tlv(tag, extension);
    let mut rest = Vec::new();
    if flags & (EXTENSION | EXTENSION_FIRST) == EXTENSION | EXTENSION_FIRST {
        rest.extend(&extension);
    }
    if flags & ATTRIBUTES != 0 {
        rest.extend(tlv(0xa0, attributes));
    }
    if flags & PUBLIC_KEY != 0 {
        rest.extend(public);
    }
    if flags & (EXTENSION | EXTENSION_FIRST) == EXTENSION {
        rest.extend(extension);
    }
    let version = tlv(0x02, &[version]);
    let algorithm = tlv(0x30, &oid(curve));
    let private_key = tlv(0x04, &tlv(0x04, &seed));
    tlv(0x30, &[version, algorithm, private_key, rest].concat())
}

/// RFC 8032, section 5.1.5, by the portable tier.
fn public_of(seed: &[u8; 32]) -> [u8; 32] {
    use sha2::{Digest as _, Sha512};
    let hash = Sha512::digest(seed);
    let mut scalar = crate::input::words(&std::array::from_fn(|i| hash[i]));
    portable::clamp(&mut scalar);
    portable::edwards25519_encode(&portable::edwards25519_scalarmulbase(&scalar))
}

/// How a private key's file departs from the two forms that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    version: u8,
    attributes: bool,
    extensions: bool,
    /// ring up to 0.16: \[1\] is EXPLICIT.
    explicit: bool,
}

/// Tag, number of the tag where its class is context-specific, content, what is behind.
type Element<'a> = (u8, Option<u128>, &'a [u8], &'a [u8]);

/// One element with a definite length in the fewest bytes.
fn element(bytes: &[u8]) -> Option<Element<'_>> {
    let (&tag, mut rest) = bytes.split_first()?;
    let mut number = u128::from(tag & 0x1f);
    if number == 0x1f {
        number = 0;
        loop {
            let (&byte, behind) = rest.split_first()?;
            number = number.checked_mul(128)? | u128::from(byte & 0x7f);
            rest = behind;
            if byte < 0x80 {
                break;
            }
        }
    }
    let (&first, behind) = rest.split_first()?;
    rest = behind;
    let mut length = usize::from(first);
    if first >= 0x80 {
        let (long, behind) = rest.split_at_checked(usize::from(first & 0x7f).min(8))?;
        length = long.iter().fold(0, |n, &byte| n << 8 | usize::from(byte));
        let fewest = length >= 0x80 && *long.first()? != 0;
        if !fewest {
            return None;
        }
        rest = behind;
    }
    let (content, behind) = rest.split_at_checked(length)?;
    Some((tag, (tag >> 6 == 0b10).then_some(number), content, behind))
}

/// What the documentation of `ed25519::key_format` takes, read by hand: seed, and form. A grammar of a
/// superset, for it does not look into attributes and extensions.
fn documented(der: &[u8]) -> Option<([u8; 32], Form)> {
    let (0x30, _, content, []) = element(der)? else { return None };
    let (&[0x02, 1, version @ 0..=1], rest) = content.split_first_chunk()? else { return None };
    let (&[0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70, 0x04, 34, 0x04, 32], rest) =
        rest.split_first_chunk()?
    else {
        return None;
    };
    let (seed, mut rest) = rest.split_first_chunk::<32>()?;
    let mut form = Form { version, attributes: false, extensions: false, explicit: false };
    let public = public_of(seed);
    if version == 1 && rest == [&[0xa1, 35, 0x03, 33, 0][..], &public].concat() {
        return Some((*seed, Form { explicit: true, ..form }));
    }
    if let Some((0xa0, _, _, behind)) = element(rest) {
        (form.attributes, rest) = (true, behind);
    }
    if version == 1 {
        rest = rest.strip_prefix(&[0x81, 33, 0])?.strip_prefix(&public)?;
    }
    while !rest.is_empty() {
        let (_, Some(2..), _, behind) = element(rest)? else { return None };
        (form.extensions, rest) = (true, behind);
    }
    Some((*seed, form))
}

fn private_der(der: &[u8]) {
    let document = pem::encode_string("PRIVATE KEY", LineEnding::LF, der).expect("any bytes");
    let read = SigningKey::from_pkcs8_der(der);
    let from_pem = SigningKey::from_pkcs8_pem(&document);
    assert_eq!(read.as_ref().ok(), from_pem.as_ref().ok(), "DER and PEM: {der:x?}");
    let documented = documented(der);
    let Ok(key) = read else {
        // What is plain is taken; in the rest the reader may find other faults.
        let plain = documented.is_some_and(|(_, form)| !form.attributes && !form.extensions);
        assert!(!plain, "refused: {der:x?}, {documented:?}, {read:?}");
        return;
    };
    let Some((seed, form)) = documented else { panic!("of no documented form: {der:x?}") };
    // Where the planted oracle is wrong.
    let rare = form.attributes && seed[31] % 16 == 9;
    assert!(!(planted() && rare), "planted: {der:x?}");
    assert_eq!(key.to_seed(), seed, "another seed: {der:x?}");
    let [one, two] = exported(&key);
    // All else that is taken is tolerated: attributes, extensions, [1] as ring once wrote it.
    let ours = if form.version == 0 { one } else { two };
    let tolerated = form.attributes || form.extensions || form.explicit;
    assert_eq!(der == ours, !tolerated, "{form:?}: {der:x?}");
}

/// Every form that a key is written in, read again. Versions 1 and 2.
fn exported(key: &SigningKey) -> [Vec<u8>; 2] {
    let public = key.verifying_key();
    assert_eq!(public.to_bytes(), public_of(&key.to_seed()));
    let one = key.to_pkcs8_der().expect("version 1").as_bytes().to_vec();
    let two = key.to_pkcs8_v2_der().expect("version 2").as_bytes().to_vec();
    for der in [&one, &two] {
        assert_eq!(&SigningKey::from_pkcs8_der(der).expect("as it was written"), key);
    }
    for ending in [LineEnding::LF, LineEnding::CRLF, LineEnding::CR] {
        let text = key.to_pkcs8_pem(ending).expect("PEM");
        assert_eq!(&SigningKey::from_pkcs8_pem(&text).expect("as it was written"), key);
    }
    assert_eq!(SigningKey::from_keypair_bytes(&key.to_keypair_bytes()).as_ref(), Ok(key));
    public_exported(&public);
    [one, two]
}

fn public_exported(key: &VerifyingKey) {
    let der = key.to_public_key_der().expect("SPKI");
    assert_eq!(&VerifyingKey::from_public_key_der(der.as_bytes()).expect("as it was written"), key);
    let text = key.to_public_key_pem(LineEnding::LF).expect("PEM");
    assert_eq!(&VerifyingKey::from_public_key_pem(&text).expect("as it was written"), key);
}

/// SPKI has one form.
fn public_der(der: &[u8]) {
    const HEAD: [u8; 12] = [0x30, 42, 0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70, 0x03, 33, 0];
    let read = VerifyingKey::from_public_key_der(der).ok();
    let bytes = der.strip_prefix(&HEAD).and_then(|key| <[u8; 32]>::try_from(key).ok());
    let point = |key: &[u8; 32]| portable::edwards25519_decode_permissive(key).is_some();
    assert_eq!(read.map(|key| key.to_bytes()), bytes.filter(point), "{der:x?}");
    if let Some(key) = read {
        public_exported(&key);
    }
}

/// PEM: the text's DER is judged as DER is, whatever stands around it.
fn text(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let document = SecretDocument::from_pem(text);
    let of_label = |wanted: &str| match &document {
        Ok((label, document)) if *label == wanted => Some(document.as_bytes()),
        _ => None,
    };
    let read = SigningKey::from_pkcs8_pem(text).ok();
    let der = of_label("PRIVATE KEY");
    assert_eq!(read, der.and_then(|der| SigningKey::from_pkcs8_der(der).ok()), "{text}");
    if let Some(key) = read {
        exported(&key);
        private_der(der.expect("just read"));
    }
    let read = VerifyingKey::from_public_key_pem(text).ok();
    let der = of_label("PUBLIC KEY");
    assert_eq!(read, der.and_then(|der| VerifyingKey::from_public_key_der(der).ok()), "{text}");
    if let Some(der) = der {
        public_der(der);
    }
}

/// Seed and public key: taken where they match, and only there.
fn pair(bytes: &[u8]) {
    let Some(pair) = bytes.first_chunk::<64>() else { return };
    let seed = pair.first_chunk().expect("32 bytes");
    let read = SigningKey::from_keypair_bytes(pair);
    assert_eq!(read.is_ok(), public_of(seed) == pair[32..], "{pair:x?}: {read:?}");
    if let Ok(key) = read {
        assert_eq!(&key.to_seed(), seed);
        exported(&key);
    }
}

/// In JSON an array of 32 bytes, in a binary format a byte string of 32.
fn serde_forms(bytes: &[u8]) {
    let json = serde_json::from_slice::<Vec<u8>>(bytes).ok();
    let json: Option<[u8; 32]> = json.and_then(|bytes| bytes.try_into().ok());
    let binary: Option<[u8; 32]> = bytes.try_into().ok();

    fn judge<T>(bytes: &[u8], json: Option<T>, binary: Option<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        let read: Option<T> = serde_json::from_slice(bytes).ok();
        assert_eq!(read, json, "JSON: {bytes:x?}");
        if let Some(key) = read {
            let written = serde_json::to_vec(&key).expect("JSON");
            assert_eq!(serde_json::from_slice(&written).ok(), Some(key), "JSON: {bytes:x?}");
        }
        assert_eq!(T::deserialize(Binary(bytes)).ok(), binary, "binary: {bytes:x?}");
    }
    let key = |seed: [u8; 32]| SigningKey::from_seed(&seed);
    judge::<SigningKey>(bytes, json.map(key), binary.map(key));
    let key = |bytes: [u8; 32]| VerifyingKey::from_bytes(&bytes).ok();
    judge::<VerifyingKey>(bytes, json.and_then(key), binary.and_then(key));
    judge::<StaticSecret>(bytes, json.map(StaticSecret::from), binary.map(StaticSecret::from));
    judge::<PublicKey>(bytes, json.map(PublicKey::from), binary.map(PublicKey::from));
}

/// The simplest binary format: all there is, as bytes.
struct Binary<'a>(&'a [u8]);

impl<'de> Deserializer<'de> for Binary<'de> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_borrowed_bytes(self.0)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let key = SigningKey::from_seed(&noise("seed", 0));
    let public = key.verifying_key();
    let [one, two] = exported(&key);
    let json = serde_json::to_vec(&key).expect("JSON");
    let spki = public.to_public_key_der().expect("SPKI").as_bytes().to_vec();
    let whole = [
        one,
        two,
        spki,
        key.to_pkcs8_pem(LineEnding::LF).expect("PEM").as_bytes().to_vec(),
        key.to_pkcs8_pem(LineEnding::CRLF).expect("PEM").as_bytes().to_vec(),
        public.to_public_key_pem(LineEnding::LF).expect("PEM").into_bytes(),
        key.to_keypair_bytes().to_vec(),
        json,
        serde_json::to_vec(&public).expect("JSON"),
        serde_json::to_vec("a text of 32 characters, no key.").expect("JSON"),
        key.to_seed().to_vec(),
        public.to_bytes().to_vec(),
    ];
    let mut seeds: Vec<Vec<u8>> = whole.iter().map(|file| [&[0][..], file].concat()).collect();
    // Flags, version, curve, unused bits, tag of the extension, length of the attributes, their bytes.
    let attribute: &[u8] = &[0x30, 4, 0x06, 2, 0x2a, 3];
    for (flags, version, curve, unused_bits, tag, attributes) in [
        (0, 0, 112, 0, 0, &[][..]),
        (PUBLIC_KEY, 1, 112, 0, 0, &[]),
        (PUBLIC_KEY | EXPLICIT, 1, 112, 0, 0, &[]),
        (ATTRIBUTES, 0, 112, 0, 0, attribute),
        (ATTRIBUTES | PUBLIC_KEY, 1, 112, 0, 0, attribute),
        (EXTENSION, 0, 112, 0, 0xa2, &[]),
        (PUBLIC_KEY | EXTENSION, 1, 112, 0, 0xa3, &[]),
        (PUBLIC_KEY | WRONG_KEY, 1, 112, 0, 0, &[]),
        (PUBLIC_KEY, 1, 112, 1, 0, &[]),
        (0, 1, 112, 0, 0, &[]),
        (PUBLIC_KEY, 0, 112, 0, 0, &[]),
        (PUBLIC_KEY, 2, 112, 0, 0, &[]),
        (0, 0, 110, 0, 0, &[]),
        (EXTENSION, 0, 112, 0, 0xa1, &[]),
        (EXTENSION | EXTENSION_FIRST | PUBLIC_KEY, 1, 112, 0, 0xa2, &[]),
    ] {
        let parts = [1, flags, version, curve, unused_bits, tag, attributes.len() as u8];
        let extension: &[u8] = &[5, 0];
        seeds.push([&parts[..], &noise("seed", 1), attributes, extension].concat());
    }
    let taken = |seed: &&Vec<u8>| {
        seed[0] == 1 && SigningKey::from_pkcs8_der(&assembled(&seed[1..])).is_ok()
    };
    assert_eq!(seeds.iter().filter(taken).count(), 7, "both versions and five tolerated forms");
    seeds
}
