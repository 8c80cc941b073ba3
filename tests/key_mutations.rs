//! Promise: a malformed key is refused, and the error says what is wrong with it. One row a mutation.
//!
//! The control of each table is the file before it was spoilt, which is read.

mod key_parts;

use key_parts::{Parts, SEED, bit_string, key, oid, public_bits, spki_der, tlv};
use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use rind25519::ed25519::{
    KeyError, SigningKey, VerifyingKey,
    pkcs8::{self, Error, der, spki},
};

/// What was done to the file, what is left of it, the error.
type Row<T> = (&'static str, T, &'static str);

/// The error's kind, in a word or two. Positions and lengths are left out.
fn word(error: &Error) -> String {
    match error {
        Error::Asn1(error) => of_der(error),
        Error::KeyMalformed(reason) => format!("key {reason:?}"),
        Error::ParametersMalformed => "parameters".into(),
        Error::PublicKey(error) => of_spki(error),
        other => panic!("an error of no row: {other:?}"),
    }
}

fn of_spki(error: &spki::Error) -> String {
    match error {
        spki::Error::Asn1(error) => of_der(error),
        spki::Error::KeyMalformed => "public key".into(),
        spki::Error::OidUnknown { oid } => format!("oid {oid}"),
        other => panic!("an error of no row: {other:?}"),
    }
}

fn of_der(error: &der::Error) -> String {
    if let der::ErrorKind::Pem(error) = error.kind() {
        let kind = format!("{error:?}");
        return format!("pem {}", kind.split(' ').next().expect("a word"));
    }
    let kind = format!("{:?}", error.kind());
    let end = kind.find(|c: char| !c.is_alphanumeric()).unwrap_or(kind.len());
    format!("der {}", &kind[..end])
}

/// Every row that has not its error.
fn wrong<T: std::fmt::Debug>(
    rows: &[Row<T>],
    read: impl Fn(&T) -> Result<(), String>,
) -> Vec<String> {
    rows.iter()
        .filter_map(|(what, input, expected)| match read(input) {
            Err(error) if error == *expected => None,
            other => Some(format!("{what}: {other:?}, not {expected}")),
        })
        .collect()
}

fn read_private(der: &[u8]) -> Result<(), String> {
    match SigningKey::from_pkcs8_der(der) {
        Ok(_) => Ok(()),
        Err(error) => Err(word(&error)),
    }
}

fn read_public(der: &[u8]) -> Result<(), String> {
    match VerifyingKey::from_public_key_der(der) {
        Ok(_) => Ok(()),
        Err(error) => Err(of_spki(&error)),
    }
}

/// The bytes from `at` on replaced.
fn patched(whole: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut patched = whole.to_vec();
    patched[at..at + bytes.len()].copy_from_slice(bytes);
    patched
}

