//! Promise: TLS with our Ed25519 and X25519 works with OpenSSL's own programs, in both directions,
//! and so do keys and signatures in files (SOUNDNESS.md, "TLS").
//!
//! Without an `openssl` program these tests say so and pass, unless `RIND_REQUIRE_OPENSSL=1`.

#[path = "../common/mod.rs"]
mod common;
mod program;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use common::Pki;
use program::{PATIENCE, Workshop, skip, workshop};
use rind25519::ed25519::pkcs8::spki::der::pem::{self, LineEnding};
use rind25519::ed25519::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
};
use rind25519::ed25519::{Signature, SigningKey, VerifyingKey};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConfig, ClientConnection, HandshakeKind, NamedGroup, RootCertStore};
use rustls::{ServerConfig, ServerConnection, SupportedProtocolVersion};
use rustls_rind25519::{default_provider, provider_over};

/// Whose authority, certificates and keys: files `ca.pem`, `server.pem`, `server.key`, `client.pem`
/// and `client.key` in the workshop.
#[derive(Clone, Copy, Debug)]
enum Maker {
    OpenSsl,
    Ours,
}

impl Maker {
    fn make(self, workshop: &Workshop) {
        match self {
            Self::OpenSsl => make_by_openssl(workshop, "ed25519", &[]),
            Self::Ours => make_by_us(workshop),
        }
    }
}

fn make_by_openssl(workshop: &Workshop, algorithm: &str, options: &[&str]) {
    let key = |name: &str| {
        let args = ["genpkey", "-algorithm", algorithm, "-out", name];
        workshop.run(args.into_iter().chain(options.iter().copied()));
    };
    key("ca.key");
    workshop.run([
        "req",
        "-x509",
        "-key",
        "ca.key",
        "-subj",
        "/CN=authority",
        "-days",
        "2",
        "-out",
        "ca.pem",
    ]);
    workshop.write("v3.ext", "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n");
    for name in ["server", "client"] {
        let [key_file, request, certificate] =
            ["key", "csr", "pem"].map(|extension| format!("{name}.{extension}"));
        key(&key_file);
        let subject = format!("/CN={name}");
        workshop.run(["req", "-new", "-key", &key_file, "-subj", &subject, "-out", &request]);
        workshop.run([
            "x509",
            "-req",
            "-in",
            &request,
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "2",
            "-extfile",
            "v3.ext",
            "-out",
            &certificate,
        ]);
    }
}

fn make_by_us(workshop: &Workshop) {
    let pki = Pki::new();
    workshop.write("ca.pem", certificate_pem(&pki.authority.certificate));
    for (name, identity) in [("server", &pki.server), ("client", &pki.client)] {
        workshop.write(&format!("{name}.pem"), certificate_pem(&identity.certificate));
        let key = identity.key().to_pkcs8_pem(LineEnding::LF).unwrap();
        workshop.write(&format!("{name}.key"), key.as_bytes());
    }
}

fn certificate_pem(der: &CertificateDer<'_>) -> String {
    pem::encode_string("CERTIFICATE", LineEnding::LF, der).unwrap()
}

fn roots(workshop: &Workshop) -> Arc<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(workshop.path("ca.pem")).unwrap()).unwrap();
    roots.into()
}

fn chain_and_key(
    workshop: &Workshop,
    name: &str,
) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
    let certificate = CertificateDer::from_pem_file(workshop.path(&format!("{name}.pem")));
    let key = PrivateKeyDer::from_pem_file(workshop.path(&format!("{name}.key")));
    (vec![certificate.unwrap()], key.unwrap())
}

fn client_config(
    workshop: &Workshop,
    version: &'static SupportedProtocolVersion,
    client_auth: bool,
) -> Arc<ClientConfig> {
    let config = ClientConfig::builder_with_provider(default_provider().into())
        .with_protocol_versions(&[version])
        .unwrap()
        .with_root_certificates(roots(workshop));
    if client_auth {
        let (chain, key) = chain_and_key(workshop, "client");
        config.with_client_auth_cert(chain, key).unwrap().into()
    } else {
        config.with_no_client_auth().into()
    }
}

