//! Writing block files.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::unpack::pack;
use super::{Entry, Footer, Header, Kind, MAX_BLOCK, block_checksum, checksum_of};
use crate::vfs::{NewFile, VfsPath};
use crate::{FORMAT, LEVEL};
use kanzen_core::machine::parallel::on_each_thread;
use kanzen_core::vocabulary::Error;

/// Writes a block file under a temporary name; [`finish`](BlockWriter::finish) gives it its own.
///
/// ```
/// use kanzen_store::{BlockFile, BlockWriter};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("words");
///
/// let mut writer = BlockWriter::create(&path, *b"word", 7)?;
/// writer.push(b"complete")?;
/// writer.push_many(2, |block| Ok(vec![block as u8; 3]))?;
/// let summary = writer.finish()?;
///
/// let file = BlockFile::open(&path, *b"word", 7)?;
/// assert_eq!(file.checksum()?, summary.checksum);
/// assert_eq!(file.read(0)?, b"complete");
/// assert_eq!(file.read(2)?, [1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A writer that is dropped unfinished leaves nothing behind.
pub struct BlockWriter {
    path: VfsPath,
    tmp: VfsPath,
    file: BufWriter<NewFile>,
    header: Vec<u8>,
    entries: Vec<Entry>,
    offset: u64,
    level: i32,
    page: usize,
    synced: bool,
    finished: bool,
}

/// What a finished block file is: its line in the manifest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockSummary {
    /// How many blocks it has.
    pub blocks: u64,
    /// The length of the file.
    pub bytes: u64,
    /// The checksum of its header, index and footer, which vouch for the blocks.
    pub checksum: u64,
    /// The checksum of its header and footer, which tell it from other files without the index.
    pub ends: u64,
}

impl BlockWriter {
    /// Begins the file `path` of this kind, for the rules with this fingerprint.
    pub fn create(path: impl Into<VfsPath>, kind: Kind, fingerprint: u64) -> Result<BlockWriter, Error> {
        let path = path.into();
        let tmp = path.unfinished();
        let file = tmp.create().map_err(Error::io("create", &tmp))?;
        let header = Header { format: FORMAT, kind, fingerprint }.to_bytes();
        let mut writer = BlockWriter {
            path,
            tmp,
            file: BufWriter::with_capacity(1 << 20, file),
            offset: 0,
            header,
            entries: Vec::new(),
            level: LEVEL,
            page: MAX_BLOCK,
            synced: true,
            finished: false,
        };
        let header = writer.header.clone();
        writer.write(&header)?;
        Ok(writer)
    }

    /// Compresses with another zstd level.
    pub fn level(mut self, level: i32) -> BlockWriter {
        self.level = level;
        self
    }

    /// Cuts each block into pages of so many bytes, for readers that want little of a block
    /// ([`BlockFile::read_page`](super::BlockFile::read_page)).
    pub fn pages(mut self, bytes: usize) -> BlockWriter {
        self.page = bytes.max(1);
        self
    }

    /// Does not wait until the file is safe on the disk. After a power cut it may be found damaged: this is for what can
    /// be made again.
    pub fn unsynced(mut self) -> BlockWriter {
        self.synced = false;
        self
    }

    /// How many blocks there are so far.
    pub fn blocks(&self) -> u64 {
        self.entries.len() as u64
    }

    /// The file's name when it is finished.
    pub fn path(&self) -> &VfsPath {
        &self.path
    }

    /// Adds a block.
    pub fn push(&mut self, raw: &[u8]) -> Result<(), Error> {
        let block = self.packing().compress(self.blocks(), raw)?;
        self.append(&block)
    }

    /// Adds `blocks` blocks, made and compressed in parallel; the file is the same for any number of threads.
    ///
    /// `make` is called with 0, 1, ... once each, in no order; a few blocks a thread are in memory at a time.
    pub fn push_many<F>(&mut self, blocks: u64, make: F) -> Result<(), Error>
    where
        F: Fn(u64) -> Result<Vec<u8>, Error> + Sync,
    {
        let (packing, first) = (self.packing(), self.blocks());
        self.push_in_order(blocks as usize, &|block| {
            let block = block as u64;
            Ok(vec![packing.compress(first + block, &make(block)?)?])
        })
    }

