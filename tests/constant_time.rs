//! Signing, key generation and X25519 take no branch and form no address from a secret.
//!
//! Supports row C8 of `SOUNDNESS.md`. Valgrind's memcheck follows undefined bits through every
//! instruction that the machine executes and reports a branch or an address that depends on one; so
//! the secrets are marked undefined, and no report may come. Each case is a process of its own: this
//! binary, run again under valgrind with the name of the case in `RIND_TEST_CONSTANT_TIME`. It prints each
//! routine that it called, and the parent compares that with what it should have called. Two planted
//! faults, a branch and a table index, must be reported.
//!
//! Only for optimised builds: `cargo test --release --test constant_time`. Debug assertions branch on
//! the bounds of secret limbs, by intent. Instructions of varying latency are not memcheck's subject:
//! `admin/latency` looks for them in the object code.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod skip;

use std::hint::black_box;
use std::process::Command;

use rind25519::ed25519::SigningKey;
use rind25519::internals::door;
use rind25519::x25519::{EphemeralSecret, PublicKey, StaticSecret};

/// Valgrind's client requests: numbers and instruction sequence are its public interface
/// (valgrind manual, section 3.1).
mod valgrind {
    const COUNT_ERRORS: u64 = 0x1201;
    const MAKE_MEM_UNDEFINED: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16 | 1;
    const MAKE_MEM_DEFINED: u64 = MAKE_MEM_UNDEFINED + 1;
    const RUNNING: u64 = 0x1001;

    /// 0 on a bare CPU, where the sequence does nothing.
    fn request(code: u64, a: u64, b: u64) -> u64 {
        let arguments = [code, a, b, 0, 0, 0];
        let mut answer = 0u64;
        // SAFETY: four rotations by 128 bits in all leave rdi as it was, and xchg of a register with
        // itself is a nop; valgrind reads the six words at rax and writes rdx.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                inout("rdi") 0u64 => _, in("rax") arguments.as_ptr(), inout("rdx") answer,
            );
        }
        answer
    }

    pub fn is_running() -> bool {
        request(RUNNING, 0, 0) > 0
    }
    pub fn errors() -> u64 {
        request(COUNT_ERRORS, 0, 0)
    }
    pub fn make_secret<T: ?Sized>(value: &T) {
        request(
            MAKE_MEM_UNDEFINED,
            core::ptr::from_ref(value).cast::<()>() as u64,
            size_of_val(value) as u64,
        );
    }
    pub fn make_public<T: ?Sized>(value: &T) {
        request(
            MAKE_MEM_DEFINED,
            core::ptr::from_ref(value).cast::<()>() as u64,
            size_of_val(value) as u64,
        );
    }
}

/// 32 bytes that memcheck holds for undefined.
fn secret(byte: u8) -> [u8; 32] {
    let bytes = black_box([byte; 32]);
    valgrind::make_secret(&bytes);
    bytes
}
fn secret_words(byte: u8) -> [u64; 4] {
    let words = black_box([u64::from_le_bytes([byte; 8]); 4]);
    valgrind::make_secret(&words);
    words
}

/// The errors that `operation` makes; its result is declassified.
fn errors_in<T>(operation: impl FnOnce() -> T) -> (T, u64) {
    let before = valgrind::errors();
    let result = black_box(operation());
    let errors = valgrind::errors() - before;
    valgrind::make_public(&result);
    (result, errors)
}

#[track_caller]
fn no_error<T>(operation: impl FnOnce() -> T) -> T {
    let (result, errors) = errors_in(operation);
    assert_eq!(errors, 0, "memcheck saw {errors} uses of a secret");
    result
}

/// What the parent looks for: that `what` ran to its end.
fn called(what: &str) {
    println!("{CALLED}{what}");
}

fn signs() {
    let seed = secret(7);
    let key = no_error(|| SigningKey::from_seed(&seed));
    called("from_seed");
    let public = key.verifying_key();
    // `no_error` declassified all of the key, its secret parts too.
    valgrind::make_secret(&key);
    let signature = no_error(|| key.sign(b"message"));
    called("sign");
    public.verify(b"message", &signature).unwrap();
}