fn private_rows() -> Vec<Row<Vec<u8>>> {
    let (v1, v2) = (Parts::v1(), Parts::v2());
    let (one, two) = (v1.der(), v2.der());
    let public = key().verifying_key().to_bytes();
    let other = SigningKey::from_seed(&[8; 32]).verifying_key().to_bytes();
    let mut negated = public;
    negated[31] ^= 0x80;
    // A version 1 file out of whatever its four parts are.
    let file = |version: &[u8], algorithm: &[u8], private_key: &[u8], rest: &[u8]| {
        tlv(0x30, &[version, algorithm, private_key, rest].concat())
    };
    let version = tlv(0x02, &[0]);
    let algorithm = tlv(0x30, &oid(112));
    let private_key = tlv(0x04, &tlv(0x04, &SEED));
    let with_algorithm = |algorithm: &[u8]| file(&version, algorithm, &private_key, &[]);
    let with_inner = |inner: &[u8]| v1.with(|parts| parts.private_key = inner.to_vec());
    let with_rest = |rest: &[u8]| v2.with(|parts| parts.rest = rest.to_vec());
    let explicit = |public: &[u8]| tlv(0xa1, &bit_string(0x03, 0, public));
    assert_eq!(file(&version, &algorithm, &private_key, &[]), one);
    vec![
        ("nothing", vec![], "der Incomplete"),
        ("a SET for the SEQUENCE", patched(&one, 0, &[0x31]), "der TagUnexpected"),
        ("a length too small", patched(&one, 1, &[one[1] - 1]), "der Incomplete"),
        ("a length too large", patched(&one, 1, &[one[1] + 1]), "der Incomplete"),
        ("a length in long form", [&[0x30, 0x81, one[1]], &one[2..]].concat(), "der Length"),
        (
            "an indefinite length",
            [&[0x30, 0x80], &one[2..], &[0, 0]].concat(),
            "der IndefiniteLength",
        ),
        ("the first half", one[..one.len() / 2].to_vec(), "der Incomplete"),
        ("a byte behind", [&one[..], &[0]].concat(), "der TrailingData"),
        ("a second file behind", [&one[..], &one].concat(), "der TrailingData"),
        ("no version", file(&[], &algorithm, &private_key, &[]), "der TagUnexpected"),
        ("a version in an OCTET STRING", patched(&one, 2, &[0x04]), "der TagUnexpected"),
        ("an empty version", file(&[0x02, 0], &algorithm, &private_key, &[]), "der Length"),
        ("version 3", v1.with(|parts| parts.version = 2), "der Value"),
        ("version −1", v1.with(|parts| parts.version = 0xff), "der Value"),
        (
            "a version of two bytes",
            file(&tlv(2, &[0, 0]), &algorithm, &private_key, &[]),
            "der Noncanonical",
        ),
        ("version 257", file(&tlv(2, &[1, 0]), &algorithm, &private_key, &[]), "der Length"),
        ("version 1 with a public key", v2.with(|parts| parts.version = 0), "der Value"),
        ("version 2 without one", v1.with(|parts| parts.version = 1), "der Value"),
        ("no algorithm", file(&version, &[], &private_key, &[]), "der TagUnexpected"),
        ("an algorithm in a SET", with_algorithm(&tlv(0x31, &oid(112))), "der TagUnexpected"),
        ("an empty algorithm", with_algorithm(&tlv(0x30, &[])), "der Incomplete"),
        ("id-X25519", with_algorithm(&tlv(0x30, &oid(110))), "oid 1.3.101.110"),
        ("id-X448", with_algorithm(&tlv(0x30, &oid(111))), "oid 1.3.101.111"),
        ("id-Ed448", with_algorithm(&tlv(0x30, &oid(113))), "oid 1.3.101.113"),
        (
            "rsaEncryption",
            with_algorithm(&tlv(0x30, &tlv(0x06, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 13, 1, 1, 1]))),
            "oid 1.2.840.113549.1.1.1",
        ),
        (
            "id-ecPublicKey",
            with_algorithm(&tlv(0x30, &tlv(0x06, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]))),
            "oid 1.2.840.10045.2.1",
        ),
        ("1.3.101 alone", with_algorithm(&tlv(0x30, &tlv(0x06, &[0x2b, 101]))), "oid 1.3.101"),
        ("an empty OID", with_algorithm(&tlv(0x30, &tlv(0x06, &[]))), "der OidMalformed"),
        (
            "an OID with a padded arc",
            with_algorithm(&tlv(0x30, &tlv(0x06, &[0x2b, 0x80, 101, 112]))),
            "oid 1.3.101.112",
        ),
        (
            "an OID that ends early",
            with_algorithm(&tlv(0x30, &tlv(0x06, &[0x2b, 0xe5]))),
            "der OidMalformed",
        ),
        (
            "a relative OID",
            with_algorithm(&tlv(0x30, &tlv(0x0d, &[0x2b, 101, 112]))),
            "der TagUnexpected",
        ),
        (
            "parameters NULL",
            with_algorithm(&tlv(0x30, &[oid(112), vec![5, 0]].concat())),
            "parameters",
        ),
        (
            "parameters an OID",
            with_algorithm(&tlv(0x30, &[oid(112), oid(112)].concat())),
            "parameters",
        ),
        (
            "parameters an empty SEQUENCE",
            with_algorithm(&tlv(0x30, &[oid(112), vec![0x30, 0]].concat())),
            "parameters",
        ),
        (
            "two parameters",
            with_algorithm(&tlv(0x30, &[oid(112), vec![5, 0], vec![5, 0]].concat())),
            "der TrailingData",
        ),
        ("no private key", file(&version, &algorithm, &[], &[]), "der Incomplete"),
        (
            "a private key in a BIT STRING",
            file(&version, &algorithm, &tlv(3, &private_key[2..]), &[]),
            "der TagUnexpected",
        ),
        (
            "a private key in pieces",
            file(&version, &algorithm, &tlv(0x24, &private_key), &[]),
            "der TagUnknown",
        ),
        ("an empty private key", with_inner(&[]), "key Invalid"),
        ("a seed without its OCTET STRING", with_inner(&SEED), "key Invalid"),
        ("a seed in a BIT STRING", with_inner(&tlv(0x03, &SEED)), "key Invalid"),
        ("a seed in pieces", with_inner(&tlv(0x24, &tlv(0x04, &SEED))), "key Invalid"),
        ("a seed wrapped once more", with_inner(&tlv(0x04, &tlv(0x04, &SEED))), "key Invalid"),
        (
            "a seed's length in long form",
            with_inner(&[&[0x04, 0x81, 32], &SEED[..]].concat()),
            "key Invalid",
        ),
        ("31 bytes of seed", with_inner(&tlv(0x04, &SEED[..31])), "key Invalid"),
        ("33 bytes of seed", with_inner(&tlv(0x04, &[7; 33])), "key Invalid"),
        ("57 bytes, as Ed448 has", with_inner(&tlv(0x04, &[7; 57])), "key Invalid"),
        (
            "seed and public key in one",
            with_inner(&tlv(0x04, &[SEED, public].concat())),
            "key Invalid",
        ),
        ("32 promised, 31 there", with_inner(&[&[0x04, 32], &SEED[..31]].concat()), "key TooShort"),
        ("32 promised, 33 there", with_inner(&[&[0x04, 32], &[7; 33][..]].concat()), "key TooLong"),
        ("the public key of another seed", with_rest(&bit_string(0x81, 0, &other)), "public key"),
        (
            "the public key with the other sign",
            with_rest(&bit_string(0x81, 0, &negated)),
            "public key",
        ),
        ("31 bytes of public key", with_rest(&bit_string(0x81, 0, &public[..31])), "public key"),
        ("33 bytes of public key", with_rest(&bit_string(0x81, 0, &[7; 33])), "public key"),
        ("an empty public key", with_rest(&bit_string(0x81, 0, &[])), "public key"),
        ("an unused bit that is set", with_rest(&bit_string(0x81, 1, &[0xff; 32])), "public key"),
        ("nine unused bits", with_rest(&bit_string(0x81, 9, &public)), "der Value"),
        ("no count of unused bits", with_rest(&[0x81, 0]), "der Overflow"),
        ("two public keys", with_rest(&v2.rest.repeat(2)), "der Noncanonical"),
        (
            "the public key again, constructed",
            with_rest(&[bit_string(0x81, 0, &public), explicit(&public)].concat()),
            "der TagUnexpected",
        ),
        (
            "another public key behind, constructed",
            with_rest(&[bit_string(0x81, 0, &public), explicit(&other)].concat()),
            "der TagUnexpected",
        ),
        (
            "another public key behind an extension",
            with_rest(
                &[bit_string(0x81, 0, &public), tlv(0xa2, &[5, 0]), explicit(&other)].concat(),
            ),
            "der TagUnexpected",
        ),
        (
            "a public key behind an extension, in version 1",
            v1.with(|parts| parts.rest = [tlv(0xa2, &[5, 0]), explicit(&public)].concat()),
            "der TagUnexpected",
        ),
        (
            "the same, behind an extension whose number has two bytes",
            with_rest(
                &[bit_string(0x81, 0, &public), vec![0xbf, 0x81, 0x00, 2, 5, 0], explicit(&other)]
                    .concat(),
            ),
            "der TagUnexpected",
        ),
        (
            "an element behind the public key that is under no [n]",
            with_rest(&[bit_string(0x81, 0, &public), vec![5, 0]].concat()),
            "der Noncanonical",
        ),
        ("a public key under [2]", with_rest(&bit_string(0x82, 0, &public)), "der Value"),
        ("a public key in pieces", with_rest(&tlv(0xa1, &public)), "der Noncanonical"),
        ("a public key EXPLICIT, of another seed", with_rest(&explicit(&other)), "public key"),
        (
            "a public key EXPLICIT, 31 bytes",
            with_rest(&explicit(&public[..31])),
            "der Noncanonical",
        ),
        (
            "a public key EXPLICIT in version 1",
            v2.with(|parts| (parts.version, parts.rest) = (0, explicit(&public))),
            "der Noncanonical",
        ),
        (
            "attributes behind the public key",
            with_rest(&[bit_string(0x81, 0, &public), tlv(0xa0, &[])].concat()),
            "der Incomplete",
        ),
        (
            "attributes behind the public key, not empty",
            with_rest(&[bit_string(0x81, 0, &public), tlv(0xa0, &[5, 0])].concat()),
            "der TagUnexpected",
        ),
        (
            "attributes twice",
            v1.with(|parts| parts.rest = tlv(0xa0, &[5, 0]).repeat(2)),
            "der TagUnexpected",
        ),
        ("attributes past the end", with_rest(&[0xa0, 9, 0x30, 0]), "der Incomplete"),
        ("a public key cut off", two[..two.len() - 1].to_vec(), "der Incomplete"),
        ("a public key's file", spki_der(&oid(112), &public_bits()), "der TagUnexpected"),
        ("the seed alone", SEED.to_vec(), "der TagUnknown"),
        (
            "an encrypted key's file",
            tlv(0x30, &[tlv(0x30, &oid(112)), tlv(0x04, &[0; 48])].concat()),
            "der TagUnexpected",
        ),
        (
            "PEM for DER",
            key().to_pkcs8_pem(LineEnding::LF).expect("PEM").as_bytes().to_vec(),
            "der TagUnknown",
        ),
    ]
}

