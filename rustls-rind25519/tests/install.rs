//! Promise: installing the provider again is no error and no panic.
//!
//! One test to a file: the default provider is one to a process.

use rustls::crypto::CryptoProvider;
use rustls_rind25519::{default_provider, install_default};

#[test]
fn installed_again_and_again() {
    assert!(install_default().is_ok());
    assert!(install_default().is_ok());
    let installed = CryptoProvider::get_default().expect("a default");
    assert!(format!("{:?}", installed.kx_groups).contains("X25519 by rind25519"));
    // rustls's own method refuses the second, as it does for any provider, without a panic.
    assert!(default_provider().install_default().is_err());
}
