#![no_main]

use rind25519_fuzz::{start, verify};

libfuzzer_sys::fuzz_target!(
    init: start(verify::seeds),
    |data: &[u8]| verify::check(data)
);
