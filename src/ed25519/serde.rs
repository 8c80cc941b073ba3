//! serde: a signing key is its seed, a verifying key its bytes.

use super::{SigningKey, VerifyingKey};
use crate::serde_bytes::deserialize_32;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer, de};

impl Serialize for SigningKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.seed())
    }
}

impl<'de> Deserialize<'de> for SigningKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_32(deserializer).map(|seed| Self::from_seed(&seed))
    }
}

impl Serialize for VerifyingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for VerifyingKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_bytes(&*deserialize_32(deserializer)?).map_err(de::Error::custom)
    }
}
