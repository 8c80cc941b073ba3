//! `RIND_CPU_DISABLE_<feature>`: read in builds with `--cfg rind_cpu_disable`, and in no other.

use core::fmt;

use super::feature::Features;

/// A variable that should deny a CPU feature and cannot: see [`check`](super::check).
///
/// ```
/// fn start() -> Result<(), rind25519::cpu::EnvironmentError> {
///     rind25519::cpu::check()
/// }
/// # start().unwrap();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvironmentError(Problem);

#[cfg(rind_cpu_disable)]
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    UnknownName(std::string::String),
    WrongValue(&'static str, std::string::String),
}

/// A build that reads no variable has no such error.
#[cfg(not(rind_cpu_disable))]
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {}

impl core::error::Error for EnvironmentError {}

#[cfg(not(rind_cpu_disable))]
mod inert {
    use super::*;

    impl fmt::Display for EnvironmentError {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0 {}
        }
    }

    pub(in super::super) const fn denied() -> Result<Features, EnvironmentError> {
        Ok(Features::NONE)
    }
    pub(in super::super) fn refuse(error: &EnvironmentError) -> ! {
        match error.0 {}
    }
}
#[cfg(not(rind_cpu_disable))]
pub(super) use inert::{denied, refuse};

#[cfg(rind_cpu_disable)]
mod live {
    use std::ffi::OsString;
    use std::io::Write as _;
    use std::string::String;

    use super::super::feature::Feature;
    use super::*;

    const PREFIX: &str = "RIND_CPU_DISABLE";

    impl fmt::Display for EnvironmentError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match &self.0 {
                Problem::UnknownName(name) => {
                    write!(
                        f,
                        "{name:?} denies no CPU feature; the names are {PREFIX}_<feature> with "
                    )?;
                    for feature in Feature::ALL {
                        let comma = if feature == Feature::ALL[0] { "" } else { ", " };
                        write!(f, "{comma}{}", feature.name())?;
                    }
                    f.write_str(", in lower case")
                }
                Problem::WrongValue(feature, value) => {
                    write!(
                        f,
                        "{PREFIX}_{feature} is {value:?}; 1 denies the feature, 0 or nothing does not"
                    )
                }
            }
        }
    }

    /// The features that the environment of this process denies.
    pub(in super::super) fn denied() -> Result<Features, EnvironmentError> {
        denied_by(std::env::vars_os())
    }

    /// The same for any list of variables.
    fn denied_by(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Features, EnvironmentError> {
        let mut denied = Features::NONE;
        for (name, value) in variables {
            let bytes = name.as_encoded_bytes();
            // In any case: a variable that is nearly ours must not be passed over in silence.
            let Some((prefix, rest)) = bytes.split_at_checked(PREFIX.len()) else { continue };
            if !prefix.eq_ignore_ascii_case(PREFIX.as_bytes()) {
                continue;
            }
            let feature = Feature::ALL
                .into_iter()
                .find(|f| {
                    prefix == PREFIX.as_bytes()
                        && rest.strip_prefix(b"_") == Some(f.name().as_bytes())
                })
                .ok_or_else(|| EnvironmentError(Problem::UnknownName(lossy(&name))))?;
            match value.as_encoded_bytes() {
                b"1" => denied = denied.with(feature),
                b"" | b"0" => (),
                _ => {
                    return Err(EnvironmentError(Problem::WrongValue(
                        feature.name(),
                        lossy(&value),
                    )));
                }
            }
        }
        Ok(denied)
    }

    fn lossy(text: &OsString) -> String {
        text.to_string_lossy().into_owned()
    }

    /// Ends the process: an operation has no way to return this error, and going on would run a tier
    /// that the user meant to deny. A closed standard error is no reason to panic.
    #[cold]
    pub(in super::super) fn refuse(error: &EnvironmentError) -> ! {
        let _ = writeln!(std::io::stderr(), "rind25519: {error}");
        std::process::exit(2)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn of(variables: &[(&str, &str)]) -> Result<Features, EnvironmentError> {
            denied_by(variables.iter().map(|(name, value)| (name.into(), value.into())))
        }
        fn only(feature: Feature) -> Features {
            Features::NONE.with(feature)
        }

        #[test]
        fn one_denies_exactly_its_feature() {
            for feature in Feature::ALL {
                let name = std::format!("RIND_CPU_DISABLE_{}", feature.name());
                assert_eq!(of(&[(&name, "1")]), Ok(only(feature)));
                assert_eq!(of(&[(&name, "0")]), Ok(Features::NONE));
                assert_eq!(of(&[(&name, "")]), Ok(Features::NONE));
            }
            let two =
                [("RIND_CPU_DISABLE_adx", "1"), ("HOME", "1"), ("RIND_CPU_DISABLE_avx2", "1")];
            assert_eq!(of(&two), Ok(only(Feature::Adx).with(Feature::Avx2)));
            assert_eq!(of(&[]), Ok(Features::NONE));
        }

        #[test]
        fn unknown_names_are_errors_whatever_their_value() {
            for name in [
                "RIND_CPU_DISABLE_",
                "RIND_CPU_DISABLE",
                "RIND_CPU_DISABLE_ADX",
                "rind_cpu_disable_adx",
                "RIND_CPU_DISABLE-adx",
                "RIND_CPU_DISABLE_avx512",
                "RIND_CPU_DISABLE_adx ",
                "RIND_CPU_DISABLE_ädx",
            ] {
                for value in ["1", "0", ""] {
                    let unknown = EnvironmentError(Problem::UnknownName(name.into()));
                    assert_eq!(of(&[(name, value)]), Err(unknown), "{name}={value}");
                }
            }
            assert_eq!(
                of(&[("RIND_CPU", "1"), ("XRIND_CPU_DISABLE_adx", "1")]),
                Ok(Features::NONE)
            );
        }

        #[test]
        fn other_values_are_errors() {
            for value in ["2", "true", "yes", " 1", "1 ", "01", "\u{661}"] {
                let wrong = EnvironmentError(Problem::WrongValue("bmi2", value.into()));
                assert_eq!(of(&[("RIND_CPU_DISABLE_bmi2", value)]), Err(wrong), "{value}");
            }
        }

        #[cfg(unix)]
        #[test]
        fn bytes_that_are_no_text_do_not_panic() {
            use std::os::unix::ffi::OsStringExt as _;
            use std::string::ToString as _;
            let junk = || OsString::from_vec(b"RIND_CPU_DISABLE_\xff\xfe".to_vec());
            assert!(
                denied_by([(junk(), "1".into())])
                    .unwrap_err()
                    .to_string()
                    .contains("RIND_CPU_DISABLE_")
            );
            assert!(denied_by([("RIND_CPU_DISABLE_adx".into(), junk())]).is_err());
            assert_eq!(
                denied_by([(OsString::from_vec([0xff; 40].to_vec()), junk())]),
                Ok(Features::NONE)
            );
        }
    }
}
#[cfg(rind_cpu_disable)]
pub(super) use live::{denied, refuse};