fn server_config(
    workshop: &Workshop,
    version: &'static SupportedProtocolVersion,
    client_auth: bool,
) -> Arc<ServerConfig> {
    let provider = Arc::new(default_provider());
    let verifier = if client_auth {
        WebPkiClientVerifier::builder_with_provider(roots(workshop), provider.clone())
            .build()
            .unwrap()
    } else {
        WebPkiClientVerifier::no_client_auth()
    };
    let (chain, key) = chain_and_key(workshop, "server");
    ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)
        .unwrap()
        .into()
}

const VERSIONS: [(&SupportedProtocolVersion, &str); 2] = [(&TLS12, "-tls1_2"), (&TLS13, "-tls1_3")];

/// Makers, versions, and client authentication or not.
fn modes() -> impl Iterator<Item = (Maker, (&'static SupportedProtocolVersion, &'static str), bool)>
{
    [Maker::OpenSsl, Maker::Ours].into_iter().flat_map(|maker| {
        VERSIONS.into_iter().flat_map(move |version| [false, true].map(|a| (maker, version, a)))
    })
}

fn be_patient(tcp: &TcpStream) {
    tcp.set_read_timeout(Some(PATIENCE)).unwrap();
    tcp.set_write_timeout(Some(PATIENCE)).unwrap();
}

#[test]
fn our_client_with_openssl_server() {
    let Some(workshop) = workshop() else { return };
    for (maker, (version, flag), client_auth) in modes() {
        let context = format!("{maker:?} {flag} client authentication {client_auth}");
        maker.make(&workshop);
        let mut args = vec![
            "s_server",
            "-accept",
            "127.0.0.1:0",
            "-cert",
            "server.pem",
            "-key",
            "server.key",
            "-rev",
            flag,
            "-groups",
            "X25519",
        ];
        if client_auth {
            args.extend(["-Verify", "1", "-CAfile", "ca.pem", "-verify_return_error"]);
        }
        let server = workshop.start(args);
        let address = server.line_after("ACCEPT ");

        let config = client_config(&workshop, version, client_auth);
        for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
            let mut tcp = TcpStream::connect(&address).unwrap();
            be_patient(&tcp);
            let name = ServerName::try_from("localhost").unwrap();
            let mut tls = ClientConnection::new(config.clone(), name).unwrap();
            let mut stream = rustls::Stream::new(&mut tls, &mut tcp);
            stream.write_all(b"abcdef\n").unwrap();
            let mut answer = [0; 7];
            stream
                .read_exact(&mut answer)
                .unwrap_or_else(|e| panic!("{context}: {e}: {}", server.output()));
            assert_eq!(&answer, b"fedcba\n", "{context}");
            assert_eq!(tls.protocol_version(), Some(version.version), "{context}");
            assert_eq!(tls.handshake_kind(), Some(kind), "{context}");
            let group = tls.negotiated_key_exchange_group().map(|group| group.name());
            // A TLS 1.2 session is resumed without a key exchange.
            let exchanged = kind == HandshakeKind::Full || version == &TLS13;
            assert_eq!(group, exchanged.then_some(NamedGroup::X25519), "{context}");
            tls.send_close_notify();
            tls.write_tls(&mut tcp).unwrap();
        }
    }
}

/// Accepts one connection in bounded time, answers a line with `pong`, and returns the connection.
fn serve_once(listener: &TcpListener, config: Arc<ServerConfig>) -> ServerConnection {
    listener.set_nonblocking(true).unwrap();
    let start = Instant::now();
    let mut tcp = loop {
        match listener.accept() {
            Ok((tcp, _)) => break tcp,
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {
                assert!(start.elapsed() < PATIENCE, "nobody connects");
                thread::sleep(std::time::Duration::from_millis(2));
            }
            Err(e) => panic!("{e}"),
        }
    };
    tcp.set_nonblocking(false).unwrap();
    be_patient(&tcp);
    let mut tls = ServerConnection::new(config).unwrap();
    let mut stream = rustls::Stream::new(&mut tls, &mut tcp);
    let mut line = [0; 5];
    stream.read_exact(&mut line).unwrap();
    assert_eq!(&line, b"ping\n");
    stream.write_all(b"pong\n").unwrap();
    tls.send_close_notify();
    while tls.wants_write() {
        tls.write_tls(&mut tcp).unwrap();
    }
    tls
}

