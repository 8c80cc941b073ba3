//! A TLS 1.3 handshake over loopback TCP, its key exchange, certificate and signatures by
//! `rind25519`, and what it costs beside the provider underneath.
//!
//! ```text
//! cargo run --release -p rustls-rind25519 --example handshake -- --help
//! ```

mod certificates;
mod ends;
mod memory;
mod timing;

use std::error::Error;
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command, value_parser};
use rustls::NamedGroup;
use rustls::crypto::CryptoProvider;

use certificates::Identity;
use ends::Ends;

const GROUPS: [(&str, NamedGroup); 2] =
    [("x25519", NamedGroup::X25519), ("x25519mlkem768", NamedGroup::X25519MLKEM768)];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("handshake: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let flags = flags().get_matches();
    let client_auth = flags.get_flag("client-auth");
    let handshakes = *flags.get_one::<u32>("handshakes").expect("it has a default");
    let group = flags.get_one::<String>("group").expect("it has a default");
    let (_, group) = GROUPS.into_iter().find(|(name, _)| name == group).expect("clap checked it");

    let server = Identity::self_signed("localhost")?;
    let client = client_auth.then(|| Identity::self_signed("client.test")).transpose()?;

    let ends =
        |provider: CryptoProvider| Ends::new(only(group, provider), &server, client.as_ref());
    let ours = ends(rustls_rind25519::default_provider())?;
    let base = ends(rustls::crypto::aws_lc_rs::default_provider())?;

    println!("{}", ours.exchange_over_tcp()?);
    println!("Curve25519 by rind25519, tier of each operation:\n{}\n", rind25519::cpu::report());
    println!("{}", timing::compare(&ours, &base, handshakes)?);
    Ok(())
}

fn flags() -> Command {
    Command::new("handshake")
        .about("A TLS handshake between two threads, with Curve25519 by rind25519")
        .arg(
            Arg::new("client-auth")
                .long("client-auth")
                .action(ArgAction::SetTrue)
                .help("The client authenticates too, with an Ed25519 certificate"),
        )
        .arg(
            Arg::new("group")
                .long("group")
                .value_parser(GROUPS.map(|(name, _)| name))
                .default_value("x25519mlkem768")
                .help("The key exchange"),
        )
        .arg(
            Arg::new("handshakes")
                .long("handshakes")
                .value_parser(value_parser!(u32).range(1..=100_000))
                .default_value("300")
                .help("How many to time, of each provider and kind"),
        )
}

/// `provider` with one key exchange group, so that both providers negotiate the same.
fn only(group: NamedGroup, mut provider: CryptoProvider) -> CryptoProvider {
    provider.kx_groups.retain(|offered| offered.name() == group);
    provider
}
