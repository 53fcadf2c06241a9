//! Reading block files.

use crate::store::checks::{check_format, check_rules};
use std::cell::RefCell;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;
use zstd::zstd_safe::{self, DCtx};

use super::{
    ENTRY_LEN, Entry, FOOTER_LEN, Footer, HEADER_LEN, Header, Kind, MAX_BLOCK, block_checksum, file_checksum, kind_name,
};
use crate::vocabulary::Error;

thread_local! {
    // A context takes longer to make than a page to unpack.
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// A finished block file; any number of threads may read from it. See [`BlockWriter`](super::BlockWriter).
#[derive(Debug)]
pub struct BlockFile {
    path: PathBuf,
    file: File,
    entries: Vec<Entry>,
    bytes: u64,
    checksum: u64,
    id: u64,
}

impl BlockFile {
    /// Where the first block begins.
    pub(in crate::store) const HEADER_BYTES: u64 = HEADER_LEN as u64;

    /// Opens a file of this kind, written for the rules with this fingerprint. Header, index and footer are checked
    /// here, each block when it is read.
    pub fn open(path: &Path, kind: Kind, fingerprint: u64) -> Result<BlockFile, Error> {
        BlockFile::open_any(path, Some(kind), fingerprint)
    }

    /// Opens a file of this kind, or of any.
    pub(crate) fn open_any(path: &Path, kind: Option<Kind>, fingerprint: u64) -> Result<BlockFile, Error> {
        let damaged = |place: &str| Error::damaged(path, place);
        let file = File::open(path).map_err(|source| match source.kind() {
            ErrorKind::NotFound => Error::Missing { path: path.to_owned() },
            _ => Error::io("open", path)(source),
        })?;
        let read_at = |buffer: &mut [u8], offset: u64, place: &str| read_at(path, &file, buffer, offset, place);
        let bytes = file.metadata().map_err(Error::io("open", path))?.len();
        if bytes < (HEADER_LEN + FOOTER_LEN) as u64 {
            return Err(damaged("its end: it was cut short"));
        }

        let mut header_bytes = [0; HEADER_LEN];
        read_at(&mut header_bytes, 0, "the header")?;
        let header = Header::from_bytes(&header_bytes).ok_or_else(|| damaged("the header"))?;
        check_format(path, header.format)?;
        if let Some(kind) = kind.filter(|&kind| header.kind != kind) {
            let [found, expected] = [header.kind, kind].map(kind_name);
            return Err(Error::OtherKind { path: path.to_owned(), found, expected });
        }
        check_rules(path, header.fingerprint, fingerprint)?;

        let mut footer_bytes = [0; FOOTER_LEN];
        let footer_offset = bytes - FOOTER_LEN as u64;
        read_at(&mut footer_bytes, footer_offset, "the footer")?;
        let footer = Footer::from_bytes(&footer_bytes).ok_or_else(|| damaged("the footer"))?;
        // The index fills the space between its offset and the footer: its size is bounded by the file's.
        let index_len = footer_offset.checked_sub(footer.index_offset).filter(|&len| len % ENTRY_LEN as u64 == 0);
        let index_len = index_len.filter(|len| len / ENTRY_LEN as u64 == footer.blocks);
        let index_len = index_len.ok_or_else(|| damaged("the footer: the index does not fit"))?;
        let mut index = vec![0; index_len as usize];
        read_at(&mut index, footer.index_offset, "the index")?;
        if xxh3_64(&index) != footer.index_checksum {
            return Err(damaged("the index"));
        }

        let entries: Vec<Entry> = index.chunks_exact(ENTRY_LEN).map(Entry::from_bytes).collect();
        let mut end = HEADER_LEN as u64;
        for (block, entry) in entries.iter().enumerate() {
            if entry.offset != end || entry.raw as usize > MAX_BLOCK {
                return Err(damaged(&format!("the index: the entry of block {block}")));
            }
            end += u64::from(entry.compressed);
        }
        if end != footer.index_offset {
            return Err(damaged("the index: it does not follow the last block"));
        }

        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Ordering::Relaxed);
        let checksum = file_checksum(&header_bytes, &index, &footer_bytes);
        Ok(BlockFile { path: path.to_owned(), file, entries, bytes, checksum, id })
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The checksum of the file, as the writer's summary has it.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes a block has when it is read, if there is such a block.
    pub fn raw_len(&self, block: u64) -> Option<usize> {
        Some(self.entry(block)?.raw as usize)
    }

    /// Reads a block and checks it.
    pub fn read(&self, block: u64) -> Result<Vec<u8>, Error> {
        let compressed = self.compressed(block)?;
        self.unpack(block, &compressed, self.raw_len(block).unwrap_or(0))
    }

    /// Reads one page of a block that was written in pages of so many bytes
    /// ([`BlockWriter::pages`](super::BlockWriter::pages)). The whole block is checked.
    ///
    /// ```
    /// use kanzen::store::{BlockFile, BlockWriter};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("words");
    /// let mut writer = BlockWriter::create(&path, *b"word", 7)?.pages(3);
    /// writer.push(b"complete")?;
    /// writer.finish()?;
    ///
    /// let file = BlockFile::open(&path, *b"word", 7)?;
    /// assert_eq!(file.read(0)?, b"complete");
    /// assert_eq!(file.read_page(0, 1, 3)?, b"ple");
    /// assert_eq!(file.read_page(0, 2, 3)?, b"te");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_page(&self, block: u64, page: usize, bytes: usize) -> Result<Vec<u8>, Error> {
        let compressed = self.compressed(block)?;
        let damaged = || self.damaged(block);
        let from = page.saturating_mul(bytes);
        let len = self.raw_len(block).and_then(|raw| raw.checked_sub(from)).ok_or_else(damaged)?.min(bytes);
        let mut frames = &compressed[..];
        for _ in 0..page {
            let frame = zstd_safe::find_frame_compressed_size(frames).map_err(|_| damaged())?;
            frames = frames.get(frame..).ok_or_else(damaged)?;
        }
        let frame = zstd_safe::find_frame_compressed_size(frames).map_err(|_| damaged())?;
        self.unpack(block, frames.get(..frame).ok_or_else(damaged)?, len)
    }

    /// The bytes of a block as they are in the file, checked.
    pub(in crate::store) fn compressed(&self, block: u64) -> Result<Vec<u8>, Error> {
        let len = self.blocks();
        let Some(entry) = self.entry(block) else {
            return Err(Error::OutOfRange { path: self.path.clone(), slot: block, len });
        };
        let mut compressed = vec![0; entry.compressed as usize];
        read_at(&self.path, &self.file, &mut compressed, entry.offset, "its end: it was cut short")?;
        if block_checksum(block, &compressed) != entry.checksum {
            return Err(self.damaged(block));
        }
        Ok(compressed)
    }

    /// Frames that hold `len` bytes.
    fn unpack(&self, block: u64, frames: &[u8], len: usize) -> Result<Vec<u8>, Error> {
        let mut raw = Vec::with_capacity(len);
        let unpacked = DECOMPRESSOR.with_borrow_mut(|context| context.decompress(&mut raw, frames));
        if unpacked.is_err() || raw.len() != len { Err(self.damaged(block)) } else { Ok(raw) }
    }

    /// Reads every block, in parallel, and says the first that is damaged.
    pub fn verify(&self) -> Result<(), Error> {
        let wrong = (0..self.blocks()).into_par_iter().find_map_first(|block| self.read(block).err());
        wrong.map_or(Ok(()), Err)
    }

    /// A number no other opened file has: the cache tells files apart by it.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The error that says: this block is damaged.
    pub fn damaged(&self, block: u64) -> Error {
        Error::damaged(&self.path, format!("block {block}"))
    }

    fn entry(&self, block: u64) -> Option<&Entry> {
        self.entries.get(usize::try_from(block).ok()?)
    }
}

fn read_at(path: &Path, file: &File, buffer: &mut [u8], offset: u64, place: &str) -> Result<(), Error> {
    file.read_exact_at(buffer, offset).map_err(|source| match source.kind() {
        ErrorKind::UnexpectedEof => Error::damaged(path, place),
        _ => Error::io("read", path)(source),
    })
}
