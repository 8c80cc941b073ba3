#![no_main]

use rind25519_fuzz::{routines, start};

libfuzzer_sys::fuzz_target!(
    init: start(routines::seeds),
    |data: &[u8]| routines::check(data)
);
