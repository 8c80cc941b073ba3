//! The tier that runs is the one that the machine, the environment and the build ask for, and the one that
//! the report names. A forced run of the whole suite can so not test the wrong code unseen.
//! Supports row C11 of `SOUNDNESS.md`.

mod skip;

use rind25519::cpu::{Operation, Tier, last_run, report};
use rind25519::ed25519::SigningKey;
use rind25519::x25519::StaticSecret;

/// The assembly is in every build that should have it: else the tests that need it would be empty, and pass.
#[test]
fn assembly_is_built_for_x86_64_unless_pinned_away() {
    let x86_64 = cfg!(all(target_arch = "x86_64", target_pointer_width = "64"));
    assert_eq!(cfg!(rind_asm), x86_64 && !cfg!(rind_backend = "portable"));
}

/// What should run, by the standard library's detection and by this test's own reading of the switches.
fn expected() -> Tier {
    #[cfg(rind_asm)]
    {
        let denied = |feature: &str| {
            std::env::var(format!("RIND_CPU_DISABLE_{feature}")).is_ok_and(|value| value == "1")
        };
        let here = std::is_x86_feature_detected!("bmi2") && std::is_x86_feature_detected!("adx");
        let adx = here && !denied("bmi2") && !denied("adx") && !cfg!(rind_backend = "alt");
        if !adx {
            let required = std::env::var("RIND_REQUIRE_TIERS").unwrap_or_default();
            assert!(
                !required.split(',').any(|tier| tier == "adx"),
                "adx is required, and does not run"
            );
            skip::skip("adx does not run here");
        }
        if adx { Tier::Adx } else { Tier::Alt }
    }
    #[cfg(not(rind_asm))]
    Tier::Portable
}

#[test]
fn the_expected_tier_runs_each_operation() {
    let ran = |operation| {
        let tier = last_run(operation);
        assert_eq!(tier, Some(expected()), "{operation}");
        assert_eq!(tier, Some(report().tier(operation)), "{operation}");
    };
    let secret = StaticSecret::from([7; 32]);
    let public = rind25519::x25519::PublicKey::from(&secret);
    ran(Operation::X25519PublicKey);
    assert!(secret.diffie_hellman(&public).is_ok());
    ran(Operation::X25519);
    let key = SigningKey::from_seed(&[8; 32]);
    let signature = key.sign(b"message");
    ran(Operation::Sign);
    assert!(key.verifying_key().verify(b"message", &signature).is_ok());
    ran(Operation::Verify);
}
