//! The only place with `unsafe`: every routine, every tier, and the door through which they are called.
//!
//! Integers are little-endian `u64` words. A point is affine, `x` in words 0–3 and `y` in words 4–7.
//! Routines carry s2n-bignum's names and contracts; `portable` is the meaning of each.
#![allow(unsafe_code)]

pub mod cpu;
pub mod portable;
pub mod recode;
pub mod tables;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

/// One function a primitive operation, whichever tier runs it.
///
/// The four operations that have faster tiers ask [`cpu::choose`]; at this stage every list of tiers
/// holds `portable` alone, and asking is what refuses a wrong `RIND_CPU_DISABLE_` variable.
pub mod door {
    pub use super::portable::{
        bignum_madd_n25519, bignum_mod_n25519, bignum_neg_p25519, edwards25519_decode,
        edwards25519_decode_permissive, edwards25519_encode,
    };

    use super::cpu::{Operation, choose};
    use super::portable;

    macro_rules! door {
        ($operation:ident: $name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
            #[doc = concat!("[`portable::", stringify!($name), "`] by the best tier of `", stringify!($operation), "`.")]
            #[inline]
            pub fn $name($($argument: $type),*) -> $result {
                match choose(Operation::$operation) {
                    // A tier that joins the lists of `cpu::tiers` gets its arm here.
                    _ => portable::$name($($argument),*),
                }
            }
        };
    }
    door!(X25519: curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4]);
    door!(X25519PublicKey: curve25519_x25519base(scalar: &[u64; 4]) -> [u64; 4]);
    door!(Sign: edwards25519_scalarmulbase(scalar: &[u64; 4]) -> [u64; 8]);
    door!(Verify: edwards25519_scalarmuldouble_vartime(
        scalar: &[u64; 4],
        point: &[u64; 8],
        bscalar: &[u64; 4]
    ) -> [u64; 8]);
}
