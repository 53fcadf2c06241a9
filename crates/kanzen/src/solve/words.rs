//! Large arrays of atomic words. The engine touches one random word per edge.

use std::io;
use std::ops::Deref;
use std::sync::atomic::AtomicU32;

use super::pages::Pages;

/// A zeroed array of atomic 32-bit words.
pub struct Words {
    pages: Pages,
    len: usize,
}

impl Words {
    /// `len` zero words.
    pub fn zeroed(len: usize) -> io::Result<Words> {
        Ok(Words { pages: Pages::zeroed(len * 4)?, len })
    }

    /// The words as bytes, in the machine's order.
    pub fn bytes(&mut self) -> &[u8] {
        &self.pages.bytes()[..self.len * 4]
    }

    /// The words as bytes to be filled.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.pages.bytes_mut()[..self.len * 4]
    }
}

impl Deref for Words {
    type Target = [AtomicU32];

    fn deref(&self) -> &[AtomicU32] {
        // SAFETY: the pages are aligned and hold at least `len` initialised words (or none are asked for); every access
        // between `bytes` calls, which need `&mut self`, goes through these atomics.
        unsafe { std::slice::from_raw_parts(self.pages.bytes().as_ptr().cast::<AtomicU32>(), self.len) }
    }
}
