//! OpenSSL 3, where the system has it: its own build, loaded at run time, called through EVP.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use libloading::Library;

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared, computation, verification, verification_of_bytes};
use crate::host;
use crate::inputs::{Inputs, Signed};

type Ptr = *mut c_void;
type NewRaw = unsafe extern "C" fn(c_int, Ptr, *const u8, usize) -> Ptr;
type Init = unsafe extern "C" fn(Ptr, *mut Ptr, *const c_void, Ptr, Ptr) -> c_int;

/// The functions of libcrypto that are used here, with their prototypes of `openssl/evp.h`.
#[derive(Clone, Copy)]
struct Crypto {
    version: unsafe extern "C" fn(c_int) -> *const c_char,
    public: NewRaw,
    private: NewRaw,
    free: unsafe extern "C" fn(Ptr),
    raw_public: unsafe extern "C" fn(Ptr, *mut u8, *mut usize) -> c_int,
    md_new: unsafe extern "C" fn() -> Ptr,
    md_free: unsafe extern "C" fn(Ptr),
    verify_init: Init,
    verify: unsafe extern "C" fn(Ptr, *const u8, usize, *const u8, usize) -> c_int,
    sign_init: Init,
    sign: unsafe extern "C" fn(Ptr, *mut u8, *mut usize, *const u8, usize) -> c_int,
    ctx_new: unsafe extern "C" fn(Ptr, Ptr) -> Ptr,
    ctx_free: unsafe extern "C" fn(Ptr),
    derive_init: unsafe extern "C" fn(Ptr) -> c_int,
    derive_peer: unsafe extern "C" fn(Ptr, Ptr) -> c_int,
    derive: unsafe extern "C" fn(Ptr, *mut u8, *mut usize) -> c_int,
}

const ED25519: c_int = 1087; // NID_ED25519
const X25519: c_int = 1034; // NID_X25519

impl Crypto {
    fn get() -> Result<Crypto, Absent> {
        static CRYPTO: OnceLock<Result<Crypto, Absent>> = OnceLock::new();
        CRYPTO.get_or_init(Crypto::load).clone()
    }

    fn load() -> Result<Crypto, Absent> {
        if host::statically_linked() {
            return Err("a statically linked program loads no library".into());
        }
        // SAFETY: loading runs libcrypto's initialisers, which have no requirements.
        let library = unsafe { Library::new("libcrypto.so.3") };
        // For the life of the process: the functions must not outlive their code.
        let library: &'static Library =
            Box::leak(Box::new(library.map_err(|_| "no libcrypto.so.3 here")?));
        macro_rules! get {
            ($name:literal) => {
                // SAFETY: the field that it initialises has the prototype of `openssl/evp.h`.
                *unsafe { library.get($name) }.map_err(|_| "libcrypto.so.3 lacks a function")?
            };
        }
        Ok(Crypto {
            version: get!(b"OpenSSL_version\0"),
            public: get!(b"EVP_PKEY_new_raw_public_key\0"),
            private: get!(b"EVP_PKEY_new_raw_private_key\0"),
            free: get!(b"EVP_PKEY_free\0"),
            raw_public: get!(b"EVP_PKEY_get_raw_public_key\0"),
            md_new: get!(b"EVP_MD_CTX_new\0"),
            md_free: get!(b"EVP_MD_CTX_free\0"),
            verify_init: get!(b"EVP_DigestVerifyInit\0"),
            verify: get!(b"EVP_DigestVerify\0"),
            sign_init: get!(b"EVP_DigestSignInit\0"),
            sign: get!(b"EVP_DigestSign\0"),
            ctx_new: get!(b"EVP_PKEY_CTX_new\0"),
            ctx_free: get!(b"EVP_PKEY_CTX_free\0"),
            derive_init: get!(b"EVP_PKEY_derive_init\0"),
            derive_peer: get!(b"EVP_PKEY_derive_set_peer\0"),
            derive: get!(b"EVP_PKEY_derive\0"),
        })
    }
}

/// What the library says it is.
pub fn version() -> Result<String, Absent> {
    let crypto = Crypto::get()?;
    // SAFETY: 0 is OPENSSL_VERSION; the answer is a static string.
    let text = unsafe { CStr::from_ptr((crypto.version)(0)) };
    Ok(text.to_string_lossy().into_owned())
}

/// What the library says of the CPU that it found: the words by which it chooses.
pub fn cpu() -> Result<String, Absent> {
    let crypto = Crypto::get()?;
    // SAFETY: 9 is OPENSSL_CPU_INFO; the answer is a static string, "not available" where there is nothing to say.
    let text = unsafe { CStr::from_ptr((crypto.version)(9)) };
    Ok(text.to_string_lossy().trim_start_matches("CPUINFO: ").trim().to_owned())
}

