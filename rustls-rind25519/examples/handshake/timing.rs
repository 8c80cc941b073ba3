//! The two providers side by side.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::ends::Ends;

/// Times `count` full handshakes of each provider and kind, in turn.
pub fn compare(ours: &Ends, base: &Ends, count: u32) -> Result<Comparison, Box<dyn Error>> {
    Ok(Comparison {
        count,
        rows: [
            Row::measure("computation of both ends, one thread", count, [ours, base], |ends| {
                ends.time_in_memory()
            })?,
            Row::measure("over loopback TCP, a thread an end", count, [ours, base], |ends| {
                ends.time_over_tcp()
            })?,
        ],
    })
}

/// The result, as a table.
pub struct Comparison {
    count: u32,
    rows: [Row; 2],
}

struct Row {
    what: &'static str,
    ours: Spread,
    base: Spread,
}

impl Row {
    fn measure(
        what: &'static str,
        count: u32,
        ends: [&Ends; 2],
        time: impl Fn(&Ends) -> Result<Duration, Box<dyn Error>>,
    ) -> Result<Self, Box<dyn Error>> {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..count.div_ceil(10) {
            for ends in ends {
                time(ends)?; // caches and branch predictors warm
            }
        }
        for round in 0..count {
            // Neither always goes first: what drifts, drifts for both.
            for which in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                times[which].push(time(ends[which])?);
            }
        }
        let [ours, base] = times.map(Spread::of);
        Ok(Self { what, ours, base })
    }
}

/// The middle half of the times.
struct Spread {
    lower: Duration,
    median: Duration,
    upper: Duration,
}

impl Spread {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let quarter = |n: usize| times[(times.len() - 1) * n / 4];
        Self { lower: quarter(1), median: quarter(2), upper: quarter(3) }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "full handshakes, {} of each, interleaved: median (quartiles), microseconds",
            self.count
        )?;
        writeln!(f, "{:38} {:>22} {:>22} {:>6}", "", "rind25519", "aws-lc-rs alone", "ratio")?;
        for Row { what, ours, base } in &self.rows {
            let ratio = ours.median.as_secs_f64() / base.median.as_secs_f64();
            writeln!(
                f,
                "{what:38} {:>22} {:>22} {ratio:>6.2}",
                ours.to_string(),
                base.to_string()
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lower, median, upper] =
            [self.lower, self.median, self.upper].map(|time| time.as_secs_f64() * 1e6);
        write!(f, "{median:.1} ({lower:.1}-{upper:.1})")
    }
}
