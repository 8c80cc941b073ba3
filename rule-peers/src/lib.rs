//! The rules of `rind25519` beside the implementations whose rules they are: see `tests/`.
