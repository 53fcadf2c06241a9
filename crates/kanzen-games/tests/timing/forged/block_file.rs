//! Takes block files apart, so that a test can change any part and recompute every checksum.
//!
//! It implements the layout of `kanzen_store`'s block files independently, from the documentation only.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

const ENTRY: usize = 24;
const HEADER: usize = 32;
const FOOTER: usize = 40;

/// A block as stored in the file.
#[derive(Clone)]
pub struct Block {
    /// Its frames.
    pub compressed: Vec<u8>,
    /// The decompressed size in the index.
    pub raw: u32,
}

/// The parts of a block file.
#[derive(Clone)]
pub struct BlockParts {
    pub format: u32,
    pub kind: [u8; 4],
    pub fingerprint: u64,
    pub blocks: Vec<Block>,
}

/// Wrong locations with valid checksums.
#[derive(Clone, Copy, Default)]
pub struct Lies {
    /// The entry of this block has another offset or another length.
    pub entry: Option<(usize, u64, u32)>,
    /// The footer names another offset of the index.
    pub index_offset: Option<u64>,
    /// The footer counts other blocks.
    pub blocks: Option<u64>,
}

/// A finished file and its checksum.
pub struct Written {
    pub bytes: Vec<u8>,
    pub checksum: u64,
    /// The checksum of its header and footer alone.
    pub ends: u64,
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn short(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl BlockParts {
    /// Parses a sound file.
    pub fn of(bytes: &[u8]) -> BlockParts {
        let footer = bytes.len() - FOOTER;
        let index = number(bytes, footer) as usize;
        let block = |entry: &[u8]| {
            let from = number(entry, 0) as usize;
            Block { compressed: bytes[from..from + short(entry, 8) as usize].to_vec(), raw: short(entry, 12) }
        };
        BlockParts {
            format: short(bytes, 8),
            kind: bytes[12..16].try_into().unwrap(),
            fingerprint: number(bytes, 16),
            blocks: bytes[index..footer].chunks_exact(ENTRY).map(block).collect(),
        }
    }

    /// The decompressed bytes of a block.
    pub fn unpacked(&self, block: usize) -> Vec<u8> {
        let Block { compressed, raw } = &self.blocks[block];
        zstd::bulk::decompress(compressed, *raw as usize).expect("a sound block")
    }

    /// Replaces the bytes of a block, in pages of a given size.
    pub fn pack(&mut self, block: usize, raw: &[u8], page: usize) {
        self.blocks[block] = packed(raw, page);
    }

    /// The file with these parts and these wrong locations.
    pub fn write(&self, lies: &Lies) -> Written {
        let mut header = b"kanzen\x0b\n".to_vec();
        header.extend(self.format.to_le_bytes());
        header.extend(self.kind);
        header.extend(self.fingerprint.to_le_bytes());
        header.extend(xxh3_64(&header).to_le_bytes());
        let (mut bytes, mut index) = (header.clone(), Vec::new());
        for (number, block) in self.blocks.iter().enumerate() {
            let checksum = xxh3_64_with_seed(&block.compressed, number as u64);
            let mut place = (bytes.len() as u64, block.compressed.len() as u32);
            if let Some((at, offset, length)) = lies.entry
                && at == number
            {
                place = (offset, length);
            }
            index.extend(place.0.to_le_bytes());
            index.extend(place.1.to_le_bytes());
            index.extend(block.raw.to_le_bytes());
            index.extend(checksum.to_le_bytes());
            bytes.extend(&block.compressed);
        }
        let mut footer = lies.index_offset.unwrap_or(bytes.len() as u64).to_le_bytes().to_vec();
        footer.extend(lies.blocks.unwrap_or(self.blocks.len() as u64).to_le_bytes());
        footer.extend(xxh3_64(&index).to_le_bytes());
        footer.extend(xxh3_64(&footer).to_le_bytes());
        footer.extend(b"\nnezank\x0b");
        bytes.extend(&index);
        bytes.extend(&footer);
        let digest = |parts: &[&Vec<u8>]| {
            let mut hash = Xxh3Default::new();
            parts.iter().for_each(|part| hash.update(part));
            hash.digest()
        };
        Written { bytes, checksum: digest(&[&header, &index, &footer]), ends: digest(&[&header, &footer]) }
    }
}

/// A block of these bytes, one frame per page.
pub fn packed(raw: &[u8], page: usize) -> Block {
    let mut compressed = Vec::new();
    let pages = raw.chunks(page.max(1)).chain(raw.is_empty().then_some(&[][..]));
    pages.for_each(|page| compressed.extend(zstd::bulk::compress(page, 1).expect("any bytes")));
    Block { compressed, raw: raw.len() as u32 }
}

/// The shortest file: its header, its footer.
pub const SHORTEST: usize = HEADER + FOOTER;
