//! Values that live as long as the program, one for each base they were made from.
//!
//! rustls wants `&'static` lists and key providers. Made afresh at each call they would leak at
//! each call; kept here, the memory in use is bounded by the number of distinct bases.

use std::sync::{Mutex, PoisonError};

/// Pairs (base, made from it), both small and `Copy`: in practice references.
pub(crate) struct Kept<B, M>(Mutex<Vec<(B, M)>>);

impl<B: Copy, M: Copy> Kept<B, M> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The value made from the base that `is_base` picks out, or `make()` if there is none yet.
    pub(crate) fn get_or_make(
        &self,
        is_base: impl Fn(&B) -> bool,
        make: impl FnOnce() -> (B, M),
    ) -> M {
        // A panic while the lock was held cannot leave a half-written pair.
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = pairs.iter().find(|(base, _)| is_base(base)) {
            return *made;
        }
        let pair = make();
        pairs.push(pair);
        pair.1
    }

    /// Whether any value made so far satisfies `is_made`.
    pub(crate) fn has_made(&self, is_made: impl Fn(&M) -> bool) -> bool {
        let pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pairs.iter().any(|(_, made)| is_made(made))
    }
}
