#![no_main]

use rind25519_fuzz::{key_formats, start};

libfuzzer_sys::fuzz_target!(
    init: start(key_formats::seeds),
    |data: &[u8]| key_formats::check(data)
);
