//! serde: a key is its 32 bytes. An ephemeral secret has no form outside memory.

use super::{PublicKey, StaticSecret};
use crate::serde_bytes::deserialize_32;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_32(deserializer).map(|bytes| Self::from(*bytes))
    }
}

impl Serialize for StaticSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for StaticSecret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_32(deserializer).map(|bytes| Self::from(*bytes))
    }
}
