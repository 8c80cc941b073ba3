//! The door on x86-64: which tier does what, best first.
//!
//! Portable code is not on the list: the `alt` forms run on every x86-64 CPU, so it would be dead code.

use super::super::cpu::{Choice, Operation, Tier, choose, note_run};
use super::super::portable;
use super::avx2;
use super::vendor::{adx, alt, base};

/// The tiers of each operation. Dispatch below and `cpu::report()` read this, and nothing else.
pub const fn tiers(operation: Operation) -> &'static [Tier] {
    match operation {
        // The sum of three: avx2 takes 0.92 of alt, 1.07 of adx (ALGORITHMS.md, section AVX2).
        Operation::Verify => &[Tier::Adx, Tier::Avx2, Tier::Alt],
        // k·B: avx2 takes 0.94 of alt, 1.04 of adx (the same section).
        Operation::Sign => &[Tier::Adx, Tier::Avx2, Tier::Alt],
        // avx2 takes 1.19 of alt (the same section): it runs where it is pinned.
        Operation::X25519 => &[Tier::Adx, Tier::Alt],
        Operation::X25519PublicKey => &[Tier::Adx, Tier::Avx2, Tier::Alt],
    }
}

/// `$call`, noted as what did `$operation` last: beside the call, so that what is noted is what runs.
macro_rules! run {
    ($operation:expr, $tier:ident, $call:expr) => {{
        note_run($operation, Tier::$tier);
        $call
    }};
}

/// `$name`, by the best tier of `$operation`: its main routine, whose tier is the operation's.
macro_rules! by_tier {
    ($($operation:ident: $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
        #[doc = concat!("[`portable::", stringify!($name), "`] by the best tier of `", stringify!($operation), "`.")]
        #[inline]
        pub fn $name($($argument: $type),*) -> $result {
            const OPERATION: Operation = Operation::$operation;
            match choose(OPERATION) {
                Choice::Adx(have) => run!(OPERATION, Adx, adx::$name(have, $($argument),*)),
                Choice::Avx2(have) => run!(OPERATION, Avx2, avx2::$name(have, $($argument),*)),
                // IFMA has no form yet, and is on no list.
                Choice::Ifma(_) | Choice::Alt => run!(OPERATION, Alt, alt::$name($($argument),*)),
                Choice::Portable => run!(OPERATION, Portable, portable::$name($($argument),*)),
            }
        }
    )* };
}

by_tier! {
    Verify: edwards25519_scalarmuldouble_vartime(scalar: &[u64; 4], point: &[u64; 8], bscalar: &[u64; 4]) -> [u64; 8];
    Verify: edwards25519_scalarmultriple_vartime(scalars: &[[u64; 4]; 3], points: &[[u64; 8]; 2]) -> [[u64; 4]; 3];
    Sign: edwards25519_scalarmulbase(scalar: &[u64; 4]) -> [u64; 8];
    X25519: curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4];
    X25519PublicKey: curve25519_x25519base(scalar: &[u64; 4]) -> [u64; 4];
}

/// Decoding, as suits the best tier of `Verify`, before the sum that is its main routine. A vector tier has no
/// form of it, and its token proves nothing about BMI2 and ADX, so it runs on `alt` there.
macro_rules! decoding {
    ($($name:ident)*) => { $(
        #[doc = concat!("[`portable::", stringify!($name), "`], as suits the best tier of `Verify`.")]
        #[inline]
        pub fn $name(c: &[u8; 32]) -> Option<[u64; 8]> {
            const OPERATION: Operation = Operation::Verify;
            match choose(OPERATION) {
                Choice::Adx(have) => run!(OPERATION, Adx, decoded(adx::$name(have, c))),
                Choice::Ifma(_) | Choice::Avx2(_) | Choice::Alt => {
                    run!(OPERATION, Alt, decoded(alt::$name(c)))
                }
                Choice::Portable => run!(OPERATION, Portable, portable::$name(c)),
            }
        }
    )* };
}

decoding! { edwards25519_decode edwards25519_decode_permissive }

/// [`portable::bignum_madd_n25519`], as suits the best tier of `Sign`. It follows the multiplication that is
/// the operation's main routine, and so is noted as nothing.
#[inline]
pub fn bignum_madd_n25519(x: &[u64; 4], y: &[u64; 4], c: &[u64; 4]) -> [u64; 4] {
    match choose(Operation::Sign) {
        Choice::Adx(have) => adx::bignum_madd_n25519(have, x, y, c),
        Choice::Ifma(_) | Choice::Avx2(_) | Choice::Alt => alt::bignum_madd_n25519(x, y, c),
        Choice::Portable => portable::bignum_madd_n25519(x, y, c),
    }
}

// One form for every x86-64 CPU.
pub use base::{bignum_mod_n25519, edwards25519_encode};
// Short beside what calls them; no routines of `vendor/`.
pub use portable::{bignum_neg_p25519, edwards25519_same_coset_vartime};

/// The point, unless decoding says that there is none.
fn decoded((status, point): (u64, [u64; 8])) -> Option<[u64; 8]> {
    (status == 0).then_some(point)
}
