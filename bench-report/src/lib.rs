//! rind25519 beside the other libraries of its field: what is measured is data, and so is what came out.
//!
//! `definitions` says what to measure and `engines` with whom; `collect` measures and writes a
//! `report`; `render`, `compare` and `show` read reports. The program is in [`cli`].
//! `bench-report/README.md` is the manual.
#![deny(unsafe_code)]

pub mod cli;
mod clock;
mod collect;
mod compare;
mod definitions;
mod engine;
mod engines;
mod files;
mod host;
mod inputs;
mod instructions;
mod raw;
mod render;
mod report;
mod show;
mod statistics;