    /// Adds blocks in groups: `make` gives all blocks of a group at once, `sizes[group]` of them. Groups are made and
    /// compressed in parallel, for blocks that are cheaper to make together; the file is the same for any number of
    /// threads.
    pub fn push_groups<F>(&mut self, sizes: &[u64], make: F) -> Result<(), Error>
    where
        F: Fn(usize) -> Result<Vec<Vec<u8>>, Error> + Sync,
    {
        let packing = self.packing();
        let mut next = self.blocks();
        let mut firsts = Vec::with_capacity(sizes.len());
        for size in sizes {
            firsts.push(next);
            next += size;
        }
        self.push_in_order(sizes.len(), &|group| {
            let blocks = make(group)?;
            assert_eq!(blocks.len() as u64, sizes[group], "a group has the blocks it said");
            (firsts[group]..).zip(blocks).map(|(block, raw)| packing.compress(block, &raw)).collect()
        })
    }

    /// Adds pieces that are made in parallel, in the order of their numbers. No thread waits for another: each takes the
    /// next number, and who has made the piece whose turn it is writes it, with those after it that are there already.
    fn push_in_order(&mut self, pieces: usize, make: &MakePiece<'_>) -> Result<(), Error> {
        let most_waiting = (16 << 20) * rayon::current_num_threads();
        let next = AtomicUsize::new(0);
        let queue = Mutex::new(Queue { writer: self, made: BTreeMap::new(), waiting: 0, written: 0, failed: None });
        let locked = || queue.lock().unwrap_or_else(PoisonError::into_inner);
        // Whatever comes, what waits for a slow piece stays within bounds: all leave, and begin anew when it is there.
        loop {
            let leave = AtomicBool::new(false);
            on_each_thread(pieces, &|_| {
                while !leave.load(Relaxed) {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= pieces {
                        return;
                    }
                    let piece = make(number);
                    let mut queue = locked();
                    queue.take(number, piece);
                    leave.fetch_or(queue.failed.is_some() || queue.waiting > most_waiting, Relaxed);
                }
            });
            let mut queue = locked();
            if let Some(error) = queue.failed.take() {
                return Err(error);
            }
            if queue.written == pieces {
                return Ok(());
            }
        }
    }

    /// Writes the index, syncs the file and gives it its name.
    pub fn finish(mut self) -> Result<BlockSummary, Error> {
        let index: Vec<u8> = self.entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        let footer = Footer { index_offset: self.offset, blocks: self.blocks(), index_checksum: xxh3_64(&index) };
        let footer = footer.to_bytes();
        self.write(&index)?;
        self.write(&footer)?;
        self.file.flush().map_err(Error::io("write", &self.path))?;
        if self.synced {
            self.tmp.sync().map_err(Error::io("sync", &self.path))?;
            self.tmp.publish(&self.path)?;
        } else {
            self.tmp.rename(&self.path).map_err(Error::io("rename", &self.tmp))?;
        }
        self.finished = true;
        let checksum = checksum_of(&[&self.header, &index, &footer]);
        let ends = checksum_of(&[&self.header, &footer]);
        Ok(BlockSummary { blocks: self.blocks(), bytes: self.offset, checksum, ends })
    }

    /// Adds a block that [`pack_block`] has packed for its place.
    pub(crate) fn push_packed(&mut self, packed: &[u8]) -> Result<(), Error> {
        let damaged = || Error::damaged(&self.path, "a block from another process");
        let ([raw, compressed], bytes) = split_packed(packed).ok_or_else(damaged)?;
        let checksum = block_checksum(self.blocks(), bytes);
        let entry = Entry { offset: 0, compressed, raw, checksum };
        self.append(&Compressed { bytes: bytes.to_vec(), entry })
    }

    fn packing(&self) -> Packing {
        Packing { path: self.path.to_path_buf(), level: self.level, page: self.page }
    }

