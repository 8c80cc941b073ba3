//! Which multiplications a call executes. That tells a library's backend, whatever was documented, compiled or
//! detected: the trap flag stops the CPU after each instruction, and a handler looks at the next one. Linux on x86-64.
//!
//! It happens in a process of its own ([`crate::engines::observe`]): where a system does not deliver SIGTRAP, or code
//! may not be read, that process ends or sees nothing, and the report says "inferred".
#![allow(unsafe_code)]

/// What multiplies, and the two additions that exist for the sake of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Mul,
    Imul,
    Mulx,
    Adx,
    Xmm,
    Ymm,
    Zmm,
    Ifma,
}

impl Kind {
    pub const ALL: [Kind; 8] =
        [Kind::Mul, Kind::Imul, Kind::Mulx, Kind::Adx, Kind::Xmm, Kind::Ymm, Kind::Zmm, Kind::Ifma];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Mul => "mul",
            Kind::Imul => "imul",
            Kind::Mulx => "mulx",
            Kind::Adx => "adcx/adox",
            Kind::Xmm => "vpmuludq xmm",
            Kind::Ymm => "vpmuludq ymm",
            Kind::Zmm => "vpmuludq zmm",
            Kind::Ifma => "vpmadd52",
        }
    }

    /// The kind of the instruction whose bytes are `at(0)`, `at(1)`, …; no byte after it is asked for.
    fn of(at: impl Fn(usize) -> u8) -> Option<Kind> {
        // VEX and EVEX: opcode map, prefix (1 is 66, 2 is F3, 3 is F2), length of the vector, opcode.
        let vector = |map: u8, prefix: u8, length: u8, opcode: u8| match (map, prefix, opcode) {
            (1, 1, 0xf4) | (2, 1, 0x28) => {
                [Kind::Xmm, Kind::Ymm, Kind::Zmm].get(length as usize).copied()
            }
            (2, 1, 0xb4 | 0xb5) => Some(Kind::Ifma),
            (2, 3, 0xf6) => Some(Kind::Mulx),
            _ => None,
        };
        let (mut place, mut prefix) = (0, 0);
        loop {
            match at(place) {
                byte @ (0x66 | 0xf2 | 0xf3) => prefix = byte,
                0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0x67 | 0xf0 | 0x40..=0x4f => (),
                _ => break,
            }
            place += 1;
        }
        match at(place) {
            0xc5 => vector(1, at(place + 1) & 3, at(place + 1) >> 2 & 1, at(place + 2)),
            0xc4 => {
                let (map, rest) = (at(place + 1) & 0x1f, at(place + 2));
                vector(map, rest & 3, rest >> 2 & 1, at(place + 3))
            }
            0x62 => {
                let (map, rest, length) = (at(place + 1) & 7, at(place + 2), at(place + 3));
                vector(map, rest & 3, length >> 5 & 3, at(place + 4))
            }
            0xf7 => match at(place + 1) >> 3 & 7 {
                4 => Some(Kind::Mul),
                5 => Some(Kind::Imul),
                _ => None,
            },
            0x69 | 0x6b => Some(Kind::Imul),
            0x0f => match (at(place + 1), prefix) {
                (0xaf, _) => Some(Kind::Imul),
                (0xf4, 0x66) => Some(Kind::Xmm),
                (0x38, 0x66 | 0xf3) if at(place + 2) == 0xf6 => Some(Kind::Adx),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Where to stop: a step takes microseconds, and some calls begin with long preparations.
#[derive(Clone, Copy)]
pub struct Limits {
    pub instructions: u64,
    pub multiplications: u64,
}

/// Past the scalars and into the points: a multiplication in the field takes 10 to 25.
pub const ENOUGH: Limits = Limits { instructions: 1_000_000, multiplications: 4_000 };

/// Fewer multiplications than this show nothing.
const FEWEST: u64 = 500;

/// Ends this process after so many seconds, for a system that neither delivers the signal nor goes on.
#[cfg(unix)]
pub fn end_after(seconds: u32) {
    // SAFETY: no pointer; nothing else here uses SIGALRM, whose default is to end the process.
    unsafe { libc::alarm(seconds) };
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub use trap::executed;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub fn executed(_: Limits, _: impl FnOnce()) -> Option<[u64; Kind::ALL.len()]> {
    None
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod trap {
    use std::arch::asm;
    use std::ffi::c_int;
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::{Kind, Limits};

    /// The trap flag in RFLAGS.
    const TRAP: i64 = 1 << 8;

    static ALONE: Mutex<()> = Mutex::new(());
    /// Instructions and multiplications that may yet be seen.
    static LEFT: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];
    static SEEN: [AtomicU64; Kind::ALL.len()] = [const { AtomicU64::new(0) }; Kind::ALL.len()];

    /// How often each kind was executed by this thread in `call`, up to the first of the limits, in the order of
    /// [`Kind::ALL`]; none where the system does not let a program step through itself.
    pub fn executed(limits: Limits, call: impl FnOnce()) -> Option<[u64; Kind::ALL.len()]> {
        let alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        LEFT[0].store(limits.instructions, Relaxed);
        LEFT[1].store(limits.multiplications, Relaxed);
        SEEN.iter().for_each(|seen| seen.store(0, Relaxed));
        {
            let _handler = Handler::install()?;
            let _stepping = Stepping::start();
            call();
        }
        let stepped = LEFT[0].load(Relaxed) < limits.instructions;
        let seen = stepped.then(|| SEEN.each_ref().map(|seen| seen.load(Relaxed)));
        drop(alone);
        seen
    }

    /// The earlier action of SIGTRAP and this thread's earlier mask, which come back when this is dropped.
    struct Handler(libc::sigaction, libc::sigset_t);

    impl Handler {
        fn install() -> Option<Handler> {
            // SAFETY: all zeros is an action: the default one, with no flag and an empty mask.
            let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
            action.sa_sigaction = step as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO;
            let mut earlier = action;
            let mut mask = action.sa_mask;
            // SAFETY: two live actions; `step` is what SA_SIGINFO asks for, and calls nothing that a handler may not.
            if unsafe { libc::sigaction(libc::SIGTRAP, &action, &mut earlier) } != 0 {
                return None;
            }
            // Blocked by whoever started this program, the signal would end it.
            // SAFETY: all zeros is a set, an empty one; the calls get live sets and a signal that exists.
            let failed = unsafe {
                let mut set: libc::sigset_t = MaybeUninit::zeroed().assume_init();
                libc::sigaddset(&mut set, libc::SIGTRAP);
                libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, &mut mask)
            } != 0;
            let handler = Handler(earlier, mask);
            (!failed).then_some(handler)
        }
    }

    impl Drop for Handler {
        fn drop(&mut self) {
            // SAFETY: the mask and the action that were there before.
            unsafe {
                libc::pthread_sigmask(libc::SIG_SETMASK, &self.1, null_mut());
                libc::sigaction(libc::SIGTRAP, &self.0, null_mut());
            }
        }
    }

    /// The trap flag, from `start` until this is dropped.
    struct Stepping(());

    impl Stepping {
        fn start() -> Stepping {
            // SAFETY: sets one flag, which ends in `step` after each instruction; that handler is installed.
            unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
            Stepping(())
        }
    }

    impl Drop for Stepping {
        fn drop(&mut self) {
            // SAFETY: clears the same flag.
            unsafe { asm!("pushfq", "and qword ptr [rsp], -0x101", "popfq") };
        }
    }

    extern "C" fn step(_: c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO the kernel passes the interrupted context, which is nobody else's now.
        let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
        let registers = &mut context.uc_mcontext.gregs;
        let next = registers[libc::REG_RIP as usize] as *const u8;
        // SAFETY: the CPU is about to execute this instruction, and no byte after it is asked for; code is readable.
        let kind = Kind::of(|place| unsafe { next.add(place).read() });
        let less = |left: &AtomicU64| {
            let now = left.load(Relaxed).saturating_sub(1);
            left.store(now, Relaxed);
            now == 0
        };
        let mut last = less(&LEFT[0]);
        if let Some(kind) = kind {
            SEEN[kind as usize].fetch_add(1, Relaxed);
            last |= less(&LEFT[1]);
        }
        if last {
            registers[libc::REG_EFL as usize] &= !TRAP;
        }
    }
}

/// The kinds that have a part worth naming, the most frequent first; none where too few were seen to tell.
pub fn words(seen: &[u64; Kind::ALL.len()]) -> Option<String> {
    let total: u64 = seen.iter().sum();
    let mut kinds: Vec<(u64, Kind)> = seen.iter().copied().zip(Kind::ALL).collect();
    // A twentieth: addresses are multiplied too, and an inversion may be scalar in a vector backend.
    kinds.retain(|&(count, _)| count > 0 && count * 20 >= total);
    kinds.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let names: Vec<&str> = kinds.into_iter().map(|(_, kind)| kind.name()).collect();
    (total >= FEWEST).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &[u8]) -> Option<Kind> {
        Kind::of(|place| bytes[place])
    }

    #[test]
    fn encodings_are_told_apart() {
        let cases: [(&[u8], Option<Kind>); 14] = [
            (&[0x48, 0xf7, 0xe1], Some(Kind::Mul)),              // mul rcx
            (&[0x48, 0xf7, 0xe9], Some(Kind::Imul)),             // imul rcx
            (&[0x48, 0xf7, 0xd9], None),                         // neg rcx
            (&[0x48, 0x0f, 0xaf, 0xc1], Some(Kind::Imul)),       // imul rax, rcx
            (&[0xc4, 0xe2, 0xf3, 0xf6, 0xc2], Some(Kind::Mulx)), // mulx rax, rcx, rdx
            (&[0x66, 0x48, 0x0f, 0x38, 0xf6, 0xc1], Some(Kind::Adx)), // adcx rax, rcx
            (&[0xf3, 0x48, 0x0f, 0x38, 0xf6, 0xc1], Some(Kind::Adx)), // adox rax, rcx
            (&[0x66, 0x0f, 0xf4, 0xc1], Some(Kind::Xmm)),        // pmuludq xmm0, xmm1
            (&[0xc5, 0xf5, 0xf4, 0xc2], Some(Kind::Ymm)),        // vpmuludq ymm0, ymm1, ymm2
            (&[0xc4, 0xc1, 0x75, 0xf4, 0xc0], Some(Kind::Ymm)),  // vpmuludq ymm0, ymm1, ymm8
            (&[0x62, 0xf1, 0xf5, 0x48, 0xf4, 0xc2], Some(Kind::Zmm)), // vpmuludq zmm0, zmm1, zmm2
            (&[0x62, 0xf2, 0xf5, 0x48, 0xb4, 0xc2], Some(Kind::Ifma)), // vpmadd52luq zmm0, zmm1, zmm2
            (&[0xc5, 0xf5, 0xd4, 0xc2], None),                         // vpaddq ymm0, ymm1, ymm2
            (&[0x48, 0x01, 0xc8], None),                               // add rax, rcx
        ];
        for (bytes, expected) in cases {
            assert_eq!(kind(bytes), expected, "{bytes:02x?}");
        }
    }

    #[test]
    fn rare_kinds_are_not_named() {
        let words = |seen| words(&seen).unwrap_or_default();
        assert_eq!(words([20, 2, 0, 0, 0, 600, 0, 0]), "vpmuludq ymm");
        assert_eq!(words([200, 0, 0, 0, 0, 600, 0, 0]), "vpmuludq ymm, mul");
    }

    #[test]
    fn few_multiplications_tell_nothing() {
        assert_eq!(words(&[0; 8]), None);
        assert_eq!(words(&[0, 0, FEWEST - 1, 0, 0, 0, 0, 0]), None);
        assert_eq!(words(&[0, 0, FEWEST, 0, 0, 0, 0, 0]).as_deref(), Some("mulx"));
    }

    /// Known instructions, counted exactly; and the flag ends with the call.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    #[test]
    fn executed_instructions_are_counted() {
        use std::arch::{asm, is_x86_feature_detected};
        let scalar = || {
            for _ in 0..7 {
                // SAFETY: changes rax and rdx only, as it says.
                unsafe {
                    asm!("mul rcx", "mul rcx", "imul rcx", inout("rax") 3_u64 => _, out("rdx") _, in("rcx") 5_u64)
                };
            }
        };
        const ALL: Limits = Limits { instructions: 10_000, multiplications: 10_000 };
        assert_eq!(executed(ALL, scalar).unwrap(), [14, 7, 0, 0, 0, 0, 0, 0]);
        assert_eq!(executed(Limits { multiplications: 4, ..ALL }, scalar).unwrap()[..2], [3, 1]);
        assert!(executed(Limits { instructions: 20, ..ALL }, scalar).unwrap()[0] < 14);
        scalar();
        assert_eq!(executed(ALL, || ()), Some([0; 8]), "what ran before is not counted");
        if !(is_x86_feature_detected!("adx")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("avx2"))
        {
            return eprintln!("skipped: no ADX, BMI2 and AVX2 here");
        }
        let vector = || {
            // SAFETY: the CPU has these instructions; they change what is named here.
            unsafe {
                asm!(
                    "mulx {a}, {b}, {a}", "adcx {a}, {b}", "adox {a}, {b}", "vpmuludq ymm0, ymm0, ymm0",
                    a = inout(reg) 1_u64 => _, b = out(reg) _, in("rdx") 2_u64, out("ymm0") _,
                );
            }
        };
        assert_eq!(executed(ALL, vector), Some([0, 0, 1, 2, 0, 1, 0, 0]));
    }
}
