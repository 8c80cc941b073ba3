//! `collect --host` through a real `sshd` on this machine, and the ways in which it can fail.

mod common;

use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{assert_sentence, bench_report, said, skip};

/// Keys of a server, and the configuration with which a client finds it as `loopback`: each connection
/// starts a server of its own, which no port has to be found for. A session of its own, too: an
/// interruption of the client's group is not one of another host.
struct Server {
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
        // Notes what runs make in /tmp, where others may make folders of that name at the same time.
        let real = absolute("mktemp");
        let note = format!(
            "made=$({} \"$@\") && echo \"$made\" | tee -a {}",
            real.display(),
            path("made")
        );
        write_program(&folder.path().join("mktemp"), &note);
        // Only root needs the folder, and only root may make it.
        let _ = fs::create_dir_all("/run/sshd");
        fs::write(
            path("sshd_config"),
            format!(
                "HostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
                 StrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n\
                 Subsystem sftp internal-sftp\nSetEnv PATH={}:/usr/bin:/bin\n",
                path("host"),
                path("authorized"),
                folder.path().display()
            ),
        )
        .unwrap();
        let user = said(&Command::new("id").arg("-un").output().unwrap()).1;
        fs::write(
            path("ssh_config"),
            format!(
                "Host loopback\n ProxyCommand setsid {} -i -E {} -f {}\n User {}\n IdentityFile {}\n\
                 \nHost nobody\n HostName 127.0.0.1\n Port 1\n\
                 \nHost *\n IdentitiesOnly yes\n StrictHostKeyChecking accept-new\n UserKnownHostsFile {}\n",
                absolute("sshd").display(),
                path("log"),
                path("sshd_config"),
                user.trim(),
                path("user"),
                path("known")
            ),
        )
        .unwrap();
        Some(Server { folder })
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

/// A script that may be run at once. Written by another process: what this one opens to write, a child that
/// another test starts at that moment has open too, and a file that is open so cannot be run.
fn write_program(path: &Path, text: &str) {
    let mut writer = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    write!(writer.stdin.take().unwrap(), "#!/bin/sh\n{text}\n").unwrap();
    assert!(writer.wait().unwrap().success());
}

/// Under its full path, which sshd wants.
fn absolute(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.exists())
        .unwrap()
}

/// Of the folders that runs have made in /tmp, those that are there.
fn folders(server: &Server) -> Vec<PathBuf> {
    let made = fs::read_to_string(server.path("made")).unwrap_or_default();
    made.lines().map(PathBuf::from).filter(|folder| folder.exists()).collect()
}

/// Waits until something is so; the bound is only against a wait without end.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(300), "not in five minutes: {what}");
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

#[test]
fn report_comes_back_and_failures_are_sentences() {
    let Some(server) = Server::start() else { return };
    let program = Path::new(env!("CARGO_BIN_EXE_bench-report"));
    let out = server.path("report.json");
    let output = server.collect("loopback", program, &out, 2).output().unwrap();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(report["settings"]["rounds"], 2);
    assert_eq!(report["command"], "bench-report collect --row inversion --rounds 2");
    assert_eq!(folders(&server), [""; 0].map(PathBuf::from));

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
    assert_eq!(folders(&server), [""; 0].map(PathBuf::from));

    // An interruption, as from a keyboard: to the whole group.
    let mut command = server.collect("loopback", program, &out, 100_000);
    let mut child = command.process_group(0).stderr(Stdio::piped()).spawn().unwrap();
    let folder = || folders(&server).pop();
    // Its first checkpoint: before it, other steps would be interrupted.
    until("it measures", || {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        folder().is_some_and(|folder| folder.join("report.json.partial").exists())
    });
    let folder = folder().unwrap();
    assert!(runs_in(&folder));
    let kill = ["-c", "kill -INT -$0", &child.id().to_string()];
    assert!(Command::new("sh").args(kill).status().unwrap().success());
    assert_sentence(&child.wait_with_output().unwrap(), 130, "interrupted while loopback measured");
    until("the program over there ends", || !runs_in(&folder));
    assert_eq!(folders(&server), [""; 0].map(PathBuf::from));
    assert_eq!(fs::read(&out).unwrap(), earlier);
}

