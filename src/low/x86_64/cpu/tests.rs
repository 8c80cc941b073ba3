//! Detection over faked words, and over the words of this machine.

use super::*;
use std::vec;
use std::vec::Vec;

/// A CPU with everything, under an operating system that saves everything.
const FULL: Words =
    Words { max_leaf: 0x20, maker: [0; 3], leaf1_eax: 0, leaf1_ecx: !0, leaf7_ebx: !0, xcr0: !0 };
/// CPUID.1:ECX and CPUID.(7,0):EBX bits by name.
const AVX_BIT: u32 = 1 << 28;
const FMA_BIT: u32 = 1 << 12;
const BMI2_BIT: u32 = 1 << 8;
const ADX_BIT: u32 = 1 << 19;
const AVX2_BIT: u32 = 1 << 5;
const AVX512F_BIT: u32 = 1 << 16;
const AVX512_BITS: u32 = AVX512F_BIT | 1 << 17 | 1 << 21 | 1 << 30 | 1 << 31;

fn names(words: Words) -> Vec<&'static str> {
    words.features().names().collect()
}
fn tokens(words: Words) -> (bool, bool, bool) {
    let machine = Detected::faked(words.features(), Features::NONE);
    (
        HaveIfma::proved_by(machine).is_ok(),
        HaveAdx::proved_by(machine).is_ok(),
        HaveAvx2::proved_by(machine).is_ok(),
    )
}

#[test]
fn everything_and_nothing() {
    assert_eq!(FULL.features(), Feature::ALL.into_iter().fold(Features::NONE, Features::with));
    assert_eq!(tokens(FULL), (true, true, true));
    assert!(Words::default().features().is_empty());
    assert_eq!(tokens(Words::default()), (false, false, false));
}

#[test]
fn feature_bit_without_os_state_does_not_count() {
    // The system saves x87 and SSE state only, or has not enabled XSAVE at all.
    for words in [Words { xcr0: 0b11, ..FULL }, Words { leaf1_ecx: !OSXSAVE, ..FULL }] {
        assert_eq!(names(words), ["bmi2", "adx"]);
    }
    // YMM without XMM state, and the reverse.
    for xcr0 in [!0b010, !0b100] {
        assert_eq!(tokens(Words { xcr0, ..FULL }), (false, true, false));
    }
}

#[test]
fn ifma_needs_each_part_of_the_zmm_state() {
    for bit in 5..8 {
        assert_eq!(names(Words { xcr0: !(1 << bit), ..FULL }), ["bmi2", "adx", "avx2", "fma"]);
    }
    assert_eq!(tokens(Words { xcr0: ZMM, ..FULL }), (true, true, true));
}

#[test]
fn adx_and_bmi2_are_separate() {
    let adx_alone = Words { leaf7_ebx: !BMI2_BIT, ..FULL };
    assert_eq!((names(adx_alone)[0], tokens(adx_alone)), ("adx", (true, false, false)));
    let bmi2_alone = Words { leaf7_ebx: !ADX_BIT, ..FULL };
    assert_eq!((names(bmi2_alone)[0], tokens(bmi2_alone)), ("bmi2", (true, false, true)));
}

#[test]
fn adx_needs_no_vectors() {
    let no_vectors = Words { leaf1_ecx: 0, leaf7_ebx: BMI2_BIT | ADX_BIT, xcr0: 0, ..FULL };
    assert_eq!(names(no_vectors), ["bmi2", "adx"]);
    let avx2_hidden = Words { leaf7_ebx: BMI2_BIT | ADX_BIT, ..FULL };
    assert_eq!(tokens(avx2_hidden), (false, true, false));
}

#[test]
fn avx2_needs_its_own_bit_bmi2_fma_and_avx() {
    assert_eq!(tokens(Words { leaf7_ebx: AVX2_BIT | BMI2_BIT, ..FULL }), (false, false, true));
    assert_eq!(tokens(Words { leaf7_ebx: AVX2_BIT, ..FULL }), (false, false, false), "no BMI2");
    assert_eq!(tokens(Words { leaf7_ebx: !AVX2_BIT, ..FULL }), (false, true, false));
    assert_eq!(tokens(Words { leaf1_ecx: !AVX_BIT, ..FULL }), (false, true, false));
    let no_fma = Words { leaf1_ecx: !FMA_BIT, ..FULL };
    assert_eq!(
        (names(no_fma), tokens(no_fma)),
        (vec!["bmi2", "adx", "avx2"], (false, true, false))
    );
}

#[test]
fn avx512_parts_are_never_inferred() {
    for (feature, bit) in [("avx512dq", 17), ("avx512ifma", 21), ("avx512bw", 30), ("avx512vl", 31)]
    {
        let words = Words { leaf7_ebx: !(1 << bit), ..FULL };
        assert!(!names(words).contains(&feature));
        assert_eq!(names(words).len(), Feature::ALL.len() - 1, "only {feature} is gone");
        assert_eq!(tokens(words), (false, true, true));
    }
    // The parts without the foundation are nothing.
    assert_eq!(names(Words { leaf7_ebx: !AVX512F_BIT, ..FULL }), ["bmi2", "adx", "avx2", "fma"]);
    assert_eq!(
        tokens(Words { leaf7_ebx: AVX512_BITS, ..FULL }),
        (false, false, false),
        "no AVX2 bit"
    );
    // The compiler takes FMA and F16C for granted with AVX-512F.
    assert!(!tokens(Words { leaf1_ecx: !FMA_BIT, ..FULL }).0);
    assert_eq!(tokens(Words { leaf1_ecx: !(1 << 29), ..FULL }), (false, true, true));
}