#[test]
fn openssl_client_with_our_server() {
    let Some(workshop) = workshop() else { return };
    for (maker, (version, flag), client_auth) in modes() {
        let context = format!("{maker:?} {flag} client authentication {client_auth}");
        maker.make(&workshop);
        let config = server_config(&workshop, version, client_auth);
        for kind in [HandshakeKind::Full, HandshakeKind::Resumed] {
            let (tls, output) = openssl_client(&workshop, &config, flag, "X25519", client_auth);
            assert_eq!(tls.protocol_version(), Some(version.version), "{context}");
            assert_eq!(tls.handshake_kind(), Some(kind), "{context}");
            assert_eq!(tls.peer_certificates().is_some(), client_auth, "{context}");
            assert!(output.contains("pong"), "{context}: {output}");
            assert!(output.contains("Verification: OK"), "{context}: {output}");
            if kind == HandshakeKind::Full {
                // Spelt so or in lower case, by version.
                let lower = output.to_lowercase();
                assert!(lower.contains("signature type: ed25519"), "{context}: {output}");
                let group = tls.negotiated_key_exchange_group().expect("a group");
                assert_eq!(group.name(), NamedGroup::X25519, "{context}");
            }
        }
        std::fs::remove_file(workshop.path("session")).unwrap();
    }
}

/// One connection of `openssl s_client`, resuming the session in the file `session` if there is one
/// and leaving its own there: our end, and the program's output.
fn openssl_client(
    workshop: &Workshop,
    config: &Arc<ServerConfig>,
    version_flag: &str,
    group: &str,
    client_auth: bool,
) -> (ServerConnection, String) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut args = vec![
        "s_client",
        "-connect",
        &address,
        "-servername",
        "localhost",
        "-verify_hostname",
        "localhost",
        "-CAfile",
        "ca.pem",
        "-verify_return_error",
        "-brief",
        version_flag,
        "-groups",
        group,
        "-sess_out",
        "session",
    ];
    if workshop.path("session").exists() {
        args.extend(["-sess_in", "session"]);
    }
    if client_auth {
        args.extend(["-cert", "client.pem", "-key", "client.key"]);
    }
    let mut client = workshop.start(args);
    client.input.as_mut().expect("open").write_all(b"ping\n").unwrap();
    let tls = serve_once(&listener, config.clone());
    let (_, output) = client.finish();
    (tls, output)
}

#[test]
fn hybrid_with_openssl() {
    let Some(workshop) = workshop() else { return };
    // OpenSSL has it from 3.5 on, and so does the flag that lists the groups.
    let (_, groups) = workshop.start(["list", "-tls-groups"]).finish();
    if !groups.contains("X25519MLKEM768") {
        return skip("this openssl has no X25519MLKEM768");
    }
    Maker::Ours.make(&workshop);
    let config = server_config(&workshop, &TLS13, false);
    let (tls, output) = openssl_client(&workshop, &config, "-tls1_3", "X25519MLKEM768", false);
    assert!(output.contains("pong"), "{output}");
    let group = tls.negotiated_key_exchange_group().expect("a group");
    assert_eq!(group.name(), NamedGroup::X25519MLKEM768);
}

#[test]
fn openssl_refuses_our_spoilt_certificate() {
    let Some(workshop) = workshop() else { return };
    Maker::Ours.make(&workshop);
    let verify = ["verify", "-CAfile", "ca.pem", "server.pem"];
    workshop.run(verify);
    let mut der = CertificateDer::from_pem_file(workshop.path("server.pem")).unwrap().to_vec();
    *der.last_mut().unwrap() ^= 1;
    workshop.write("server.pem", certificate_pem(&der.into()));
    let (ok, output) = workshop.start(verify).finish();
    assert!(!ok && output.contains("signature failure"), "{output}");
}

