//! rustls with X25519 and Ed25519 from `rind25519`.
