//! The `openssl` program, run with bounded patience and killed when dropped.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long any one wait may take: only what never ends is to meet it, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A directory of this test's own, where `openssl` runs; `None`, with a word on standard error that
/// the harness does not swallow, where the program is missing and nobody requires it.
pub fn workshop() -> Option<Workshop> {
    let found = Command::new("openssl").arg("version").output().is_ok_and(|o| o.status.success());
    if found {
        return Some(Workshop(tempfile::tempdir().expect("a temporary directory")));
    }
    assert!(
        std::env::var_os("RIND_REQUIRE_OPENSSL").is_none_or(|value| value != "1"),
        "RIND_REQUIRE_OPENSSL=1, and there is no openssl program here"
    );
    skip("no openssl program here");
    None
}

/// Says on standard error what was not tested.
pub fn skip(why: &str) {
    let test = thread::current().name().unwrap_or("?").to_owned();
    // Not `eprintln!`, which the test harness captures; in one write, for tests run side by side.
    let line = format!("skipped: {why} ({test})\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error");
}

/// A temporary directory with files for `openssl`.
pub struct Workshop(tempfile::TempDir);

impl Workshop {
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).expect("the directory is ours");
        path
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("openssl wrote it")
    }

    /// Runs a command in the directory to its end, and returns what it wrote on both outputs.
    #[track_caller]
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let (ok, output) = self.start(args).finish();
        assert!(ok, "openssl failed: {output}");
        output
    }

    /// Starts a command in the directory.
    pub fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Running {
        Running::start(self.0.path(), args)
    }
}

/// A child process with its outputs collected.
pub struct Running {
    child: Child,
    pub input: Option<ChildStdin>,
    output: Arc<Mutex<Vec<u8>>>,
    readers: Vec<thread::JoinHandle<()>>,
}

impl Running {
    fn start<S: AsRef<OsStr>>(directory: &Path, args: impl IntoIterator<Item = S>) -> Self {
        let mut child = Command::new("openssl")
            .args(args)
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("openssl was found before");
        let output = Arc::new(Mutex::new(Vec::new()));
        let collect = |mut from: Box<dyn Read + Send>| {
            let output = output.clone();
            thread::spawn(move || {
                let mut chunk = [0; 1024];
                while let Ok(len @ 1..) = from.read(&mut chunk) {
                    output.lock().expect("no panic").extend_from_slice(&chunk[..len]);
                }
            })
        };
        let readers = vec![
            collect(Box::new(child.stdout.take().expect("piped"))),
            collect(Box::new(child.stderr.take().expect("piped"))),
        ];
        let input = child.stdin.take();
        Self { child, input, output, readers }
    }

    pub fn output(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().expect("no panic")).into_owned()
    }

    /// Waits for a line that starts with `start`, and returns the rest of it.
    #[track_caller]
    pub fn line_after(&self, start: &str) -> String {
        let mut line = None;
        wait(|| {
            let output = self.output();
            // Only lines that have ended.
            let mut lines = output.split_inclusive('\n').filter_map(|l| l.strip_suffix('\n'));
            line = lines.find_map(|l| l.strip_prefix(start)).map(|rest| rest.trim().to_owned());
            line.is_some()
        })
        .unwrap_or_else(|| panic!("no line {start:?} from openssl: {}", self.output()));
        line.expect("just found")
    }

    /// Closes the input and waits for the end: whether it was a success, and the outputs.
    #[track_caller]
    pub fn finish(mut self) -> (bool, String) {
        self.input = None;
        let mut status = None;
        wait(|| {
            status = self.child.try_wait().expect("a child to wait for");
            status.is_some()
        })
        .unwrap_or_else(|| panic!("openssl does not end: {}", self.output()));
        for reader in self.readers.drain(..) {
            reader.join().expect("no panic");
        }
        (status.expect("just found").success(), self.output())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Polls until `done`, or gives up.
fn wait(mut done: impl FnMut() -> bool) -> Option<()> {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    }
    Some(())
}