/// The same signal ends `ssh` or `scp` and asks this program to stop, and they may be the faster.
#[test]
fn interruption_is_told_from_a_failure_in_every_step() {
    let folder = tempfile::tempdir().unwrap();
    // In which step what happens; read, not run.
    let set = |step: &str, what: &str| {
        fs::write(
            folder.path().join("step"),
            format!("at() {{ [ $1 != {step} ] || {{ {what}; }}; }}\n"),
        )
        .unwrap();
    };
    let program = |name: &str, text: &str| {
        write_program(
            &folder.path().join(name),
            &format!(". {}/step\n{text}", folder.path().display()),
        );
    };
    program(
        "ssh",
        "all=$*\ncase $all in\n\
         *uname*) at make; uname -sm; echo /tmp/bench-report.notThere ;;\n\
         *--version*) at start ;;\n\
         *\" collect \"*) at measure ;;\nesac",
    );
    program("scp", "case \"$*\" in *report.json*) at fetch ;; *) at copy ;; esac");
    let collect = |hosts: &[&str]| {
        let path = std::env::var_os("PATH").unwrap();
        let path = std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&path));
        let mut command = bench_report();
        command.args(["collect", "--quick", "--binary"]).arg(folder.path().join("scp"));
        command.args(hosts.iter().flat_map(|host| ["--host", host]));
        command.env("PATH", std::env::join_paths(path).unwrap()).output().unwrap()
    };
    set("measure", "exit 255");
    assert_sentence(&collect(&["elsewhere"]), 2, "lost elsewhere while it measured");
    set("measure", "exit 130");
    assert_sentence(&collect(&["elsewhere"]), 130, "interrupted while elsewhere measured");
    // Many times: what this is against was a matter of luck.
    for step in ["make", "copy", "start", "measure", "fetch"].repeat(8) {
        for signal in ["INT", "TERM"] {
            set(step, &format!("kill -{signal} $PPID; exit 255"));
            assert_sentence(&collect(&["elsewhere"]), 130, "interrupted while elsewhere measured");
        }
    }
    // After the failure of another host, too; and no further host is asked.
    set("make", "case $all in *nobody*) exit 255;; esac; kill -INT $PPID; exit 255");
    let output = collect(&["nobody", "elsewhere", "third"]);
    assert_sentence(&output, 130, "interrupted while elsewhere measured");
    let (_, _, said) = said(&output);
    assert!(said.contains("cannot reach nobody") && !said.contains("third"), "{said}");
}

/// A name that is mistyped costs no build, and one build serves all hosts.
#[test]
fn program_is_built_when_a_host_has_answered() {
    let folder = tempfile::tempdir().unwrap();
    let built = folder.path().join("built");
    let cargo = folder.path().join("cargo");
    write_program(
        &cargo,
        &format!("echo built >>{0}; echo '{{\"executable\": \"{0}\"}}'", built.display()),
    );
    let ssh = "case \"$*\" in
         *nobody*) echo 'Could not resolve hostname nobody' >&2; exit 255 ;;
         *uname*) uname -sm; echo /tmp/bench-report.notThere ;;
         *) exit 1 ;;\nesac";
    write_program(&folder.path().join("ssh"), ssh);
    write_program(&folder.path().join("scp"), "exit 1");
    let collect = |hosts: &[&str]| {
        let path = std::env::var_os("PATH").unwrap();
        let path = std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&path));
        let mut command = bench_report();
        command.args(["collect", "--quick"]).args(hosts.iter().flat_map(|host| ["--host", host]));
        command.env("CARGO", &cargo).env("PATH", std::env::join_paths(path).unwrap());
        command.output().unwrap()
    };
    assert_sentence(
        &collect(&["nobody"]),
        2,
        "cannot reach nobody: Could not resolve hostname nobody",
    );
    assert!(!built.exists());
    let output = collect(&["nobody", "one", "two"]);
    assert_sentence(&output, 2, "cannot reach nobody");
    assert!(said(&output).2.contains("cannot copy to or from one"), "{}", said(&output).2);
    assert_eq!(fs::read_to_string(&built).unwrap(), "built\n");
    // Nor does a place for the report that is none.
    fs::remove_file(&built).unwrap();
    let mut command = bench_report();
    command.args(["collect", "--host", "one", "--out"]).arg(cargo.join("report.json"));
    assert_sentence(&command.env("CARGO", &cargo).output().unwrap(), 2, "cannot write ");
    assert!(!built.exists());
}

/// As a user has it: built here without a word about how, it needs nothing over there.
#[test]
#[ignore = "builds a program with cargo; .ci/run asks for it"]
fn program_for_other_hosts_is_built_and_needs_no_library() {
    let Some(server) = Server::start() else { return };
    let out = server.path("report.json");
    let mut command = bench_report();
    command.args(["collect", "--rounds", "1", "--row", "inversion", "--host", "loopback"]);
    command.arg("--ssh-config").arg(server.path("ssh_config")).arg("--out").arg(&out);
    let output = command.output().unwrap();
    assert_eq!(said(&output).0, Some(0), "{}", said(&output).2);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(report["settings"]["rounds"], 1);
    let target = Path::new(env!("CARGO_BIN_EXE_bench-report")).ancestors().nth(2).unwrap();
    let program = target.join("release/bench-report-static");
    if !skip::program("readelf") {
        return;
    }
    let readelf = |option: &str, file: &Path| {
        said(&Command::new("readelf").args([option, "-W"]).arg(file).output().unwrap()).1
    };
    assert!(!readelf("-l", &program).contains("INTERP"));
    assert!(!readelf("-d", &program).contains("(NEEDED)"));
    // The same question finds what the other program needs.
    let other = Path::new(env!("CARGO_BIN_EXE_bench-report"));
    assert!(readelf("-l", other).contains("INTERP") && readelf("-d", other).contains("(NEEDED)"));
}
