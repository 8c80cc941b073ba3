//! Signatures: what RFC 8032 computes in section 5.1.6, with the integers written out, is what every way of
//! signing gives; each verifies as what it was signed as, and as nothing else.

use crate::input::{Input, noise};
use crate::model::{Words, bytes, integer, l, words};
use crate::planted;
use num_bigint::BigUint;
use rind25519::ed25519::signature::MultipartSigner as _;
use rind25519::ed25519::{
    ContextError, Digest as _, Predicate, Rejection, Sha512, Signature, SigningKey,
};
use rind25519::internals::portable;

/// What is to be signed, and as what. The input has these fields in this order, and then the message.
#[derive(Clone, Debug, Default)]
struct Request {
    seed: [u8; 32],
    /// Mod 3: Ed25519, Ed25519ctx, Ed25519ph.
    scheme: u8,
    /// How many bytes the context has, of those below, over and over; too many from 256 on.
    context_length: u16,
    context: [u8; 8],
    /// Where the message is cut in two.
    cut: u8,
    /// Which of the named rules is asked.
    rule: u8,
    message: Vec<u8>,
}

const PURE: u8 = 0;
const CTX: u8 = 1;
const PH: u8 = 2;

impl Request {
    fn read(data: &[u8]) -> Self {
        let mut input = Input::new(data);
        Self {
            seed: input.bytes(),
            scheme: input.byte(),
            context_length: u16::from_le_bytes(input.bytes()) % 300,
            context: input.bytes(),
            cut: input.byte(),
            rule: input.byte(),
            message: input.rest(400).to_vec(),
        }
    }

    fn write(&self) -> Vec<u8> {
        let mut data = self.seed.to_vec();
        data.push(self.scheme);
        data.extend(self.context_length.to_le_bytes());
        data.extend(self.context);
        data.extend([self.cut, self.rule]);
        data.extend(&self.message);
        data
    }

    fn context(&self) -> Vec<u8> {
        self.context.iter().copied().cycle().take(self.context_length.into()).collect()
    }

    /// Where the planted oracle is wrong: a hash, and a context of some lengths that no seed has.
    fn is_rare(&self) -> bool {
        self.scheme % 3 == PH && (224..240).contains(&self.context_length)
    }
}

pub fn check(data: &[u8]) {
    let request = Request::read(data);
    let Request { seed, message, .. } = &request;
    let (scheme, context) = (request.scheme % 3, request.context());
    let hashed = || Sha512::new().chain_update(message);
    let key = SigningKey::from_seed(seed);
    let public = key.verifying_key();

    let got = match scheme {
        PURE => Ok(key.sign(message)),
        CTX => key.sign_with_context(message, &context),
        _ => key.sign_prehashed(hashed(), Some(&context)),
    };
    let refused = match context.len() {
        _ if scheme == PURE => None,
        0 if scheme == CTX => Some(ContextError::Empty),
        0..256 => None,
        got => Some(ContextError::TooLong { got }),
    };
    let verify = |scheme: u8, context: &[u8], message: &[u8], signature: &Signature| match scheme {
        PURE => public.verify(message, signature),
        CTX => public.verify_with_context(message, context, signature),
        _ => {
            let hashed = Sha512::new().chain_update(message);
            public.verify_prehashed(hashed, Some(context), signature)
        }
    };
    if let Some(error) = refused {
        assert_eq!(got, Err(error), "{request:x?}");
        let any = key.sign(message);
        assert_eq!(verify(scheme, &context, message, &any), Err(error.into()), "{request:x?}");
        return;
    }
    let signature = got.expect("the context is allowed");

    let (mut want, want_key) = expected(seed, scheme, &context, message);
    if planted() && request.is_rare() {
        want[0] ^= 1;
    }
    assert_eq!(public.to_bytes(), want_key, "{request:x?}");
    assert_eq!(signature.to_bytes(), want, "{request:x?}");
    if scheme == PURE {
        let parts = message.split_at(usize::from(request.cut).min(message.len()));
        assert_eq!(key.multipart_sign(&[parts.0, parts.1]), signature, "{request:x?}");
    }

    let (name, rule) = &Predicate::NAMED[usize::from(request.rule) % Predicate::NAMED.len()];
    let verdict = match scheme {
        PURE => public.verify_with(rule, message, &signature),
        CTX => public.verify_context_with(rule, message, &context, &signature),
        _ => public.verify_prehashed_with(rule, hashed(), Some(&context), &signature),
    };
    assert_eq!(verdict, Ok(()), "{name}: {request:x?}");

    // As something else it is no signature: a scheme, a context, a message.
    let other_context = [&context[..], b"!"].concat();
    let other_message = [&message[..], b"!"].concat();
    let failed = Err(Rejection::EquationFailed);
    for other in [PURE, CTX, PH].into_iter().filter(|&other| other != scheme) {
        let context = if context.is_empty() { b"?" } else { &context[..] };
        if context.len() < 256 {
            assert_eq!(verify(other, context, message, &signature), failed, "{request:x?}");
        }
    }
    assert_eq!(verify(scheme, &context, &other_message, &signature), failed, "{request:x?}");
    if scheme != PURE && other_context.len() < 256 {
        assert_eq!(verify(scheme, &other_context, message, &signature), failed, "{request:x?}");
    }
}

