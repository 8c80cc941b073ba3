//! The CPU: CPUID's words as they were read, so that a reader need not trust our names for them.

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cpu {
    pub vendor: Option<String>,
    pub model: String,
    pub family: Option<u32>,
    pub model_number: Option<u32>,
    pub stepping: Option<u32>,
    /// As the kernel reports it; a hypervisor may say anything.
    pub microcode: Option<String>,
    /// CPUID words of features, "leaf.subleaf.register" to eight hex digits.
    pub cpuid: BTreeMap<String, String>,
    /// Which register state the system saves, in hex.
    pub xcr0: Option<String>,
}

impl Cpu {
    pub fn read() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            info.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim().to_owned())
            })
        };
        let number = |name: &str| field(name)?.parse().ok();
        Cpu {
            vendor: field("vendor_id"),
            model: field("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            family: number("cpu family"),
            model_number: number("model"),
            stepping: number("stepping"),
            microcode: field("microcode"),
            cpuid: words(),
            xcr0: xcr0(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn words() -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    let highest = raw_cpuid::cpuid!(0).eax;
    for (leaf, subleaf) in [(1, 0), (7, 0), (7, 1)].into_iter().filter(|&(leaf, _)| leaf <= highest)
    {
        let r = raw_cpuid::cpuid!(leaf, subleaf);
        // EBX of leaf 1 holds the number of the core that asked; it says nothing about the machine.
        let ebx = if leaf == 1 { 0 } else { r.ebx };
        for (name, word) in [("eax", r.eax), ("ebx", ebx), ("ecx", r.ecx), ("edx", r.edx)] {
            words.insert(format!("{leaf}.{subleaf}.{name}"), format!("{word:08x}"));
        }
    }
    words
}

#[cfg(not(target_arch = "x86_64"))]
fn words() -> BTreeMap<String, String> {
    BTreeMap::new()
}

#[cfg(target_arch = "x86_64")]
fn xcr0() -> Option<String> {
    crate::raw::xcr0().map(|state| format!("{state:x}"))
}

#[cfg(not(target_arch = "x86_64"))]
fn xcr0() -> Option<String> {
    None
}

/// The hypervisor's own name for itself.
#[cfg(target_arch = "x86_64")]
pub fn hypervisor() -> Option<String> {
    if raw_cpuid::cpuid!(1).ecx >> 31 == 0 {
        return None;
    }
    let r = raw_cpuid::cpuid!(0x4000_0000);
    let name: Vec<u8> = [r.ebx, r.ecx, r.edx].iter().flat_map(|word| word.to_le_bytes()).collect();
    let name = String::from_utf8_lossy(&name).trim_end_matches('\0').trim().to_owned();
    Some(if name.is_empty() { "yes".into() } else { name })
}

#[cfg(not(target_arch = "x86_64"))]
pub fn hypervisor() -> Option<String> {
    None
}
