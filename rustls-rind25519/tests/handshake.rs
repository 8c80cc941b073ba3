//! Promise: TLS with our X25519, hybrid and Ed25519 works with rustls on ring and on aws-lc-rs, in
//! both directions, in TLS 1.3 and 1.2 (SOUNDNESS.md, "TLS").
//!
//! All certificates are Ed25519 and trust is by an Ed25519 authority, so a handshake that succeeds
//! has signed with Ed25519 and verified it: chain and handshake signature.

mod common;

use std::sync::Arc;

use common::{PEERS, Peer, Pki, connect};
use rustls::crypto::SupportedKxGroup;
use rustls::version::{TLS12, TLS13};
use rustls::{HandshakeKind, NamedGroup, SupportedProtocolVersion};
use rustls_rind25519::kx_group;

/// A version, and the groups to negotiate in it.
const MODES: [(&SupportedProtocolVersion, NamedGroup); 3] = [
    (&TLS12, NamedGroup::X25519),
    (&TLS13, NamedGroup::X25519),
    (&TLS13, NamedGroup::X25519MLKEM768),
];

/// (client, server), at least one of them ours, both with `group`.
fn pairs(group: NamedGroup) -> Vec<(Peer, Peer)> {
    let all = PEERS.iter().flat_map(|client| PEERS.iter().map(move |server| (*client, *server)));
    all.filter(|(client, server)| client.ours || server.ours)
        .filter(|(client, server)| client.has(group) && server.has(group))
        .collect()
}

fn is_ours(group: &dyn SupportedKxGroup) -> bool {
    format!("{group:?}").contains("by rind25519")
}

#[test]
fn handshake_with_every_peer() {
    let pki = Pki::new();
    let mut count = 0;
    for (version, group) in MODES {
        for (client, server) in pairs(group) {
            for client_auth in [false, true] {
                let context = format!(
                    "{} to {}, {:?}, {group:?}, client authentication {client_auth}",
                    client.name, server.name, version.version
                );
                let client_config =
                    pki.client_config(client.with_groups(&[group]), &[version], client_auth);
                let server_config =
                    pki.server_config(server.with_groups(&[group]), &[version], client_auth);
                let (c, s) = connect(&Arc::new(client_config), &Arc::new(server_config))
                    .unwrap_or_else(|refusal| panic!("{context}: {refusal:?}"));

                assert_eq!(c.protocol_version(), Some(version.version), "{context}");
                assert_eq!(c.handshake_kind(), Some(HandshakeKind::Full), "{context}");
                for (negotiated, peer) in [
                    (c.negotiated_key_exchange_group(), client),
                    (s.negotiated_key_exchange_group(), server),
                ] {
                    let negotiated = negotiated.expect("a group");
                    assert_eq!(negotiated.name(), group, "{context}");
                    assert_eq!(is_ours(negotiated), peer.ours, "{context}");
                }
                assert_eq!(c.peer_certificates(), Some(&[pki.server.certificate.clone()][..]));
                let client_chain = client_auth.then(|| vec![pki.client.certificate.clone()]);
                assert_eq!(s.peer_certificates(), client_chain.as_deref(), "{context}");
                count += 1;
            }
        }
    }
    // 5 x 5 pairs less 2 x 2 without us; ring alone has no hybrid, so 4 x 4 less 1 there.
    assert_eq!(count, 2 * (21 + 21 + 15));
}

#[test]
fn session_resumed_with_every_peer() {
    let pki = Pki::new();
    for (version, group) in MODES {
        for (client, server) in pairs(group) {
            for client_auth in [false, true] {
                let context = format!("{} to {}, {group:?}", client.name, server.name);
                let client_config: Arc<_> =
                    pki.client_config(client.with_groups(&[group]), &[version], client_auth).into();
                let server_config: Arc<_> =
                    pki.server_config(server.with_groups(&[group]), &[version], client_auth).into();
                let shake = || connect(&client_config, &server_config).expect(&context);

                let (c, s) = shake();
                assert_eq!(c.handshake_kind(), Some(HandshakeKind::Full), "{context}");
                assert_eq!(s.handshake_kind(), Some(HandshakeKind::Full), "{context}");
                let (c, s) = shake();
                assert_eq!(c.handshake_kind(), Some(HandshakeKind::Resumed), "{context}");
                assert_eq!(s.handshake_kind(), Some(HandshakeKind::Resumed), "{context}");
            }
        }
    }
}

