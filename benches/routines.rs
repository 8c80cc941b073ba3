//! Core cycles of the assembly routines, each beside s2n-bignum's own where `aws-lc-sys` links it.
//!
//! ```text
//! cargo bench --bench routines
//! ```
//!
//! How a cycle is counted: `benches/chain`. A call is timed through its binding, which copies the output.

mod chain;

fn main() {
    #[cfg(rind_asm)]
    vendor::main();
    #[cfg(not(rind_asm))]
    println!("skipped: no assembly in this build");
}

#[cfg(rind_asm)]
mod vendor {
    use super::chain::cycles;
    use aws_lc_sys as _;
    use rind25519::internals::{
        HaveAdx, HaveAvx2, HaveBmi2, avx2,
        vendor::{adx, alt, base},
    };

    type Words = [u64; 4];
    type Affine = [u64; 8];

    /// s2n-bignum's routines, at the version that `Cargo.toml` pins: `s2n::adx` and `s2n::alt`.
    mod s2n {
        use super::{Affine, HaveAdx, Words};

        macro_rules! both {
            ($($name:ident = $symbol:literal($($input:ident: &$type:ty),+) -> $out:ty;)*) => {
                pub mod adx {
                    use super::*;
                    $(both!(bind $symbol, [_proof: HaveAdx], $name($($input: &$type),+) -> $out);)*
                }
                pub mod alt {
                    use super::*;
                    $(both!(bind concat!($symbol, "_alt"), [], $name($($input: &$type),+) -> $out);)*
                }
            };
            (bind $symbol:expr, [$($token:ident: $have:ty)?],
             $name:ident($($input:ident: &$type:ty),+) -> $out:ty) => {
                // As rind25519's bindings are: a call of its own.
                #[inline(never)]
                pub fn $name($($token: $have,)? $($input: &$type),+) -> $out {
                    unsafe extern "C" {
                        #[link_name = concat!("aws_lc_0_47_0_", $symbol)]
                        fn routine(out: *mut $out, $($input: *const $type),+);
                    }
                    let mut out: $out = [0; _];
                    // SAFETY: the arrays have the lengths of the contract (`vendor/README.md`); the
                    // token proves BMI2 and ADX for the form that needs them.
                    unsafe { routine(&mut out, $($input),+) };
                    out
                }
            };
        }

        both! {
            madd = "bignum_madd_n25519"(x: &Words, y: &Words, c: &Words) -> Words;
            decode = "edwards25519_decode"(c: &[u8; 32]) -> Affine;
            x25519 = "curve25519_x25519"(scalar: &Words, point: &Words) -> Words;
            x25519base = "curve25519_x25519base"(scalar: &Words) -> Words;
            scalarmulbase = "edwards25519_scalarmulbase"(scalar: &Words) -> Affine;
            scalarmuldouble = "edwards25519_scalarmuldouble"(
                scalar: &Words, point: &Affine, bscalar: &Words) -> Affine;
        }
        both!(bind "edwards25519_encode", [], encode(p: &Affine) -> [u8; 32]);

        pub fn mod_n25519(x: &[u64]) -> Words {
            unsafe extern "C" {
                #[link_name = "aws_lc_0_47_0_bignum_mod_n25519"]
                fn routine(out: *mut Words, words: u64, x: *const u64);
            }
            let mut out = [0; 4];
            // SAFETY: as above; the routine reads `words` words, which is how many there are.
            unsafe { routine(&mut out, x.len() as u64, x.as_ptr()) };
            out
        }
    }

    /// Bytes that decode to B.
    const BASE: [u8; 32] = {
        let mut c = [0x66; 32];
        c[0] = 0x58;
        c
    };

    fn encoded(point: &Affine) -> [u8; 32] {
        base::edwards25519_encode(point)
    }

    fn low(point: &Affine) -> Words {
        [point[0], point[1], point[2], point[3]]
    }

