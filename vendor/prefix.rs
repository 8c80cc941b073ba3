//! What stands before each symbol of `vendor/`, shared by `build.rs` and the test of its distinctness.

/// A valid symbol prefix, another one for each version, so that two versions of this crate, or s2n-bignum,
/// link into one program.
///
/// `.` becomes `_`, `-` becomes `__h` and `+` becomes `__p`. That can be read back: a version has no empty
/// identifier, so no two dots meet, and a run of underscores is a dot, a hyphen or plus, or a dot and
/// then one of these, as it is one, two or three long.
pub fn symbol_prefix(version: &str) -> String {
    let mut prefix = String::from("rind25519_");
    for c in version.chars() {
        match c {
            '.' => prefix.push('_'),
            '-' => prefix += "__h",
            '+' => prefix += "__p",
            letter_or_digit => prefix.push(letter_or_digit),
        }
    }
    prefix + "_"
}
