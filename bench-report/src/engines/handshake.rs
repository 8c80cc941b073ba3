//! Whole TLS 1.3 handshakes over a provider of rustls.

use std::error::Error;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use rustls::server::NoServerSessionStorage;
use rustls::{CipherSuite, ClientConfig, ClientConnection, HandshakeKind, NamedGroup};
use rustls::{ServerConfig, ServerConnection, SignatureScheme};

#[path = "../../../rustls-rind25519/examples/handshake/certificates.rs"]
mod certificates;
#[path = "../../../rustls-rind25519/examples/handshake/memory.rs"]
mod memory;

use crate::clock::{self, Reading};
use crate::definitions::Expect;
use crate::engine::{Absent, Block, Prepared};
use certificates::Identity;

/// Handshakes between clients and servers on `provider`, with `count` certificates in turn. One suite
/// and one group, so that no provider's preferences make the difference.
pub fn prepare(mut provider: CryptoProvider, count: usize) -> Result<Prepared, Absent> {
    provider.cipher_suites.retain(|s| s.suite() == CipherSuite::TLS13_AES_128_GCM_SHA256);
    provider.kx_groups.retain(|group| group.name() == NamedGroup::X25519);
    let provider = Arc::new(provider);
    let ends: Result<Vec<Ends>, _> = (0..count).map(|_| Ends::new(&provider)).collect();
    let ends = ends.map_err(|e| format!("no handshake: {e}"))?;
    let mut negotiated: Vec<String> = Vec::new();
    for ends in &ends {
        negotiated.push(ends.negotiate().map_err(|e| format!("no handshake: {e}"))?);
    }
    negotiated.dedup();
    Ok(Prepared {
        answers: Expect { negotiated: Some(negotiated.join("; ")), ..Expect::default() },
        block: Box::new(Handshakes(ends)),
        key_bytes: None,
    })
}

/// A client and a server that trusts, and has, one certificate.
struct Ends {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
    scheme: SignatureScheme,
}

impl Ends {
    fn new(provider: &Arc<CryptoProvider>) -> Result<Self, Box<dyn Error>> {
        let identity = Identity::self_signed("localhost")?;
        let key = provider.key_provider.load_private_key(identity.private_key())?;
        // TLS 1.3 offers a scheme of one kind of key only; the one that this key chooses is used.
        let offered = provider.signature_verification_algorithms.supported_schemes();
        let scheme = key.choose_scheme(&offered).ok_or("the key fits no scheme")?.scheme();
        let mut server = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_no_client_auth()
            .with_single_cert(vec![identity.certificate.clone()], identity.private_key())?;
        server.session_storage = Arc::new(NoServerSessionStorage {});
        server.send_tls13_tickets = 0;
        let mut client = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_root_certificates(identity.as_root()?)
            .with_no_client_auth();
        client.resumption = Resumption::disabled();
        Ok(Ends { client: client.into(), server: server.into(), scheme })
    }

    fn connect(&self) -> Result<ClientConnection, Box<dyn Error>> {
        let mut client =
            ClientConnection::new(self.client.clone(), ServerName::try_from("localhost")?)?;
        let mut server = ServerConnection::new(self.server.clone())?;
        memory::shake_hands(&mut client, &mut server)?;
        Ok(client)
    }

    fn negotiate(&self) -> Result<String, Box<dyn Error>> {
        let client = self.connect()?;
        if client.handshake_kind() != Some(HandshakeKind::Full) {
            return Err("the handshake was not a full one".into());
        }
        Ok(format!(
            "{:?}, {:?}, {:?}, {:?}",
            client.protocol_version().ok_or("no version")?,
            client.negotiated_cipher_suite().ok_or("no suite")?.suite(),
            client.negotiated_key_exchange_group().ok_or("no group")?.name(),
            self.scheme,
        ))
    }
}

struct Handshakes(Vec<Ends>);

impl Block for Handshakes {
    fn run(&mut self, start: usize, count: usize) -> Result<Reading, String> {
        let ends: Vec<&Ends> =
            self.0.iter().cycle().skip(start % self.0.len()).take(count).collect();
        let mut failed = None;
        let reading = clock::time(|| {
            for ends in ends {
                if let Err(error) = ends.connect() {
                    failed.get_or_insert(error.to_string());
                }
            }
        });
        failed.map_or(Ok(reading), Err)
    }
}
