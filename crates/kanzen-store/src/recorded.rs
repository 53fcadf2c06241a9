//! Files that remember what was read of them: so the pack of a database is made by opening it.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pack::Range;
use super::{Files, ReadAt};
use kanzen_core::vocabulary::Error;

/// The files of a database, and what was read of them so far.
#[derive(Debug)]
pub struct RecordedFiles {
    files: Box<dyn Files>,
    read: Arc<Mutex<Vec<Range>>>,
}

impl RecordedFiles {
    /// These files, of which nothing is read yet.
    pub fn new(files: Box<dyn Files>) -> RecordedFiles {
        RecordedFiles { files, read: Arc::default() }
    }

    /// What is read of these files from now on, however long they are kept by others.
    pub fn record(&self) -> Record {
        Record(self.read.clone())
    }
}

/// What was read of some files.
#[derive(Clone, Debug)]
pub struct Record(Arc<Mutex<Vec<Range>>>);

impl Record {
    /// All that was read, in the order of files and places; what was read twice is told once.
    pub fn ranges(&self) -> Vec<Range> {
        let mut ranges = lock(&self.0).clone();
        ranges.sort_by(|one, other| {
            (&one.file, one.from, other.bytes.len()).cmp(&(&other.file, other.from, one.bytes.len()))
        });
        let mut told: Vec<Range> = Vec::new();
        for mut range in ranges {
            match told.last_mut() {
                Some(last) if last.file == range.file && range.from <= last.from + last.bytes.len() as u64 => {
                    let known = (last.from + last.bytes.len() as u64 - range.from) as usize;
                    if known < range.bytes.len() {
                        last.bytes.extend(range.bytes.drain(known..));
                    }
                }
                _ => told.push(range),
            }
        }
        told
    }
}

// A thread that panicked left it whole: nothing in it is ever half done.
fn lock(read: &Mutex<Vec<Range>>) -> MutexGuard<'_, Vec<Range>> {
    read.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files for RecordedFiles {
    fn open(&self, name: &str) -> Result<Box<dyn ReadAt>, Error> {
        let (source, file, read) = (self.files.open(name)?, name.to_owned(), self.read.clone());
        Ok(Box::new(RecordedFile { source, file, read }))
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
