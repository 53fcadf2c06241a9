//! Planes: one small value per slot.
//!
//! The distinct values of a plane, worst first, are its *palette*; a slot holds an index into it, one byte if the
//! palette has at most 256 entries, else two. A plane is a block file:
//!
//! ```text
//! block 0      the indices of slots 0 .. entries
//! block 1      the indices of slots entries .. 2 * entries
//! ...
//! last block   head: slots, entries per block, bytes per page, palette
//! ```
//!
//! Blocks are cut into pages, so that a look-up unpacks little.

mod coder;
mod packed;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub(super) use packed::{pack_plane_block, write_packed_plane};
pub use read::PlaneFile;
pub(super) use write::write_plane_codes;
pub use write::{PlaneOptions, PlaneSummary, PlaneWriter, write_plane, write_plane_indices, write_plane_with};

use kanzen_core::vocabulary::Value;

/// Slots per block, at most: a look-up may have to unpack as many.
const MAX_ENTRIES: u64 = 1 << 20;
/// Bytes of a head with all the values that there are.
const MAX_HEAD: usize = 24 + 2 * (1 << 16);
/// Values that an index of one byte distinguishes.
const MOST_IN_A_BYTE: usize = 256;

/// The head of a plane.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Head {
    slots: u64,
    entries: u64,
    page: u64,
    palette: Vec<Value>,
}

impl Head {
    /// Bytes per slot.
    fn width(&self) -> usize {
        if self.palette.len() <= MOST_IN_A_BYTE { 1 } else { 2 }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.slots, self.entries, self.page] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.palette.iter().flat_map(|value| value.code().to_le_bytes()));
        bytes
    }

    /// Nothing if the bytes are no head.
    fn from_bytes(bytes: &[u8]) -> Option<Head> {
        let (numbers, codes) = bytes.split_at_checked(24)?;
        let (numbers, _) = numbers.as_chunks();
        let [slots, entries, page] = [0, 1, 2].map(|i| u64::from_le_bytes(numbers[i]));
        let (codes, []) = codes.as_chunks() else { return None };
        let palette: Vec<Value> =
            codes.iter().map(|&code| Value::from_code(i16::from_le_bytes(code))).collect::<Option<_>>()?;
        let head = Head { slots, entries, page, palette };
        let ascending = head.palette.is_sorted_by(|a, b| a < b);
        let cut = (1..=MAX_ENTRIES).contains(&entries) && page > 0 && page.is_multiple_of(2);
        (cut && ascending).then_some(head)
    }
}
