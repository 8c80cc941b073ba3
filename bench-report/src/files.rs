//! Files are written whole or not at all, and a failure is one sentence.

use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Replaces `path` by `bytes`; whatever goes wrong, what was there before stays.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let write = || {
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
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    write().map_err(|e: std::io::Error| {
        format!(
            "cannot write {}: {}; what was there before is untouched",
            path.display(),
            plain(&e)
        )
    })
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
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");
    }
}
