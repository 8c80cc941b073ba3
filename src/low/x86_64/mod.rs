//! x86-64: what the CPU can do, and the tiers made for it.

#[cfg(rind_asm)]
pub mod adx_mux;
#[cfg(rind_asm)]
pub mod avx2;
pub mod cpu;
#[cfg(rind_asm)]
pub mod vendor;
