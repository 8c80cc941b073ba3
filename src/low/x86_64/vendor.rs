//! Bindings to the assembly of `vendor/x86_64`, one row a routine.
//!
//! A routine has a form with MULX, in [`adx`], which asks for the token that proves BMI2, and a form for
//! any x86-64 CPU, in [`alt`], under the same name; where one form serves both it is in [`base`]. Two
//! have one with MULX and AVX2 as well, in [`avx2`]. The contracts are those of `low::portable` and of
//! each file's header.
//!
//! No wrapper is `#[inline]`: the symbols are hidden, so code that the compiler copied into another
//! crate could not reach them where this crate is part of a shared library. Beside the call itself, one
//! more is nothing.

#![allow(
    clashing_extern_declarations,
    reason = "`Symbol` declares each routine once more, as an address"
)]
#![allow(dead_code, reason = "a row is here once its routine is; tests call them all")]

#[cfg(rind_internals)]
use super::super::cpu::Tier;

/// What a routine's pointer argument points to, in bytes.
#[cfg(rind_internals)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Written, and then not read before.
    Out(usize),
    /// Only read.
    In(usize),
    /// No pointer: how many words the next argument has.
    Words(usize),
}

/// A routine as a bare symbol, for the tests of aliasing, registers and buffer ends.
#[cfg(rind_internals)]
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// The name of its file, `_alt` included.
    pub name: &'static str,
    /// Whose instructions it needs: of `Adx`, BMI2; of `Avx2`, those and AVX2; of `Alt`, none beyond the
    /// base set.
    pub tier: Tier,
    /// A C function of `arguments`.
    pub address: unsafe extern "C" fn(),
    /// What it is passed, in order: pointers, all but `Words`.
    pub arguments: &'static [Argument],
    /// Whether it returns a 64-bit integer beside its output.
    pub returns: bool,
}

#[cfg(rind_internals)]
impl Symbol {
    /// Whether the routine is variable time, because all that it takes is public.
    pub fn takes_public_inputs(&self) -> bool {
        ["scalarmuldouble", "scalarmultriple"].iter().any(|stem| self.name.contains(stem))
    }
}

/// Each row is `name = "symbol"(inputs) -> output`, or `-> value, output` for a routine that also returns
/// a value; its wrapper returns the pair.
#[rustfmt::skip] // the patterns are wider than a line, and so are some rows
macro_rules! routines {
    (
        both { $($name:ident = $symbol:literal($($input:ident: &$type:ty),+) -> $($value:ident,)? [$($out:tt)+];)* }
        avx2 { $($avx2_name:ident = $avx2_symbol:literal($($avx2_input:ident: &$avx2_type:ty),+) -> [$($avx2_out:tt)+];)* }
        base { $($base_name:ident = $base_symbol:literal($($base_input:ident: &$base_type:ty),+) -> [$($base_out:tt)+];)* }
    ) => {
        /// The forms that need BMI2.
        pub mod adx {
            use super::super::cpu::HaveBmi2;
            $(routines!(bind $symbol, "", [_proof: HaveBmi2], $name($($input: &$type),+) -> $($value,)? [$($out)+]);)*
        }
        /// The forms within the base instruction set.
        pub mod alt {
            $(routines!(bind $symbol, "_alt", [], $name($($input: &$type),+) -> $($value,)? [$($out)+]);)*
        }
        /// The forms that need AVX2 and BMI2.
        pub mod avx2 {
            use super::super::cpu::HaveAvx2;
            $(routines!(bind $avx2_symbol, "_avx2", [_proof: HaveAvx2], $avx2_name($($avx2_input: &$avx2_type),+) -> [$($avx2_out)+]);)*
        }
        /// The routines whose one form is within the base instruction set.
        pub mod base {
            $(routines!(bind $base_symbol, "", [], $base_name($($base_input: &$base_type),+) -> [$($base_out)+]);)*

            /// `vendor/x86_64/bignum_mod_n25519.S`.
            pub fn bignum_mod_n25519(x: &[u64]) -> [u64; 4] {
                unsafe extern "C" {
                    #[link_name = concat!(env!("RIND_SYMBOL_PREFIX"), "bignum_mod_n25519")]
                    fn routine(out: *mut [u64; 4], words: usize, x: *const u64);
                }
                let mut out = [0; _];
                // SAFETY: length: the routine reads `words` words from `x`, which is how many there are
                // (none where that is 0, and the pointer is then not read), and writes the four of
                // `out`. Alias, alignment, ABI and instructions are as for the rows above.
                unsafe { routine(&mut out, x.len(), x.as_ptr()) };
                out
            }
        }
        /// Every row, in each of its forms.
        #[cfg(rind_internals)]
        pub const SYMBOLS: &[Symbol] = &[
            $(routines!(symbol $symbol, "", Adx, [Out([$($out)+]) $(In($type))+] $($value)?),
              routines!(symbol $symbol, "_alt", Alt, [Out([$($out)+]) $(In($type))+] $($value)?),)*
            $(routines!(symbol $avx2_symbol, "_avx2", Avx2, [Out([$($avx2_out)+]) $(In($avx2_type))+]),)*
            $(routines!(symbol $base_symbol, "", Alt, [Out([$($base_out)+]) $(In($base_type))+]),)*
            routines!(symbol "bignum_mod_n25519", "", Alt, [Out([u64; 4]) Words([u8; 8]) In([u64; 8])]),
        ];
    };
    (bind $symbol:literal, $suffix:literal, [$($token:ident: $have:ty)?],
     $name:ident($($input:ident: &$type:ty),+) -> $out:ty) => {
        routines!(bind $symbol, $suffix, [$($token: $have)?], $name($($input: &$type),+) -> (), $out, $out, |_, out| out);
    };
    (bind $symbol:literal, $suffix:literal, [$($token:ident: $have:ty)?],
     $name:ident($($input:ident: &$type:ty),+) -> $value:ident, $out:ty) => {
        routines!(bind $symbol, $suffix, [$($token: $have)?],
            $name($($input: &$type),+) -> $value, $out, ($value, $out), |value, out| (value, out));
    };
    (bind $symbol:literal, $suffix:literal, [$($token:ident: $have:ty)?], $name:ident($($input:ident: &$type:ty),+)
     -> $value:ty, $out:ty, $result:ty, $join:expr) => {
        #[doc = concat!("`vendor/x86_64/", $symbol, $suffix, ".S`.")]
        pub fn $name($($token: $have,)? $($input: &$type),+) -> $result {
            unsafe extern "C" {
                #[link_name = concat!(env!("RIND_SYMBOL_PREFIX"), $symbol, $suffix)]
                fn routine(out: *mut $out, $($input: *const $type),+) -> $value;
            }
            let mut out = <$out>::default();
            // SAFETY:
            // - length: the routine reads within its inputs and writes the whole of `out` and nothing
            //   else; the lengths in its header are those of these types (tests/abi.rs, against pages
            //   that fault). No pointer is kept.
            // - alias: `out` is a local, so no input overlaps it; inputs are shared references and are
            //   only read, so that they may overlap each other.
            // - alignment: the routine asks for none beyond that of the types.
            // - initialised: `out` is before the call, so it is whatever the routine leaves unwritten.
            // - ABI: the C ABI of the target; the `extern` declaration is the prototype in the header,
            //   and registers and flags are kept (tests/abi.rs).
            // - instructions: `_proof`, where there is one, proves BMI2, or AVX2 and BMI2, and the object
            //   holds nothing beyond those; without, nothing beyond the base set (tests/objects.rs).
            let value = unsafe { routine(&mut out, $($input),+) };
            let join: fn($value, $out) -> $result = $join;
            join(value, out)
        }
    };
    (symbol $symbol:literal, $suffix:literal, $tier:ident, [$($kind:ident($type:ty))+] $($value:ident)?) => {
        Symbol {
            name: concat!($symbol, $suffix),
            tier: Tier::$tier,
            address: {
                unsafe extern "C" {
                    #[link_name = concat!(env!("RIND_SYMBOL_PREFIX"), $symbol, $suffix)]
                    fn routine();
                }
                routine
            },
            arguments: &[$(Argument::$kind(size_of::<$type>())),+],
            returns: routines!(returns $($value)?),
        }
    };
    (returns) => { false };
    (returns $value:ident) => { true };
}

