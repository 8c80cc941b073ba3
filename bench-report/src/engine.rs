//! What an engine makes of a row: answers to check, and blocks to time.

use std::hint::black_box;

use sha2::{Digest as _, Sha256};

use crate::clock::{self, Reading};
use crate::definitions::Expect;
use crate::inputs::{Agreed, Signed, other_side};
use crate::report::WRONG_ANSWER;

/// Calls over rotating inputs.
pub trait Block {
    /// `count` calls under the clock, of the inputs from number `start` on.
    fn run(&mut self, start: usize, count: usize) -> Result<Reading, String>;
}

/// An engine, ready to be timed in one row.
pub struct Prepared {
    pub answers: Expect,
    pub block: Box<dyn Block>,
    /// Bytes of the key type that the calls rotate over, where they do.
    pub key_bytes: Option<usize>,
}

/// Why there is no number.
pub type Absent = String;

/// Whether `answers` are those that the definition expects; what differs, if not. An agreement may be
/// shown by its answers or by the other side's.
pub fn judge(expect: &Expect, answers: &Expect) -> Result<(), String> {
    fn differ<T: PartialEq + std::fmt::Debug>(
        what: &str,
        want: &Option<T>,
        got: &Option<T>,
    ) -> Option<String> {
        match (want, got) {
            (Some(want), Some(got)) if want == got => None,
            (None, None) => None,
            _ => Some(format!("{what}: {got:?}, not {want:?}")),
        }
    }
    let by_other_side = expect.agree.is_some() && answers.agree.is_some();
    let wrong = [
        differ("accepted", &expect.accept, &answers.accept),
        differ("refused", &expect.refuse, &answers.refuse),
        differ("negotiated", &expect.negotiated, &answers.negotiated),
        if by_other_side {
            differ("agreed", &expect.agree, &answers.agree)
        } else {
            differ("answers", &expect.answers, &answers.answers)
        },
    ];
    match wrong.into_iter().flatten().next() {
        Some(wrong) => Err(format!("{WRONG_ANSWER}: {wrong}")),
        None => Ok(()),
    }
}

/// The same call for each input.
struct Calls<I, F> {
    inputs: Vec<I>,
    call: F,
}

impl<I, O, F: Fn(&I) -> O> Block for Calls<I, F> {
    fn run(&mut self, start: usize, count: usize) -> Result<Reading, String> {
        let mut next = start % self.inputs.len();
        Ok(clock::time(|| {
            for _ in 0..count {
                black_box((self.call)(black_box(&self.inputs[next])));
                next += 1;
                if next == self.inputs.len() {
                    next = 0;
                }
            }
        }))
    }
}

/// Calls that use up what they are given, made outside the clock.
struct FreshCalls<M, F> {
    make: M,
    call: F,
}

impl<I, O, M: Fn(usize) -> I, F: Fn(I) -> O> Block for FreshCalls<M, F> {
    fn run(&mut self, start: usize, count: usize) -> Result<Reading, String> {
        let inputs: Vec<I> = (start..start + count).map(&self.make).collect();
        let mut answers = Vec::with_capacity(count);
        Ok(clock::time(|| {
            for input in inputs {
                answers.push(black_box((self.call)(black_box(input))));
            }
        }))
    }
}

/// Verification with the key as bytes: `key` is timed too. Before that as for [`verification`].
pub fn verification_of_bytes<'a, K>(
    signed: impl Iterator<Item = &'a Signed>,
    key: impl Fn(&[u8; 32]) -> Option<K> + 'static,
    call: impl Fn(&K, &Signed) -> bool + 'static,
) -> Result<Prepared, Absent> {
    let parse_and_call = move |(): &(), s: &Signed| key(&s.public).is_some_and(|key| call(&key, s));
    verification(signed, |_| Some(()), parse_and_call)
}

/// Verification. `key` is made outside the clock from the 32 bytes, `call` is timed. Before that, each
/// honest signature must be accepted, and refused after any change of message, R, S or key.
pub fn verification<'a, K: 'static>(
    signed: impl Iterator<Item = &'a Signed>,
    key: impl Fn(&[u8; 32]) -> Option<K>,
    call: impl Fn(&K, &Signed) -> bool + 'static,
) -> Result<Prepared, Absent> {
    let (mut accept, mut refuse, mut inputs) = (0, 0, Vec::new());
    for signed in signed {
        let copy = |change: fn(&mut Signed)| {
            let Signed { seed, message, public, signature } = signed;
            let mut copy = Signed {
                seed: *seed,
                message: message.clone(),
                public: *public,
                signature: *signature,
            };
            change(&mut copy);
            copy
        };
        // A changed key may be no point: that is a refusal too.
        let verdict = |signed: &Signed| key(&signed.public).is_some_and(|key| call(&key, signed));
        accept += u32::from(verdict(signed));
        let changes: [fn(&mut Signed); 4] = [
            |s| s.message.last_mut().into_iter().for_each(|byte| *byte ^= 1),
            |s| s.signature[0] ^= 1,
            |s| s.signature[32] ^= 1,
            |s| s.public[31] ^= 0x80,
        ];
        refuse += u32::from(changes.into_iter().all(|change| !verdict(&copy(change))));
        let parsed = key(&signed.public)
            .ok_or_else(|| format!("{WRONG_ANSWER}: an honest key is refused"))?;
        inputs.push((parsed, copy(|_| ())));
    }
    let key_bytes = Some(size_of::<K>()).filter(|&bytes| bytes > 0);
    Ok(Prepared {
        answers: Expect { accept: Some(accept), refuse: Some(refuse), ..Expect::default() },
        block: Box::new(Calls {
            inputs,
            call: move |(key, signed): &(K, Signed)| call(key, signed),
        }),
        key_bytes,
    })
}

