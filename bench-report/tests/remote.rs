//! `collect --host` through a real `sshd` on this machine, and the ways in which it can fail.

mod common;

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{assert_sentence, bench_report, said, skip};

/// A server with keys of its own, and the configuration with which a client finds it as `loopback`.
struct Server {
    child: Child,
    folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Option<Self> {
        if !(skip::program("sshd") && skip::program("ssh-keygen")) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "user"] {
            let status = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &path(key)])
                .status()
                .unwrap();
            assert!(status.success());
        }
        fs::copy(path("user.pub"), path("authorized")).unwrap();
        let free =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        // Only root needs the folder, and only root may make it.
        let _ = fs::create_dir_all("/run/sshd");
        fs::write(
            path("sshd_config"),
            format!(
                "Port {free}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
                 StrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n\
                 Subsystem sftp internal-sftp\n",
                path("host"),
                path("authorized")
            ),
        )
        .unwrap();
        let user = said(&Command::new("id").arg("-un").output().unwrap()).1;
        fs::write(
            path("ssh_config"),
            format!(
                "Host loopback\n HostName 127.0.0.1\n Port {free}\n User {}\n IdentityFile {}\n\
                 \nHost nobody\n HostName 127.0.0.1\n Port 1\n\
                 \nHost *\n IdentitiesOnly yes\n StrictHostKeyChecking accept-new\n UserKnownHostsFile {}\n",
                user.trim(),
                path("user"),
                path("known")
            ),
        )
        .unwrap();
        let log = fs::File::create(path("log")).unwrap();
        let child = Command::new(absolute("sshd"))
            .args(["-D", "-e", "-f", &path("sshd_config")])
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server { child, folder };
        until("sshd listens", || TcpStream::connect((Ipv4Addr::LOCALHOST, free)).is_ok());
        Some(server)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn collect(&self, host: &str, binary: &Path, out: &Path, rounds: u32) -> Command {
        let mut command = bench_report();
        command
            .args(["collect", "--rounds", &rounds.to_string(), "--row", "inversion"])
            .args(["--host", host, "--ssh-config"])
            .arg(self.path("ssh_config"))
            .arg("--binary")
            .arg(binary)
            .arg("--out")
            .arg(out);
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).expect("the server ends");
    }
}

/// sshd starts only under its full path.
fn absolute(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.exists())
        .unwrap()
}

/// Folders that runs leave in /tmp.
fn folders() -> Vec<PathBuf> {
    let paths = fs::read_dir("/tmp").unwrap().map(|entry| entry.unwrap().path());
    let of_runs = |path: &PathBuf| path.to_string_lossy().starts_with("/tmp/bench-report.");
    paths.filter(of_runs).collect()
}

/// Waits until something is so.
fn until(what: &str, so: impl Fn() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(30), "not in 30 seconds: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Whether a program of that folder runs.
fn runs_in(folder: &Path) -> bool {
    let programs = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.path().join("exe").read_link().ok());
    programs.into_iter().any(|program| program.starts_with(folder))
}

// One test: the second half counts what the first left in /tmp.
#[test]
fn report_comes_back_and_failures_are_sentences() {
    let Some(server) = Server::start() else { return };
    let program = Path::new(env!("CARGO_BIN_EXE_bench-report"));
    let out = server.path("report.json");
    let before = folders();
    let output = server.collect("loopback", program, &out, 2).output().unwrap();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(report["settings"]["rounds"], 2);
    assert_eq!(report["command"], "bench-report collect --row inversion --rounds 2");
    assert_eq!(folders(), before);

    // A host that is not there; what was brought before stays.
    let earlier = fs::read(&out).unwrap();
    let output = server.collect("nobody", program, &out, 2).output().unwrap();
    assert_sentence(&output, 2, "cannot reach nobody: ");
    assert_eq!(fs::read(&out).unwrap(), earlier);

    // A program that needs another C library.
    let source = server.path("main.c");
    fs::write(&source, "int main(void) { return 0; }").unwrap();
    let foreign = server.path("foreign");
    let built = Command::new("cc")
        .arg("-Wl,--dynamic-linker=/lib/ld-of-another-libc.so")
        .args(["-o".as_ref(), foreign.as_os_str(), source.as_os_str()])
        .status();
    assert!(built.unwrap().success());
    let output = server.collect("loopback", &foreign, &out, 2).output().unwrap();
    assert_sentence(&output, 2, "loopback lacks the C library");

    // A program that is none.
    let output = server.collect("loopback", &source, &out, 2).output().unwrap();
    assert_sentence(&output, 2, "loopback cannot run the program");
    let output = server.collect("loopback", Path::new("/nowhere"), &out, 2).output().unwrap();
    assert_sentence(&output, 2, "there is no program /nowhere");
    assert_eq!(fs::read(&out).unwrap(), earlier);
    assert_eq!(folders(), before);

    // An interruption, as from a keyboard: to the whole group.
    let mut command = server.collect("loopback", program, &out, 100_000);
    let child = command.process_group(0).stderr(Stdio::piped()).spawn().unwrap();
    let new = || folders().into_iter().find(|folder| !before.contains(folder));
    until("it measures", || new().is_some_and(|folder| runs_in(&folder)));
    std::thread::sleep(Duration::from_millis(500));
    let folder = new().unwrap();
    assert!(
        Command::new("kill")
            .args(["-INT", "--", &format!("-{}", child.id())])
            .status()
            .unwrap()
            .success()
    );
    assert_sentence(&child.wait_with_output().unwrap(), 130, "interrupted while loopback measured");
    until("the program over there ends", || !runs_in(&folder));
    assert_eq!(folders(), before);
    assert_eq!(fs::read(&out).unwrap(), earlier);
}

/// The same signal ends `ssh` and asks this program to stop, and `ssh` may be the faster.
#[test]
fn interruption_is_told_from_a_lost_host() {
    let folder = tempfile::tempdir().unwrap();
    let program = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let scp = program("scp", "exit 0");
    let answers = |when_measuring: &str| {
        let uname = "uname -sm; echo /tmp/bench-report.notThere";
        let cases = format!("*uname*) {uname};; *\" collect \"*) {when_measuring};;");
        program("ssh", &format!("case \"$*\" in {cases} esac"));
    };
    let collect = || {
        let mut path =
            std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        path.insert(0, folder.path().to_owned());
        let mut command = bench_report();
        command.args(["collect", "--quick", "--host", "elsewhere", "--binary"]).arg(&scp);
        command.env("PATH", std::env::join_paths(path).unwrap()).output().unwrap()
    };
    answers("exit 255");
    assert_sentence(&collect(), 2, "lost elsewhere while it measured");
    // Many times: what this is against was a matter of luck.
    for ending in ["kill -INT $PPID; exit 255", "kill -TERM $PPID; exit 255", "exit 130"].repeat(20)
    {
        answers(ending);
        assert_sentence(&collect(), 130, "interrupted while elsewhere measured");
    }
}
