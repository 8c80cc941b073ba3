//! Which tier runs, and why.
//!
//! A *tier* is one implementation of every routine for one class of CPUs. Each operation has a list
//! of tiers, best first; the first that this CPU can run, and that nobody denied, does the work.
//! Dispatch and [`report`] read the same list, so the report cannot disagree with the code.
//!
//! Two switches change the choice:
//! - `--cfg rind_backend="portable"`, `"alt"`, `"avx2"` or `"adx"` pins a tier when the program is built;
//! - `RIND_CPU_DISABLE_<feature>=1` in the environment denies a CPU feature, in builds with
//!   `--cfg rind_cpu_disable` only: this project's own tests, benches and tools. See [`check`].

use core::fmt;

mod environment;
mod feature;
mod report;

pub use environment::EnvironmentError;
pub(in crate::low) use feature::{Core, Detected, Feature, Features};
pub use report::{Report, Row, report};

#[cfg(target_arch = "x86_64")]
use super::x86_64::cpu::{HaveAdx, HaveAvx2, HaveIfma};

/// One implementation of the routines, for one class of CPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tier {
    /// Vectors of 52-bit multiply-adds: AVX-512 F, BW, DQ, VL and IFMA.
    Ifma,
    /// Four lanes of doubles, and assembly: AVX2, FMA and BMI2.
    Avx2,
    /// Assembly that may use BMI2 and ADX, and needs both; at present no routine uses ADX.
    Adx,
    /// Assembly within the x86-64 base instruction set.
    Alt,
    /// Plain Rust, on any target.
    Portable,
}

impl Tier {
    /// The name that tests, benches and `--cfg rind_backend` use.
    ///
    /// ```
    /// assert_eq!(rind25519::cpu::Tier::Portable.name(), "portable");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Ifma => "ifma",
            Tier::Avx2 => "avx2",
            Tier::Adx => "adx",
            Tier::Alt => "alt",
            Tier::Portable => "portable",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a caller asks of this crate, as far as the choice of a tier goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Verification of one Ed25519 signature.
    Verify,
    /// Ed25519 signing, and the public key of a seed.
    Sign,
    /// The X25519 shared secret.
    X25519,
    /// The X25519 public key of a secret.
    X25519PublicKey,
}

impl Operation {
    /// Every operation, in the order of the report.
    pub const ALL: &'static [Operation] =
        &[Operation::Verify, Operation::Sign, Operation::X25519, Operation::X25519PublicKey];

    /// The name in the report.
    ///
    /// ```
    /// assert_eq!(rind25519::cpu::Operation::Verify.name(), "verify");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Verify => "verify",
            Operation::Sign => "sign, public key",
            Operation::X25519 => "x25519",
            Operation::X25519PublicKey => "x25519 public key",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The tiers of each operation that are built in, best first for the core. The last one runs anywhere.
///
/// Dispatch ([`choose`]) and [`report`] both read this, and nothing else says it.
#[cfg(not(rind_asm))]
const fn tiers(_: Operation, _: Core) -> &'static [Tier] {
    &[Tier::Portable]
}
#[cfg(rind_asm)]
use super::x86_64::adx_mux::tiers;

/// The tier that `--cfg rind_backend` names; `build.rs` refuses any other value.
const PINNED: Option<Tier> = if cfg!(rind_backend = "portable") {
    Some(Tier::Portable)
} else if cfg!(all(rind_asm, rind_backend = "alt")) {
    Some(Tier::Alt)
} else if cfg!(all(rind_asm, rind_backend = "avx2")) {
    Some(Tier::Avx2)
} else if cfg!(all(rind_asm, rind_backend = "adx")) {
    Some(Tier::Adx)
} else {
    None
};

/// A tier that can run here, with the token that proves it.
#[derive(Clone, Copy, Debug)]
pub(in crate::low) enum Choice {
    #[cfg(target_arch = "x86_64")]
    Ifma(HaveIfma),
    #[cfg(target_arch = "x86_64")]
    Adx(HaveAdx),
    #[cfg(target_arch = "x86_64")]
    Avx2(HaveAvx2),
    #[cfg(target_arch = "x86_64")]
    Alt,
    Portable,
}

impl Choice {
    pub(in crate::low) const fn tier(self) -> Tier {
        match self {
            #[cfg(target_arch = "x86_64")]
            Choice::Ifma(_) => Tier::Ifma,
            #[cfg(target_arch = "x86_64")]
            Choice::Adx(_) => Tier::Adx,
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(_) => Tier::Avx2,
            #[cfg(target_arch = "x86_64")]
            Choice::Alt => Tier::Alt,
            Choice::Portable => Tier::Portable,
        }
    }
}

/// Why a tier does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::low) enum Obstacle {
    /// The CPU or its operating system lacks these.
    Missing(Features),
    /// The environment denies these.
    Denied(Features),
    /// The tier is for another architecture.
    #[cfg_attr(target_arch = "x86_64", allow(dead_code))]
    Foreign,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Missing(features) => write!(f, "no {features} here"),
            Obstacle::Denied(features) => write!(f, "{features} denied"),
            Obstacle::Foreign => f.write_str("not for this architecture"),
        }
    }
}

