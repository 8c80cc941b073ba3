//! Both ends of a connection: their configurations, and the ways to connect them.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::ServerName;
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::sign::{CertifiedKey, Signer, SigningKey, SingleCertAndKey};
use rustls::{ClientConfig, ClientConnection, HandshakeKind, ServerConfig, ServerConnection};
use rustls::{SignatureAlgorithm, SignatureScheme};

use crate::certificates::Identity;
use crate::memory::shake_hands;

/// How long any one wait may take: an end that gets no answer gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// A client and a server that trust each other's certificates and nothing else.
pub struct Ends {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
    server_scheme: Arc<Mutex<Option<SignatureScheme>>>,
    client_scheme: Arc<Mutex<Option<SignatureScheme>>>,
}

impl Ends {
    /// Both on `provider`, without resumption: every handshake is a full one.
    pub fn new(
        provider: CryptoProvider,
        server: &Identity,
        client: Option<&Identity>,
    ) -> Result<Self, Box<dyn Error>> {
        let provider = Arc::new(provider);
        let server_key = RecordingKey::load(&provider, server)?;
        let server_scheme = server_key.0.clone();
        let verifier = match client {
            Some(identity) => WebPkiClientVerifier::builder_with_provider(
                identity.as_root()?.into(),
                provider.clone(),
            )
            .build()?,
            None => WebPkiClientVerifier::no_client_auth(),
        };
        let mut server_config = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(verifier)
            .with_cert_resolver(server_key.resolver(server));
        server_config.session_storage = Arc::new(NoServerSessionStorage {});
        server_config.send_tls13_tickets = 0;

        let client_config = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()?
            .with_root_certificates(server.as_root()?);
        let (mut client_config, client_scheme) = match client {
            Some(identity) => {
                let key = RecordingKey::load(&provider, identity)?;
                let scheme = key.0.clone();
                (client_config.with_client_cert_resolver(key.resolver(identity)), scheme)
            }
            None => (client_config.with_no_client_auth(), Arc::default()),
        };
        client_config.resumption = Resumption::disabled();

        Ok(Self {
            client: client_config.into(),
            server: server_config.into(),
            server_scheme,
            client_scheme,
        })
    }

    fn client(&self) -> Result<ClientConnection, Box<dyn Error>> {
        // The name is checked against the certificate's.
        Ok(ClientConnection::new(self.client.clone(), ServerName::try_from("localhost")?)?)
    }

    /// One connection: the client sends a text, the server sends it back.
    pub fn exchange_over_tcp(&self) -> Result<Negotiated, Box<dyn Error>> {
        const TEXT: &[u8] = b"what goes to the server comes back";
        let server = Server::start(self.server.clone(), |tls| {
            let mut text = [0; TEXT.len()];
            tls.read_exact(&mut text)?;
            tls.write_all(&text)?;
            tls.flush()
        })?;
        let mut tcp = server.connect()?;
        let mut tls = self.client()?;
        let mut stream = rustls::Stream::new(&mut tls, &mut tcp);
        stream.write_all(TEXT)?;
        let mut answer = [0; TEXT.len()];
        stream.read_exact(&mut answer)?;
        if answer != TEXT {
            return Err("the server sent back another text".into());
        }
        server.finished()?;
        if tls.handshake_kind() == Some(HandshakeKind::Resumed) {
            return Err("the handshake was not a full one".into());
        }
        Ok(Negotiated {
            version: tls.protocol_version().ok_or("no version negotiated")?,
            suite: tls.negotiated_cipher_suite().ok_or("no suite negotiated")?.suite(),
            group: tls.negotiated_key_exchange_group().ok_or("no group negotiated")?.name(),
            server_scheme: self.server_scheme.lock().expect("no panic").ok_or("no signature")?,
            client_scheme: *self.client_scheme.lock().expect("no panic"),
            bytes: TEXT.len(),
        })
    }

