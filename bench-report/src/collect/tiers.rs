//! Our tiers, forced one after the other in one process.

use rind25519::cpu::{self, Tier};

/// Every tier, best first, by its name.
pub const ALL: [Tier; 5] = [Tier::Ifma, Tier::Avx2, Tier::Adx, Tier::Alt, Tier::Portable];

/// As long as it lives, our operations run on a tier; those that have no such form, or lack the CPU for
/// it, run as they would, and [`cpu::last_run`] tells.
pub struct Forced(());

impl Forced {
    pub fn to(tier: Option<Tier>) -> Self {
        cpu::force(tier);
        Forced(())
    }
}

impl Drop for Forced {
    fn drop(&mut self) {
        cpu::force(None);
    }
}
