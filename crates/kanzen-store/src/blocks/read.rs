//! Reading block files.

use crate::checks::{check_format, check_rules};
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3Default;

use super::index::BlockIndex;
use super::unpack;
use super::{Entry, FOOTER_LEN, Footer, HEADER_LEN, Header, Kind, block_checksum, checksum_of, kind_name};
use crate::ReadAt;
use kanzen_core::vocabulary::Error;

/// A finished block file; any number of threads may read from it. See [`BlockWriter`](super::BlockWriter).
#[derive(Debug)]
pub struct BlockFile {
    path: PathBuf,
    source: Box<dyn ReadAt>,
    index: BlockIndex,
    bytes: u64,
    header: [u8; HEADER_LEN],
    footer: [u8; FOOTER_LEN],
    index_checksum: u64,
    id: u64,
}

impl BlockFile {
    /// Where the first block begins.
    pub(crate) const HEADER_BYTES: u64 = HEADER_LEN as u64;

    /// The block file that these bytes are, of this kind, or of any; `path` is what errors call it. Header and footer are
    /// checked here; each entry of the index and each block when it is read.
    ///
    /// ```
    /// use kanzen_store::{BlockFile, BlockWriter};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("words");
    /// let mut writer = BlockWriter::create(&path, *b"word", 7)?;
    /// writer.push(b"complete")?;
    /// writer.finish()?;
    ///
    /// let in_memory = std::fs::read(&path)?;
    /// let file = BlockFile::from_source(&path, Box::new(in_memory), Some(*b"word"), 7)?;
    /// assert_eq!(file.read(0)?, b"complete");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_source(
        path: &Path,
        source: Box<dyn ReadAt>,
        kind: Option<Kind>,
        fingerprint: u64,
    ) -> Result<BlockFile, Error> {
        let damaged = |place: &str| Error::damaged(path, place);
        let bytes = source.size().map_err(Error::io("open", path))?;
        if bytes < (HEADER_LEN + FOOTER_LEN) as u64 {
            return Err(damaged("its end: it was cut short"));
        }
        let (mut header_bytes, mut footer_bytes) = ([0; HEADER_LEN], [0; FOOTER_LEN]);
        let footer_offset = bytes - FOOTER_LEN as u64;
        // Both are asked for before either is looked at: where they are fetched, they are at once.
        let header_read = read_at(path, &*source, &mut header_bytes, 0, "the header");
        let footer_read = read_at(path, &*source, &mut footer_bytes, footer_offset, "the footer");
        header_read?;
        let header = Header::from_bytes(&header_bytes).ok_or_else(|| damaged("the header"))?;
        check_format(path, header.format)?;
        if let Some(kind) = kind.filter(|&kind| header.kind != kind) {
            let [found, expected] = [header.kind, kind].map(kind_name);
            return Err(Error::OtherKind { path: path.to_owned(), found, expected });
        }
        check_rules(path, header.fingerprint, fingerprint)?;
        footer_read?;
        let footer = Footer::from_bytes(&footer_bytes).ok_or_else(|| damaged("the footer"))?;
        let index = BlockIndex::new(&footer, footer_offset);
        let index = index.ok_or_else(|| damaged("the footer: the index does not fit"))?;

        static OPENED: AtomicU64 = AtomicU64::new(0);
        Ok(BlockFile {
            path: path.to_owned(),
            source,
            index,
            bytes,
            header: header_bytes,
            footer: footer_bytes,
            index_checksum: footer.index_checksum,
            id: OPENED.fetch_add(1, Ordering::Relaxed),
        })
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.index.blocks()
    }

    /// The length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The checksum of the file, as the writer's summary has it. All of the index is read for it, and checked.
    pub fn checksum(&self) -> Result<u64, Error> {
        // Checks the ends first, before reading gigabytes.
        self.entry(0)?;
        self.entry(self.blocks().saturating_sub(1))?;
        let (mut index, mut file) = (Xxh3Default::new(), Xxh3Default::new());
        file.update(&self.header);
        self.index.hash(&|buffer, offset, place| self.read_at(buffer, offset, place), &mut [&mut index, &mut file])?;
        if index.digest() != self.index_checksum {
            return Err(Error::damaged(&self.path, "the index"));
        }
        file.update(&self.footer);
        Ok(file.digest())
    }

    /// Bytes of its index.
    pub fn index_bytes(&self) -> u64 {
        self.blocks() * super::ENTRY_LEN as u64
    }

    /// How many bytes a block has in the file, if there is such a block.
    pub fn packed_len(&self, block: u64) -> Result<Option<u64>, Error> {
        Ok(self.entry(block)?.map(|entry| entry.compressed.into()))
    }

    /// The checksum of its header and footer, as the writer's summary has it.
    pub fn ends(&self) -> u64 {
        checksum_of(&[&self.header, &self.footer])
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes a block has when it is read, if there is such a block.
    pub fn raw_len(&self, block: u64) -> Result<Option<usize>, Error> {
        Ok(self.entry(block)?.map(|entry| entry.raw as usize))
    }

    /// Reads a block and checks it.
    pub fn read(&self, block: u64) -> Result<Vec<u8>, Error> {
        let (entry, compressed) = self.compressed(block)?;
        self.unpack(block, &compressed, entry.raw as usize)
    }

    /// Reads a block as it is read in a browser, by pure Rust: the same bytes, more slowly. For tests, which compare the two.
    pub fn read_portable(&self, block: u64) -> Result<Vec<u8>, Error> {
        let (entry, compressed) = self.compressed(block)?;
        unpack::portable::unpack(&compressed, entry.raw as usize).ok_or_else(|| self.damaged(block))
    }

    /// Reads a block that must have a number of bytes within these bounds. One that has not is not even unpacked: a few
    /// bytes of a stranger's file can hold very many.
    ///
    /// ```
    /// use kanzen_store::{BlockFile, BlockWriter};
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("words");
    /// let mut writer = BlockWriter::create(&path, *b"word", 7)?;
    /// writer.push(b"complete")?;
    /// writer.finish()?;
    ///
    /// let file = BlockFile::open(&path, *b"word", 7)?;
    /// assert_eq!(file.read_sized(0, 8..=8)?, b"complete");
    /// assert!(file.read_sized(0, 0..=7).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_sized(&self, block: u64, bytes: RangeInclusive<usize>) -> Result<Vec<u8>, Error> {
        self.check_size(block, bytes)?;
        self.read(block)
    }

    /// Refuses a block that has another number of bytes.
    pub fn check_size(&self, block: u64, bytes: RangeInclusive<usize>) -> Result<(), Error> {
        match self.raw_len(block)? {
            Some(found) if !bytes.contains(&found) => Err(self.damaged(block)),
            _ => Ok(()),
        }
    }

    /// Reads one page of a block that was written in pages of so many bytes
    /// ([`BlockWriter::pages`](super::BlockWriter::pages)). The whole block is checked.
    ///
    /// ```
    /// use kanzen_store::{BlockFile, BlockWriter};
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
        let (entry, compressed) = self.compressed(block)?;
        let damaged = || self.damaged(block);
        let from = page.saturating_mul(bytes);
        let len = (entry.raw as usize).checked_sub(from).ok_or_else(damaged)?.min(bytes);
        let mut frames = &compressed[..];
        for _ in 0..page {
            let frame = unpack::frame_bytes(frames).ok_or_else(damaged)?;
            frames = frames.get(frame..).ok_or_else(damaged)?;
        }
        let frame = unpack::frame_bytes(frames).ok_or_else(damaged)?;
        self.unpack(block, frames.get(..frame).ok_or_else(damaged)?, len)
    }

    /// Where a block begins, and its bytes as they are in the file, checked.
    pub(crate) fn packed(&self, block: u64) -> Result<(u64, Vec<u8>), Error> {
        let (entry, compressed) = self.compressed(block)?;
        Ok((entry.offset, compressed))
    }

    /// The entry of a block and its bytes as they are in the file, checked.
    pub(super) fn compressed(&self, block: u64) -> Result<(Entry, Vec<u8>), Error> {
        let len = self.blocks();
        let Some(entry) = self.entry(block)? else {
            return Err(Error::OutOfRange { path: self.path.clone(), slot: block, len });
        };
        let mut compressed = vec![0; entry.compressed as usize];
        self.read_at(&mut compressed, entry.offset, "its end: it was cut short")?;
        if block_checksum(block, &compressed) != entry.checksum {
            return Err(self.damaged(block));
        }
        Ok((entry, compressed))
    }

    /// Frames that hold `len` bytes.
    fn unpack(&self, block: u64, frames: &[u8], len: usize) -> Result<Vec<u8>, Error> {
        unpack::unpack(frames, len).ok_or_else(|| self.damaged(block))
    }

    /// Reads the index and every block, in parallel, and returns the first damage as an error.
    pub fn verify(&self) -> Result<(), Error> {
        self.checksum()?;
        let wrong = (0..self.blocks()).into_par_iter().find_map_first(|block| self.read(block).err());
        wrong.map_or(Ok(()), Err)
    }

    /// A number no other opened file has: the key of the cache.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The error for a damaged block.
    pub fn damaged(&self, block: u64) -> Error {
        Error::damaged(&self.path, format!("block {block}"))
    }

    fn entry(&self, block: u64) -> Result<Option<Entry>, Error> {
        let read = |buffer: &mut [u8], offset: u64, place: &str| self.read_at(buffer, offset, place);
        self.index.entry(block, &read, &|place| Error::damaged(&self.path, place))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64, place: &str) -> Result<(), Error> {
        read_at(&self.path, &*self.source, buffer, offset, place)
    }
}

fn read_at(path: &Path, source: &dyn ReadAt, buffer: &mut [u8], offset: u64, place: &str) -> Result<(), Error> {
    source.read_exact_at(buffer, offset).map_err(|source| match source.kind() {
        ErrorKind::UnexpectedEof => Error::damaged(path, place),
        ErrorKind::NotFound => Error::Missing { path: path.to_owned() },
        ErrorKind::WouldBlock => Error::NotFetched { path: path.to_owned() },
        _ => Error::io("read", path)(source),
    })
}
