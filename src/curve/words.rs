//! Bytes to little-endian `u64` words and back.

/// The words of a little-endian string of 8·W bytes. Constant time.
#[inline]
pub(crate) fn from_bytes<const N: usize, const W: usize>(bytes: &[u8; N]) -> [u64; W] {
    const { assert!(N == 8 * W) }
    let chunks = bytes.as_chunks::<8>().0;
    core::array::from_fn(|i| u64::from_le_bytes(chunks[i]))
}

/// The 32 little-endian bytes of four words. Constant time.
#[inline]
pub(crate) fn to_bytes(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *chunk = word.to_le_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_little_endian() {
        let bytes: [u8; 32] = core::array::from_fn(|i| i as u8 + 1);
        let words: [u64; 4] = from_bytes(&bytes);
        assert_eq!(words[0], 0x0807_0605_0403_0201);
        assert_eq!(words[3], 0x201f_1e1d_1c1b_1a19);
        assert_eq!(to_bytes(&words), bytes);
    }
}
