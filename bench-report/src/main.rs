//! See the manual, `bench-report/README.md`, or `bench-report --help`.

fn main() -> std::process::ExitCode {
    bench_report::cli::main(cfg!(target_feature = "crt-static"))
}
