//! `collect --host` through a real `sshd` on this machine, and the ways in which it can fail.

mod common;

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
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
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, free)).is_err() {
            let log = || fs::read_to_string(server.path("log")).unwrap();
            assert!(start.elapsed() < Duration::from_secs(10), "sshd does not listen: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn collect(&self, host: &str, binary: &Path, out: &Path) -> Command {
        let mut command = bench_report();
        command
            .args([
                "collect",
                "--rounds",
                "2",
                "--row",
                "inversion",
                "--host",
                host,
                "--ssh-config",
            ])
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
fn left_behind() -> usize {
    let names = fs::read_dir("/tmp").unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("bench-report.")).count()
}

// One test: the second half counts what the first left in /tmp.
#[test]
fn report_comes_back_and_failures_are_sentences() {
    let Some(server) = Server::start() else { return };
    let program = Path::new(env!("CARGO_BIN_EXE_bench-report"));
    let out = server.path("report.json");
    let before = left_behind();
    let output = server.collect("loopback", program, &out).output().unwrap();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(report["settings"]["rounds"], 2);
    assert_eq!(report["command"], "bench-report collect --row inversion --rounds 2");
    assert_eq!(left_behind(), before);

    // A host that is not there; what was brought before stays.
    let earlier = fs::read(&out).unwrap();
    let output = server.collect("nobody", program, &out).output().unwrap();
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
    let output = server.collect("loopback", &foreign, &out).output().unwrap();
    assert_sentence(&output, 2, "loopback lacks the C library");

    // A program that is none.
    let output = server.collect("loopback", &source, &out).output().unwrap();
    assert_sentence(&output, 2, "loopback cannot run the program");
    let output = server.collect("loopback", Path::new("/nowhere"), &out).output().unwrap();
    assert_sentence(&output, 2, "there is no program /nowhere");
    assert_eq!(fs::read(&out).unwrap(), earlier);
    assert_eq!(left_behind(), before);
}
