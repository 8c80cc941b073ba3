//! CPU features as a set, the kind of core, and what detection found.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::environment::{self, EnvironmentError};

/// A CPU feature that some tier asks for, under the name that Rust gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::low) enum Feature {
    Bmi2,
    Adx,
    Avx2,
    Fma,
    Avx512f,
    Avx512bw,
    Avx512dq,
    Avx512vl,
    Avx512ifma,
}

impl Feature {
    pub const ALL: [Feature; 9] = [
        Feature::Bmi2,
        Feature::Adx,
        Feature::Avx2,
        Feature::Fma,
        Feature::Avx512f,
        Feature::Avx512bw,
        Feature::Avx512dq,
        Feature::Avx512vl,
        Feature::Avx512ifma,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Feature::Bmi2 => "bmi2",
            Feature::Adx => "adx",
            Feature::Avx2 => "avx2",
            Feature::Fma => "fma",
            Feature::Avx512f => "avx512f",
            Feature::Avx512bw => "avx512bw",
            Feature::Avx512dq => "avx512dq",
            Feature::Avx512vl => "avx512vl",
            Feature::Avx512ifma => "avx512ifma",
        }
    }
}

/// A set of features: bit i stands for `Feature::ALL[i]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::low) struct Features(u16);

impl Features {
    pub const NONE: Features = Features(0);

    pub const fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u16)
    }
    pub const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u16 != 0
    }
    pub const fn and(self, other: Features) -> Features {
        Features(self.0 & other.0)
    }
    pub const fn without(self, other: Features) -> Features {
        Features(self.0 & !other.0)
    }
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Feature::ALL.into_iter().filter(move |&f| self.has(f)).map(Feature::name)
    }
}

/// The names, with a comma between them.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.names().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

/// Cores that have an order of tiers of their own. It decides about speed alone: what may run, features do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::low) enum Core {
    /// AMD's family 19h: Zen 3 and Zen 4.
    #[cfg_attr(not(rind_asm), allow(dead_code))]
    Zen3,
    Other,
}

/// What this machine has, and what the environment denies. Holding one outside of tests proves that
/// `seen` was read off this CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::low) struct Detected {
    seen: Features,
    denied: Features,
    core: Core,
}

/// 0 before detection; afterwards the two sets, `ZEN3` and `READY`, in one word, so no reader can see half of
/// it and `Relaxed` is enough. Threads that race all compute the same word and store it.
static CACHE: AtomicU32 = AtomicU32::new(0);
const READY: u32 = 1 << 31;
const ZEN3: u32 = 1 << 15;
const _: () = assert!(Feature::ALL.len() < 15, "denied, READY, seen and ZEN3 share a word");

impl Detected {
    pub const fn seen(self) -> Features {
        self.seen
    }
    pub const fn denied(self) -> Features {
        self.denied
    }
    pub const fn core(self) -> Core {
        self.core
    }

    /// Detects once; an error is not kept, so each call meets it again.
    #[inline]
    pub fn try_get() -> Result<Detected, EnvironmentError> {
        match CACHE.load(Relaxed) {
            0 => Detected::detect(),
            word => Ok(Detected::from_word(word)),
        }
    }

    /// The same where no error can be returned: a wrong environment ends the process with code 2.
    #[inline]
    pub fn get() -> Detected {
        match Detected::try_get() {
            Ok(detected) => detected,
            Err(error) => environment::refuse(&error),
        }
    }

    #[cold]
    fn detect() -> Result<Detected, EnvironmentError> {
        let (seen, core) = read_cpu();
        let detected = Detected { seen, denied: environment::denied()?, core };
        CACHE.store(detected.to_word(), Relaxed);
        Ok(detected)
    }

    const fn to_word(self) -> u32 {
        let core = match self.core {
            Core::Zen3 => ZEN3,
            Core::Other => 0,
        };
        READY | core | (self.denied.0 as u32) << 16 | self.seen.0 as u32
    }
    const fn from_word(word: u32) -> Detected {
        Detected {
            seen: Features((word & !ZEN3) as u16),
            denied: Features(((word & !READY) >> 16) as u16),
            core: if word & ZEN3 == 0 { Core::Other } else { Core::Zen3 },
        }
    }

    /// A machine that need not exist: for tests of the choice, never of the code that runs.
    #[cfg(test)]
    pub const fn faked(seen: Features, denied: Features) -> Detected {
        Detected { seen, denied, core: Core::Other }
    }

    /// The same machine with another core.
    #[cfg(test)]
    pub const fn with_core(self, core: Core) -> Detected {
        Detected { core, ..self }
    }
}

#[cfg(target_arch = "x86_64")]
fn read_cpu() -> (Features, Core) {
    let words = crate::low::x86_64::cpu::Words::read();
    (words.features(), words.core())
}

#[cfg(not(target_arch = "x86_64"))]
const fn read_cpu() -> (Features, Core) {
    (Features::NONE, Core::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn word_keeps_both_sets_and_the_core() {
        for seen in 0..1 << Feature::ALL.len() {
            let all = (1 << Feature::ALL.len()) - 1;
            for core in [Core::Zen3, Core::Other] {
                let detected =
                    Detected::faked(Features(seen), Features(!seen & all)).with_core(core);
                assert_ne!(detected.to_word(), 0);
                assert_eq!(Detected::from_word(detected.to_word()), detected);
            }
        }
    }

    #[test]
    fn each_feature_has_its_own_bit_and_name() {
        for (i, a) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(Features::NONE.with(a), Features(1 << i));
            assert_eq!(Features::NONE.with(a).names().collect::<Vec<_>>(), [a.name()]);
        }
    }

    #[test]
    fn detection_agrees_on_every_thread() {
        let (seen, core) = read_cpu();
        let fresh = Detected { seen, denied: environment::denied().unwrap(), core };
        let barrier = std::sync::Barrier::new(64);
        for _ in 0..if cfg!(miri) { 2 } else { 50 } {
            CACHE.store(0, Relaxed);
            std::thread::scope(|scope| {
                for _ in 0..64 {
                    scope.spawn(|| {
                        barrier.wait();
                        for _ in 0..100 {
                            assert_eq!(Detected::get(), fresh);
                        }
                    });
                }
            });
        }
    }
}