fn agrees() {
    let ours = StaticSecret::from(secret(1));
    let theirs = PublicKey::from(&EphemeralSecret::random().unwrap());
    let public = no_error(|| PublicKey::from(&ours));
    assert_ne!(public.as_bytes(), &[0; 32]);
    called("public_key");
    // One branch: whether the shared secret is zero, which the caller learns as the error.
    let (shared, errors) = errors_in(|| ours.diffie_hellman(&theirs));
    assert!(shared.is_ok() && errors <= 1, "{errors}");
    called("diffie_hellman");
}

fn calls_the_routines() {
    let scalar = secret_words(0x5a);
    let point = black_box([9, 0, 0, 0]);
    let check = |name: &str, operation: &dyn Fn()| {
        no_error(operation);
        called(name);
    };
    check(DOOR[0], &|| _ = black_box(door::curve25519_x25519(&scalar, &point)));
    check(DOOR[1], &|| _ = black_box(door::curve25519_x25519base(&scalar)));
    check(DOOR[2], &|| _ = black_box(door::edwards25519_scalarmulbase(&scalar)));
    check(DOOR[3], &|| {
        _ = black_box(door::bignum_madd_n25519(&scalar, &secret_words(3), &secret_words(5)));
    });
    let long = [scalar, secret_words(9)].concat();
    check(DOOR[4], &|| _ = black_box(door::bignum_mod_n25519(&long)));
}

/// Whether the routine is to be followed: all are but those whose inputs are public and those that this
/// CPU does not have.
#[cfg(rind_asm)]
fn takes_secrets(symbol: &rind25519::internals::vendor::Symbol) -> bool {
    use rind25519::cpu::Tier;
    use rind25519::internals::{HaveAvx2, HaveBmi2};

    let here = match symbol.tier {
        Tier::Adx => HaveBmi2::get().is_some(),
        Tier::Avx2 => HaveAvx2::get().is_some(),
        _ => true,
    };
    !symbol.takes_public_inputs() && here
}

/// Every routine of `vendor/`, in each form that this CPU has; all but those whose inputs are public.
/// Valgrind's CPUID denies ADX, which no routine uses, and shows BMI2 and AVX2 where the CPU has them.
#[cfg(rind_asm)]
fn calls_the_assembly() {
    use rind25519::internals::vendor::{Argument, SYMBOLS};

    for symbol in SYMBOLS.iter().filter(|symbol| takes_secrets(symbol)) {
        let mut buffers = [[0x5a_u64; 16]; 4];
        valgrind::make_secret(&buffers);
        let mut arguments = [0; 4];
        for (i, argument) in symbol.arguments.iter().enumerate() {
            arguments[i] = match *argument {
                Argument::Words(_) => 8,
                Argument::Out(len) | Argument::In(len) => {
                    assert!(len <= size_of_val(&buffers[i]));
                    buffers[i].as_mut_ptr() as u64
                }
            };
        }
        let [a, b, c, d] = arguments;
        // SAFETY: the routine is a C function of at most four integers or pointers, each to a buffer
        // of its own of at least the length it asks for; eight words are what `Words` promises. The
        // CPU has what the routine's tier needs: CPUID has said so.
        let routine: unsafe extern "C" fn(u64, u64, u64, u64) -> u64 =
            unsafe { std::mem::transmute(symbol.address) };
        let before = valgrind::errors();
        // SAFETY: as above.
        unsafe { routine(a, b, c, d) };
        let errors = valgrind::errors() - before;
        assert_eq!(errors, 0, "{}: memcheck saw {errors} uses of a secret", symbol.name);
        called(symbol.name);
    }
}

/// What the AVX2 tier has in Rust for secrets. Valgrind's CPUID shows AVX2, FMA and BMI2 where the CPU has them.
#[cfg(rind_asm)]
fn calls_the_lanes() {
    use rind25519::internals::{HaveAvx2, avx2};

    let have = HaveAvx2::get().expect("the parent has it");
    let scalar = secret_words(0x5a);
    let point = black_box([9, 0, 0, 0]);
    no_error(|| avx2::curve25519_x25519(have, &scalar, &point));
    called("curve25519_x25519");
}

fn branches() {
    let bytes = secret(1);
    let (_, errors) = errors_in(|| {
        if bytes[0] & 1 == 1 {
            black_box(bytes[1].wrapping_mul(black_box(3)));
        }
    });
    assert_ne!(errors, 0, "the planted branch was not seen");
}

fn looks_up() {
    static TABLE: [u8; 256] = [0xa5; 256];
    let bytes = secret(1);
    let (_, errors) = errors_in(|| black_box(&TABLE)[usize::from(bytes[0])]);
    assert_ne!(errors, 0, "the planted table index was not seen");
}

