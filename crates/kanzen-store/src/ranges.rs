//! Files of which some ranges are there: what a browser has fetched so far.
//!
//! ```text
//! ask --> read: not there --> the range is noted, the question goes on  --> all that it lacks, in one pass
//!          ^                                                                       |
//!          '----------------- keep <------------- fetched, all at once <-----------'
//! ```
//!
//! Nothing waits here, and nothing is asynchronous: a read of bytes that are not there is an error of its own kind
//! ([`Error::NotFetched`]), and the caller fetches what was [noted](Ranges::take_wanted) and asks again. What was kept
//! and not used for longest is forgotten when there is too much of it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{ReadAt, Vfs};
use kanzen_core::vocabulary::Error;

/// Bytes of a file, from one offset to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The name of the file.
    pub file: String,
    /// Where they begin.
    pub from: u64,
    /// Where they end.
    pub to: u64,
}

/// The files of a database as far as they are there, for any number of readers.
///
/// ```
/// use std::path::Path;
/// use kanzen_store::{Ranges, Vfs};
/// let ranges = Ranges::new([("words".to_owned(), 8)], 1 << 20);
/// let file = ranges.open(Path::new("words"))?;
/// let mut three = [0; 3];
/// assert!(file.read_exact_at(&mut three, 3).is_err());
/// let wanted = ranges.take_wanted(0);
/// assert_eq!((wanted[0].from, wanted[0].to), (3, 6));
/// ranges.keep("words", 0, b"complete")?;
/// file.read_exact_at(&mut three, 3)?;
/// assert_eq!(&three, b"ple");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranges(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    files: Vec<Fetched>,
    wanted: Vec<(usize, u64, u64)>,
    bytes: usize,
    limit: usize,
    /// Counts reads: what was read last has the highest number.
    clock: u64,
}

#[derive(Debug)]
struct Fetched {
    name: String,
    bytes: u64,
    /// By their offsets; they may overlap.
    pieces: BTreeMap<u64, Piece>,
}

#[derive(Debug)]
struct Piece {
    bytes: Arc<[u8]>,
    used: u64,
    /// What every reader needs stays.
    stays: bool,
}

impl Ranges {
    /// Files by name and length, of which nothing is there yet; at most `limit` bytes are kept.
    pub fn new(files: impl IntoIterator<Item = (String, u64)>, limit: usize) -> Ranges {
        let file = |(name, bytes)| Fetched { name, bytes, pieces: BTreeMap::new() };
        let files = files.into_iter().map(file).collect();
        Ranges(Arc::new(Mutex::new(Kept { files, wanted: Vec::new(), bytes: 0, limit, clock: 0 })))
    }

    /// Keeps bytes of a file from an offset on. Those that no such file can have are refused.
    pub fn keep(&self, file: &str, from: u64, bytes: &[u8]) -> Result<(), Error> {
        self.kept().insert(file, from, bytes, false)
    }

    /// The same of bytes that are never forgotten.
    pub fn keep_for_good(&self, file: &str, from: u64, bytes: &[u8]) -> Result<(), Error> {
        self.kept().insert(file, from, bytes, true)
    }

    /// Forgets all but what is kept for good: some of it was damaged, and may be whole if it is fetched again.
    pub fn forget(&self) {
        let mut kept = self.kept();
        for file in &mut kept.files {
            file.pieces.retain(|_, piece| piece.stays);
        }
        let of = |file: &Fetched| file.pieces.values().map(|piece| piece.bytes.len()).sum::<usize>();
        kept.bytes = kept.files.iter().map(of).sum();
    }

    /// What was read and not there since this was last asked, in order, each byte once. Ranges that are at most `gap`
    /// bytes apart are one: a request costs more than a few bytes.
    pub fn take_wanted(&self, gap: u64) -> Vec<Wanted> {
        let mut kept = self.kept();
        let mut wanted = std::mem::take(&mut kept.wanted);
        wanted.sort_unstable();
        let mut merged: Vec<(usize, u64, u64)> = Vec::new();
        for (file, from, to) in wanted {
            match merged.last_mut() {
                Some((last, _, end)) if *last == file && from <= end.saturating_add(gap) => *end = (*end).max(to),
                _ => merged.push((file, from, to)),
            }
        }
        merged.into_iter().map(|(file, from, to)| Wanted { file: kept.files[file].name.clone(), from, to }).collect()
    }

