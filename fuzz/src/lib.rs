//! What the fuzz targets check, how they read their input, and where they start.
//!
//! A target is a module: `check` reads bytes as a structured input and compares at least two answers;
//! `seeds` are the inputs to start from. The rules' model is that of `tests/`.

#[cfg(not(all(rind_internals, rind_cpu_disable)))]
compile_error!(
    "admin/fuzz sets --cfg rind_internals --cfg rind_cpu_disable; cargo-fuzz by hand wants them in RUSTFLAGS"
);

#[allow(dead_code, reason = "the named rows are for the tests")]
#[path = "../../tests/definition/mod.rs"]
mod definition;
mod input;
pub mod key_formats;
#[path = "../../tests/key_parts/mod.rs"]
mod key_parts;
#[path = "../../tests/model/mod.rs"]
mod model;
mod points;
pub mod routines;
pub mod sign;
pub mod verify;
pub mod x25519;

/// What the rules' model judges.
mod corpus {
    /// What a verifier is given.
    pub struct Case {
        pub key: [u8; 32],
        pub message: Vec<u8>,
        pub signature: [u8; 64],
    }
}

use rind25519::internals::{HaveAvx2, HaveBmi2};
use std::sync::LazyLock;

/// Before the first input. Under `RIND_FUZZ_SEEDS=<folder>` the process writes the seeds there, and ends.
pub fn start(seeds: fn() -> Vec<Vec<u8>>) {
    if let Some(folder) = std::env::var_os("RIND_FUZZ_SEEDS") {
        let (folder, seeds) = (std::path::PathBuf::from(folder), seeds());
        for (i, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{i:04}")), seed).expect("the seed is written");
        }
        println!("{} seeds", seeds.len());
        std::process::exit(0);
    }
    for (name, here) in
        [("bmi2", HaveBmi2::get().is_some()), ("avx2, fma and bmi2", HaveAvx2::get().is_some())]
    {
        if !here {
            println!("skipped: no {name} here");
        }
    }
    if planted() {
        println!("planted: the oracle is wrong in one rare case");
    }
}

/// Whether the oracle is to be wrong in one rare case, which the target must then find.
pub fn planted() -> bool {
    static PLANTED: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("RIND_FUZZ_PLANT").is_some_and(|value| value == "1"));
    *PLANTED
}
