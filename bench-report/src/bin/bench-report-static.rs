//! The same program under a name of its own, which `collect --host` builds without dynamic libraries
//! (`cargo rustc … -- -C target-feature=+crt-static`) and copies to other machines.

fn main() -> std::process::ExitCode {
    bench_report::cli::main(cfg!(target_feature = "crt-static"))
}
