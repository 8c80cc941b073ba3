//! An interruption (SIGINT, SIGTERM, SIGHUP) ends a run between two blocks.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static ASKED: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

pub fn listen() -> Result<(), String> {
    let mut result = Ok(());
    LISTENING.call_once(|| {
        result = ctrlc::set_handler(|| ASKED.store(true, Relaxed))
            .map_err(|e| format!("cannot listen for interruptions: {e}"));
    });
    result
}

pub fn asked() -> bool {
    ASKED.load(Relaxed)
}