#[test]
fn leaf_7_below_the_maximum_is_not_believed() {
    for max_leaf in 0..7 {
        assert_eq!(names(Words { max_leaf, ..FULL }), ["fma"], "{max_leaf}"); // of leaf 1
    }
    assert_eq!(Words { max_leaf: 7, ..FULL }.features(), FULL.features());
}

#[test]
fn each_bit_alone_gives_no_vector_feature() {
    for bit in 0..32 {
        let words = Words { leaf1_ecx: 0, leaf7_ebx: 1 << bit, ..FULL };
        let expected: &[&str] = match bit {
            8 => &["bmi2"],
            19 => &["adx"],
            _ => &[],
        };
        assert_eq!(names(words), expected);
    }
}

#[test]
fn zen_3_is_family_19h_of_amd() {
    let letters = |[a, b, c]: [&[u8; 4]; 3]| [a, b, c].map(|four| u32::from_le_bytes(*four));
    let amd = letters([b"Auth", b"enti", b"cAMD"]);
    let core = |maker, leaf1_eax| Words { maker, leaf1_eax, ..FULL }.core();
    for (leaf1_eax, expected) in [
        (0x00a2_0f10, Core::Zen3),  // Zen 3, Vermeer
        (0x00a1_0f11, Core::Zen3),  // Zen 4, Genoa
        (0x0083_0f10, Core::Other), // Zen 2, Rome: 17h
        (0x0080_0f12, Core::Other), // Zen 1, Naples
        (0x00b0_0f21, Core::Other), // Zen 5, Turin: 1Ah
        (0x00a1_0e11, Core::Other), // the extension counts beside 0Fh only
        (0, Core::Other),
    ] {
        assert_eq!(core(amd, leaf1_eax), expected, "{leaf1_eax:x}");
    }
    for maker in
        [[b"Genu", b"ineI", b"ntel"], [b"Hygo", b"nGen", b"uine"], [b"Auth", b"enti", b"cAMd"]]
    {
        assert_eq!(core(letters(maker), 0x00a1_0f11), Core::Other);
    }
}

/// The standard library decodes the same words by itself.
#[cfg(not(miri))]
#[test]
fn this_machine_agrees_with_the_standard_library() {
    let ours = Words::read().features();
    let check = |feature: Feature, theirs: bool| {
        assert_eq!(ours.has(feature), theirs, "{}", feature.name());
    };
    use std::is_x86_feature_detected as detected;
    check(Feature::Bmi2, detected!("bmi2"));
    check(Feature::Adx, detected!("adx"));
    check(Feature::Avx2, detected!("avx2"));
    check(Feature::Fma, detected!("fma"));
    check(Feature::Avx512f, detected!("avx512f"));
    check(Feature::Avx512bw, detected!("avx512bw"));
    check(Feature::Avx512dq, detected!("avx512dq"));
    check(Feature::Avx512vl, detected!("avx512vl"));
    check(Feature::Avx512ifma, detected!("avx512ifma"));
}

#[test]
fn tokens_agree_with_detection() {
    let machine = Detected::get();
    assert_eq!(HaveBmi2::get().is_some(), HaveBmi2::proved_by(machine).is_ok());
    assert_eq!(HaveAdx::get().is_some(), HaveAdx::proved_by(machine).is_ok());
    assert_eq!(HaveAvx2::get().is_some(), HaveAvx2::proved_by(machine).is_ok());
    assert_eq!(HaveIfma::get().is_some(), HaveIfma::proved_by(machine).is_ok());
    assert_eq!(size_of::<(HaveBmi2, HaveAdx, HaveAvx2, HaveIfma)>(), 0);
}

/// Whoever has a token that yields BMI2's could have had that one itself, on any machine, under any denial.
#[test]
fn bmi2_is_proved_wherever_a_token_yields_it() {
    const ASKED: [Feature; 4] = [Feature::Bmi2, Feature::Adx, Feature::Avx2, Feature::Fma];
    let set = |bits: usize| {
        let asked = ASKED.into_iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        asked.fold(Features::NONE, |set, (_, feature)| set.with(feature))
    };
    let mut yielded = [0; 2];
    for (seen, denied) in (0..256).map(|bits| (set(bits & 15), set(bits >> 4))) {
        let machine = Detected::faked(seen, denied);
        let proofs: [Option<HaveBmi2>; 2] = [
            HaveAdx::proved_by(machine).ok().map(HaveAdx::bmi2),
            HaveAvx2::proved_by(machine).ok().map(HaveAvx2::bmi2),
        ];
        for (count, proof) in yielded.iter_mut().zip(proofs) {
            let own = HaveBmi2::proved_by(machine);
            assert!(proof.is_none() || own.is_ok(), "{seen} here, {denied} denied");
            *count += usize::from(proof.is_some());
        }
    }
    // What a token asks for is seen and not denied; all else is any of four.
    assert_eq!(yielded, [16, 4]);
}
