//! What this CPU and its operating system can do, and the tokens that prove it.
//!
//! Decoding is a pure function of the words that CPUID and XGETBV return, so it is tested over words
//! that no machine at hand returns. A feature is never inferred from another: each asks for its own
//! bit, for the bits that the compiler takes for granted with it, and for the register state that
//! the operating system must save (Intel SDM volume 1, sections 13.3, 14.3 and 15.2).

use super::super::cpu::{Core, Detected, Feature, Features, Obstacle};

/// The raw words: CPUID.0:EAX and the maker's twelve letters in EBX, EDX and ECX, CPUID.1:EAX and ECX,
/// CPUID.(7,0):EBX, and XCR0.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::low) struct Words {
    pub max_leaf: u32,
    pub maker: [u32; 3],
    pub leaf1_eax: u32,
    pub leaf1_ecx: u32,
    pub leaf7_ebx: u32,
    pub xcr0: u64,
}

const OSXSAVE: u32 = 1 << 27;

/// Bits that must all be set.
struct Demand {
    leaf1_ecx: u32,
    leaf7_ebx: u32,
    xcr0: u64,
}

/// SSE3, SSSE3, SSE4.1, SSE4.2 and AVX: implied by `target_feature(enable = "avx2")` and by `"fma"`.
const UNDER_AVX2: u32 = 1 | 1 << 9 | 1 << 19 | 1 << 20 | 1 << 28;
const FMA: u32 = 1 << 12;
/// FMA and F16C: implied, with AVX2 itself, by `target_feature(enable = "avx512f")`.
const UNDER_AVX512: u32 = UNDER_AVX2 | FMA | 1 << 29;
/// XMM and YMM state.
const YMM: u64 = 0b110;
/// Those, the opmask registers, the upper halves of zmm0–15, and zmm16–31.
const ZMM: u64 = YMM | 0b111 << 5;

const fn demand(feature: Feature) -> Demand {
    /// BMI2 and ADX work on general registers: no state beyond the one that every system saves.
    const fn general(bit: u32) -> Demand {
        Demand { leaf1_ecx: 0, leaf7_ebx: 1 << bit, xcr0: 0 }
    }
    const AVX2: u32 = 1 << 5;
    const fn avx512(bit: u32) -> Demand {
        Demand {
            leaf1_ecx: OSXSAVE | UNDER_AVX512,
            leaf7_ebx: AVX2 | 1 << 16 | 1 << bit,
            xcr0: ZMM,
        }
    }
    match feature {
        Feature::Bmi2 => general(8),
        Feature::Adx => general(19),
        Feature::Avx2 => Demand { leaf1_ecx: OSXSAVE | UNDER_AVX2, leaf7_ebx: AVX2, xcr0: YMM },
        Feature::Fma => Demand { leaf1_ecx: OSXSAVE | UNDER_AVX2 | FMA, leaf7_ebx: 0, xcr0: YMM },
        Feature::Avx512f => avx512(16),
        Feature::Avx512dq => avx512(17),
        Feature::Avx512ifma => avx512(21),
        Feature::Avx512bw => avx512(30),
        Feature::Avx512vl => avx512(31),
    }
}

impl Words {
    /// The words of this CPU; none where CPUID cannot be executed (Miri, SGX).
    #[cfg(any(miri, target_env = "sgx"))]
    pub fn read() -> Words {
        Words::default()
    }

    /// The words of this CPU.
    #[cfg(not(any(miri, target_env = "sgx")))]
    #[allow(unused_unsafe)] // `__cpuid` is unsafe up to Rust 1.93
    pub fn read() -> Words {
        use core::arch::x86_64::{__cpuid, __cpuid_count};
        // SAFETY: every x86-64 CPU has CPUID, and user code may execute it; leaves 0 and 1 always
        // exist. Leaf 7 is asked for only where leaf 0 says that it exists.
        let (leaf0, leaf1) = unsafe { (__cpuid(0), __cpuid(1)) };
        let (max_leaf, leaf1_ecx) = (leaf0.eax, leaf1.ecx);
        let leaf7_ebx = if max_leaf < 7 {
            0
        } else {
            // SAFETY: as above.
            unsafe { __cpuid_count(7, 0).ebx }
        };
        let xcr0 = if leaf1_ecx & OSXSAVE == 0 {
            0
        } else {
            // SAFETY: OSXSAVE says that the CPU has XGETBV and that the system has enabled it.
            unsafe { xcr0() }
        };
        let maker = [leaf0.ebx, leaf0.edx, leaf0.ecx];
        Words { max_leaf, maker, leaf1_eax: leaf1.eax, leaf1_ecx, leaf7_ebx, xcr0 }
    }

