//! Unpacking by the library that packed.

use std::cell::RefCell;

use zstd::zstd_safe::{self, DCtx};

thread_local! {
    // A context takes longer to make than a page to unpack.
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// How many bytes the first of some frames has; nothing if it is none.
pub fn frame_bytes(frames: &[u8]) -> Option<usize> {
    zstd_safe::find_frame_compressed_size(frames).ok()
}

/// What frames hold, if that is `len` bytes.
pub fn unpack(frames: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut raw = Vec::with_capacity(len);
    let unpacked = DECOMPRESSOR.with_borrow_mut(|context| context.decompress(&mut raw, frames));
    (unpacked.is_ok() && raw.len() == len).then_some(raw)
}
