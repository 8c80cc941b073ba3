//! The report: for each operation, the tier and the reason.

use core::fmt;

use super::{Detected, Obstacle, Operation, PINNED, Tier, choose, ready, tiers};

/// Which tier runs each operation on this machine, and why.
///
/// In a build with `--cfg rind_cpu_disable`, a wrong variable ends the process with code 2, as it
/// does in every operation: call [`check`](super::check) first to get it as an error.
///
/// ```
/// let report = rind25519::cpu::report();
/// println!("{report}");
/// ```
pub fn report() -> Report {
    Report { machine: Detected::get() }
}

/// What [`report`] found; `Display` prints it as a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    machine: Detected,
}

impl Report {
    /// The tier that runs `operation`.
    ///
    /// ```
    /// use rind25519::cpu::{Operation, report};
    /// println!("verification runs on {}", report().tier(Operation::Verify));
    /// ```
    pub fn tier(&self, operation: Operation) -> Tier {
        choose(operation).tier()
    }

    /// One row for each operation.
    ///
    /// ```
    /// for row in rind25519::cpu::report().rows() {
    ///     println!("{}: {}, {row}", row.operation(), row.tier());
    /// }
    /// ```
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let machine = self.machine;
        Operation::ALL.iter().map(move |&operation| Row {
            operation,
            tier: choose(operation).tier(),
            pinned: PINNED,
            candidates: tiers(operation, machine.core()),
            machine,
        })
    }

    /// The CPU features that this CPU and its operating system have, of those that some tier asks for;
    /// denied ones too.
    ///
    /// ```
    /// let adx = rind25519::cpu::report().features().any(|name| name == "adx");
    /// # let _ = adx;
    /// ```
    pub fn features(&self) -> impl Iterator<Item = &'static str> {
        self.machine.seen().names()
    }

    /// The CPU features that the environment denies, whether the CPU has them or not.
    ///
    /// ```
    /// assert!(rind25519::cpu::report().denied().all(|name| !name.is_empty()));
    /// ```
    pub fn denied(&self) -> impl Iterator<Item = &'static str> {
        self.machine.denied().names()
    }

    /// The tier that `--cfg rind_backend` pinned when this program was built.
    ///
    /// ```
    /// if let Some(tier) = rind25519::cpu::report().pinned() {
    ///     println!("built for {tier} only");
    /// }
    /// ```
    pub fn pinned(&self) -> Option<Tier> {
        PINNED
    }
}

/// An operation, the tier that runs it, and the reason, which `Display` prints.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub(super) operation: Operation,
    pub(super) tier: Tier,
    pub(super) pinned: Option<Tier>,
    pub(super) candidates: &'static [Tier],
    pub(super) machine: Detected,
}

impl Row {
    /// What is asked for.
    pub const fn operation(&self) -> Operation {
        self.operation
    }
    /// The tier that does it.
    pub const fn tier(&self) -> Tier {
        self.tier
    }

    /// The better tiers that were passed over, best first, each with what stood in its way.
    fn passed_over(&self) -> impl Iterator<Item = (Tier, Obstacle)> {
        let Row { tier, machine, .. } = *self;
        let better = self.candidates.iter().take_while(move |&&candidate| candidate != tier);
        better.filter_map(move |&candidate| Some((candidate, ready(candidate, machine).err()?)))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pinned {
            Some(pinned) if pinned == self.tier => {
                return f.write_str("pinned by --cfg rind_backend");
            }
            Some(pinned) => write!(f, "pinned tier {pinned} is not on this CPU; ")?,
            None => {}
        }
        if self.candidates == [Tier::Portable] {
            return f.write_str("no other tier for this target yet");
        }
        if self.candidates.first() == Some(&self.tier) {
            return f.write_str("the fastest tier");
        }
        for (i, (tier, obstacle)) in self.passed_over().enumerate() {
            let semicolon = if i == 0 { "" } else { "; " };
            write!(f, "{semicolon}{tier}: {obstacle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, a: &dyn fmt::Display, b: &dyn fmt::Display| {
            write!(f, "{a:<19}{b:<10}")
        };
        line(f, &"operation", &"tier")?;
        f.write_str("why\n")?;
        for row in self.rows() {
            line(f, &row.operation, &row.tier)?;
            writeln!(f, "{row}")?;
        }
        let or_none = |empty: bool| if empty { "none" } else { "" };
        let (seen, denied) = (self.machine.seen(), self.machine.denied());
        writeln!(f, "CPU features       {seen}{}", or_none(seen.is_empty()))?;
        write!(f, "denied             {denied}{}", or_none(denied.is_empty()))
    }
}
