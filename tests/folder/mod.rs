//! Folders for the files of tests, under cargo's own for them.

use std::fs::File;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// An empty folder that nobody else has as long as this lives, no other run of the same test either. What
/// is in it stays, to be looked at, until the test runs again.
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

/// The folder of this name: of one test, or of a part of it.
pub fn folder(name: &str) -> Folder {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.parent().expect("a folder in it")).unwrap();
    let lock = File::create(format!("{}.lock", path.display())).unwrap();
    lock.lock().unwrap();
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir(&path).unwrap();
    Folder { path, _lock: lock }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}
