//! An interruption (SIGINT, SIGTERM, SIGHUP) ends a run between two blocks.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static LISTENING: Once = Once::new();

pub fn listen() -> Result<(), String> {
    let mut result = Ok(());
    LISTENING.call_once(|| {
        // In the handler itself, not in a thread that it wakes: a program that the same signal ended must
        // not be seen to end before this is set.
        result = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .try_for_each(|signal| signal_hook::flag::register(signal, ASKED.clone()).map(drop))
            .map_err(|e| format!("cannot listen for interruptions: {e}"));
    });
    result
}

pub fn asked() -> bool {
    ASKED.load(Relaxed)
}
