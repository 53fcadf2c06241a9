//! The manifest of a folder: written after a solve, read when its database is opened.

use rayon::prelude::*;

use super::{ClassEntry, FileEntry, Manifest};
use crate::sealed::seal;
use crate::vfs::{FileKind, VfsPath};
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
    pub fn write(&self, folder: impl Into<VfsPath>) -> Result<(), Error> {
        self.check_names()?;
        folder.into().join(Manifest::FILE).write(seal(self).as_bytes())
    }

    /// Reads the one of a folder. A folder without one is not solved.
    pub fn read(folder: impl Into<VfsPath>) -> Result<Manifest, Error> {
        let folder = folder.into();
        let path = folder.join(Manifest::FILE);
        let Some(bytes) = path.read(Manifest::MOST_BYTES)? else {
            let game = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(Error::NotSolved { game, folder: folder.parent().to_path_buf() });
        };
        Manifest::parse(&path, &bytes)
    }

    /// Whether each file is there with its length; their bytes are checked when they are read.
    pub(crate) fn check_files(&self, folder: &VfsPath) -> Result<(), Error> {
        for file in &self.files {
            let path = folder.join(&file.name);
            match path.metadata() {
                Ok(found) if found.kind != FileKind::File || found.is_link => {
                    return Err(Error::NotAFile { path: path.to_path_buf() });
                }
                Ok(found) if found.bytes == file.bytes => {}
                Ok(found) => {
                    let place = format!("its end: it has {} bytes instead of {}", found.bytes, file.bytes);
                    return Err(Error::damaged(&path, place));
                }
                Err(absent) if absent.kind() == std::io::ErrorKind::NotFound => {
                    return Err(Error::Missing { path: path.to_path_buf() });
                }
                Err(source) => return Err(Error::io("open", &path)(source)),
            }
        }
        Ok(())
    }
}
