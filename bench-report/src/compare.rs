//! Two reports of one machine, and which rows moved beyond what noise explains.

use std::fmt;

use crate::report::{Report, Row, tier};
use crate::statistics::{Spread, cycles, time};

/// One engine in one row, before and after.
#[derive(Debug)]
pub struct Moved {
    row: String,
    engine: String,
    ours: bool,
    /// After to before.
    ratio: f64,
    /// Below this distance from 1 it is no movement: the threshold or four standard errors.
    noise: f64,
}

impl Moved {
    fn is_beyond_noise(&self) -> bool {
        (self.ratio - 1.0).abs() > self.noise
    }
}

#[derive(Debug)]
pub struct Comparison {
    moved: Vec<Moved>,
    /// In one report only.
    unpaired: Vec<String>,
    warnings: Vec<String>,
}

/// "3%" or "0.03".
pub fn threshold(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    let value =
        number.trim().parse::<f64>().map_err(|_| "a number, or a number and %".to_owned())?;
    if (0.0..=10.0).contains(&(value * unit)) {
        Ok(value * unit)
    } else {
        Err("between 0 and 1000%".into())
    }
}

/// In core cycles, so that a clock that ran slower the second time is no movement.
pub fn compare(before: &Report, after: &Report, threshold: f64) -> Result<Comparison, String> {
    let mut comparison =
        Comparison { moved: Vec::new(), unpaired: Vec::new(), warnings: Vec::new() };
    if before.host.cpu.cpuid != after.host.cpu.cpuid
        || before.host.cpu.model != after.host.cpu.model
    {
        comparison.warnings.push("the reports are of different CPUs".into());
    }
    if before.settings.definitions != after.settings.definitions {
        comparison.warnings.push("the definitions changed in between".into());
    }
    for row in before.rows() {
        let Some(other) = after.rows().find(|other| other.name == row.name) else {
            comparison.unpaired.push(row.name.clone());
            continue;
        };
        for outcome in &row.results {
            let then = measured(before, row, &outcome.engine);
            let now = measured(after, other, &outcome.engine);
            match (then, now) {
                (Some(then), Some(now)) => comparison.moved.push(Moved {
                    row: row.name.clone(),
                    engine: outcome.engine.clone(),
                    ours: tier(&outcome.engine).is_some(),
                    ratio: now.median / then.median,
                    noise: threshold.max(4.0 * relative_error(then).hypot(relative_error(now))),
                }),
                (None, None) => (),
                _ => comparison.unpaired.push(format!("{}, {}", row.name, outcome.engine)),
            }
        }
    }
    if comparison.moved.is_empty() {
        return Err("the reports have no row in common".into());
    }
    Ok(comparison)
}

fn measured(report: &Report, row: &Row, engine: &str) -> Option<Spread> {
    let outcome = row.results.iter().find(|outcome| outcome.engine == engine)?;
    cycles(row, outcome, report.settings.control_steps).or_else(|| time(row, outcome))
}

fn relative_error(spread: Spread) -> f64 {
    spread.error() / spread.median
}

impl Comparison {
    /// Whether anything of ours got slower.
    pub fn slower(&self) -> bool {
        self.moved.iter().any(|moved| moved.ours && moved.is_beyond_noise() && moved.ratio > 1.0)
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for warning in &self.warnings {
            writeln!(f, "note: {warning}")?;
        }
        let mut beyond: Vec<&Moved> = self.moved.iter().filter(|m| m.is_beyond_noise()).collect();
        beyond.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        for moved in &beyond {
            let word = if moved.ratio > 1.0 { "slower" } else { "faster" };
            writeln!(
                f,
                "{:24} {:20} {:+6.1} % {word} (noise up to {:.1} %)",
                moved.row,
                moved.engine,
                100.0 * (moved.ratio - 1.0),
                100.0 * moved.noise
            )?;
        }
        let peers = beyond.iter().filter(|moved| !moved.ours).count();
        if peers > 0 {
            writeln!(
                f,
                "note: {peers} of these are of peers, whose versions stand in the reports"
            )?;
        }
        for name in &self.unpaired {
            writeln!(f, "only in one report: {name}")?;
        }
        writeln!(f, "{} of {} moved beyond noise", beyond.len(), self.moved.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_read() {
        assert_eq!(threshold("3%"), Ok(0.03));
        assert_eq!(threshold("0.05"), Ok(0.05));
        for wrong in ["", "%", "three", "-1%", "NaN", "2000%"] {
            threshold(wrong).unwrap_err();
        }
    }
}