    /// The time from the client's first TLS byte to the server's word that it has finished too.
    pub fn time_over_tcp(&self) -> Result<Duration, Box<dyn Error>> {
        let server = Server::start(self.server.clone(), |tls| {
            tls.write_all(b"!")?;
            tls.flush()
        })?;
        let mut tcp = server.connect()?;
        let start = Instant::now();
        let mut tls = self.client()?;
        rustls::Stream::new(&mut tls, &mut tcp).read_exact(&mut [0])?;
        let time = start.elapsed();
        server.finished()?;
        Ok(time)
    }

    /// The time that both ends compute, one after the other, with no sockets between them.
    pub fn time_in_memory(&self) -> Result<Duration, Box<dyn Error>> {
        let start = Instant::now();
        let mut client = self.client()?;
        let mut server = ServerConnection::new(self.server.clone())?;
        shake_hands(&mut client, &mut server)?;
        Ok(start.elapsed())
    }
}

/// What the two ends agreed on.
pub struct Negotiated {
    version: rustls::ProtocolVersion,
    suite: rustls::CipherSuite,
    group: rustls::NamedGroup,
    server_scheme: SignatureScheme,
    client_scheme: Option<SignatureScheme>,
    bytes: usize,
}

impl fmt::Display for Negotiated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "version            {:?}", self.version)?;
        writeln!(f, "cipher suite       {:?}", self.suite)?;
        writeln!(f, "key exchange       {:?}", self.group)?;
        writeln!(f, "server's signature {:?}", self.server_scheme)?;
        if let Some(scheme) = self.client_scheme {
            writeln!(f, "client's signature {scheme:?}")?;
        }
        writeln!(f, "data               {} bytes there and back", self.bytes)
    }
}

/// A thread that accepts one connection.
struct Server {
    address: SocketAddr,
    result: mpsc::Receiver<Result<(), String>>,
}

type ServerStream<'a> = rustls::Stream<'a, ServerConnection, TcpStream>;

impl Server {
    fn start(
        config: Arc<ServerConfig>,
        talk: fn(&mut ServerStream<'_>) -> io::Result<()>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let (sender, result) = mpsc::channel();
        thread::spawn(move || {
            let serve = || -> Result<(), Box<dyn Error>> {
                let (mut tcp, _) = listener.accept()?;
                be_patient(&tcp)?;
                let mut tls = ServerConnection::new(config)?;
                talk(&mut rustls::Stream::new(&mut tls, &mut tcp))?;
                Ok(())
            };
            // Nobody listens any more where the client failed first.
            let _ = sender.send(serve().map_err(|e| e.to_string()));
        });
        Ok(Self { address, result })
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let tcp = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        be_patient(&tcp)?;
        Ok(tcp)
    }

    fn finished(self) -> Result<(), Box<dyn Error>> {
        Ok(self.result.recv_timeout(PATIENCE)??)
    }
}

fn be_patient(tcp: &TcpStream) -> io::Result<()> {
    tcp.set_nodelay(true)?;
    tcp.set_read_timeout(Some(PATIENCE))?;
    tcp.set_write_timeout(Some(PATIENCE))
}

/// A key that notes the signature scheme it was asked for, which rustls does not report.
#[derive(Debug)]
struct RecordingKey(Arc<Mutex<Option<SignatureScheme>>>, Arc<dyn SigningKey>);

impl RecordingKey {
    fn load(provider: &CryptoProvider, identity: &Identity) -> Result<Self, rustls::Error> {
        let key = provider.key_provider.load_private_key(identity.private_key())?;
        Ok(Self(Arc::default(), key))
    }

    fn resolver(self, identity: &Identity) -> Arc<SingleCertAndKey> {
        let chain = vec![identity.certificate.clone()];
        Arc::new(CertifiedKey::new(chain, Arc::new(self)).into())
    }
}

impl SigningKey for RecordingKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let signer = self.1.choose_scheme(offered)?;
        *self.0.lock().expect("no panic") = Some(signer.scheme());
        Some(signer)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.1.algorithm()
    }
}
