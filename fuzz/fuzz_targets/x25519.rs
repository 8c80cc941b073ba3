#![no_main]

use rind25519_fuzz::{start, x25519};

libfuzzer_sys::fuzz_target!(
    init: start(x25519::seeds),
    |data: &[u8]| x25519::check(data)
);