/// The signature and the public key.
fn expected(seed: &[u8; 32], scheme: u8, context: &[u8], message: &[u8]) -> ([u8; 64], [u8; 32]) {
    let domain = match scheme {
        PURE => vec![],
        _ => {
            let length = u8::try_from(context.len()).expect("at most 255 bytes");
            [b"SigEd25519 no Ed25519 collisions", &[u8::from(scheme == PH), length][..], context]
                .concat()
        }
    };
    let message = if scheme == PH { hash(&[message]).to_vec() } else { message.to_vec() };
    let secret = hash(&[seed]);
    let (low, prefix) = secret.split_at(32);
    let mut clamped: [u8; 32] = low.try_into().expect("32 bytes");
    clamped[0] &= 0xf8;
    clamped[31] = clamped[31] & 0x7f | 0x40;
    let s = BigUint::from_bytes_le(&clamped);
    let public = encoded(&s);
    let r = BigUint::from_bytes_le(&hash(&[&domain, prefix, &message])) % l();
    let commitment = encoded(&r);
    let k = BigUint::from_bytes_le(&hash(&[&domain, &commitment, &public, &message])) % l();
    let sum: Words = words(&((r + k * s) % l()));
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&commitment);
    signature[32..].copy_from_slice(&bytes(&sum));
    (signature, public)
}

fn hash(parts: &[&[u8]]) -> [u8; 64] {
    parts.iter().fold(Sha512::new(), |hash, part| hash.chain_update(part)).finalize().into()
}

/// scalar·B as bytes; the target `routines` holds these two to big integers.
fn encoded(scalar: &BigUint) -> [u8; 32] {
    let reduced: Words = words(&(scalar % l()));
    debug_assert!(integer(&reduced) < l());
    portable::edwards25519_encode(&portable::edwards25519_scalarmulbase(&reduced))
}

/// Each scheme, with contexts and messages at the edges of a block of the hash.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut requests = vec![];
    for (n, length) in
        [0, 1, 31, 47, 48, 63, 64, 79, 80, 111, 112, 175, 176].into_iter().enumerate()
    {
        for scheme in [PURE, CTX, PH] {
            for context_length in [0, 1, 60, 254, 256, 299] {
                requests.push(Request {
                    seed: noise("seed", n),
                    scheme,
                    context_length,
                    context: *noise("context", n).first_chunk().expect("8 bytes"),
                    cut: n as u8,
                    rule: requests.len() as u8,
                    message: vec![n as u8; length],
                });
            }
        }
    }
    requests.iter().map(Request::write).collect()
}
