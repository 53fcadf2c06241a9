//! The manifest of a folder: written after a solve, read when its database is opened.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{ClassEntry, FileEntry, Manifest};
use crate::files::{check_regular, parent, read_whole, write_whole};
use crate::sealed::seal;
use crate::{BlockFile, BlockSummary, WorkFolder, occurs_file, sha256_of};
use crate::{Solution, SolvedClass};
use kanzen_core::vocabulary::Error;

impl FileEntry {
    /// The line of a block file, plane or keys.
    pub fn new(name: impl Into<String>, file: &BlockSummary) -> FileEntry {
        let (bytes, checksum, ends) = (file.bytes, file.checksum, Some(file.ends));
        FileEntry { name: name.into(), bytes, checksum, ends, sha256: None }
    }

    /// The line of a file that an earlier run has finished.
    pub fn of_file(name: impl Into<String>, file: &BlockFile) -> Result<FileEntry, Error> {
        let (bytes, checksum, ends) = (file.bytes(), file.checksum()?, Some(file.ends()));
        Ok(FileEntry { name: name.into(), bytes, checksum, ends, sha256: None })
    }
}

impl Manifest {
    /// What a solve has left in a folder.
    pub fn of(work: &WorkFolder, solution: Solution) -> Result<Manifest, Error> {
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        manifest.settings = solution.settings;
        let entry = |SolvedClass { label, slots, tally }| ClassEntry { label, slots, tally };
        manifest.classes = solution.classes.into_iter().map(entry).collect();
        let with_occurrences = |name: String| {
            let occurs = Some(occurs_file(&name)).filter(|occurs| work.has(occurs));
            [Some(name), occurs].into_iter().flatten()
        };
        let files: Vec<String> = solution.files.into_iter().flat_map(with_occurrences).collect();
        let described = files.into_par_iter().map(|name| {
            let path = work.file(&name);
            let file = BlockFile::open_ends(&path, None, work.fingerprint())?;
            Ok(FileEntry { sha256: Some(sha256_of(&path)?), ..FileEntry::of_file(name, &file)? })
        });
        manifest.files = described.collect::<Result<_, Error>>()?;
        Ok(manifest)
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        self.check_names()?;
        write_whole(&Manifest::path(folder), seal(self).as_bytes())
    }

    /// Reads the one of a folder. A folder without one is not solved.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        let path = Manifest::path(folder);
        let Some(bytes) = read_whole(&path, Manifest::MOST_BYTES)? else {
            let game = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(Error::NotSolved { game, folder: parent(folder).to_owned() });
        };
        Manifest::parse(&path, &bytes)
    }

    /// Whether each file is there with its length; their bytes are checked when they are read.
    pub(crate) fn check_files(&self, folder: &Path) -> Result<(), Error> {
        for file in &self.files {
            let path = folder.join(&file.name);
            match std::fs::symlink_metadata(&path) {
                Ok(found) if found.len() == file.bytes && found.is_file() => {}
                Ok(found) => {
                    check_regular(&path, &found)?;
                    let place = format!("its end: it has {} bytes instead of {}", found.len(), file.bytes);
                    return Err(Error::damaged(&path, place));
                }
                Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => {
                    return Err(Error::Missing { path });
                }
                Err(source) => return Err(Error::io("open", &path)(source)),
            }
        }
        Ok(())
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join(Manifest::FILE)
    }
}
