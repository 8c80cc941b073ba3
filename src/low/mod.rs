//! The only place with `unsafe`: every routine, every tier, and the door through which they are called.
//!
//! Integers are little-endian `u64` words. A point is affine, `x` in words 0–3 and `y` in words 4–7.
//! Routines carry s2n-bignum's names and contracts; `portable` is the meaning of each.
#![allow(unsafe_code)]

pub mod cpu;
#[cfg(any(test, rind_asm, rind_internals))]
pub mod lanes;
#[cfg_attr(
    rind_asm,
    allow(dead_code, unused_imports, reason = "assembly does it; tests compare with this")
)]
pub mod portable;
pub mod recode;
pub mod tables;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;

/// One function a primitive operation, whichever tier runs it.
#[cfg(rind_asm)]
pub use x86_64::adx_mux as door;

/// One function a primitive operation; where no assembly is built, the portable one.
///
/// The operations that have faster tiers elsewhere ask [`cpu::choose`] here too: asking is what refuses a
/// wrong `RIND_CPU_DISABLE_` variable.
#[cfg(not(rind_asm))]
pub mod door {
    pub use super::portable::{
        bignum_madd_n25519, bignum_mod_n25519, bignum_neg_p25519, edwards25519_decode_permissive,
        edwards25519_decode_permissive_pair, edwards25519_encode, edwards25519_same_coset_vartime,
    };

    use super::cpu::{Choice, Operation, Tier, choose, note_run};
    use super::portable;

    macro_rules! portable {
        ($($operation:ident: $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
            #[doc = concat!("[`portable::", stringify!($name), "`].")]
            #[inline]
            pub fn $name($($argument: $type),*) -> $result {
                let _: Choice = choose(Operation::$operation);
                note_run(Operation::$operation, Tier::Portable);
                portable::$name($($argument),*)
            }
        )* };
    }
    portable! {
        X25519: curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4];
        X25519PublicKey: curve25519_x25519base(scalar: &[u64; 4]) -> [u64; 4];
        Sign: edwards25519_scalarmulbase(scalar: &[u64; 4]) -> [u64; 8];
        Verify: edwards25519_scalarmuldouble_vartime(
            scalar: &[u64; 4],
            point: &[u64; 8],
            bscalar: &[u64; 4]
        ) -> [u64; 8];
        Verify: edwards25519_scalarmultriple_vartime(
            scalars: &[[u64; 4]; 3],
            points: &[[u64; 8]; 2]
        ) -> [[u64; 4]; 3];
    }
}
