//! Peers that are shared libraries of the system, opened at run time: where one is missing the test says
//! so, and the build does not need it.

use super::skip::skip;
use libloading::{Library, Symbol};
use std::ffi::{CStr, c_char, c_int, c_uchar, c_ulong, c_ulonglong, c_void};

/// The first of these that opens. `RIND_REQUIRE_<NAME>=1` makes none a failure.
fn open(name: &str, files: &[&str]) -> Option<Library> {
    for file in files {
        // SAFETY: the initialisers of libcrypto and libsodium are sound to run once in any thread.
        if let Ok(library) = unsafe { Library::new(file) } {
            return Some(library);
        }
    }
    let variable = format!("RIND_REQUIRE_{name}");
    let required = std::env::var_os(&variable).is_some_and(|value| value == "1");
    assert!(!required, "{variable}=1, and none of {files:?} is here");
    skip(&format!("none of {files:?} here"));
    None
}

/// The function of this name.
///
/// # Safety
/// `F` is its type.
unsafe fn function<'a, F>(library: &'a Library, name: &str) -> Symbol<'a, F> {
    // SAFETY: the caller's.
    unsafe { library.get(name.as_bytes()) }.unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub struct Sodium(Library);

impl Sodium {
    pub fn load() -> Option<Self> {
        let library =
            open("LIBSODIUM", &["libsodium.so.26", "libsodium.so.23", "libsodium.dylib"])?;
        // SAFETY: `int sodium_init(void)`, which may be called at any time, and again.
        let ready = unsafe {
            let init: Symbol<unsafe extern "C" fn() -> c_int> = function(&library, "sodium_init");
            init()
        };
        assert!(ready >= 0);
        Some(Self(library))
    }

    pub fn version(&self) -> String {
        // SAFETY: `const char *sodium_version_string(void)`, a static string.
        unsafe {
            let version: Symbol<unsafe extern "C" fn() -> *const c_char> =
                function(&self.0, "sodium_version_string");
            CStr::from_ptr(version()).to_string_lossy().into_owned()
        }
    }

    pub fn verify(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        type Verify = unsafe extern "C" fn(
            *const c_uchar,
            *const c_uchar,
            c_ulonglong,
            *const c_uchar,
        ) -> c_int;
        // SAFETY: the prototype of libsodium's documentation; it reads 64, `message.len()` and 32 bytes.
        unsafe {
            let verify: Symbol<Verify> = function(&self.0, "crypto_sign_verify_detached");
            let length = message.len() as c_ulonglong;
            verify(signature.as_ptr(), message.as_ptr(), length, key.as_ptr()) == 0
        }
    }
}

/// libcrypto of OpenSSL 3.
pub struct OpenSsl(Library);

/// `EVP_PKEY_ED25519`, the number of its object identifier.
const EVP_PKEY_ED25519: c_int = 1087;

impl OpenSsl {
    pub fn load() -> Option<Self> {
        open("LIBCRYPTO", &["libcrypto.so.3", "libcrypto.3.dylib"]).map(Self)
    }

    pub fn version(&self) -> String {
        // SAFETY: `const char *OpenSSL_version(int)`, a static string.
        unsafe {
            let version: Symbol<unsafe extern "C" fn(c_int) -> *const c_char> =
                function(&self.0, "OpenSSL_version");
            CStr::from_ptr(version(0)).to_string_lossy().into_owned()
        }
    }

    pub fn verify(&self, key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        type New = unsafe extern "C" fn(c_int, *const c_void, *const c_uchar, usize) -> *mut c_void;
        type NewContext = unsafe extern "C" fn() -> *mut c_void;
        type Init = unsafe extern "C" fn(
            *mut c_void,
            *const c_void,
            *const c_void,
            *const c_void,
            *mut c_void,
        ) -> c_int;
        type Verify = unsafe extern "C" fn(
            *mut c_void,
            *const c_uchar,
            usize,
            *const c_uchar,
            usize,
        ) -> c_int;
        type Free = unsafe extern "C" fn(*mut c_void);
        // SAFETY: the prototypes of the manual's EVP_PKEY_new_raw_public_key(3), EVP_DigestVerifyInit(3)
        // and EVP_MD_CTX_new(3), pointers opaque; null stands for the defaults; both objects are freed
        // once, and a null one may be.
        unsafe {
            let new: Symbol<New> = function(&self.0, "EVP_PKEY_new_raw_public_key");
            let free: Symbol<Free> = function(&self.0, "EVP_PKEY_free");
            let new_context: Symbol<NewContext> = function(&self.0, "EVP_MD_CTX_new");
            let free_context: Symbol<Free> = function(&self.0, "EVP_MD_CTX_free");
            let init: Symbol<Init> = function(&self.0, "EVP_DigestVerifyInit");
            let verify: Symbol<Verify> = function(&self.0, "EVP_DigestVerify");
            let clear: Symbol<unsafe extern "C" fn()> = function(&self.0, "ERR_clear_error");
            let peek: Symbol<unsafe extern "C" fn() -> c_ulong> =
                function(&self.0, "ERR_peek_error");

            let null = std::ptr::null();
            let public = new(EVP_PKEY_ED25519, null, key.as_ptr(), key.len());
            assert!(!public.is_null(), "32 bytes are a key: error {:#x}", peek());
            let context = new_context();
            assert!(!context.is_null());
            let ready = init(context, std::ptr::null_mut(), null, null, public);
            assert_eq!(ready, 1, "error {:#x}", peek());
            let (tbs, length) = (message.as_ptr(), message.len());
            let verdict = verify(context, signature.as_ptr(), signature.len(), tbs, length);
            free_context(context);
            free(public);
            clear();
            verdict == 1
        }
    }
}
