//! rind25519 beside the other libraries of its field: see `benches/peers.rs`.