fn is_under_valgrind() {
    assert!(valgrind::is_running());
}

const CASE: &str = "RIND_TEST_CONSTANT_TIME";
/// How a line begins on which the child names what it called.
const CALLED: &str = "called: ";
/// The routines of the door that `calls_the_routines` calls, in its order.
const DOOR: [&str; 5] = [
    "curve25519_x25519",
    "curve25519_x25519base",
    "edwards25519_scalarmulbase",
    "bignum_madd_n25519",
    "bignum_mod_n25519",
];

#[test]
#[ignore = "the child process of the other tests"]
fn child() {
    match std::env::var(CASE).as_deref() {
        Ok("is_under_valgrind") => is_under_valgrind(),
        Ok("branches") => branches(),
        Ok("looks_up") => looks_up(),
        Ok("signs") => signs(),
        Ok("agrees") => agrees(),
        Ok("calls_the_routines") => calls_the_routines(),
        #[cfg(rind_asm)]
        Ok("calls_the_assembly") => calls_the_assembly(),
        #[cfg(rind_asm)]
        Ok("calls_the_lanes") => calls_the_lanes(),
        Ok(other) => panic!("unknown case {other}"),
        Err(_) => skip::skip("nothing to do without the parent"),
    }
}

/// What the child's output names as called.
fn calls(output: &str) -> Vec<&str> {
    // The harness may begin a line with the name of the test.
    output.lines().filter_map(|line| Some(line.split_once(CALLED)?.1)).collect()
}

/// Runs `case` under valgrind and expects it to call just these, or says why it does not run.
fn run(case: &str, expected: &[&str]) {
    if cfg!(debug_assertions) {
        return skip::skip("debug assertions branch on secret bounds; run with --release");
    }
    if !skip::program("valgrind") {
        return;
    }
    let output = Command::new("valgrind")
        .args(["--error-limit=no", "--num-callers=8"])
        .arg(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(CASE, case)
        .output()
        .unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    assert!(output.status.success(), "{case}: {stdout}{stderr}");
    assert!(stdout.contains("1 passed"), "{case} did not run: {stdout}");
    assert_eq!(calls(&stdout), expected, "{case} called something else");
}

#[test]
fn valgrind_answers() {
    run("is_under_valgrind", &[]);
}
#[test]
fn secret_branch_is_seen() {
    run("branches", &[]);
}
#[test]
fn secret_index_is_seen() {
    run("looks_up", &[]);
}
#[test]
fn signing_and_key_generation_use_no_secret() {
    run("signs", &["from_seed", "sign"]);
}
#[test]
fn agreement_uses_no_secret() {
    run("agrees", &["public_key", "diffie_hellman"]);
}
#[test]
fn routines_use_no_secret() {
    run("calls_the_routines", &DOOR);
}
#[cfg(rind_asm)]
#[test]
fn assembly_uses_no_secret() {
    let bmi2 = rind25519::internals::HaveBmi2::get().is_some();
    let followed = rind25519::internals::vendor::SYMBOLS.iter().filter(|s| takes_secrets(s));
    let names: Vec<&str> = followed.map(|symbol| symbol.name).collect();
    // Of both forms of ten routines, one form of four, and two for AVX2.
    let avx2 = rind25519::internals::HaveAvx2::get().is_some();
    assert_eq!(names.len(), 14 + if bmi2 { 10 } else { 0 } + if avx2 { 2 } else { 0 });
    run("calls_the_assembly", &names);
}

#[cfg(rind_asm)]
#[test]
fn lanes_use_no_secret() {
    let avx2 = rind25519::internals::HaveAvx2::get();
    if skip::tier(rind25519::cpu::Tier::Avx2, avx2, "avx2, fma and bmi2").is_some() {
        run("calls_the_lanes", &["curve25519_x25519"]);
    }
}

/// Planted fault: a case that passes and calls nothing is not the one that was asked for.
#[test]
fn silent_child_is_refused() {
    assert_eq!(calls("running 1 test\ntest child ... ok\n\n1 passed\n"), [""; 0]);
    assert_eq!(calls("test child ... called: a\ncalled: b\nok\n"), ["a", "b"]);
    if !cfg!(debug_assertions) && skip::program("valgrind") {
        std::panic::catch_unwind(|| run("is_under_valgrind", &["sign"])).unwrap_err();
    }
}
