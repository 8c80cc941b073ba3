//! The door on x86-64: which tier does what, best first.
//!
//! Portable code is not on the list: the `alt` forms run on every x86-64 CPU, so it would be dead code.

use super::super::cpu::{Choice, Core, Detected, Operation, Tier, choose, note_run};
use super::super::portable;
use super::vendor::{adx, alt, base};
use super::{avx2, cpu::HaveAvx2};

/// The tiers of each operation. Dispatch below and `cpu::report()` read this, and nothing else.
///
/// With cycles of each tier on an Intel Xeon model 207 and, after a slash, on a Zen 4, AMD EPYC family 19h model 11h,
/// from PLATFORMS.md, which has the commands and commits. No other CPU was measured.
pub(in crate::low) const fn tiers(operation: Operation, core: Core) -> &'static [Tier] {
    match (operation, core) {
        // The sum of three multiples: 38,750, 40,710, 46,780 / 37,500, 60,300, 59,600. A whole verification on the
        // Xeon: 0.91 of adx's time.
        (Operation::Verify, _) => &[Tier::Avx2, Tier::Adx, Tier::Alt],
        // k·B: 17,660, 18,920, 20,850 / 22,830, 24,380, 24,420.
        (Operation::Sign, _) => &[Tier::Avx2, Tier::Adx, Tier::Alt],
        // The ladder of four lanes 75,000, with MULX 91,500, 90,500.
        (Operation::X25519, Core::Zen3) => &[Tier::Avx2, Tier::Adx, Tier::Alt],
        // With MULX 65,480, 69,790; of four lanes 83,010, so the avx2 tier runs the one with MULX.
        (Operation::X25519, Core::Other) => &[Tier::Adx, Tier::Avx2, Tier::Alt],
        // k·B: 17,650, 18,890, 20,830 / 22,830, 24,330, 24,360.
        (Operation::X25519PublicKey, _) => &[Tier::Avx2, Tier::Adx, Tier::Alt],
    }
}

/// What the AVX2 tier runs: a form of its own, or the one with MULX, which its token proves as well, or the first on
/// Zen 3 and the second elsewhere.
macro_rules! avx2 {
    (own $name:ident($have:expr $(, $argument:expr)*)) => { avx2::$name($have $(, $argument)*) };
    (own_on_zen3 $name:ident($have:expr $(, $argument:expr)*)) => {
        match Detected::get().core() {
            Core::Zen3 => avx2!(own $name($have $(, $argument)*)),
            Core::Other => avx2!(mulx $name($have $(, $argument)*)),
        }
    };
    (mulx $name:ident($have:expr $(, $argument:expr)*)) => { adx::$name(HaveAvx2::bmi2($have) $(, $argument)*) };
}

/// `$call`, noted as what did `$operation` last: beside the call, so that what is noted is what runs.
macro_rules! run {
    ($operation:ident, $tier:ident, $call:expr) => {{
        note_run(Operation::$operation, Tier::$tier);
        $call
    }};
}

/// `$name` by the best tier of `$operation`. `$form` is what the AVX2 tier has of it; `$convert` makes the result
/// of what the assembly returns.
#[rustfmt::skip] // one arm, one line
macro_rules! by_tier {
    ($($operation:ident, $form:ident: $name:ident($($argument:ident: $type:ty),*) -> $result:ty $(, $convert:ident)?;)*) => { $(
        #[doc = concat!("[`portable::", stringify!($name), "`] by the best tier of `", stringify!($operation), "`.")]
        #[inline]
        pub fn $name($($argument: $type),*) -> $result {
            match choose(Operation::$operation) {
                Choice::Adx(have) => run!($operation, Adx, $($convert)?(adx::$name(have.bmi2(), $($argument),*))),
                Choice::Avx2(have) => run!($operation, Avx2, $($convert)?(avx2!($form $name(have, $($argument),*)))),
                // IFMA has no form yet, and is on no list.
                Choice::Ifma(_) | Choice::Alt => run!($operation, Alt, $($convert)?(alt::$name($($argument),*))),
                Choice::Portable => run!($operation, Portable, portable::$name($($argument),*)),
            }
        }
    )* };
}

by_tier! {
    Verify, own: edwards25519_scalarmuldouble_vartime(scalar: &[u64; 4], point: &[u64; 8], bscalar: &[u64; 4]) -> [u64; 8];
    Verify, own: edwards25519_scalarmultriple_vartime(scalars: &[[u64; 4]; 3], points: &[[u64; 8]; 2]) -> [[u64; 4]; 3];
    Verify, mulx: edwards25519_decode_permissive(c: &[u8; 32]) -> Option<[u64; 8]>, decoded;
    Verify, mulx: edwards25519_decode_permissive_pair(c: &[u8; 32], e: &[u8; 32]) -> [Option<[u64; 8]>; 2], decoded_pair;
    Sign, own: edwards25519_scalarmulbase(scalar: &[u64; 4]) -> [u64; 8];
    Sign, mulx: bignum_madd_n25519(x: &[u64; 4], y: &[u64; 4], c: &[u64; 4]) -> [u64; 4];
    X25519, own_on_zen3: curve25519_x25519(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4];
    X25519PublicKey, own: curve25519_x25519base(scalar: &[u64; 4]) -> [u64; 4];
}

// One form for every x86-64 CPU.
pub use base::{bignum_mod_n25519, edwards25519_encode};
// Short beside what calls them; no routines of `vendor/`.
pub use portable::{bignum_neg_p25519, edwards25519_same_coset_vartime};

/// The point, unless decoding says that there is none.
fn decoded((status, point): (u64, [u64; 8])) -> Option<[u64; 8]> {
    (status == 0).then_some(point)
}

/// The points, unless decoding says that there is none: bit i for point i.
fn decoded_pair((status, points): (u64, [[u64; 8]; 2])) -> [Option<[u64; 8]>; 2] {
    let [c, e] = points;
    [decoded((status & 1, c)), decoded((status >> 1, e))]
}