    /// A scalar below 2^253, as verification has them.
    fn scalar(x: &Words) -> Words {
        [x[0], x[1], x[2], x[3] >> 3]
    }

    /// Another one, which shares no run of digits with the first.
    fn another(x: &Words) -> Words {
        scalar(&x.map(|word| word.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Three scalars as verification has them: two of 128 bits, and one below 2^253.
    fn three(x: &Words) -> [Words; 3] {
        [[x[0], x[1] | 1 << 63, 0, 0], [x[2], x[3] | 1 << 63, 0, 0], another(x)]
    }

    /// s2n-bignum's form for BMI2 and ADX, where both are.
    fn theirs<T: Copy>(n: u32, start: T, step: impl Fn(HaveAdx, T) -> T) {
        match HaveAdx::get() {
            Some(have) => cycles("  s2n-bignum", n, start, |x| step(have, x)),
            None => println!("  skipped: no adx here"),
        }
    }

    pub fn main() {
        let w = [0x1234_5678_9abc_def1, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978, 0x7123];
        let c = BASE;
        let [p, q] = [w, another(&w)].map(|scalar| alt::edwards25519_scalarmulbase(&scalar));

        cycles("bignum_inv_p25519", 10, w, |x| base::bignum_inv_p25519(&x));
        cycles("bignum_mod_n25519, 8 words", 1000, w, |x| {
            let [x0, x1, x2, x3] = x;
            base::bignum_mod_n25519(&[x0, x1, x2, x3, x3, x2, x1, x0])
        });
        cycles("  s2n-bignum", 1000, w, |x| {
            let [x0, x1, x2, x3] = x;
            s2n::mod_n25519(&[x0, x1, x2, x3, x3, x2, x1, x0])
        });
        cycles("bignum_mod_n25519_4", 1000, w, |x| base::bignum_mod_n25519_4(&x));
        cycles("edwards25519_encode", 1000, p, |mut p| {
            p[1] ^= u64::from(encoded(&p)[0]);
            p
        });
        cycles("  s2n-bignum", 1000, p, |mut p| {
            p[1] ^= u64::from(s2n::encode(&p)[0]);
            p
        });
        if let Some(t) = HaveBmi2::get() {
            cycles("bignum_mul_p25519", 1000, w, |x| adx::bignum_mul_p25519(t, &x, &w));
            cycles("bignum_sqr_p25519", 1000, w, |x| adx::bignum_sqr_p25519(t, &x));
            cycles("bignum_madd_n25519", 1000, w, |x| adx::bignum_madd_n25519(t, &x, &w, &x));
            theirs(1000, w, |t, x| s2n::adx::madd(t, &x, &w, &x));
            cycles("bignum_invsqrt_p25519", 10, w, |x| adx::bignum_invsqrt_p25519(t, &x).1);
            cycles("edwards25519_decode", 10, c, |c| encoded(&adx::edwards25519_decode(t, &c).1));
            theirs(10, c, |t, c| encoded(&s2n::adx::decode(t, &c)));
            cycles("edwards25519_decode_permissive", 10, c, |c| {
                encoded(&adx::edwards25519_decode_permissive(t, &c).1)
            });
            cycles("edwards25519_decode_permissive_pair", 10, c, |c| {
                encoded(&adx::edwards25519_decode_permissive_pair(t, &c, &c).1[0])
            });
            cycles("curve25519_x25519", 2, w, |x| adx::curve25519_x25519(t, &x, &x));
            theirs(2, w, |t, x| s2n::adx::x25519(t, &x, &x));
            cycles("curve25519_x25519base", 2, w, |x| adx::curve25519_x25519base(t, &x));
            theirs(2, w, |t, x| s2n::adx::x25519base(t, &x));
            cycles("edwards25519_scalarmulbase", 2, w, |x| {
                low(&adx::edwards25519_scalarmulbase(t, &x))
            });
            theirs(2, w, |t, x| low(&s2n::adx::scalarmulbase(t, &x)));
            cycles("edwards25519_scalarmuldouble", 2, w, |x| {
                low(&adx::edwards25519_scalarmuldouble_vartime(t, &scalar(&x), &p, &another(&x)))
            });
            theirs(2, w, |t, x| low(&s2n::adx::scalarmuldouble(t, &scalar(&x), &p, &another(&x))));
            cycles("edwards25519_scalarmultriple", 2, w, |x| {
                adx::edwards25519_scalarmultriple_vartime(t, &three(&x), &[p, q])[0]
            });
        } else {
            println!("skipped: no bmi2 here");
        }
        cycles("bignum_mul_p25519_alt", 1000, w, |x| alt::bignum_mul_p25519(&x, &w));
        cycles("bignum_sqr_p25519_alt", 1000, w, |x| alt::bignum_sqr_p25519(&x));
        cycles("bignum_madd_n25519_alt", 1000, w, |x| alt::bignum_madd_n25519(&x, &w, &x));
        cycles("  s2n-bignum", 1000, w, |x| s2n::alt::madd(&x, &w, &x));
        cycles("bignum_invsqrt_p25519_alt", 10, w, |x| alt::bignum_invsqrt_p25519(&x).1);
        cycles("edwards25519_decode_alt", 10, c, |c| encoded(&alt::edwards25519_decode(&c).1));
        cycles("  s2n-bignum", 10, c, |c| encoded(&s2n::alt::decode(&c)));
        cycles("edwards25519_decode_permissive_alt", 10, c, |c| {
            encoded(&alt::edwards25519_decode_permissive(&c).1)
        });
        cycles("edwards25519_decode_permissive_pair_alt", 10, c, |c| {
            encoded(&alt::edwards25519_decode_permissive_pair(&c, &c).1[0])
        });
        cycles("curve25519_x25519_alt", 2, w, |x| alt::curve25519_x25519(&x, &x));
        cycles("  s2n-bignum", 2, w, |x| s2n::alt::x25519(&x, &x));
        match HaveAvx2::get() {
            Some(t) => {
                cycles("curve25519_x25519base_avx2", 2, w, |x| avx2::curve25519_x25519base(t, &x));
                cycles("edwards25519_scalarmulbase_avx2", 2, w, |x| {
                    low(&avx2::edwards25519_scalarmulbase(t, &x))
                });
                cycles("curve25519_x25519, four lanes", 2, w, |x| {
                    avx2::curve25519_x25519(t, &x, &x)
                });
                cycles("edwards25519_scalarmuldouble, avx2", 2, w, |x| {
                    low(&avx2::edwards25519_scalarmuldouble_vartime(
                        t,
                        &scalar(&x),
                        &p,
                        &another(&x),
                    ))
                });
                cycles("edwards25519_scalarmultriple, avx2", 2, w, |x| {
                    avx2::edwards25519_scalarmultriple_vartime(t, &three(&x), &[p, q])[0]
                });
            }
            None => println!("skipped: no avx2, fma and bmi2 here"),
        }
        cycles("curve25519_x25519base_alt", 2, w, |x| alt::curve25519_x25519base(&x));
        cycles("  s2n-bignum", 2, w, |x| s2n::alt::x25519base(&x));
        cycles("edwards25519_scalarmulbase_alt", 2, w, |x| {
            low(&alt::edwards25519_scalarmulbase(&x))
        });
        cycles("  s2n-bignum", 2, w, |x| low(&s2n::alt::scalarmulbase(&x)));
        cycles("edwards25519_scalarmuldouble_alt", 2, w, |x| {
            low(&alt::edwards25519_scalarmuldouble_vartime(&scalar(&x), &p, &another(&x)))
        });
        cycles("  s2n-bignum", 2, w, |x| {
            low(&s2n::alt::scalarmuldouble(&scalar(&x), &p, &another(&x)))
        });
        cycles("edwards25519_scalarmultriple_alt", 2, w, |x| {
            alt::edwards25519_scalarmultriple_vartime(&three(&x), &[p, q])[0]
        });
    }
}
