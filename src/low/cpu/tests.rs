//! The choice of a tier, over machines that need not exist, and the report's words for it.

use super::*;
use std::string::{String, ToString as _};
use std::vec::Vec;

const ADX: Features = Features::NONE.with(Feature::Bmi2).with(Feature::Adx);
const AVX2: Features = Features::NONE.with(Feature::Avx2).with(Feature::Fma);
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
    assert_eq!(runs(Features::NONE, Features::NONE), Tier::Alt);
    let skylake_x = all().without(Features::NONE.with(Feature::Avx512ifma));
    assert_eq!(runs(skylake_x.without(ADX), Features::NONE), Tier::Avx2, "AVX-512F without IFMA");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn denied_tier_denies_no_other() {
    let without = |tier: Tier| *EVERY_TIER.iter().find(|&&t| t != tier).unwrap();
    for (features, tier) in [(ADX, Tier::Adx), (AVX2, Tier::Avx2), (AVX512, Tier::Ifma)] {
        for feature in Feature::ALL.into_iter().filter(|&f| features.has(f)) {
            let denied = Features::NONE.with(feature);
            let machine = Detected::faked(all(), denied);
            for &other in EVERY_TIER {
                let answer = ready(other, machine).map(Choice::tier);
                let expected =
                    if other == tier { Err(Obstacle::Denied(denied)) } else { Ok(other) };
                assert_eq!(answer, expected, "{} denied", feature.name());
            }
            assert_eq!(runs(all(), denied), without(tier));
        }
    }
    assert_eq!(runs(all(), AVX512.with(Feature::Adx).with(Feature::Avx2)), Tier::Alt);
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
         adx: no bmi2 here; avx2: no avx2, fma here"
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
    for &operation in Operation::ALL {
        let (last, better) = tiers(operation).split_last().unwrap();
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
