//! Files are written whole or not at all, and a failure is one sentence.

use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Replaces `path` by `bytes`; whatever goes wrong, what was there before stays.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write_all(&[(path, bytes)])
}

/// The same for several files: none is replaced before the bytes of all are on the disk.
pub fn write_all(files: &[(&Path, &[u8])]) -> Result<(), String> {
    let staged: Vec<_> =
        files.iter().map(|&(path, bytes)| stage(path, bytes)).collect::<Result<_, _>>()?;
    for (file, (path, _)) in staged.into_iter().zip(files) {
        file.persist(path).map_err(|e| refused(path, &e.error))?;
    }
    Ok(())
}

/// Whether `path` could be written, as far as can be known without its bytes: asked before minutes of work.
pub fn check_writable(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return Err(format!("cannot write {}: it is a folder", path.display()));
    }
    stage(path, b"").map(drop)
}

/// The bytes beside `path`, on the disk, under a name of their own that vanishes if it is dropped.
fn stage(path: &Path, bytes: &[u8]) -> Result<tempfile::NamedTempFile, String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let stage = || {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        // A temporary file is its owner's alone; a report is for everyone.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        }
        Ok(file)
    };
    stage().map_err(|e| refused(path, &e))
}

fn refused(path: &Path, error: &std::io::Error) -> String {
    let why = plain(error);
    format!("cannot write {}: {why}; what was there before is untouched", path.display())
}

/// The system's sentence without Rust's error number.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").or_else(|| text.find(" at path")).unwrap_or(text.len());
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_is_one_sentence_and_keeps_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        // A file where a folder is needed.
        let error = write(&path.join("b"), b"three").unwrap_err();
        assert!(error.starts_with("cannot write ") && !error.contains('\n'), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"two");
        // One of several cannot be written: then none is.
        let other = folder.path().join("other");
        write_all(&[(&other, b"four"), (&path, b"five"), (&path.join("b"), b"six")]).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        check_writable(&other).unwrap();
        check_writable(&path.join("b")).unwrap_err();
        assert!(check_writable(folder.path()).unwrap_err().ends_with("it is a folder"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");
    }
}
