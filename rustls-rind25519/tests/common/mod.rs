//! Providers to pair up, and a connection between two of them without sockets.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::io::{Read, Write};
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, aws_lc_rs, ring};
use rustls::pki_types::ServerName;
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, ClientConnection, ConnectionCommon, Error, NamedGroup};
use rustls::{ServerConfig, ServerConnection, SideData, SupportedProtocolVersion};
use rustls_rind25519::{kx_group, provider_over};

#[path = "../../examples/handshake/certificates.rs"]
pub mod certificates;

use certificates::Identity;

/// A provider under test, or one to test it against.
#[derive(Clone, Copy)]
pub struct Peer {
    pub name: &'static str,
    pub provider: fn() -> CryptoProvider,
    pub ours: bool,
}

pub const PEERS: [Peer; 5] = [
    Peer { name: "ours/aws-lc-rs", provider: rustls_rind25519::default_provider, ours: true },
    Peer { name: "ours/ring", provider: || provider_over(ring::default_provider()), ours: true },
    Peer { name: "ours/ring/RustCrypto ML-KEM", provider: over_ring_with_rustcrypto, ours: true },
    Peer { name: "aws-lc-rs", provider: aws_lc_rs::default_provider, ours: false },
    Peer { name: "ring", provider: ring::default_provider, ours: false },
];

/// The provider that feature `ml-kem` gives where `aws-lc-rs` is off.
fn over_ring_with_rustcrypto() -> CryptoProvider {
    let mut provider = provider_over(ring::default_provider());
    for group in &mut provider.kx_groups {
        if group.name() == NamedGroup::X25519MLKEM768 {
            *group = kx_group::X25519MLKEM768_RUSTCRYPTO;
        }
    }
    provider
}

impl Peer {
    pub fn has(&self, group: NamedGroup) -> bool {
        (self.provider)().kx_groups.iter().any(|known| known.name() == group)
    }

    /// The provider with these groups alone, in this order.
    pub fn with_groups(&self, groups: &[NamedGroup]) -> CryptoProvider {
        let mut provider = (self.provider)();
        let known = std::mem::take(&mut provider.kx_groups);
        let find = |name: &NamedGroup| known.iter().copied().find(|group| group.name() == *name);
        provider.kx_groups = groups.iter().map(|name| find(name).expect("a known group")).collect();
        provider
    }
}

/// An authority with a server and a client certified by it, all Ed25519.
pub struct Pki {
    pub authority: Identity,
    pub server: Identity,
    pub client: Identity,
}

impl Pki {
    pub fn new() -> Self {
        let authority = Identity::authority("test authority").unwrap();
        let server = authority.issue("localhost").unwrap();
        let client = authority.issue("client.test").unwrap();
        Self { authority, server, client }
    }

    pub fn server_config(
        &self,
        provider: CryptoProvider,
        versions: &[&'static SupportedProtocolVersion],
        client_auth: bool,
    ) -> ServerConfig {
        let provider = Arc::new(provider);
        let verifier = if client_auth {
            let roots = Arc::new(self.authority.as_root().unwrap());
            WebPkiClientVerifier::builder_with_provider(roots, provider.clone()).build().unwrap()
        } else {
            WebPkiClientVerifier::no_client_auth()
        };
        ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)
            .unwrap()
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![self.server.certificate.clone()], self.server.private_key())
            .unwrap()
    }

    pub fn client_config(
        &self,
        provider: CryptoProvider,
        versions: &[&'static SupportedProtocolVersion],
        client_auth: bool,
    ) -> ClientConfig {
        let config = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_protocol_versions(versions)
            .unwrap()
            .with_root_certificates(self.authority.as_root().unwrap());
        if client_auth {
            let chain = vec![self.client.certificate.clone()];
            config.with_client_auth_cert(chain, self.client.private_key()).unwrap()
        } else {
            config.with_no_client_auth()
        }
    }
}

/// Which end refused, and why.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    ByClient(Error),
    ByServer(Error),
}

/// Shakes hands, then sends data both ways and checks it.
pub fn connect(
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> Result<(ClientConnection, ServerConnection), Refusal> {
    connect_as("localhost", client, server)
}

/// [`connect`], where the client expects the server to be `name`.
pub fn connect_as(
    name: &'static str,
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
) -> Result<(ClientConnection, ServerConnection), Refusal> {
    let name = ServerName::try_from(name).unwrap();
    let mut client = ClientConnection::new(client.clone(), name).map_err(Refusal::ByClient)?;
    let mut server = ServerConnection::new(server.clone()).map_err(Refusal::ByServer)?;
    // TLS 1.2 with client authentication takes two round trips, a retry request one more.
    for _ in 0..4 {
        send(&mut client, &mut server).map_err(Refusal::ByServer)?;
        send(&mut server, &mut client).map_err(Refusal::ByClient)?;
    }
    assert!(!client.is_handshaking() && !server.is_handshaking(), "the handshake stands still");

    client.writer().write_all(b"to the server").unwrap();
    server.writer().write_all(b"to the client").unwrap();
    send(&mut client, &mut server).map_err(Refusal::ByServer)?;
    send(&mut server, &mut client).map_err(Refusal::ByClient)?;
    assert_eq!(received(&mut server), b"to the server");
    assert_eq!(received(&mut client), b"to the client");
    Ok((client, server))
}

fn send<A: SideData, B: SideData>(
    from: &mut ConnectionCommon<A>,
    to: &mut ConnectionCommon<B>,
) -> Result<(), Error> {
    let mut flight = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut flight).unwrap();
    }
    let mut flight = &flight[..];
    while !flight.is_empty() {
        to.read_tls(&mut flight).unwrap();
        to.process_new_packets()?;
    }
    Ok(())
}

fn received<T: SideData>(end: &mut ConnectionCommon<T>) -> Vec<u8> {
    let mut data = [0; 64];
    let len = end.reader().read(&mut data).unwrap();
    data[..len].to_vec()
}
