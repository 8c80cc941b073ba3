//! Promise: where another provider is installed, ours says so and leaves it.
//!
//! One test to a file: the default provider is one to a process.

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls_rind25519::install_default;

#[test]
fn another_provider_is_reported() {
    ring::default_provider().install_default().expect("nothing is installed yet");
    let installed = install_default().expect_err("ring is installed");
    assert!(Arc::ptr_eq(&installed, CryptoProvider::get_default().unwrap()));
    assert!(!format!("{:?}", installed.kx_groups).contains("by rind25519"));
}
