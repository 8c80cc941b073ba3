//! The few instructions that safe Rust does not reach: the time-stamp counter, XCR0, and none at all. With
//! `instructions.rs` and `engines/openssl.rs` the only `unsafe` of this tool.
#![allow(unsafe_code)]

/// The time-stamp counter, where there is one.
#[inline]
pub fn tsc() -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 CPU has RDTSC, and Linux lets user code execute it.
        Some(unsafe { core::arch::x86_64::_rdtsc() })
    }
    #[cfg(not(target_arch = "x86_64"))]
    None
}

/// Which register state the operating system saves; none where it does not say.
#[cfg(target_arch = "x86_64")]
pub fn xcr0() -> Option<u64> {
    let has = raw_cpuid::CpuId::new().get_feature_info().is_some_and(|info| info.has_oxsave());
    // SAFETY: OSXSAVE says that the CPU has XGETBV and that the system has enabled it.
    has.then(|| unsafe { enabled_state() })
}

/// # Safety
///
/// CPUID.1:ECX.OSXSAVE must be set.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "xsave")]
unsafe fn enabled_state() -> u64 {
    // SAFETY: the caller has seen OSXSAVE; register 0 exists wherever XGETBV does.
    unsafe { core::arch::x86_64::_xgetbv(0) }
}

/// `x`, of which the optimiser knows nothing any more; unlike `black_box` it stays in its register.
#[inline(always)]
pub fn opaque(mut x: u64) -> u64 {
    // SAFETY: no instruction at all.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags, pure))
    };
    x
}