/// A computation whose answers are determined. `bytes` of an answer are taken outside the clock.
pub fn computation<I: 'static, O: 'static>(
    inputs: impl Iterator<Item = I>,
    call: impl Fn(&I) -> O + 'static,
    bytes: impl Fn(O) -> Vec<u8>,
) -> Result<Prepared, Absent> {
    let inputs: Vec<I> = inputs.collect();
    let mut hash = Sha256::new();
    for input in &inputs {
        hash.update(bytes(call(input)));
    }
    let digest = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Prepared {
        answers: Expect { answers: Some(digest), ..Expect::default() },
        block: Box::new(Calls { inputs, call }),
        key_bytes: None,
    })
}

/// X25519 by an engine that makes the secret: `make` it, outside the clock; `call` is timed; `public`
/// and `shared` of a secret are compared with what the other side computes.
pub fn fresh_agreement<K: 'static, O: 'static>(
    agreed: &[Agreed],
    make: impl Fn() -> K + 'static,
    public_and_shared: impl Fn(K, &[u8; 32]) -> ([u8; 32], [u8; 32]),
    call: impl Fn(K, &[u8; 32]) -> O + 'static,
) -> Result<Prepared, Absent> {
    let right = agreed.iter().filter(|agreed| {
        let (public, shared) = public_and_shared(make(), &agreed.peer);
        shared == other_side(&agreed.peer_secret, &public)
    });
    let peers: Vec<[u8; 32]> = agreed.iter().map(|agreed| agreed.peer).collect();
    Ok(Prepared {
        answers: Expect { agree: Some(right.count() as u32), ..Expect::default() },
        block: Box::new(FreshCalls {
            make: move |n: usize| (make(), peers[n % peers.len()]),
            call: move |(key, peer): (K, [u8; 32])| call(key, &peer),
        }),
        key_bytes: None,
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::definitions::InputSpec;
    use crate::inputs::Inputs;

    const SPEC: InputSpec = InputSpec { seed: 3, distinct: 4, message: 5 };

    #[test]
    fn verifier_that_accepts_all_or_nothing_is_found() {
        let inputs = Inputs::new(SPEC);
        let expect = Expect { accept: Some(4), refuse: Some(4), ..Expect::default() };
        for verdict in [true, false] {
            let signed = inputs.signed.iter();
            let prepared = verification(signed, |_| Some(()), move |(), _| verdict).unwrap();
            judge(&expect, &prepared.answers).unwrap_err();
        }
        let prepared =
            crate::engines::dalek::prepare(crate::definitions::Model::VerifyParsed, &inputs);
        judge(&expect, &prepared.unwrap().answers).unwrap();
    }

    #[test]
    fn one_wrong_bit_in_one_answer_is_found() {
        let answers = |wrong: usize| {
            let call = move |n: &usize| [u8::from(*n == wrong)];
            computation(0..4, call, |answer| answer.to_vec()).unwrap().answers
        };
        judge(&answers(9), &answers(9)).unwrap();
        judge(&answers(9), &answers(2)).unwrap_err();
    }

    #[test]
    fn secret_of_another_is_found() {
        let inputs = Inputs::new(SPEC);
        let expect = Expect { agree: Some(4), answers: Some("unused".into()), ..Expect::default() };
        let wrong = fresh_agreement(&inputs.agreed, || (), |(), _| ([9; 32], [0; 32]), |(), _| ());
        judge(&expect, &wrong.unwrap().answers).unwrap_err();
    }

    #[test]
    fn blocks_rotate_over_all_inputs() {
        let seen: std::rc::Rc<RefCell<Vec<u32>>> = Default::default();
        let note = seen.clone();
        let call = move |n: &u32| note.borrow_mut().push(*n);
        let mut prepared = computation(0..3, call, |()| Vec::new()).unwrap();
        seen.borrow_mut().clear();
        prepared.block.run(4, 5).unwrap();
        assert_eq!(*seen.borrow(), [1, 2, 0, 1, 2]);
    }
}
