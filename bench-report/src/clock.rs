//! What a block takes: time, and ticks of the time-stamp counter.

use std::time::Instant;

/// One timed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub ns: u64,
    /// None on machines without a counter.
    pub tsc: Option<u64>,
}

/// Times `work`, once.
#[inline]
pub fn time(work: impl FnOnce()) -> Reading {
    let (start, ticks) = (Instant::now(), crate::raw::tsc());
    work();
    let (end, time) = (crate::raw::tsc(), start.elapsed());
    Reading {
        ns: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
        tsc: ticks.zip(end).map(|(a, b)| b.saturating_sub(a)),
    }
}

/// Additions in one control block.
pub const CONTROL_STEPS: u64 = 2_000_000;

/// The idle control: a chain of [`CONTROL_STEPS`] dependent additions, one core cycle each on every
/// x86-64 CPU, which no library and no cache has a part in. What moves it is the host.
pub fn control() -> Reading {
    time(|| {
        let mut sum = std::hint::black_box(0u64);
        let step = std::hint::black_box(1u64);
        for _ in 0..CONTROL_STEPS / 16 {
            for _ in 0..16 {
                sum = link(sum, step);
            }
        }
        std::hint::black_box(sum);
    })
}

/// One link of the chain. The optimiser would fold a row of sums into one, so each is hidden from it.
#[inline(always)]
fn link(sum: u64, step: u64) -> u64 {
    crate::raw::opaque(sum.wrapping_add(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_takes_time() {
        let reading = control();
        assert!(reading.ns > CONTROL_STEPS / 20, "{reading:?}: 20 additions in a nanosecond");
    }
}
