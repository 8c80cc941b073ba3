//! The machine and the build that a report is from: what explains its numbers, and nothing that names
//! its owner.

mod cpu;

use std::fs;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// The machine. What cannot be read is left out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Host {
    /// Only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    pub architecture: String,
    pub cpu: cpu::Cpu,
    /// Those that some tier of ours asks for, as the library detects them: CPUID and XCR0 both count.
    pub features: Vec<String>,
    /// Denied by RIND_CPU_DISABLE_<feature>.
    pub denied: Vec<String>,
    pub hypervisor: Option<String>,
    pub governor: Option<String>,
    pub boost: Option<String>,
    pub smt: Option<String>,
    pub cpus_online: Option<String>,
    pub kernel: Option<String>,
}

/// The program that measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    pub commit: Option<String>,
    /// Whether the sources that were measured differ from the commit.
    pub dirty: Option<bool>,
    pub rustc: Option<String>,
    pub flags: String,
    pub target: String,
    pub profile: String,
    pub statically_linked: bool,
}

impl Host {
    pub fn read(with_name: bool) -> Self {
        let report = rind25519::cpu::report();
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        Host {
            name: with_name.then(|| line("/proc/sys/kernel/hostname")).flatten(),
            architecture: std::env::consts::ARCH.into(),
            cpu: cpu::Cpu::read(),
            features: owned(report.features().collect()),
            denied: owned(report.denied().collect()),
            hypervisor: cpu::hypervisor(),
            governor: line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            boost: boost(),
            smt: line("/sys/devices/system/cpu/smt/control"),
            cpus_online: line("/sys/devices/system/cpu/online"),
            kernel: line("/proc/sys/kernel/osrelease"),
        }
    }

    /// For the name of a report's file: letters, digits and hyphens.
    pub fn file_stem(&self) -> String {
        const NOISE: [&str; 5] = ["r", "tm", "cpu", "processor", "core"];
        let model = self.cpu.model.to_lowercase();
        let words = model.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|w| !w.is_empty() && !NOISE.contains(w)).collect();
        let stem = words.join("-");
        match (self.cpu.family, self.cpu.model_number) {
            (Some(family), Some(model)) => format!("{stem}-{family}-{model}"),
            _ => stem,
        }
    }
}

impl Build {
    pub fn this() -> Self {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Build {
            commit: given(env!("BENCH_REPORT_COMMIT")),
            dirty: given(env!("BENCH_REPORT_DIRTY")).map(|word| word == "1"),
            rustc: given(env!("BENCH_REPORT_RUSTC")),
            flags: env!("BENCH_REPORT_FLAGS").into(),
            target: env!("BENCH_REPORT_TARGET").into(),
            profile: env!("BENCH_REPORT_PROFILE").into(),
            statically_linked: statically_linked(),
        }
    }
}

static STATIC: OnceLock<bool> = OnceLock::new();

/// The linker's part of a build, which only the program's own crate knows: this library is compiled once
/// for the dynamic and the static program.
pub fn set_statically_linked(linked: bool) {
    let _ = STATIC.set(linked);
}

/// Whether this program runs without the system's libraries.
pub fn statically_linked() -> bool {
    STATIC.get().copied().unwrap_or(false)
}

/// The version of `package` in the Cargo.lock that this program was built from; the newest of several.
pub fn locked_version(package: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        version: String,
    }
    let lock: Lock = toml::from_str(include_str!("../../../Cargo.lock")).ok()?;
    lock.package.into_iter().rfind(|p| p.name == package).map(|p| p.version)
}

/// The first line of a file, if there is one.
fn line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().next().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}

fn boost() -> Option<String> {
    let word = |bit: &str| if bit == "1" { "on" } else { "off" };
    if let Some(bit) = line("/sys/devices/system/cpu/cpufreq/boost") {
        return Some(word(&bit).into());
    }
    let off = line("/sys/devices/system/cpu/intel_pstate/no_turbo")?;
    Some(word(if off == "0" { "1" } else { "0" }).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn host_is_described_without_its_name() {
        let host = Host::read(false);
        assert_eq!(host.name, None);
        assert!(!host.cpu.model.is_empty());
        let stem = host.file_stem();
        assert!(
            stem.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{stem}"
        );
        // Values, not their parts: a machine may be called "cloud", and its kernel "6.1-cloud-amd64".
        let name = line("/proc/sys/kernel/hostname");
        let tells = |host: &Host| {
            let values = serde_json::to_value(host).unwrap();
            let mut open = vec![&values];
            while let Some(value) = open.pop() {
                match value {
                    Value::String(text) if Some(text) == name.as_ref() => return true,
                    Value::Array(values) => open.extend(values),
                    Value::Object(values) => open.extend(values.values()),
                    _ => {}
                }
            }
            false
        };
        assert!(!tells(&host), "{name:?} in {host:?}");
        assert_eq!(tells(&Host::read(true)), name.is_some());
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        assert_eq!(locked_version("graviola").as_deref(), Some("0.4.4"));
        assert_eq!(locked_version("no-such-crate"), None);
    }
}