fn public_rows() -> Vec<Row<Vec<u8>>> {
    let (algorithm, bits) = (oid(112), public_bits());
    let whole = spki_der(&algorithm, &bits);
    let public = key().verifying_key().to_bytes();
    let with_bits = |bits: &[u8]| spki_der(&algorithm, bits);
    let y_is_2: [u8; 32] = core::array::from_fn(|i| if i == 0 { 2 } else { 0 });
    vec![
        ("nothing", vec![], "der Incomplete"),
        ("a SET for the SEQUENCE", patched(&whole, 0, &[0x31]), "der TagUnexpected"),
        ("a length too small", patched(&whole, 1, &[whole[1] - 1]), "der Incomplete"),
        ("a length too large", patched(&whole, 1, &[whole[1] + 1]), "der Incomplete"),
        ("a length in long form", [&[0x30, 0x81, whole[1]], &whole[2..]].concat(), "der Length"),
        ("the first half", whole[..whole.len() / 2].to_vec(), "der Incomplete"),
        ("a byte behind", [&whole[..], &[0]].concat(), "der TrailingData"),
        ("no algorithm", tlv(0x30, &bits), "der TagUnexpected"),
        ("id-X25519", spki_der(&oid(110), &bits), "oid 1.3.101.110"),
        ("id-Ed448", spki_der(&oid(113), &bits), "oid 1.3.101.113"),
        ("parameters NULL", spki_der(&[oid(112), vec![5, 0]].concat(), &bits), "public key"),
        ("no public key", tlv(0x30, &tlv(0x30, &algorithm)), "der Incomplete"),
        ("a public key in an OCTET STRING", with_bits(&tlv(0x04, &public)), "der TagUnexpected"),
        ("two public keys", with_bits(&bits.repeat(2)), "der TrailingData"),
        ("31 bytes", with_bits(&bit_string(3, 0, &public[..31])), "public key"),
        ("33 bytes", with_bits(&bit_string(3, 0, &[7; 33])), "public key"),
        ("64 bytes", with_bits(&bit_string(3, 0, &[7; 64])), "public key"),
        ("an empty BIT STRING", with_bits(&bit_string(3, 0, &[])), "public key"),
        ("no count of unused bits", with_bits(&[3, 0]), "der Overflow"),
        ("nine unused bits", with_bits(&bit_string(3, 9, &public)), "der Value"),
        ("an unused bit that is set", with_bits(&bit_string(3, 1, &[0xff; 32])), "public key"),
        ("no point, y = 2", with_bits(&bit_string(3, 0, &y_is_2)), "public key"),
        ("the bytes alone", public.to_vec(), "der TagUnexpected"),
        ("a private key's file", Parts::v2().der(), "der TagUnexpected"),
    ]
}