#[test]
fn keys_and_signatures_pass_both_ways() {
    let Some(workshop) = workshop() else { return };
    let message = workshop.write("message", b"a message in a file");
    let message = std::fs::read(message).unwrap();

    // OpenSSL's key: read by us, alone and through the provider.
    workshop.run(["genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", "theirs.der"]);
    workshop.run(["pkey", "-inform", "DER", "-in", "theirs.der", "-out", "theirs.pem"]);
    workshop.run([
        "pkey",
        "-inform",
        "DER",
        "-in",
        "theirs.der",
        "-pubout",
        "-outform",
        "DER",
        "-out",
        "theirs.pub",
    ]);
    let key = SigningKey::from_pkcs8_der(&workshop.read("theirs.der")).unwrap();
    let pem = String::from_utf8(workshop.read("theirs.pem")).unwrap();
    assert_eq!(SigningKey::from_pkcs8_pem(&pem).unwrap(), key);
    let public = VerifyingKey::from_public_key_der(&workshop.read("theirs.pub")).unwrap();
    assert_eq!(key.verifying_key(), public);
    // Written again, it is the same file.
    assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), workshop.read("theirs.der"));
    assert_eq!(public.to_public_key_der().unwrap().as_bytes(), workshop.read("theirs.pub"));
    let der = PrivateKeyDer::from_pem_file(workshop.path("theirs.pem")).unwrap();
    let loaded = default_provider().key_provider.load_private_key(der).unwrap();
    assert_eq!(&loaded.public_key().unwrap()[..], workshop.read("theirs.pub"));

    // OpenSSL's signature is ours, bit for bit: Ed25519 is deterministic.
    workshop.run([
        "pkeyutl",
        "-sign",
        "-rawin",
        "-inkey",
        "theirs.pem",
        "-in",
        "message",
        "-out",
        "theirs.sig",
    ]);
    let signature = Signature::from_slice(&workshop.read("theirs.sig")).unwrap();
    public.verify(&message, &signature).unwrap();
    assert_eq!(key.sign(&message), signature);

    // Our key and signature: read by OpenSSL, in DER and in PEM.
    let ours = SigningKey::generate().unwrap();
    workshop.write("ours.der", ours.to_pkcs8_der().unwrap().as_bytes());
    workshop.write("ours.key", ours.to_pkcs8_pem(LineEnding::LF).unwrap().as_bytes());
    let public = ours.verifying_key().to_public_key_der().unwrap();
    for (form, file) in [("DER", "ours.der"), ("PEM", "ours.key")] {
        workshop.run([
            "pkey", "-inform", form, "-in", file, "-pubout", "-outform", "DER", "-out", "ours.pub",
        ]);
        assert_eq!(workshop.read("ours.pub"), public.as_bytes());
    }
    workshop.write("ours.sig", ours.sign(&message).to_bytes());
    let verify = [
        "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "ours.pub", "-in",
        "message", "-sigfile", "ours.sig",
    ];
    workshop.run(verify);
    let mut spoilt = ours.sign(&message).to_bytes();
    spoilt[0] ^= 1;
    workshop.write("ours.sig", spoilt);
    let (ok, output) = workshop.start(verify).finish();
    assert!(!ok, "OpenSSL accepts a spoilt signature: {output}");
}

/// Keys that are not Ed25519 are the base's, whichever it is.
#[test]
fn other_keys_still_authenticate() {
    let Some(workshop) = workshop() else { return };
    let kinds: [(&str, &[&str]); 2] = [
        ("EC", &["-pkeyopt", "ec_paramgen_curve:P-256"]),
        ("RSA", &["-pkeyopt", "rsa_keygen_bits:2048"]),
    ];
    for (algorithm, options) in kinds {
        make_by_openssl(&workshop, algorithm, options);
        for provider in
            [default_provider(), provider_over(rustls::crypto::ring::default_provider())]
        {
            let provider = Arc::new(provider);
            let (chain, key) = chain_and_key(&workshop, "server");
            let server = ServerConfig::builder_with_provider(provider.clone())
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(chain, key)
                .unwrap();
            let client = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(roots(&workshop))
                .with_no_client_auth();
            common::connect(&client.into(), &server.into())
                .unwrap_or_else(|refusal| panic!("{algorithm}: {refusal:?}"));
        }
    }
}
