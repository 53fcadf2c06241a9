//! For tests: every way to damage a small file a little.

use std::fs;
use std::path::Path;

/// Flips bits of every byte of a file, cuts it at every length and lengthens it; `check` is called on each damaged file
/// with a word on what was done. The file is whole again afterwards.
pub(crate) fn each_damage(path: &Path, mut check: impl FnMut(&str)) {
    let whole = fs::read(path).unwrap();
    let mut bytes = whole.clone();
    for place in 0..whole.len() {
        for flip in [0x01, 0x20, 0x80, 0xff] {
            bytes[place] ^= flip;
            fs::write(path, &bytes).unwrap();
            check(&format!("byte {place} of {} ^ {flip:02x}", whole.len()));
            bytes[place] ^= flip;
        }
    }
    for length in 0..whole.len() {
        fs::write(path, &whole[..length]).unwrap();
        check(&format!("cut to {length} of {} bytes", whole.len()));
    }
    for more in [1, 8, 24, 40, 1000] {
        fs::write(path, [&whole[..], &vec![0; more]].concat()).unwrap();
        check(&format!("lengthened by {more} bytes"));
        fs::write(path, [&whole[..], &whole[whole.len() - more.min(whole.len())..]].concat()).unwrap();
        check(&format!("lengthened by its own last {more} bytes"));
    }
    fs::write(path, whole).unwrap();
}