    fn append(&mut self, block: &Compressed) -> Result<(), Error> {
        self.entries.push(Entry { offset: self.offset, ..block.entry });
        self.write(&block.bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(Error::io("write", &self.path))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

impl Drop for BlockWriter {
    fn drop(&mut self) {
        if !self.finished {
            self.tmp.remove().ok();
        }
    }
}

/// A block as [`BlockWriter::push`] would write it with this level and these pages, for
/// [`push_packed`](BlockWriter::push_packed): the lengths of what it holds and of its bytes, then those.
pub(crate) fn pack_block(path: &Path, level: i32, page: usize, raw: &[u8]) -> Result<Vec<u8>, Error> {
    let packing = Packing { path: path.to_owned(), level, page: page.max(1) };
    let Compressed { bytes, entry } = packing.compress(0, raw)?;
    let mut packed: Vec<u8> = [entry.raw, entry.compressed].into_iter().flat_map(u32::to_le_bytes).collect();
    packed.extend(bytes);
    Ok(packed)
}

/// The lengths and the bytes of a packed block, if it is one.
fn split_packed(packed: &[u8]) -> Option<([u32; 2], &[u8])> {
    let (lengths, bytes) = packed.split_at_checked(8)?;
    let (lengths, _) = lengths.as_chunks();
    let [raw, compressed] = [lengths[0], lengths[1]].map(u32::from_le_bytes);
    (bytes.len() == compressed as usize && raw as usize <= MAX_BLOCK).then_some(([raw, compressed], bytes))
}

struct Compressed {
    bytes: Vec<u8>,
    entry: Entry,
}

/// Makes the blocks of a piece of a file, by its number.
type MakePiece<'a> = dyn Fn(usize) -> Result<Vec<Compressed>, Error> + Sync + 'a;

/// Pieces of a file on their way: written in order, however they come.
struct Queue<'a> {
    writer: &'a mut BlockWriter,
    made: BTreeMap<usize, Vec<Compressed>>,
    /// Bytes of those that are made and not written.
    waiting: usize,
    written: usize,
    failed: Option<Error>,
}

impl Queue<'_> {
    fn take(&mut self, number: usize, piece: Result<Vec<Compressed>, Error>) {
        match piece {
            Ok(blocks) => {
                self.waiting += bytes_of(&blocks);
                self.made.insert(number, blocks);
            }
            Err(error) => _ = self.failed.get_or_insert(error),
        }
        while let Some(blocks) = self.made.remove(&self.written) {
            if let Err(error) = blocks.iter().try_for_each(|block| self.writer.append(block)) {
                self.failed.get_or_insert(error);
                return;
            }
            self.waiting -= bytes_of(&blocks);
            self.written += 1;
        }
    }
}

fn bytes_of(blocks: &[Compressed]) -> usize {
    blocks.iter().map(|block| block.bytes.len()).sum()
}

/// How blocks become bytes, apart from the writer so that threads can share it.
struct Packing {
    path: PathBuf,
    level: i32,
    page: usize,
}

impl Packing {
    fn compress(&self, block: u64, raw: &[u8]) -> Result<Compressed, Error> {
        if raw.len() > MAX_BLOCK {
            let (bytes, limit) = (raw.len() as u64, MAX_BLOCK as u64);
            return Err(Error::TooLarge { path: self.path.clone(), bytes, limit });
        }
        let mut bytes = Vec::new();
        let mut rest = raw;
        // An empty block has one page as well, an empty one.
        loop {
            let (page, others) = rest.split_at(rest.len().min(self.page));
            self.append_frame(page, &mut bytes)?;
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        let checksum = block_checksum(block, &bytes);
        let entry = Entry { offset: 0, compressed: bytes.len() as u32, raw: raw.len() as u32, checksum };
        Ok(Compressed { bytes, entry })
    }

    fn append_frame(&self, page: &[u8], bytes: &mut Vec<u8>) -> Result<(), Error> {
        pack(page, self.level, bytes).map_err(Error::io("compress", &self.path))
    }
}
