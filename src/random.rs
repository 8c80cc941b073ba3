//! Bytes from the operating system's random generator.

use core::fmt;

/// The operating system's random generator failed, so no key was made.
///
/// ```
/// fn new_key() -> Result<rind25519::ed25519::SigningKey, rind25519::RandomError> {
///     rind25519::ed25519::SigningKey::generate()
/// }
/// # new_key().unwrap();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomError(getrandom::Error);

impl fmt::Display for RandomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the system's random generator failed: {}", self.0)
    }
}

impl core::error::Error for RandomError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Fills `bytes`, or fails.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), RandomError> {
    getrandom::fill(bytes).map_err(RandomError)
}