#[test]
fn hybrid_share_serves_plain_x25519_without_a_retry() {
    let pki = Pki::new();
    for client in PEERS.into_iter().filter(|peer| peer.ours) {
        for server in PEERS {
            let both = client.with_groups(&[NamedGroup::X25519MLKEM768, NamedGroup::X25519]);
            let plain = server.with_groups(&[NamedGroup::X25519]);
            let (c, _) = connect(
                &pki.client_config(both, &[&TLS13], false).into(),
                &pki.server_config(plain, &[&TLS13], false).into(),
            )
            .unwrap_or_else(|refusal| panic!("{} to {}: {refusal:?}", client.name, server.name));
            assert_eq!(c.handshake_kind(), Some(HandshakeKind::Full));
            assert_eq!(c.negotiated_key_exchange_group().unwrap().name(), NamedGroup::X25519);
        }
    }
}

#[test]
fn retry_request_leads_to_our_groups() {
    let pki = Pki::new();
    for group in [NamedGroup::X25519, NamedGroup::X25519MLKEM768] {
        for (client, server) in pairs(group) {
            // The client's first share is for a group that the server does not have.
            let client_groups = client.with_groups(&[NamedGroup::secp256r1, group]);
            let (c, _) = connect(
                &pki.client_config(client_groups, &[&TLS13], false).into(),
                &pki.server_config(server.with_groups(&[group]), &[&TLS13], false).into(),
            )
            .unwrap_or_else(|refusal| panic!("{} to {}: {refusal:?}", client.name, server.name));
            assert_eq!(c.handshake_kind(), Some(HandshakeKind::FullWithHelloRetryRequest));
            assert_eq!(c.negotiated_key_exchange_group().unwrap().name(), group);
        }
    }
}

#[test]
fn hybrid_is_never_used_in_tls12() {
    let pki = Pki::new();
    let ours = PEERS[0];
    let groups = [NamedGroup::X25519MLKEM768, NamedGroup::X25519];
    let (c, _) = connect(
        &pki.client_config(ours.with_groups(&groups), &[&TLS12], false).into(),
        &pki.server_config(ours.with_groups(&groups), &[&TLS12], false).into(),
    )
    .expect("X25519 is left");
    assert_eq!(c.negotiated_key_exchange_group().unwrap().name(), NamedGroup::X25519);
}

#[test]
fn hybrid_halves_agree_across_implementations() {
    let theirs = rustls::crypto::aws_lc_rs::kx_group::X25519MLKEM768;
    let groups = [kx_group::X25519MLKEM768, kx_group::X25519MLKEM768_RUSTCRYPTO, theirs];
    for client in groups {
        for server in groups {
            let start = client.start().unwrap();
            assert_eq!(start.pub_key().len(), 1184 + 32);
            let (group, share) = start.hybrid_component().expect("an X25519 share");
            assert_eq!((group, share), (NamedGroup::X25519, &start.pub_key()[1184..]));

            let done = server.start_and_complete(start.pub_key()).unwrap();
            assert_eq!(done.group, NamedGroup::X25519MLKEM768);
            assert_eq!(done.pub_key.len(), 1088 + 32);
            let secret = start.complete(&done.pub_key).unwrap();
            assert_eq!(secret.secret_bytes(), done.secret.secret_bytes(), "{client:?} {server:?}");
            assert_eq!(secret.secret_bytes().len(), 64);
        }
    }
}
