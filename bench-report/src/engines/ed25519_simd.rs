//! ed25519-simd, in builds with IFMA turned on as a whole.

use super::NOT_OFFERED;
use crate::definitions::Model;
use crate::engine::{Absent, Prepared};
use crate::inputs::Inputs;

#[cfg(target_feature = "avx512ifma")]
pub fn prepare(model: Model, inputs: &Inputs) -> Result<Prepared, Absent> {
    use ed25519_simd::{DalekVerifier, VerifyInput};
    let verifier = std::cell::RefCell::new(DalekVerifier::new());
    match model {
        Model::VerifyStrictBytes => crate::engine::verification(
            inputs.signed.iter(),
            |_| Some(()),
            move |(), s| {
                let item = VerifyInput {
                    public_key: s.public,
                    signature: s.signature,
                    message: &s.message,
                };
                let mut verdict = [false];
                verifier.borrow_mut().verify_batch(&[item], &mut verdict);
                verdict[0]
            },
        ),
        _ => Err(NOT_OFFERED.into()),
    }
}

#[cfg(not(target_feature = "avx512ifma"))]
pub fn prepare(model: Model, _: &Inputs) -> Result<Prepared, Absent> {
    match model {
        Model::VerifyStrictBytes => Err("this build has no AVX-512 IFMA turned on".into()),
        _ => Err(NOT_OFFERED.into()),
    }
}
