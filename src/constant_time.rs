//! Equality of secrets.

/// Equality of the named bytes, in time that does not depend on where they differ.
macro_rules! constant_time_eq {
    ($secret:ty: $($bytes:tt).+) => {
        impl subtle::ConstantTimeEq for $secret {
            fn ct_eq(&self, other: &Self) -> subtle::Choice {
                self.$($bytes).+.ct_eq(&other.$($bytes).+)
            }
        }

        impl PartialEq for $secret {
            fn eq(&self, other: &Self) -> bool {
                subtle::ConstantTimeEq::ct_eq(self, other).into()
            }
        }

        impl Eq for $secret {}
    };
}

pub(crate) use constant_time_eq;
