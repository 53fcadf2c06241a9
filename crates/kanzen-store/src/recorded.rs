//! Files that remember what was read of them: so the pack of a database is made by opening it.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pack::Range;
use super::{Disk, ReadAt, Vfs};

/// The disk, and what was read of its files so far. Files with the same name are one.
#[derive(Clone, Debug, Default)]
pub struct Record(Arc<Mutex<Vec<Range>>>);

impl Record {
    /// All that was read, in the order of files and places; what was read twice is listed once.
    pub fn ranges(&self) -> Vec<Range> {
        let mut ranges = lock(&self.0).clone();
        ranges.sort_by(|one, other| {
            (&one.file, one.from, other.bytes.len()).cmp(&(&other.file, other.from, one.bytes.len()))
        });
        let mut merged: Vec<Range> = Vec::new();
        for mut range in ranges {
            match merged.last_mut() {
                Some(last) if last.file == range.file && range.from <= last.from + last.bytes.len() as u64 => {
                    let known = (last.from + last.bytes.len() as u64 - range.from) as usize;
                    if known < range.bytes.len() {
                        last.bytes.extend(range.bytes.drain(known..));
                    }
                }
                _ => merged.push(range),
            }
        }
        merged
    }
}

// A thread that panicked left it whole: nothing in it is ever half done.
fn lock(read: &Mutex<Vec<Range>>) -> MutexGuard<'_, Vec<Range>> {
    read.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Vfs for Record {
    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Box::new(RecordedFile { source: Disk.open(path)?, file, read: self.0.clone() }))
    }
}

#[derive(Debug)]
struct RecordedFile {
    source: Box<dyn ReadAt>,
    file: String,
    read: Arc<Mutex<Vec<Range>>>,
}

impl ReadAt for RecordedFile {
    fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.source.read_exact_at(buffer, offset)?;
        lock(&self.read).push(Range { file: self.file.clone(), from: offset, bytes: buffer.to_vec() });
        Ok(())
    }
}