/// An `EVP_PKEY`, freed when dropped.
struct Key(Crypto, Ptr);

impl Key {
    fn new(crypto: Crypto, make: NewRaw, kind: c_int, bytes: &[u8; 32]) -> Option<Key> {
        // SAFETY: no engine; 32 readable bytes, which are copied.
        let key = unsafe { make(kind, null_mut(), bytes.as_ptr(), bytes.len()) };
        (!key.is_null()).then_some(Key(crypto, key))
    }

    fn public(&self) -> Option<[u8; 32]> {
        let (mut bytes, mut length) = ([0; 32], 32);
        // SAFETY: a live key, and as many writable bytes as `length` says.
        let done = unsafe { (self.0.raw_public)(self.1, bytes.as_mut_ptr(), &mut length) };
        (done == 1 && length == 32).then_some(bytes)
    }

    fn verify(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let Key(crypto, key) = self;
        // SAFETY: a fresh context, freed below, of a live key; lengths are those of the slices.
        unsafe {
            let context = (crypto.md_new)();
            let right = !context.is_null()
                && (crypto.verify_init)(context, null_mut(), null(), null_mut(), *key) == 1
                && (crypto.verify)(
                    context,
                    signature.as_ptr(),
                    64,
                    message.as_ptr(),
                    message.len(),
                ) == 1;
            (crypto.md_free)(context);
            right
        }
    }

    fn sign(&self, message: &[u8]) -> Option<[u8; 64]> {
        let Key(crypto, key) = self;
        let (mut signature, mut length) = ([0; 64], 64);
        // SAFETY: as in `verify`; 64 writable bytes, as `length` says.
        let done = unsafe {
            let context = (crypto.md_new)();
            let done = !context.is_null()
                && (crypto.sign_init)(context, null_mut(), null(), null_mut(), *key) == 1
                && (crypto.sign)(
                    context,
                    signature.as_mut_ptr(),
                    &mut length,
                    message.as_ptr(),
                    message.len(),
                ) == 1;
            (crypto.md_free)(context);
            done
        };
        (done && length == 64).then_some(signature)
    }

    fn agree(&self, peer: &[u8; 32]) -> Option<[u8; 32]> {
        let Key(crypto, key) = self;
        let peer = Key::new(*crypto, crypto.public, X25519, peer)?;
        let (mut shared, mut length) = ([0; 32], 32);
        // SAFETY: two live keys, a context that is freed, 32 writable bytes as `length` says.
        let done = unsafe {
            let context = (crypto.ctx_new)(*key, null_mut());
            let done = !context.is_null()
                && (crypto.derive_init)(context) == 1
                && (crypto.derive_peer)(context, peer.1) == 1
                && (crypto.derive)(context, shared.as_mut_ptr(), &mut length) == 1;
            (crypto.ctx_free)(context);
            done
        };
        (done && length == 32).then_some(shared)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: made by one of the constructors, freed once.
        unsafe { (self.0.free)(self.1) }
    }
}

pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    let crypto = Crypto::get()?;
    let signed = inputs.signed.iter();
    let verifier = move |bytes: &[u8; 32]| Key::new(crypto, crypto.public, ED25519, bytes);
    let verify = |key: &Key, s: &Signed| key.verify(&s.message, &s.signature);
    let private = move |kind, bytes: &[u8; 32]| Key::new(crypto, crypto.private, kind, bytes);
    let bytes = |answer: Option<[u8; 32]>| answer.map_or_else(Vec::new, |bytes| bytes.to_vec());
    match model {
        Model::VerifyParsed => {
            verification(signed, verifier, verify)
                .map(|prepared| Prepared { key_bytes: None, ..prepared }) // it is behind a pointer
        }
        Model::VerifyBytes => verification_of_bytes(signed, verifier, verify),
        Model::Sign => computation(
            signed.filter_map(|s| Some((private(ED25519, &s.seed)?, s.message.clone()))),
            |(key, message)| key.sign(message),
            |signature| signature.map_or_else(Vec::new, |signature| signature.to_vec()),
        ),
        Model::Keygen => {
            computation(signed.map(|s| s.seed), move |seed| private(ED25519, seed)?.public(), bytes)
        }
        Model::X25519Shared => computation(
            inputs.agreed.iter().filter_map(|a| Some((private(X25519, &a.secret)?, a.peer))),
            |(key, peer)| key.agree(peer),
            bytes,
        ),
        Model::X25519Public => computation(
            inputs.agreed.iter().map(|a| a.secret),
            move |secret| private(X25519, secret)?.public(),
            bytes,
        ),
        _ => Err(NOT_OFFERED.into()),
    }
}