/// The token for `tier` if this machine can run it, else what stands in the way.
fn ready(tier: Tier, machine: Detected) -> Result<Choice, Obstacle> {
    match tier {
        #[cfg(target_arch = "x86_64")]
        Tier::Ifma => HaveIfma::proved_by(machine).map(Choice::Ifma),
        #[cfg(target_arch = "x86_64")]
        Tier::Adx => HaveAdx::proved_by(machine).map(Choice::Adx),
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => HaveAvx2::proved_by(machine).map(Choice::Avx2),
        #[cfg(target_arch = "x86_64")]
        Tier::Alt => Ok(Choice::Alt),
        #[cfg(not(target_arch = "x86_64"))]
        Tier::Ifma | Tier::Adx | Tier::Avx2 | Tier::Alt => {
            let _ = machine;
            Err(Obstacle::Foreign)
        }
        Tier::Portable => Ok(Choice::Portable),
    }
}

/// The first of `tiers` that `machine` can run.
fn first_ready(tiers: &[Tier], machine: Detected) -> Choice {
    tiers.iter().find_map(|&tier| ready(tier, machine).ok()).unwrap_or(Choice::Portable)
}

/// The tier that runs `operation` here. Costs one atomic load after the first call.
///
/// In a build with `--cfg rind_cpu_disable`, a wrong variable ends the process: see [`check`].
#[inline]
pub(in crate::low) fn choose(operation: Operation) -> Choice {
    // Before the pin, so that a wrong variable is met in a pinned build too; free where none is read.
    let machine = Detected::get();
    #[cfg(rind_internals)]
    if let Some(forced) = forced(machine) {
        return forced;
    }
    match PINNED.map(|tier| ready(tier, machine)) {
        Some(Ok(pinned)) => pinned,
        // A tier that cannot run here is not run, pinned or not.
        _ => first_ready(tiers(operation, machine.core()), machine),
    }
}

/// Notes that `tier` is about to do `operation`: the door calls this beside the call itself, so that a
/// test can tell which code ran. Nothing in builds without `--cfg rind_internals`.
#[inline]
pub(in crate::low) fn note_run(operation: Operation, tier: Tier) {
    #[cfg(rind_internals)]
    RAN[operation as usize].store(1 + tier as u8, core::sync::atomic::Ordering::Relaxed);
    let _ = (operation, tier);
}

#[cfg(rind_internals)]
static RAN: [core::sync::atomic::AtomicU8; Operation::ALL.len()] =
    [const { core::sync::atomic::AtomicU8::new(0) }; Operation::ALL.len()];

/// The tier that did `operation` last, in this process.
#[cfg(rind_internals)]
#[doc(hidden)]
pub fn last_run(operation: Operation) -> Option<Tier> {
    tier_of(RAN[operation as usize].load(core::sync::atomic::Ordering::Relaxed))
}

/// The tier that [`force`] asked for, as `1 + tier`; 0 for none.
#[cfg(rind_internals)]
static FORCED: core::sync::atomic::AtomicU8 = core::sync::atomic::AtomicU8::new(0);

#[cfg(rind_internals)]
fn tier_of(word: u8) -> Option<Tier> {
    [Tier::Ifma, Tier::Avx2, Tier::Adx, Tier::Alt, Tier::Portable]
        .into_iter()
        .find(|&tier| word == 1 + tier as u8)
}

/// From now on, in this process, each operation runs on `tier`, preferred there or not, where this
/// machine can run it; what has no form in it runs where the door sends it. `None` takes that back. So
/// that tiers can be timed in one process, in turn; [`last_run`] tells what ran.
#[cfg(rind_internals)]
#[doc(hidden)]
pub fn force(tier: Option<Tier>) {
    FORCED.store(tier.map_or(0, |tier| 1 + tier as u8), core::sync::atomic::Ordering::Relaxed);
}

/// The choice that [`force`] asked for. A token is proved here as anywhere else.
#[cfg(rind_internals)]
fn forced(machine: Detected) -> Option<Choice> {
    let tier = tier_of(FORCED.load(core::sync::atomic::Ordering::Relaxed))?;
    ready(tier, machine).ok()
}

/// Checks the environment variables that deny CPU features.
///
/// In builds with `--cfg rind_cpu_disable`, `RIND_CPU_DISABLE_<feature>=1` denies a feature for the
/// whole process; `0` or an empty value does not. The features are `bmi2`, `adx`, `avx2`, `fma`,
/// `avx512f`, `avx512bw`, `avx512dq`, `avx512vl` and `avx512ifma`, in this spelling, lower case. A denied
/// feature denies each tier that is made for it, and no other: denying `bmi2` denies `adx` and `avx2`,
/// denying `avx2` leaves `ifma`.
///
/// Every other build reads no variable, and this function returns `Ok`.
///
/// # Errors
///
/// A variable that starts with `RIND_CPU_DISABLE`, in whatever case, and names no feature exactly; a
/// value other than `1`, `0` or nothing. A tool should call this first and print the error: an
/// operation that meets a wrong variable has no way to return it, so it prints the same sentence on
/// standard error and exits the process with code 2.
///
/// ```
/// rind25519::cpu::check()?;
/// # Ok::<(), rind25519::cpu::EnvironmentError>(())
/// ```
pub fn check() -> Result<(), EnvironmentError> {
    Detected::try_get().map(drop)
}

#[cfg(test)]
mod tests;