#[test]
fn each_mutation_of_a_private_key_has_its_error() {
    assert_eq!(read_private(&Parts::v1().der()), Ok(()));
    assert_eq!(read_private(&Parts::v2().der()), Ok(()));
    let rows = private_rows();
    assert!(rows.len() >= 60, "{}", rows.len());
    let wrong = wrong(&rows, |der| read_private(der));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_mutation_of_a_public_key_has_its_error() {
    assert_eq!(read_public(&spki_der(&oid(112), &public_bits())), Ok(()));
    let rows = public_rows();
    assert!(rows.len() >= 20, "{}", rows.len());
    let wrong = wrong(&rows, |der| read_public(der));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What PEM adds to DER: labels, lines, base64.
#[test]
fn each_mutation_of_pem_has_its_error() {
    let whole = key().to_pkcs8_pem(LineEnding::LF).expect("PEM").to_string();
    let public = key().verifying_key().to_public_key_pem(LineEnding::LF).expect("PEM");
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n");
    let body = &whole[begin.len()..whole.len() - end.len()];
    let relabelled = |label: &str| whole.replace("PRIVATE KEY", label);
    let pem_of =
        |der: &[u8]| der::pem::encode_string("PRIVATE KEY", LineEnding::LF, der).expect("PEM");
    assert_eq!(pem_of(&Parts::v1().der()), whole);
    let rows: Vec<Row<String>> = vec![
        ("nothing", String::new(), "pem Preamble"),
        ("no boundaries", body.into(), "pem Preamble"),
        ("no end", format!("{begin}{body}"), "pem PreEncapsulationBoundary"),
        ("no beginning", format!("{body}{end}"), "pem Preamble"),
        (
            "an end of another kind",
            format!("{begin}{body}-----END PUBLIC KEY-----\n"),
            "pem PostEncapsulationBoundary",
        ),
        ("nothing between", format!("{begin}{end}"), "pem PostEncapsulationBoundary"),
        ("a public key", public.clone(), "pem UnexpectedTypeLabel"),
        ("a public key's label", relabelled("PUBLIC KEY"), "pem UnexpectedTypeLabel"),
        ("an EC key's label", relabelled("EC PRIVATE KEY"), "pem UnexpectedTypeLabel"),
        ("OpenSSH's label", relabelled("OPENSSH PRIVATE KEY"), "pem UnexpectedTypeLabel"),
        (
            "an encrypted key's label",
            relabelled("ENCRYPTED PRIVATE KEY"),
            "pem UnexpectedTypeLabel",
        ),
        ("four hyphens", whole.replace("-----BEGIN", "----BEGIN"), "pem Preamble"),
        (
            "a letter that base64 has not",
            format!("{begin}!{}{end}", &body[1..]),
            "pem Base64(InvalidEncoding)",
        ),
        ("a letter less", format!("{begin}{}{end}", &body[1..]), "pem Base64(InvalidEncoding)"),
        (
            "padding too early",
            format!("{begin}={}{end}", &body[1..]),
            "pem Base64(InvalidEncoding)",
        ),
        ("an empty line", format!("{begin}\n{body}{end}"), "pem Base64(InvalidEncoding)"),
        (
            "a header",
            format!("{begin}Proc-Type: 4,ENCRYPTED\n\n{body}{end}"),
            "pem HeaderDisallowed",
        ),
        ("a second key behind", whole.repeat(2), "pem Base64(InvalidEncoding)"),
        (
            "a byte behind the DER",
            pem_of(&[&Parts::v1().der()[..], &[0]].concat()),
            "der TrailingData",
        ),
        ("half of the DER", pem_of(&Parts::v1().der()[..24]), "der Incomplete"),
        ("a public key's DER", pem_of(&spki_der(&oid(112), &public_bits())), "der TagUnexpected"),
    ];
    let read = |pem: &String| match SigningKey::from_pkcs8_pem(pem) {
        Ok(_) => Ok(()),
        Err(error) => Err(word(&error)),
    };
    assert_eq!(read(&whole), Ok(()));
    assert_eq!(format!("{begin}{body}{end}"), whole);
    let wrong = wrong(&rows, read);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let read = VerifyingKey::from_public_key_pem(&public.replace("PUBLIC", "RSA PUBLIC"));
    assert!(
        matches!(read, Err(spki::Error::Asn1(error)) if of_der(&error).starts_with("pem UnexpectedTypeLabel"))
    );
}

/// Bytes without a format: 32 of seed, 32 of public key, 64 of both.
#[test]
fn each_mutation_of_raw_bytes_has_its_error() {
    use curve25519_dalek::{constants::EIGHT_TORSION, edwards::CompressedEdwardsY};
    let (pair, public) = (key().to_keypair_bytes(), key().verifying_key().to_bytes());
    assert_eq!(SigningKey::from_keypair_bytes(&pair), Ok(key()));

    let point = CompressedEdwardsY(public).decompress().expect("a point");
    let mut halves: Vec<[u8; 32]> =
        EIGHT_TORSION[1..].iter().map(|torsion| (point + torsion).compress().to_bytes()).collect();
    halves.extend([
        [0; 32],
        SEED,
        (-point).compress().to_bytes(),
        SigningKey::from_seed(&[8; 32]).verifying_key().to_bytes(),
        core::array::from_fn(|i| public[31 - i]),
    ]);
    for half in &halves {
        let pair: Vec<u8> = [SEED, *half].concat();
        let read = SigningKey::from_keypair_bytes(&pair.try_into().expect("64 bytes"));
        assert_eq!(read, Err(KeyError::MismatchedPair), "{half:x?}");
    }
    let swapped: Vec<u8> = [public, SEED].concat();
    let read = SigningKey::from_keypair_bytes(&swapped.try_into().expect("64 bytes"));
    assert_eq!(read, Err(KeyError::MismatchedPair));

    for got in [0, 1, 31, 33, 63, 64, 65] {
        let bytes = vec![7; got];
        let expected = KeyError::WrongLength { got };
        assert_eq!(SigningKey::try_from(&bytes[..]), Err(expected));
        assert_eq!(VerifyingKey::try_from(&bytes[..]), Err(expected));
    }
}

/// The planted fault: a row with another error is found, and so is one that is no mutation.
#[test]
fn wrong_rows_are_found() {
    let rows: Vec<Row<Vec<u8>>> = vec![
        ("nothing", vec![], "der Incomplete"),
        ("nothing", vec![], "der Value"),
        ("no mutation", Parts::v1().der(), "der Value"),
    ];
    assert_eq!(wrong(&rows, |der| read_private(der)).len(), 2);
}
