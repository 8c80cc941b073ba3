//! Medians, quartiles, and the ratios of blocks that ran side by side.

use crate::report::{Outcome, Row, Samples};

/// Middle, and the middle half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
    pub count: usize,
}

impl Spread {
    /// None of nothing.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |part: f64| {
            let place = part * last as f64;
            let (low, high) = (place.floor() as usize, place.ceil() as usize);
            values[low] + (values[high] - values[low]) * (place - place.floor())
        };
        Some(Spread { lower: at(0.25), median: at(0.5), upper: at(0.75), count: values.len() })
    }

    pub fn scaled(self, factor: f64) -> Self {
        let Spread { lower, median, upper, count } = self;
        Spread { lower: lower * factor, median: median * factor, upper: upper * factor, count }
    }

    /// The standard error of the median, from the middle half: 1.25 σ/√n for what is nearly normal,
    /// where the middle half is 1.35 σ wide.
    pub fn error(self) -> f64 {
        1.25 * (self.upper - self.lower) / 1.35 / (self.count as f64).sqrt()
    }
}

/// Nanoseconds an item.
pub fn time(row: &Row, outcome: &Outcome) -> Option<Spread> {
    let items = f64::from(row.iterations) * f64::from(row.batch);
    Some(Spread::of(outcome.samples.ns.iter().map(|&ns| ns as f64))?.scaled(1.0 / items))
}

/// Core cycles an item: time in units of the control's additions, which take a cycle each, of the same
/// round. Less moved by a clock that wanders than time is.
pub fn cycles(row: &Row, outcome: &Outcome, control_steps: u64) -> Option<Spread> {
    let items = f64::from(row.iterations) * f64::from(row.batch);
    Some(paired(&outcome.samples, &row.control)?.scaled(control_steps as f64 / items))
}

/// Block by block of the same round, `a` to `b`: what drifts, drifts for both.
pub fn paired(a: &Samples, b: &Samples) -> Option<Spread> {
    let pairs = a.ns.iter().zip(&b.ns).filter(|&(_, &b)| b > 0);
    Spread::of(pairs.map(|(&a, &b)| a as f64 / b as f64))
}

/// How much the control wandered within a run: from its tenth to its ninetieth percentile, to its middle.
/// Its blocks are about as long as the others, so it meets what they meet.
pub fn unrest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<f64> {
    let mut ns: Vec<u64> = rows.flat_map(|row| row.control.ns.iter().copied()).collect();
    ns.sort_unstable();
    let at = |tenths: usize| Some(*ns.get(ns.len().checked_sub(1)? * tenths / 10)? as f64);
    Some((at(9)? - at(1)?) / at(5)?)
}

/// Above this [`unrest`] a host is called noisy.
pub const NOISY: f64 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(ns: &[u64]) -> Samples {
        Samples { ns: ns.to_vec(), tsc: Vec::new() }
    }

    #[test]
    fn quartiles_of_known_lists() {
        assert_eq!(Spread::of([]), None);
        let one = Spread::of([7.0]).unwrap();
        assert_eq!((one.lower, one.median, one.upper), (7.0, 7.0, 7.0));
        let five = Spread::of([5.0, 1.0, 4.0, 2.0, 3.0]).unwrap();
        assert_eq!((five.lower, five.median, five.upper), (2.0, 3.0, 4.0));
        assert_eq!(Spread::of([1.0, 2.0]).unwrap().median, 1.5);
    }

    #[test]
    fn drift_cancels_in_pairs() {
        let (a, b) = (samples(&[100, 200, 400, 800]), samples(&[200, 400, 800, 1600]));
        let ratio = paired(&a, &b).unwrap();
        assert_eq!((ratio.lower, ratio.median, ratio.upper), (0.5, 0.5, 0.5));
        assert_eq!(paired(&samples(&[]), &b), None);
        assert_eq!(paired(&samples(&[1]), &samples(&[0])), None);
    }
}
