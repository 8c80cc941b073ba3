#![no_main]

use rind25519_fuzz::{sign, start};

libfuzzer_sys::fuzz_target!(
    init: start(sign::seeds),
    |data: &[u8]| sign::check(data)
);
