//! The tier that runs is the one that the machine, the environment and the build ask for, and the one that
//! the report names. A forced run of the whole suite can so not test the wrong code unseen.
//! Supports row C11 of `SOUNDNESS.md`.
//!
//! `RIND_EXPECT_TIER` says from outside what must run: a tier for every operation, or `Operation=tier`,
//! comma-separated, later ones before earlier: `adx,Verify=ifma`.

mod skip;

use rind25519::cpu::{Operation, Tier, last_run, report};
use rind25519::ed25519::SigningKey;
use rind25519::x25519::StaticSecret;

/// The assembly is in every build that should have it: else the tests that need it would be empty, and pass.
#[test]
fn assembly_is_built_for_x86_64_unless_pinned_away() {
    let x86_64 = cfg!(all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        target_feature = "sse2",
        not(miri)
    ));
    assert_eq!(cfg!(rind_asm), x86_64 && !cfg!(rind_backend = "portable"));
}

/// AMD's family 19h, from leaves 0 and 1 of CPUID.
#[cfg(rind_asm)]
#[allow(unused_unsafe)] // `__cpuid` is unsafe up to Rust 1.93
fn is_zen_3_or_4() -> bool {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every x86-64 CPU has CPUID, and these two leaves.
    let (maker, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let letters = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
    letters.as_flattened() == b"AuthenticAMD" && signature & 0x0ff0_0f00 == 0x00a0_0f00
}

/// What should run, by the standard library's detection and by this test's own reading of the switches.
fn expected_here(operation: Operation) -> Tier {
    #[cfg(rind_asm)]
    {
        use std::is_x86_feature_detected as detected;
        let denied = |feature: &str| {
            std::env::var(format!("RIND_CPU_DISABLE_{feature}")).is_ok_and(|value| value == "1")
        };
        let here = |tier: Tier, runs: bool| {
            if !runs {
                let required = skip::required_tiers().contains(&tier);
                assert!(!required, "{tier} is required, and does not run");
                skip::skip(&format!("{tier} does not run here"));
            }
            runs
        };
        let has_adx = detected!("bmi2") && detected!("adx") && !denied("bmi2") && !denied("adx");
        let has_avx2 = detected!("bmi2") && detected!("avx2") && detected!("fma");
        let has_avx2 = has_avx2 && !denied("bmi2") && !denied("avx2") && !denied("fma");
        let has = |tier| match tier {
            Tier::Adx => has_adx,
            Tier::Avx2 => has_avx2,
            _ => true,
        };
        let pins = [
            (cfg!(rind_backend = "alt"), Tier::Alt),
            (cfg!(rind_backend = "avx2"), Tier::Avx2),
            (cfg!(rind_backend = "adx"), Tier::Adx),
        ];
        if let Some((_, pinned)) = pins.into_iter().find(|&(is, tier)| is && has(tier)) {
            return pinned;
        }
        // Of the fixed base, the form with look-ups in 256-bit registers is the faster one; of the ladders, that of
        // four lanes on Zen 3 and 4.
        let best_first = match operation {
            Operation::X25519 if !is_zen_3_or_4() => [Tier::Adx, Tier::Avx2],
            _ => [Tier::Avx2, Tier::Adx],
        };
        best_first.into_iter().find(|&tier| here(tier, has(tier))).unwrap_or(Tier::Alt)
    }
    #[cfg(not(rind_asm))]
    {
        let _ = operation;
        Tier::Portable
    }
}

/// What the text of `RIND_EXPECT_TIER` demands of an operation; an error for a name that is none.
fn demanded(text: &str, operation: Operation) -> Result<Tier, String> {
    let tier =
        |name: &str| skip::tier_named(name).map_err(|why| format!("RIND_EXPECT_TIER: {why}"));
    let mut demanded = None;
    for item in text.split(',') {
        match item.split_once('=') {
            None => demanded = Some(tier(item)?),
            Some((name, of_one)) => {
                let of_one = tier(of_one)?;
                if !Operation::ALL.iter().any(|known| format!("{known:?}") == name) {
                    return Err(format!("RIND_EXPECT_TIER: {name:?} is no operation"));
                }
                if format!("{operation:?}") == name {
                    demanded = Some(of_one);
                }
            }
        }
    }
    demanded.ok_or(format!("RIND_EXPECT_TIER: nothing for {operation:?}"))
}

#[test]
fn the_expected_tier_runs_each_operation() {
    let ran = |operation| {
        let tier = last_run(operation);
        match std::env::var("RIND_EXPECT_TIER") {
            Ok(text) => assert_eq!(Ok(tier), demanded(&text, operation).map(Some), "{operation}"),
            Err(std::env::VarError::NotPresent) => {
                assert_eq!(tier, Some(expected_here(operation)), "{operation}");
            }
            Err(error) => panic!("RIND_EXPECT_TIER: {error}"),
        }
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

/// Those of `required` that no operation has a form of: their tests could not run, wherever.
fn without_a_form(required: &[Tier]) -> Vec<Tier> {
    let assembly = [Tier::Adx, Tier::Avx2, Tier::Alt];
    let has_form = |tier| tier == Tier::Portable || cfg!(rind_asm) && assembly.contains(&tier);
    required.iter().copied().filter(|&tier| !has_form(tier)).collect()
}

/// What `RIND_REQUIRE_TIERS` lists exists, is spelt right, and can do something.
#[test]
fn required_tiers_have_a_form() {
    assert_eq!(without_a_form(&skip::required_tiers()), [], "required, and nothing runs on them");
}

/// Planted faults.
#[test]
fn wrong_requirements_are_found() {
    assert_eq!(skip::tiers_named(""), Ok(vec![]));
    assert_eq!(skip::tiers_named("adx,avx2"), Ok(vec![Tier::Adx, Tier::Avx2]));
    for wrong in ["nonsense", "ADX", "adx,", "adx, avx2", "adx;avx2"] {
        skip::tiers_named(wrong).unwrap_err();
    }
    assert_eq!(without_a_form(&[Tier::Portable, Tier::Ifma]), [Tier::Ifma]);
}

/// Planted faults: a misspelt demand is an error, for whichever operation it is asked.
#[test]
fn misspelt_demands_are_refused() {
    assert_eq!(demanded("adx", Operation::Sign), Ok(Tier::Adx));
    assert_eq!(demanded("adx,Verify=ifma", Operation::Verify), Ok(Tier::Ifma));
    assert_eq!(demanded("adx,Verify=ifma", Operation::Sign), Ok(Tier::Adx));
    for misspelt in
        ["", "ADX", "adx ", "atl", "adx,", "adx,verify=ifma", "adx,Verify=", "Verify=alt"]
    {
        demanded(misspelt, Operation::Sign).unwrap_err();
    }
}