    /// The kind of core: maker, and family with its extension (AMD's manual 24594, CPUID function 1).
    pub const fn core(self) -> Core {
        const AMD: [u32; 3] = [
            u32::from_le_bytes(*b"Auth"),
            u32::from_le_bytes(*b"enti"),
            u32::from_le_bytes(*b"cAMD"),
        ];
        let [m0, m1, m2] = self.maker;
        let is_amd = m0 == AMD[0] && m1 == AMD[1] && m2 == AMD[2];
        let (base, extended) = (self.leaf1_eax >> 8 & 0xf, self.leaf1_eax >> 20 & 0xff);
        if is_amd && base == 0xf && base + extended == 0x19 { Core::Zen3 } else { Core::Other }
    }

    /// The features whose every demand is met.
    pub fn features(self) -> Features {
        // Below 7, leaf 7 returns the words of another leaf; without OSXSAVE, XCR0 is not readable.
        let leaf7_ebx = if self.max_leaf < 7 { 0 } else { self.leaf7_ebx };
        let xcr0 = if self.leaf1_ecx & OSXSAVE == 0 { 0 } else { self.xcr0 };
        let meets = |feature: &Feature| {
            let demand = demand(*feature);
            self.leaf1_ecx & demand.leaf1_ecx == demand.leaf1_ecx
                && leaf7_ebx & demand.leaf7_ebx == demand.leaf7_ebx
                && xcr0 & demand.xcr0 == demand.xcr0
        };
        Feature::ALL.into_iter().filter(meets).fold(Features::NONE, Features::with)
    }
}

/// Which register state the operating system saves.
///
/// # Safety
///
/// CPUID.1:ECX.OSXSAVE must be set.
#[cfg(not(any(miri, target_env = "sgx")))]
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u64 {
    // SAFETY: the caller has seen OSXSAVE; register 0 exists wherever XGETBV does.
    unsafe { core::arch::x86_64::_xgetbv(0) }
}

/// A zero-sized proof that this CPU has `$feature…`, and that the environment denies none of them.
macro_rules! token {
    ($(#[$doc:meta])* $name:ident: $($feature:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl $name {
            /// What the tier is made for, all of it.
            const NEEDS: Features = Features::NONE$(.with(Feature::$feature))*;

            /// The proof, where there is one. One atomic load after the first call.
            #[inline]
            #[allow(dead_code)] // dispatch goes through `choose`; the tests of a tier ask here
            pub fn get() -> Option<Self> {
                Self::proved_by(Detected::get()).ok()
            }

            /// The proof, or what stands in its way.
            #[inline]
            pub(in crate::low) fn proved_by(machine: Detected) -> Result<Self, Obstacle> {
                let missing = Self::NEEDS.without(machine.seen());
                let denied = Self::NEEDS.and(machine.denied());
                if !missing.is_empty() {
                    Err(Obstacle::Missing(missing))
                } else if !denied.is_empty() {
                    Err(Obstacle::Denied(denied))
                } else {
                    Ok(Self(()))
                }
            }
        }
    };
}

token!(
    /// MULX may be executed.
    HaveBmi2: Bmi2
);
token!(
    /// MULX, ADCX and ADOX may be executed.
    HaveAdx: Bmi2 Adx
);
token!(
    /// AVX2, FMA and BMI2 instructions may be executed: vectors, and MULX in the scalar parts beside them.
    HaveAvx2: Avx2 Fma Bmi2
);
token!(
    /// AVX-512 F, BW, DQ, VL and IFMA instructions may be executed, and with them AVX2, FMA and F16C.
    ///
    /// AVX2 is demanded of the CPU, not of the environment: `RIND_CPU_DISABLE_avx2` denies the tier
    /// that is made for AVX2, not this one.
    HaveIfma: Avx512f Avx512bw Avx512dq Avx512vl Avx512ifma
);

/// The proof of BMI2 that is part of `$name`.
macro_rules! holds_bmi2 {
    ($($name:ident)*) => { $(
        impl $name {
            /// The part of this proof that MULX asks for.
            #[inline]
            #[cfg_attr(not(rind_asm), allow(dead_code))] // no assembly, nobody to ask
            pub const fn bmi2(self) -> HaveBmi2 {
                const { assert!(Self::NEEDS.has(Feature::Bmi2), "not asked for, so not proved") };
                HaveBmi2(())
            }
        }
    )* };
}
holds_bmi2! { HaveAdx HaveAvx2 }

#[cfg(test)]
mod tests;
