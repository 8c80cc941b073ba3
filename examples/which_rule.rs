//! Which rules accept a signature, and why the others do not.
//!
//! ```text
//! cargo run --example which_rule -- KEY MESSAGE SIGNATURE
//! ```
//!
//! All three in hexadecimal, upper or lower case; the message may be empty (`""`). One line a rule. The exit code
//! is 0 where some rule accepts, 1 where none does, 2 where the input is not understood or nobody takes the answer.

use rind25519::ed25519::Predicate;
use std::{
    io::{self, Write},
    process::ExitCode,
};

const USAGE: &str = "usage: which_rule KEY MESSAGE SIGNATURE
  in hexadecimal: 32 bytes of key, any message, 64 bytes of signature";

/// Key, message and signature, or what is wrong with them.
type Input = ([u8; 32], Vec<u8>, [u8; 64]);

fn bytes(what: &str, text: &str) -> Result<Vec<u8>, String> {
    // `hex` would name a byte, which of a character outside ASCII is a part.
    if let Some((before, other)) = text.chars().enumerate().find(|(_, c)| !c.is_ascii_hexdigit()) {
        return Err(format!(
            "the {what} is not hexadecimal: character {} is {other:?}",
            before + 1
        ));
    }
    hex::decode(text).map_err(|error| format!("the {what} is not hexadecimal: {error}"))
}

fn exactly<const N: usize>(what: &str, text: &str) -> Result<[u8; N], String> {
    let bytes = bytes(what, text)?;
    let got = bytes.len();
    bytes.try_into().map_err(|_| format!("the {what} has {N} bytes, not {got}"))
}

fn parse(arguments: &[String]) -> Result<Input, String> {
    let [key, message, signature] = arguments else {
        return Err(format!("three arguments are needed, not {}\n{USAGE}", arguments.len()));
    };
    Ok((exactly("key", key)?, bytes("message", message)?, exactly("signature", signature)?))
}

/// One line for each rule, and how many of them accept.
fn verdicts((key, message, signature): &Input) -> (String, usize) {
    let mut accepted = 0;
    let line = |(name, rule): &(&str, Predicate)| match rule.verify(key, message, signature) {
        Ok(()) => {
            accepted += 1;
            format!("{name:<10} accept\n")
        }
        Err(reason) => format!("{name:<10} reject: {reason}\n"),
    };
    let lines = Predicate::NAMED.iter().map(line).collect();
    (lines, accepted)
}

/// The exit code, and what goes to standard output or, with code 2, to standard error.
pub fn run(arguments: &[String]) -> (u8, String) {
    match parse(arguments) {
        Ok(input) => {
            let (lines, accepted) = verdicts(&input);
            (u8::from(accepted == 0), lines)
        }
        Err(error) => (2, format!("which_rule: {error}\n")),
    }
}

/// The exit code, once the text is written. Not `print!`, which panics where the reader has gone.
pub fn answer(code: u8, text: &str, mut to: impl Write) -> u8 {
    if to.write_all(text.as_bytes()).is_ok() { code } else { 2 }
}

fn main() -> ExitCode {
    // Bytes that are no text are no hexadecimal either, and the error shows what stands for them.
    let arguments = std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned());
    let (code, text) = run(&arguments.collect::<Vec<_>>());
    ExitCode::from(match code {
        2 => answer(code, &text, io::stderr()),
        _ => answer(code, &text, io::stdout()),
    })
}
