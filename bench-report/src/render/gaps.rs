//! `gaps.toml`: why each gap is there. A gap without an entry fails the check, and so does an entry whose
//! gap has closed.

use serde::Deserialize;

use super::analysis::{Gap, Than};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanations {
    #[serde(default)]
    gap: Vec<Explanation>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    pub host: String,
    pub row: String,
    pub engine: String,
    pub than: Than,
    pub why: String,
}

impl Explanation {
    fn is_of(&self, gap: &Gap) -> bool {
        (&self.host, &self.row, &self.engine, self.than)
            == (&gap.host, &gap.row, &gap.engine, gap.than)
    }
}

impl Explanations {
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|e| format!("gaps.toml: {}", e.message()))
    }

    pub fn of(&self, gap: &Gap) -> Option<&str> {
        self.gap.iter().find(|entry| entry.is_of(gap)).map(|entry| entry.why.as_str())
    }

    /// What is wrong between the entries and the gaps of all reports.
    pub fn check(&self, gaps: &[Gap]) -> Vec<String> {
        let mut findings = Vec::new();
        for gap in gaps {
            let Gap { host, row, engine, other, ratio, .. } = gap;
            match self.of(gap) {
                Some(why) if !why.trim().is_empty() => (),
                Some(_) => findings.push(format!("gaps.toml: the entry of {row} on {host} says nothing")),
                None => findings.push(format!(
                    "{host}, {row}: {engine} takes {ratio:.2} of the time of {other}, and gaps.toml \
                     does not say why"
                )),
            }
        }
        for (i, entry) in self.gap.iter().enumerate() {
            let Explanation { host, row, engine, .. } = entry;
            if !gaps.iter().any(|gap| entry.is_of(gap)) {
                findings
                    .push(format!("gaps.toml: the gap of {engine} in {row} on {host} has closed"));
            }
            let same = |e: &Explanation| {
                (&e.host, &e.row, &e.engine, e.than) == (host, row, engine, entry.than)
            };
            if self.gap[..i].iter().any(same) {
                findings.push(format!("gaps.toml: {engine} in {row} on {host} stands there twice"));
            }
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap() -> Gap {
        Gap {
            host: "h".into(),
            row: "r".into(),
            engine: "rind25519/auto".into(),
            than: Than::FastestPeer,
            other: "crrl".into(),
            ratio: 1.2,
        }
    }
    const ENTRY: &str =
        "[[gap]]\nhost = 'h'\nrow = 'r'\nengine = 'rind25519/auto'\nthan = 'fastest-peer'\n";

    #[test]
    fn entry_and_gap_must_meet() {
        let explained = Explanations::parse(&format!("{ENTRY}why = 'because'")).unwrap();
        assert_eq!(explained.check(&[gap()]), Vec::<String>::new());
        assert!(explained.check(&[])[0].contains("has closed"));
        assert!(Explanations::default().check(&[gap()])[0].contains("does not say why"));
        let other = Gap { than: Than::TierBelow, ..gap() };
        assert_eq!(explained.check(&[other]).len(), 2);
    }

    #[test]
    fn empty_and_repeated_entries_are_found() {
        let empty = Explanations::parse(&format!("{ENTRY}why = ' '")).unwrap();
        assert!(empty.check(&[gap()])[0].contains("says nothing"));
        let one = format!("{ENTRY}why = 'because'\n");
        let twice = Explanations::parse(&one.repeat(2)).unwrap();
        assert!(twice.check(&[gap()])[0].contains("twice"));
        Explanations::parse("[[gap]]\nhost = 'h'").unwrap_err();
    }
}
