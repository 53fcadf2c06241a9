//! Unpacking by the library that packed.

use std::cell::RefCell;
use std::io;

use zstd::zstd_safe::{self, CCtx, DCtx};

thread_local! {
    // A new context for each page would take as long as the page. What a used one writes does not depend on the pages
    // before: a test holds that.
    static COMPRESSOR: RefCell<(CCtx<'static>, Vec<u8>)> = RefCell::new((CCtx::create(), Vec::new()));
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

/// Appends a frame of some bytes.
pub fn pack(raw: &[u8], level: i32, bytes: &mut Vec<u8>) -> io::Result<()> {
    COMPRESSOR.with_borrow_mut(|(context, frame)| {
        frame.clear();
        frame.reserve(zstd_safe::compress_bound(raw.len()));
        let packed = context.compress(frame, raw, level);
        packed.map_err(|code| io::Error::other(zstd_safe::get_error_name(code)))?;
        bytes.extend_from_slice(frame);
        Ok(())
    })
}