routines! {
    both {
        bignum_invsqrt_p25519 = "bignum_invsqrt_p25519"(x: &[u64; 4]) -> i64, [u64; 4];
        bignum_madd_n25519 = "bignum_madd_n25519"(x: &[u64; 4], y: &[u64; 4], c: &[u64; 4]) -> [u64; 4];
        bignum_mul_p25519 = "bignum_mul_p25519"(x: &[u64; 4], y: &[u64; 4]) -> [u64; 4];
        bignum_sqr_p25519 = "bignum_sqr_p25519"(x: &[u64; 4]) -> [u64; 4];
        curve25519_x25519 = "curve25519_x25519"(scalar: &[u64; 4], point: &[u64; 4]) -> [u64; 4];
        curve25519_x25519base = "curve25519_x25519base"(scalar: &[u64; 4]) -> [u64; 4];
        edwards25519_decode = "edwards25519_decode"(c: &[u8; 32]) -> u64, [u64; 8];
        edwards25519_decode_permissive = "edwards25519_decode_permissive"(c: &[u8; 32]) -> u64, [u64; 8];
        edwards25519_decode_permissive_pair = "edwards25519_decode_permissive_pair"(c: &[u8; 32], e: &[u8; 32]) -> u64, [[u64; 8]; 2];
        edwards25519_scalarmulbase = "edwards25519_scalarmulbase"(scalar: &[u64; 4]) -> [u64; 8];
        edwards25519_scalarmuldouble_vartime = "edwards25519_scalarmuldouble"(
            scalar: &[u64; 4], point: &[u64; 8], bscalar: &[u64; 4]) -> [u64; 8];
        edwards25519_scalarmultriple_vartime = "edwards25519_scalarmultriple"(
            scalars: &[[u64; 4]; 3], points: &[[u64; 8]; 2]) -> [[u64; 4]; 3];
    }
    avx2 {
        curve25519_x25519base = "curve25519_x25519base"(scalar: &[u64; 4]) -> [u64; 4];
        edwards25519_scalarmulbase = "edwards25519_scalarmulbase"(scalar: &[u64; 4]) -> [u64; 8];
    }
    base {
        bignum_inv_p25519 = "bignum_inv_p25519"(x: &[u64; 4]) -> [u64; 4];
        bignum_mod_n25519_4 = "bignum_mod_n25519_4"(x: &[u64; 4]) -> [u64; 4];
        edwards25519_encode = "edwards25519_encode"(p: &[u64; 8]) -> [u8; 32];
    }
}
