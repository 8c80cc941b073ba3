//! Measuring on another machine: a program without dependencies is copied there, runs with the rights of
//! the user who logs in, and its report is brought back. Everything goes through the system's `ssh` and
//! `scp`, so that keys, jumps and names are those of `~/.ssh/config`.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{Collected, default_folder, default_path, interrupt};
use crate::files::{self, plain};
use crate::report::Report;

pub struct Request {
    /// Options of `collect` that say what to measure.
    pub arguments: Vec<String>,
    pub ssh_config: Option<PathBuf>,
    pub binary: Option<PathBuf>,
    pub out: Option<PathBuf>,
}

/// Every host in turn. One that fails does not keep the others from being measured; the error then names
/// all that failed.
pub fn measure_all(hosts: &[String], request: &Request) -> Result<Vec<Collected>, String> {
    if hosts.len() > 1 && request.out.is_some() {
        return Err("--out names one file, and there are several hosts: leave it out".into());
    }
    if let Some(path) = request.binary.as_ref().filter(|path| !path.is_file()) {
        return Err(format!("there is no program {}", path.display()));
    }
    let out = request.out.clone().unwrap_or_else(|| default_folder().join("report.json"));
    files::check_writable(&out)?;
    // Not to die of it: the folder over there must go, and what runs in it.
    interrupt::listen()?;
    let mut built = request.binary.clone();
    let (mut collected, mut failed) = (Vec::new(), Vec::new());
    for host in hosts {
        match measure(host, &mut built, request) {
            Ok(one) => collected.push(one),
            // It is no fault of what it broke, and it comes first: the exit code is that of an interruption.
            Err(_) if interrupt::asked() => {
                failed.insert(0, interrupted(host));
                break;
            }
            Err(error) => failed.push(error),
        }
    }
    if failed.is_empty() {
        return Ok(collected);
    }
    let mut error = failed.join("; ");
    for one in &collected {
        error += &format!("; the report of another host is kept: {}", one.path.display());
    }
    Err(error)
}

fn interrupted(host: &str) -> String {
    format!("interrupted while {host} measured; nothing was brought back")
}

/// One host. The program is built when the first of them has answered: a mistyped name should not take minutes.
fn measure(
    host: &str,
    built: &mut Option<PathBuf>,
    request: &Request,
) -> Result<Collected, String> {
    if host.starts_with('-') || host.is_empty() {
        return Err(format!("{host:?} is no host"));
    }
    if interrupt::asked() {
        return Err(interrupted(host)); // while another one measured, to its end
    }
    let ssh = Ssh { host, config: request.ssh_config.as_deref() };
    let folder = Folder::make(&ssh)?;
    let binary = match built {
        Some(path) => &*path,
        None => &*built.insert(build()?),
    };
    let program = format!("{}/bench-report", folder.path);
    ssh.copy(&[&binary.display().to_string(), &format!("{host}:{program}")])?;
    starts(&ssh, &program, binary)?;

    eprintln!("measuring on {host}");
    let words: Vec<String> = request.arguments.iter().map(|word| quoted(word)).collect();
    let collect = format!(
        "cd {} && ./bench-report collect --out report.json {}",
        folder.path,
        words.join(" ")
    );
    let status = ssh
        .command("ssh")
        .args(std::io::stderr().is_terminal().then_some("-t")) // for the progress bar there
        .args(["--", host, &collect])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("cannot run ssh: {}", plain(&e)))?;
    match status.code() {
        _ if interrupt::asked() => return Err(interrupted(host)),
        // With a terminal, ssh hands the key over, and only the program there is interrupted.
        Some(130) => return Err(interrupted(host)),
        Some(0 | 1) => (),
        Some(255) => {
            return Err(format!("lost {host} while it measured; nothing was brought back"));
        }
        _ => return Err(format!("the run on {host} failed; what it said stands above")),
    }

    let here = tempfile::tempdir().map_err(|e| format!("no temporary folder: {}", plain(&e)))?;
    let file = here.path().join("report.json");
    ssh.copy(&[&format!("{host}:{}/report.json", folder.path), &file.display().to_string()])?;
    let report = Report::load(&file).map_err(|e| format!("what {host} sent back: {e}"))?;
    let path = request.out.clone().unwrap_or_else(|| default_path(&report, false));
    report.save(&path)?;
    Ok(Collected { path, report })
}

