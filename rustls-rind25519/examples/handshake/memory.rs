//! A handshake with no sockets between its ends.

use std::error::Error;

use rustls::{ClientConnection, ServerConnection};

/// Carries what each end writes to the other, in one thread, until both have finished.
pub fn shake_hands(
    client: &mut ClientConnection,
    server: &mut ServerConnection,
) -> Result<(), Box<dyn Error>> {
    let mut flight = Vec::with_capacity(8192);
    while client.is_handshaking() || server.is_handshaking() {
        flight.clear();
        while client.wants_write() {
            client.write_tls(&mut flight)?;
        }
        let mut sent = &flight[..];
        while !sent.is_empty() {
            server.read_tls(&mut sent)?;
            server.process_new_packets()?;
        }
        flight.clear();
        while server.wants_write() {
            server.write_tls(&mut flight)?;
        }
        let mut sent = &flight[..];
        if sent.is_empty() && client.is_handshaking() {
            return Err("the handshake stands still".into());
        }
        while !sent.is_empty() {
            client.read_tls(&mut sent)?;
            client.process_new_packets()?;
        }
    }
    Ok(())
}