    // A thread that panicked left it whole: nothing in it is ever half done.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn insert(&mut self, file: &str, from: u64, bytes: &[u8], stays: bool) -> Result<(), Error> {
        let missing = || Error::Missing { path: PathBuf::from(file) };
        let of = self.files.iter_mut().find(|known| known.name == file).ok_or_else(missing)?;
        let end = from.checked_add(bytes.len() as u64);
        if end.is_none_or(|end| end > of.bytes) {
            return Err(Error::OutOfRange { path: file.into(), slot: from, len: of.bytes });
        }
        self.clock += 1;
        self.bytes += bytes.len();
        if let Some(before) = of.pieces.insert(from, Piece { bytes: bytes.into(), used: self.clock, stays }) {
            self.bytes -= before.bytes.len();
        }
        self.forget();
        Ok(())
    }

    /// Forgets what was not used for longest, until half of the room is free.
    fn forget(&mut self) {
        if self.bytes <= self.limit {
            return;
        }
        let mut pieces: Vec<(u64, usize, u64)> = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let old = file.pieces.iter().filter(|(_, piece)| !piece.stays);
            pieces.extend(old.map(|(&from, piece)| (piece.used, number, from)));
        }
        pieces.sort_unstable();
        for (used, file, from) in pieces {
            // What came last is wanted now, however much it is.
            if self.bytes <= self.limit / 2 || used == self.clock {
                break;
            }
            if let Some(piece) = self.files[file].pieces.remove(&from) {
                self.bytes -= piece.bytes.len();
            }
        }
    }

    /// Fills the buffer, or notes what is not there.
    fn read(&mut self, number: usize, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.clock += 1;
        let file = &mut self.files[number];
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= file.bytes);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut at = offset;
        while at < end {
            // The piece that reaches furthest from here; pieces are few, and seldom overlap.
            let reaching = file.pieces.range_mut(..=at).rev().take(REACHING);
            let best = reaching
                .filter(|(from, piece)| **from + piece.bytes.len() as u64 > at)
                .max_by_key(|(from, piece)| **from + piece.bytes.len() as u64);
            let Some((&from, piece)) = best else {
                self.wanted.push((number, at, end));
                return Err(io::ErrorKind::WouldBlock.into());
            };
            piece.used = self.clock;
            let skip = (at - from) as usize;
            let len = (piece.bytes.len() - skip).min((end - at) as usize);
            let to = (at - offset) as usize;
            buffer[to..to + len].copy_from_slice(&piece.bytes[skip..skip + len]);
            at += len as u64;
        }
        Ok(())
    }
}

/// Pieces before an offset that are looked at: one that begins before so many others and reaches further is rare, and
/// then some bytes are fetched twice.
const REACHING: usize = 8;

/// A file system of one folder, to be read only.
impl Vfs for Ranges {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        let number = self.kept().files.iter().position(|file| path.file_name() == Some(file.name.as_ref()));
        let number = number.ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Part { ranges: self.clone(), number }))
    }
}

/// One of the files.
#[derive(Debug)]
struct Part {
    ranges: Ranges,
    number: usize,
}

impl ReadAt for Part {
    fn size(&self) -> io::Result<u64> {
        Ok(self.ranges.kept().files[self.number].bytes)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.ranges.kept().read(self.number, buffer, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(ranges: &Ranges, gap: u64) -> Vec<(u64, u64)> {
        ranges.take_wanted(gap).into_iter().map(|Wanted { from, to, .. }| (from, to)).collect()
    }

    fn read(ranges: &Ranges, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (to - from) as usize];
        ranges.open(Path::new("file")).unwrap().read_exact_at(&mut bytes, from).map(|()| bytes)
    }

    /// The byte at a place.
    fn byte(at: u64) -> u8 {
        (at * 7 % 251) as u8
    }

    fn bytes(from: u64, to: u64) -> Vec<u8> {
        (from..to).map(byte).collect()
    }

    #[test]
    fn one_pass_finds_all_that_is_lacking_and_near_ranges_are_one() {
        let ranges = Ranges::new([("file".to_owned(), 10_000)], 1 << 20);
        for from in [500, 100, 140, 9000, 100] {
            assert_eq!(read(&ranges, from, from + 20).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        }
        assert_eq!(wanted(&ranges, 0), [(100, 120), (140, 160), (500, 520), (9000, 9020)]);
        assert_eq!(wanted(&ranges, 0), [], "what is taken is not returned twice");
        for from in [500, 100, 140] {
            read(&ranges, from, from + 20).unwrap_err();
        }
        assert_eq!(wanted(&ranges, 20), [(100, 160), (500, 520)]);
    }

    #[test]
    fn what_was_kept_is_read_across_pieces_and_the_rest_is_wanted() {
        let ranges = Ranges::new([("file".to_owned(), 1000)], 1 << 20);
        ranges.keep("file", 100, &bytes(100, 200)).unwrap();
        ranges.keep("file", 150, &bytes(150, 300)).unwrap();
        ranges.keep("file", 300, &bytes(300, 310)).unwrap();
        assert_eq!(read(&ranges, 120, 310).unwrap(), bytes(120, 310));
        read(&ranges, 290, 330).unwrap_err();
        assert_eq!(wanted(&ranges, 0), [(310, 330)]);
        assert_eq!(read(&ranges, 990, 1001).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert!(ranges.keep("file", 990, &[0; 11]).is_err() && ranges.keep("other", 0, &[0]).is_err());
        assert_eq!(ranges.open(Path::new("other")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn it_never_keeps_more_than_its_bytes_but_for_good() {
        let ranges = Ranges::new([("file".to_owned(), 1 << 20)], 10_000);
        ranges.keep_for_good("file", 0, &bytes(0, 3000)).unwrap();
        for at in 0..500 {
            let from = 4000 + at * 1000;
            ranges.keep("file", from, &bytes(from, from + 1000)).unwrap();
            assert_eq!(read(&ranges, from, from + 1000).unwrap(), bytes(from, from + 1000), "the last is there");
            assert_eq!(read(&ranges, 0, 3000).unwrap(), bytes(0, 3000), "what is kept for good is there");
            assert!(ranges.kept().bytes <= 10_000);
        }
        ranges.forget();
        assert_eq!(ranges.kept().bytes, 3000);
        assert!(read(&ranges, 4000 + 499 * 1000, 4000 + 499 * 1000 + 10).is_err());
    }
}