/// Whether the copied program runs at all; most often it is the C library that keeps it from it.
fn starts(ssh: &Ssh<'_>, program: &str, binary: &Path) -> Result<(), String> {
    let host = ssh.host;
    let output = ssh.run(&format!("{program} --version"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let missing =
        ["GLIBC_", "not found", "No such file", "cannot open shared object", "loading shared"];
    match output.status.code() {
        Some(0) => Ok(()),
        _ if missing.iter().any(|word| said.contains(word)) => Err(format!(
            "{host} lacks the C library that {} needs; leave --binary out for a program that needs none",
            binary.display()
        )),
        _ => Err(format!("{host} cannot run the program: {}", last_line(&output.stderr))),
    }
}

struct Ssh<'a> {
    host: &'a str,
    config: Option<&'a Path>,
}

impl Ssh<'_> {
    /// `ssh` or `scp` that never asks for anything.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        if let Some(config) = self.config {
            command.arg("-F").arg(config);
        }
        command.args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=10"]);
        command
    }

    fn run(&self, script: &str) -> Result<Output, String> {
        let host = self.host;
        let output = self
            .command("ssh")
            .args(["--", host, script])
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot run ssh: {}", plain(&e)))?;
        // 255 is ssh's own; what the script returns passes through.
        if output.status.code() == Some(255) {
            return Err(format!("cannot reach {host}: {}", last_line(&output.stderr)));
        }
        Ok(output)
    }

    fn copy(&self, from_and_to: &[&str]) -> Result<(), String> {
        let output = self
            .command("scp")
            .args(["-q", "--"])
            .args(from_and_to)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cannot run scp: {}", plain(&e)))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("cannot copy to or from {}: {}", self.host, last_line(&output.stderr)))
    }
}

/// A folder over there, removed when the run is over, however it ends.
struct Folder<'a> {
    ssh: &'a Ssh<'a>,
    path: String,
}

impl<'a> Folder<'a> {
    fn make(ssh: &'a Ssh<'a>) -> Result<Self, String> {
        let host = ssh.host;
        let output = ssh.run("umask 077; uname -sm && mktemp -d /tmp/bench-report.XXXXXXXX")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines().rev();
        // From the end: a login script may greet first.
        let (path, machine) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let named = path.strip_prefix("/tmp/bench-report.");
        if !named.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_alphanumeric())) {
            return Err(format!("{host} gives no temporary folder: {}", last_line(&output.stderr)));
        }
        let folder = Folder { ssh, path: path.into() };
        let ours = format!("Linux {}", std::env::consts::ARCH);
        if machine.trim() != ours {
            return Err(format!("{host} is {}, and this program is for {ours}", machine.trim()));
        }
        Ok(folder)
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // Nothing to be done where the host is gone.
        let end_what_runs_in_it = format!(
            r#"for p in /proc/[0-9]*; do
                case "$(readlink "$p/exe" 2>/dev/null)" in {}/*) kill "${{p#/proc/}}";; esac
            done"#,
            self.path
        );
        let _ = self.ssh.run(&format!("{end_what_runs_in_it}; rm -rf {}", self.path));
    }
}

/// For the shell over there.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rev().find(|line| !line.trim().is_empty());
    line.unwrap_or("it does not say why").trim().to_owned()
}

/// The statically linked program, built from the sources that this one was built from.
fn build() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !root.join("bench-report/Cargo.toml").is_file() {
        return Err("the sources are gone that the program for other hosts is built from; \
                    build bench-report-static elsewhere and give it with --binary"
            .into());
    }
    eprintln!("building the program for other hosts");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args([
            "rustc",
            "--release",
            "--locked",
            "-p",
            "bench-report",
            "--bin",
            "bench-report-static",
        ])
        .args([
            "--message-format=json-render-diagnostics",
            "--",
            "-C",
            "target-feature=+crt-static",
        ])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run cargo: {}", plain(&e)))?;
    if !output.status.success() {
        return Err(
            "the program for other hosts does not build; what cargo said stands above".into()
        );
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = |line: &str| -> Option<PathBuf> {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(message["executable"].as_str()?.into())
    };
    messages.lines().rev().find_map(executable).ok_or_else(|| "cargo names no program".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_shell_as_they_are() {
        for word in ["--quick", "a b", "it's", "$(date)", "`x`", "\\"] {
            let script = format!("printf %s {}", quoted(word));
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), word);
        }
    }
}
