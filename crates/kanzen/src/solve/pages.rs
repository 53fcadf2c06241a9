//! Large zeroed memory on huge pages.
//!
//! Engines touch gigabytes in strides. On 4 KiB pages nearly each touch of a new place also misses the TLB; on 2 MiB
//! pages hardly any does. Anonymous memory comes zeroed, so nothing is written before it is used.

use std::io;

use memmap2::MmapMut;

/// Zeroed bytes, aligned to a page.
pub struct Pages(MmapMut);

impl Pages {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> io::Result<Pages> {
        let map = MmapMut::map_anon(len.max(1))?;
        // A wish, not a need: a kernel without huge pages refuses and nothing is lost but time.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Pages(map))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}
