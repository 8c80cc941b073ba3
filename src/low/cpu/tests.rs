//! The choice of a tier, over machines that need not exist, and the report's words for it.

use super::*;
use std::string::{String, ToString as _};
use std::vec::Vec;

const ADX: Features = Features::NONE.with(Feature::Bmi2).with(Feature::Adx);
const AVX2: Features = Features::NONE.with(Feature::Avx2).with(Feature::Fma).with(Feature::Bmi2);
const AVX512: Features = Features::NONE
    .with(Feature::Avx512f)
    .with(Feature::Avx512bw)
    .with(Feature::Avx512dq)
    .with(Feature::Avx512vl)
    .with(Feature::Avx512ifma);
const EVERY_TIER: &[Tier] = &[Tier::Ifma, Tier::Adx, Tier::Avx2, Tier::Alt, Tier::Portable];

fn all() -> Features {
    Feature::ALL.into_iter().fold(Features::NONE, Features::with)
}
fn runs(seen: Features, denied: Features) -> Tier {
    first_ready(EVERY_TIER, Detected::faked(seen, denied)).tier()
}
fn row(seen: Features, denied: Features) -> Row {
    let machine = Detected::faked(seen, denied);
    let tier = first_ready(EVERY_TIER, machine).tier();
    Row { operation: Operation::Verify, tier, pinned: None, candidates: EVERY_TIER, machine }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn best_tier_that_the_machine_can_run_is_chosen() {
    assert_eq!(runs(all(), Features::NONE), Tier::Ifma);
    assert_eq!(runs(AVX512, Features::NONE), Tier::Ifma, "no other tier's feature is asked for");
    assert_eq!(runs(ADX, Features::NONE), Tier::Adx);
    assert_eq!(
        runs(Features::NONE.with(Feature::Adx), Features::NONE),
        Tier::Alt,
        "ADX without BMI2"
    );
    assert_eq!(
        runs(Features::NONE.with(Feature::Bmi2), Features::NONE),
        Tier::Alt,
        "BMI2 without ADX"
    );
    assert_eq!(runs(AVX2, Features::NONE), Tier::Avx2);
    assert_eq!(
        runs(AVX2.without(Features::NONE.with(Feature::Bmi2)), Features::NONE),
        Tier::Alt,
        "AVX2 and FMA without BMI2"
    );
    assert_eq!(runs(Features::NONE, Features::NONE), Tier::Alt);
    let skylake_x = all().without(Features::NONE.with(Feature::Avx512ifma));
    let hides_adx = skylake_x.without(Features::NONE.with(Feature::Adx));
    assert_eq!(runs(hides_adx, Features::NONE), Tier::Avx2, "AVX-512F without IFMA");
}

/// BMI2 is asked for by two tiers, every other feature by one.
#[cfg(target_arch = "x86_64")]
#[test]
fn denied_feature_denies_the_tiers_that_ask_for_it_and_no_other() {
    let needs = [(Tier::Ifma, AVX512), (Tier::Adx, ADX), (Tier::Avx2, AVX2)];
    for feature in Feature::ALL {
        let denied = Features::NONE.with(feature);
        let machine = Detected::faked(all(), denied);
        let is_denied = |tier| needs.iter().any(|&(t, asks)| t == tier && asks.has(feature));
        for &tier in EVERY_TIER {
            let answer = ready(tier, machine).map(Choice::tier);
            let expected = if is_denied(tier) { Err(Obstacle::Denied(denied)) } else { Ok(tier) };
            assert_eq!(answer, expected, "{} denied", feature.name());
        }
        let best = *EVERY_TIER.iter().find(|&&tier| !is_denied(tier)).unwrap();
        assert_eq!(runs(all(), denied), best);
        let count = EVERY_TIER.iter().filter(|&&tier| is_denied(tier)).count();
        assert_eq!(count, if feature == Feature::Bmi2 { 2 } else { 1 }, "{}", feature.name());
    }
    assert_eq!(runs(all(), AVX512.with(Feature::Adx).with(Feature::Avx2)), Tier::Alt);
    assert_eq!(runs(all(), AVX512.with(Feature::Bmi2)), Tier::Alt);
}

/// What each operation runs on, for the machines that are known, had or denied alike.
#[cfg(rind_asm)]
#[test]
fn each_machine_runs_the_tiers_that_were_measured_fastest() {
    use Tier::{Adx, Alt, Avx2};
    let only = |feature| Features::NONE.with(feature);
    // Verify, Sign, X25519, X25519PublicKey; X25519 on Zen 3.
    for (lacks, tiers_of_it, on_zen_3) in [
        (AVX512, [Avx2, Avx2, Adx, Avx2], Avx2),
        (only(Feature::Adx), [Avx2; 4], Avx2),
        (only(Feature::Bmi2), [Alt; 4], Alt),
        (only(Feature::Avx2), [Adx; 4], Adx),
        (only(Feature::Fma), [Adx; 4], Adx),
        (only(Feature::Adx).with(Feature::Avx2), [Alt; 4], Alt),
        (all(), [Alt; 4], Alt),
    ] {
        for machine in
            [Detected::faked(all().without(lacks), Features::NONE), Detected::faked(all(), lacks)]
        {
            for (&operation, tier) in Operation::ALL.iter().zip(tiers_of_it) {
                let chosen =
                    |core| first_ready(tiers(operation, core), machine.with_core(core)).tier();
                assert_eq!(chosen(Core::Other), tier, "{operation}, without {lacks}");
                let tier = if operation == Operation::X25519 { on_zen_3 } else { tier };
                assert_eq!(chosen(Core::Zen3), tier, "{operation}, without {lacks}, Zen 3");
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[test]
fn other_architectures_run_portable() {
    assert_eq!(runs(all(), Features::NONE), Tier::Portable);
    assert_eq!(
        ready(Tier::Alt, Detected::faked(all(), Features::NONE)).unwrap_err(),
        Obstacle::Foreign
    );
}

#[cfg(target_arch = "x86_64")]
#[test]
fn reason_names_what_stands_in_the_way() {
    assert_eq!(row(all(), Features::NONE).to_string(), "the fastest tier");
    let denied = Features::NONE.with(Feature::Adx);
    assert_eq!(
        row(ADX.with(Feature::Avx2).with(Feature::Fma), denied).to_string(),
        "ifma: no avx512f, avx512bw, avx512dq, avx512vl, avx512ifma here; adx: adx denied"
    );
    assert_eq!(
        row(Features::NONE.with(Feature::Adx), denied).to_string(),
        "ifma: no avx512f, avx512bw, avx512dq, avx512vl, avx512ifma here; \
         adx: no bmi2 here; avx2: no bmi2, avx2, fma here"
    );
    let no_bmi2 = Features::NONE.with(Feature::Bmi2);
    assert_eq!(
        row(all(), AVX512.with(Feature::Bmi2)).to_string(),
        "ifma: avx512f, avx512bw, avx512dq, avx512vl, avx512ifma denied; adx: bmi2 denied; avx2: bmi2 denied"
    );
    assert_eq!(
        row(all().without(AVX512).without(no_bmi2), Features::NONE).to_string(),
        "ifma: no avx512f, avx512bw, avx512dq, avx512vl, avx512ifma here; \
         adx: no bmi2 here; avx2: no bmi2 here"
    );
}

#[test]
fn lone_tier_and_pin_say_so() {
    let lone = Row { candidates: &[Tier::Portable], ..row(Features::NONE, Features::NONE) };
    assert_eq!(lone.to_string(), "no other tier for this target yet");
    let pinned = |tier| Row { pinned: Some(tier), ..lone }.to_string();
    assert_eq!(pinned(lone.tier), "pinned by --cfg rind_backend");
    assert_eq!(
        pinned(Tier::Ifma),
        "pinned tier ifma is not on this CPU; no other tier for this target yet"
    );
}

#[test]
fn every_list_ends_with_the_tier_that_runs_anywhere() {
    let anywhere = if cfg!(rind_asm) { Tier::Alt } else { Tier::Portable };
    let cores = [Core::Zen3, Core::Other];
    for (&operation, core) in
        Operation::ALL.iter().flat_map(|operation| cores.map(|core| (operation, core)))
    {
        let (last, better) = tiers(operation, core).split_last().unwrap();
        assert_eq!(*last, anywhere, "{operation}");
        assert!(!better.contains(&anywhere), "{operation}");
        assert!(ready(*last, Detected::faked(Features::NONE, all())).is_ok(), "{operation}");
    }
}

#[test]
fn report_tells_the_tier_that_dispatch_chooses() {
    let report = report();
    let rows: Vec<Row> = report.rows().collect();
    assert_eq!(rows.len(), Operation::ALL.len());
    for row in rows {
        assert_eq!(row.tier(), choose(row.operation()).tier());
        assert_eq!(row.tier(), report.tier(row.operation()));
        for (named, tier) in [
            (cfg!(rind_backend = "portable"), Tier::Portable),
            (cfg!(all(rind_asm, rind_backend = "alt")), Tier::Alt),
        ] {
            assert!(!named || (row.tier(), report.pinned()) == (tier, Some(tier)));
        }
    }
}

#[test]
fn report_columns_are_aligned() {
    let text = report().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + Operation::ALL.len() + 2);
    for line in &lines {
        let column: String = line.chars().skip(17).take(3).collect();
        assert!(column.ends_with(|c: char| c != ' ') && column.contains(' '), "{line}");
    }
}
