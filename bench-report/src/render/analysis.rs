//! What a report says about us: the fastest peer of each row, and where we are behind.

use crate::report::{Outcome, Report, Row, tier};
use crate::statistics::{Spread, paired, time};

/// Ours behind the fastest peer by more than this is a gap.
pub const BEHIND: f64 = 1.05;

/// What users get: the tier that is chosen by itself.
pub fn ours(row: &Row) -> Option<&Outcome> {
    row.results.iter().find(|outcome| tier(&outcome.engine) == Some("auto"))
}

/// The peer with the least median time.
pub fn fastest_peer<'a>(report: &Report, row: &'a Row) -> Option<&'a Outcome> {
    let is_peer = |outcome: &&Outcome| report.engine(&outcome.engine).is_some_and(|e| !e.ours);
    let timed = row.results.iter().filter(is_peer);
    let timed = timed.filter_map(|outcome| Some((outcome, time(row, outcome)?.median)));
    timed.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(outcome, _)| outcome)
}

/// Ours, as users get it, to the fastest peer.
pub fn ratio(report: &Report, row: &Row) -> Option<Spread> {
    paired(&ours(row)?.samples, &fastest_peer(report, row)?.samples)
}

/// A row where something of ours is slower than it should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// [`crate::host::Host::file_stem`] of the report.
    pub host: String,
    pub row: String,
    /// Ours that is slower.
    pub engine: String,
    pub than: Than,
    /// Whom it is slower than, and by how much.
    pub other: String,
    pub ratio: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Than {
    FastestPeer,
    TierBelow,
}

/// Every gap of a report: the chosen tier more than [`BEHIND`] times the fastest peer, and a forced tier
/// slower than the one below it, in three rounds of four at least.
pub fn gaps(report: &Report) -> Vec<Gap> {
    let host = report.host.file_stem();
    let mut gaps = Vec::new();
    for row in report.rows() {
        let mut push = |engine: &Outcome, than, other: &Outcome, ratio| {
            gaps.push(Gap {
                host: host.clone(),
                row: row.name.clone(),
                engine: engine.engine.clone(),
                than,
                other: other.engine.clone(),
                ratio,
            });
        };
        if let (Some(ours), Some(peer)) = (ours(row), fastest_peer(report, row)) {
            match paired(&ours.samples, &peer.samples) {
                Some(ratio) if ratio.median > BEHIND => {
                    push(ours, Than::FastestPeer, peer, ratio.median)
                }
                _ => (),
            }
        }
        // The outcomes of ours stand best tier first; those that are absent have no samples.
        let forced = |outcome: &&Outcome| tier(&outcome.engine).is_some_and(|tier| tier != "auto");
        let timed = |outcome: &&Outcome| !outcome.samples.ns.is_empty();
        let tiers: Vec<&Outcome> = row.results.iter().filter(forced).filter(timed).collect();
        for pair in tiers.windows(2) {
            match paired(&pair[0].samples, &pair[1].samples) {
                Some(ratio) if ratio.lower > 1.0 => {
                    push(pair[0], Than::TierBelow, pair[1], ratio.median)
                }
                _ => (),
            }
        }
    }
    gaps
}
