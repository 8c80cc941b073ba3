//! serde for 32-byte keys: bytes in a binary format, an array of numbers in JSON.

use core::fmt;
use serde::{Deserializer, de};
use zeroize::Zeroizing;

/// Exactly 32 bytes, as a byte string or a sequence. The buffer is wiped, as the bytes may be secret.
///
/// A format for people is asked what is there: of JSON, `deserialize_bytes` would take a text of 32
/// characters, which is a password or a mistake and no key.
pub(crate) fn deserialize_32<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Zeroizing<[u8; 32]>, D::Error> {
    match deserializer.is_human_readable() {
        true => deserializer.deserialize_any(Visitor),
        false => deserializer.deserialize_bytes(Visitor),
    }
}

struct Visitor;

impl<'de> de::Visitor<'de> for Visitor {
    type Value = Zeroizing<[u8; 32]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("32 bytes")
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        let mut value = Zeroizing::new([0; 32]);
        if bytes.len() != value.len() {
            return Err(E::invalid_length(bytes.len(), &self));
        }
        value.copy_from_slice(bytes);
        Ok(value)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut bytes: A) -> Result<Self::Value, A::Error> {
        let mut value = Zeroizing::new([0; 32]);
        for (i, byte) in value.iter_mut().enumerate() {
            *byte = bytes.next_element()?.ok_or_else(|| de::Error::invalid_length(i, &self))?;
        }
        match bytes.next_element::<de::IgnoredAny>()? {
            None => Ok(value),
            Some(_) => Err(de::Error::invalid_length(value.len() + 1, &self)),
        }
    }
}
