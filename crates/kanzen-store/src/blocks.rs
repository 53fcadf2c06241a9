//! Block files: compressed blocks of bytes, each with a checksum, found through an index at the end.
//!
//! ```text
//! header   magic, format, kind, fingerprint of the rules, checksum of the header
//! block 0  zstd
//! block 1  zstd
//! ...
//! index    per block: offset, compressed length, raw length, checksum of the compressed bytes
//! footer   offset of the index, number of blocks, checksum of the index, checksum of the footer, magic
//! ```
//!
//! A block is one zstd frame, or several of equal length before compression (its *pages*): such a block is still checked
//! and read in one piece, but one page can be had without unpacking the others.
//!
//! Numbers are little-endian. A block's checksum is salted with its number, so that two blocks cannot change places.
//! The checksum of the whole file covers the header, the index and the footer: through the index it vouches for every
//! block. That of its *ends*, header and footer, distinguishes the file from others as well, since the footer has the checksum of
//! the index: a reader that knows it opens a file of gigabytes with two reads, and reads of the index what it needs
//! (`blocks/index.rs`).

mod index;
mod read;
#[cfg(test)]
mod tests;
mod unpack;
mod write;

pub use read::BlockFile;
pub(super) use write::pack_block;
pub use write::{BlockSummary, BlockWriter};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

/// What a block file holds, in four letters.
pub type Kind = [u8; 4];

/// The most bytes a block may have before compression. No reader allocates more, whatever a file states.
pub const MAX_BLOCK: usize = 64 << 20;

const HEADER_MAGIC: [u8; 8] = *b"kanzen\x0b\n";
const FOOTER_MAGIC: [u8; 8] = *b"\nnezank\x0b";
const HEADER_LEN: usize = 32;
const ENTRY_LEN: usize = 24;
const FOOTER_LEN: usize = 40;

/// A kind for people.
fn kind_name(kind: Kind) -> String {
    String::from_utf8_lossy(&kind).into_owned()
}

fn block_checksum(block: u64, compressed: &[u8]) -> u64 {
    xxh3_64_with_seed(compressed, block)
}

/// The checksum of bytes that are apart.
fn checksum_of(parts: &[&[u8]]) -> u64 {
    let mut hash = Xxh3Default::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.digest()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// The first bytes of a file.
struct Header {
    format: u32,
    kind: Kind,
    fingerprint: u64,
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEADER_MAGIC.to_vec();
        bytes.extend(self.format.to_le_bytes());
        bytes.extend(self.kind);
        bytes.extend(self.fingerprint.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Nothing if the bytes are no header.
    fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Option<Header> {
        if bytes[..8] != HEADER_MAGIC || u64_at(bytes, 24) != xxh3_64(&bytes[..24]) {
            return None;
        }
        let kind = bytes[12..16].try_into().expect("four bytes");
        Some(Header { format: u32_at(bytes, 8), kind, fingerprint: u64_at(bytes, 16) })
    }
}

/// The fingerprint of the rules for which a file was written that begins with these bytes; nothing if it is none.
pub(super) fn fingerprint_of(bytes: &[u8]) -> Option<u64> {
    Some(Header::from_bytes(bytes.first_chunk()?)?.fingerprint)
}

/// Where a block is and what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    offset: u64,
    compressed: u32,
    raw: u32,
    checksum: u64,
}

impl Entry {
    /// Where the block ends, if that is a number.
    fn end(self) -> Option<u64> {
        self.offset.checked_add(self.compressed.into())
    }

    fn to_bytes(self) -> [u8; ENTRY_LEN] {
        let mut bytes = [0; ENTRY_LEN];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.compressed.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.raw.to_le_bytes());
        bytes[16..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Entry {
        Entry {
            offset: u64_at(bytes, 0),
            compressed: u32_at(bytes, 8),
            raw: u32_at(bytes, 12),
            checksum: u64_at(bytes, 16),
        }
    }
}

/// The last bytes of a file.
struct Footer {
    index_offset: u64,
    blocks: u64,
    index_checksum: u64,
}

impl Footer {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FOOTER_LEN);
        bytes.extend(self.index_offset.to_le_bytes());
        bytes.extend(self.blocks.to_le_bytes());
        bytes.extend(self.index_checksum.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes.extend(FOOTER_MAGIC);
        bytes
    }

    /// Nothing if the bytes are no footer.
    fn from_bytes(bytes: &[u8; FOOTER_LEN]) -> Option<Footer> {
        if bytes[32..] != FOOTER_MAGIC || u64_at(bytes, 24) != xxh3_64(&bytes[..24]) {
            return None;
        }
        Some(Footer { index_offset: u64_at(bytes, 0), blocks: u64_at(bytes, 8), index_checksum: u64_at(bytes, 16) })
    }
}
