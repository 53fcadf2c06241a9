//! Large arrays of atomic words on huge pages.
//!
//! The engine touches one random word per edge. On 4 KiB pages nearly each touch also misses the TLB; on 2 MiB pages
//! hardly any does. Anonymous memory comes zeroed, so nothing is written before it is used.

use std::io;
use std::ops::Deref;
use std::sync::atomic::AtomicU32;

use memmap2::MmapMut;

/// A zeroed array of atomic 32-bit words.
pub struct Words {
    map: MmapMut,
    len: usize,
}

impl Words {
    /// `len` zero words.
    pub fn zeroed(len: usize) -> io::Result<Words> {
        let map = MmapMut::map_anon((len * 4).max(4))?;
        // A wish, not a need: a kernel without huge pages refuses and nothing is lost but time.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Words { map, len })
    }

    /// The words as bytes, in the machine's order.
    pub fn bytes(&mut self) -> &[u8] {
        &self.map[..self.len * 4]
    }

    /// The words as bytes to be filled.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.len * 4]
    }
}

impl Deref for Words {
    type Target = [AtomicU32];

    fn deref(&self) -> &[AtomicU32] {
        // SAFETY: the map is page-aligned and holds at least `len` initialised words; every access between `bytes`
        // calls, which need `&mut self`, goes through these atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU32>(), self.len) }
    }
}
