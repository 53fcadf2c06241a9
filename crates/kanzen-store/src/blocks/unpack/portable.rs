//! Unpacking by pure Rust, for where there is no C library.
//!
//! ```text
//! frame    magic, descriptor, window, dictionary, content size; blocks; checksum
//! block    3 bytes: is it the last, of which type, how long; then so many bytes, or one for a run
//! ```

#[cfg(target_family = "wasm")]
use std::io;

use ruzstd::decoding::FrameDecoder;

const MAGIC: [u8; 4] = 0xfd2f_b528u32.to_le_bytes();
/// The largest block that the format knows.
const MOST_BLOCK: usize = 128 << 10;

/// A browser writes no database.
#[cfg(target_family = "wasm")]
pub fn pack(_: &[u8], _: i32, _: &mut Vec<u8>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// How many bytes the first of some frames has; nothing if it is none.
pub fn frame_bytes(frames: &[u8]) -> Option<usize> {
    let (magic, rest) = frames.split_first_chunk::<4>()?;
    if *magic != MAGIC {
        return None;
    }
    let descriptor = *rest.first()?;
    let single = descriptor >> 5 & 1 == 1;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = match descriptor >> 6 {
        0 => usize::from(single),
        size => 1 << size,
    };
    let mut at = 5 + usize::from(!single) + dictionary + content;
    loop {
        let header = frames.get(at..at + 3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let size = (header >> 3) as usize;
        let stored = match header >> 1 & 3 {
            0 | 2 if size <= MOST_BLOCK => size,
            1 => 1,
            _ => return None,
        };
        at += 3 + stored;
        if header & 1 == 1 {
            break;
        }
    }
    at += if descriptor >> 2 & 1 == 1 { 4 } else { 0 };
    (at <= frames.len()).then_some(at)
}

/// What frames hold, if that is `len` bytes.
pub fn unpack(mut frames: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut raw = vec![0; len];
    let mut filled = 0;
    let mut decoder = FrameDecoder::new();
    while !frames.is_empty() {
        let (frame, rest) = frames.split_at(frame_bytes(frames)?);
        filled += decoder.decode_all(frame, &mut raw[filled..]).ok()?;
        frames = rest;
    }
    (filled == len).then_some(raw)
}
