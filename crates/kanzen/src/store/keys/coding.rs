//! Ascending keys as distances, seven bits a byte (LEB128).

use crate::Key;

/// All keys but the first, each as its distance from the one before, less one: keys never repeat.
pub(super) fn encode(mut keys: impl Iterator<Item = u128>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Some(mut before) = keys.next() else { return bytes };
    for key in keys {
        let mut distance = key - before - 1;
        while distance >= 0x80 {
            bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        bytes.push(distance as u8);
        before = key;
    }
    bytes
}

/// `count` keys from `first` on; nothing if the bytes are not exactly those of so many keys.
pub(super) fn decode<K: Key>(bytes: &[u8], first: K, count: usize) -> Option<Vec<K>> {
    // Each key but the first takes a byte: a wrong count cannot ask for absurd memory.
    if count == 0 || count - 1 > bytes.len() {
        return None;
    }
    let limit = u128::MAX >> (128 - 8 * size_of::<K>());
    let mut keys = Vec::with_capacity(count);
    let mut key = first.wide();
    keys.push(first);
    let mut bytes = bytes.iter();
    for _ in 1..count {
        let (mut distance, mut shift) = (0u128, 0);
        loop {
            let byte = *bytes.next()?;
            distance |= u128::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        key = key.checked_add(distance)?.checked_add(1).filter(|&key| key <= limit)?;
        keys.push(K::from_wide(key));
    }
    bytes.as_slice().is_empty().then_some(keys)
}

/// Appends the low `width` bytes of a key.
pub(super) fn put_key(bytes: &mut Vec<u8>, key: u128, width: usize) {
    bytes.extend(&key.to_le_bytes()[..width]);
}

/// The key whose bytes come first.
pub(super) fn get_key<K: Key>(bytes: &[u8]) -> K {
    let mut wide = [0; 16];
    wide[..size_of::<K>()].copy_from_slice(&bytes[..size_of::<K>()]);
    K::from_wide(u128::from_le_bytes(wide))
}
