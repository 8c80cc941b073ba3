//! Promise: keys are wiped when dropped, and signing and agreement leave no other secret behind.
//!
//! A child process, this program again, makes a key, uses it and drops it; after each step the parent
//! reads all memory that the child can write, stacks and heap included, and looks for the secrets.
//! The child knows the seed alone, and wipes its own copy; the parent knows what to look for.
//! What was left behind and overwritten by chance before the parent looked, it does not see.

#![cfg(target_os = "linux")]

mod skip;

use num_bigint::BigUint;
use rind25519::{
    ed25519::{Digest, Sha512, SigningKey},
    x25519::{PublicKey, StaticSecret, x25519},
};
use std::{
    env, fs,
    hint::black_box,
    io::{BufRead, BufReader, Read, Write, stdin, stdout},
    os::unix::fs::FileExt,
    process::{Child, ChildStdout, Command, Stdio},
};
use zeroize::Zeroize;

const SEED: [u8; 32] = *b"a seed that no other data equals";
const MESSAGE: &[u8] = b"a message";
const THEIRS: [u8; 32] = [9; 32];
const JOB: &str = "RIND_TEST_WIPED_JOB";

/// The seed travels masked, so that pipes and their buffers do not hold it.
fn mask(bytes: &mut [u8; 32]) {
    bytes.iter_mut().for_each(|byte| *byte ^= 0xa5);
}

/// Tells the parent where we are, and waits to be sent on.
fn pause(step: &str) {
    println!("step {step}");
    stdout().flush().expect("the parent listens");
    stdin().read_exact(&mut [0]).expect("the parent answers");
}

#[test]
#[ignore = "the child process of the other tests"]
fn child() {
    let Ok(job) = env::var(JOB) else {
        skip::skip("nothing to do without the parent");
        return;
    };
    let mut seed = [0; 32];
    stdin().read_exact(&mut seed).expect("a seed");
    mask(&mut seed);
    match &job[..] {
        // The end of a scope drops in place. Moving a secret, into `drop` too, may leave the bytes
        // behind where it was: no type can prevent that, and callers who mind keep it in a `Box`.
        "sign" => {
            let key = SigningKey::from_seed(&seed);
            seed.zeroize();
            black_box(key.sign(MESSAGE));
            pause("used");
        }
        "agree" => {
            let secret = StaticSecret::from(seed);
            seed.zeroize();
            let shared = secret.diffie_hellman(&PublicKey::from(THEIRS));
            black_box(&shared);
            pause("used");
        }
        "forget" => {
            black_box(SigningKey::from_seed(&seed).to_seed());
            seed.zeroize();
        }
        other => panic!("unknown job {other}"),
    }
    pause("dropped");
}

struct Observed {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Observed {
    /// The child at work, or nothing where the system lets no process read its child's memory.
    fn start(job: &str) -> Option<Self> {
        let mut child = Command::new(env::current_exe().expect("this program"))
            .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .env(JOB, job)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child process");
        let mut seed = SEED;
        mask(&mut seed);
        child.stdin.as_mut().expect("a pipe").write_all(&seed).expect("sent");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let observed = Self { child, output };
        match fs::File::open(format!("/proc/{}/mem", observed.child.id())) {
            Ok(_) => Some(observed),
            Err(error) => {
                skip::skip(&format!("the memory of a child process cannot be read ({error})"));
                None
            }
        }
    }

    /// How often each secret lies in the child's memory at the next step, which has this name.
    fn count<const N: usize>(&mut self, step: &str, secrets: [&[u8]; N]) -> [usize; N] {
        let expected = format!("step {step}\n");
        let mut line = String::new();
        while !line.ends_with(&expected) {
            line.clear();
            assert_ne!(self.output.read_line(&mut line).expect("output"), 0, "the child is gone");
        }
        let memory = self.memory();
        self.child.stdin.as_mut().expect("a pipe").write_all(&[0]).expect("sent on");
        // The middle of a secret will do: clamping does not touch it, nor perhaps what ran later.
        secrets.map(|secret: &[u8]| {
            let middle = &secret[8..24];
            memory.iter().map(|area| area.windows(16).filter(|at| *at == middle).count()).sum()
        })
    }

    /// Every mapping that the child can write.
    fn memory(&self) -> Vec<Vec<u8>> {
        let process = format!("/proc/{}", self.child.id());
        let memory = fs::File::open(format!("{process}/mem")).expect("may read its own child");
        let maps = fs::read_to_string(format!("{process}/maps")).expect("its mappings");
        let areas = maps.lines().filter(|line| line.contains(" rw")).filter_map(|line| {
            let (start, end) = line.split_once(' ')?.0.split_once('-')?;
            let start = u64::from_str_radix(start, 16).ok()?;
            let end = u64::from_str_radix(end, 16).ok()?;
            let mut area = vec![0; (end - start) as usize];
            memory.read_exact_at(&mut area, start).ok().map(|()| area)
        });
        let areas: Vec<_> = areas.collect();
        assert!(maps.contains("[heap]") && areas.len() > 4, "heap and stacks were read");
        areas
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        // It has ended by itself, unless the test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// SHA-512(seed), and the nonce before and after its reduction mod L.
fn expanded() -> ([u8; 64], [u8; 64], Vec<u8>) {
    let hash: [u8; 64] = Sha512::digest(SEED).into();
    let wide: [u8; 64] =
        Sha512::new().chain_update(&hash[32..]).chain_update(MESSAGE).finalize().into();
    let order: BigUint =
        (BigUint::from(1u8) << 252) + BigUint::from(27742317777372353535851937790883648493u128);
    let nonce: BigUint = BigUint::from_bytes_le(&wide) % order;
    (hash, wide, nonce.to_bytes_le())
}

#[test]
fn signing_key_and_nonce_are_wiped() {
    let (hash, wide_nonce, nonce) = expanded();
    let secrets = [&SEED[..], &hash[..32], &hash[32..], &wide_nonce, &nonce];
    let Some(mut child) = Observed::start("sign") else { return };
    // Seed, scalar and prefix lie in the live key, and there alone: so the search does find them.
    assert_eq!(child.count("used", secrets), [1, 1, 1, 0, 0]);
    assert_eq!(child.count("dropped", secrets), [0; 5]);
}

#[test]
fn static_and_shared_secret_are_wiped() {
    let shared = x25519(SEED, THEIRS);
    let Some(mut child) = Observed::start("agree") else { return };
    assert_eq!(child.count("used", [&SEED, &shared]), [1, 1]);
    assert_eq!(child.count("dropped", [&SEED, &shared]), [0, 0]);
}

/// The planted fault: a copy of the seed that is not wiped outlives the key.
#[test]
fn forgotten_copy_is_found() {
    let Some(mut child) = Observed::start("forget") else { return };
    let [copies] = child.count::<1>("dropped", [&SEED]);
    assert!(copies >= 1, "the search misses what is there");
}
