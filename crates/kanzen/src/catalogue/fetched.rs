//! A game whose database is fetched by range requests: a query returns its answer or the bytes it lacks.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Reader, Solved};
use crate::store::{Manifest, Pack, Range, Ranges, VfsPath};
use crate::vocabulary::{Error, ErrorKind};

pub use crate::store::Wanted;

/// Fetched bytes that are kept of a game.
const KEPT: usize = 32 << 20;
/// Ranges that are no further apart are fetched as one: less than what a request costs.
const GAP: u64 = 512;

/// What comes of a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Fetching<T> {
    /// All bytes were there: the answer.
    Answered(T),
    /// Bytes that are lacking: [kept](Fetched::keep), the same question can be asked again.
    Lacking(Vec<Wanted>),
}

/// A database as far as it is there.
pub struct Fetched {
    manifest: Manifest,
    ranges: Ranges,
    /// What is known of the initial position, as JSON, if the pack has it.
    start: Option<String>,
    /// Opened as soon as what that takes is there.
    opened: Option<Solved>,
}

impl Fetched {
    /// The file to begin with, in the folder of a database.
    pub const PACK: &str = Pack::FILE;

    /// Begins with the pack of a game's database.
    pub fn new(rules: &Reader, pack: Vec<u8>) -> Result<Fetched, Error> {
        let folder = folder(rules);
        let Pack { manifest, ranges: known, start } = Pack::parse(&folder.join(Pack::FILE), pack)?;
        manifest.check(&folder, &rules.info().id, manifest.fingerprint)?;
        let ranges = Ranges::new(manifest.files.iter().map(|file| (file.name.clone(), file.bytes)), KEPT);
        for Range { file, from, bytes } in known {
            ranges.keep_for_good(&file, from, &bytes)?;
        }
        Ok(Fetched { manifest, ranges, start, opened: None })
    }

    /// A probe of the initial position, as JSON, where that is known without asking.
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Keeps bytes of a file that were fetched.
    pub fn keep(&self, file: &str, from: u64, bytes: &[u8]) -> Result<(), Error> {
        self.ranges.keep(file, from, bytes)
    }

    /// Asks the database, or returns what it lacks.
    pub fn ask<T>(
        &mut self,
        rules: &Reader,
        ask: impl FnOnce(&Solved) -> Result<T, Error>,
    ) -> Result<Fetching<T>, Error> {
        let Fetched { manifest, ranges, opened, .. } = self;
        // What an earlier question lacked and the caller did not fetch is not wanted any more.
        ranges.take_wanted(GAP);
        let answer = match opened {
            Some(opened) => ask(opened),
            None => match rules.open_files(&VfsPath::new(Arc::new(ranges.clone()), folder(rules)), manifest.clone()) {
                Ok(solved) => ask(opened.insert(solved)),
                Err(error) => Err(error),
            },
        };
        match answer {
            Err(error) if error.is_not_fetched() => Ok(Fetching::Lacking(ranges.take_wanted(GAP))),
            Err(error) if error.kind() == ErrorKind::Damaged => {
                // It may have been damaged on its way: asked again, it is fetched again.
                ranges.forget();
                *opened = None;
                Err(error)
            }
            answer => answer.map(Fetching::Answered),
        }
    }
}

/// What errors call its database.
fn folder(rules: &Reader) -> PathBuf {
    PathBuf::from(&rules.info().id)
}
