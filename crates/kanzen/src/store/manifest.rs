//! The manifest: what a database is, what is in it, and what each of its files must be.

use crate::store::checks::check_rules;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::files::{check_name, check_regular, parent, read_whole, write_whole};
use super::sealed::{clipped, hex, seal, unseal};
use super::{BlockFile, BlockSummary, FORMAT, WorkFolder, occurs_file, sha256_of};
use crate::solve::{Solution, SolvedClass};
use crate::vocabulary::Error;
use crate::vocabulary::{Census, Tally};

/// What a database is. Nothing in it depends on the machine or the hour: two solves write the same bytes.
///
/// ```
/// use kanzen::store::Manifest;
/// let folder = tempfile::tempdir()?;
/// let mut manifest = Manifest::new("stones", 7);
/// manifest.settings.insert("pile".into(), 21.into());
/// manifest.write(folder.path())?;
/// assert_eq!(Manifest::read(folder.path())?, manifest);
/// assert!(manifest.check(folder.path(), "stones", 8).is_err()); // the rules have changed since
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the store's format.
    pub format: u32,
    /// The game.
    pub game: String,
    /// The fingerprint of its rules.
    #[serde(with = "hex")]
    pub fingerprint: u64,
    /// What the engine that wrote it wants to find again.
    pub settings: Map<String, Json>,
    /// The classes, in the order of their numbers.
    pub classes: Vec<ClassEntry>,
    /// The files, besides this one.
    pub files: Vec<FileEntry>,
}

/// A class of positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassEntry {
    /// What tells it from the others, such as `{"white": 5, "black": 4}`.
    pub label: Map<String, Json>,
    /// How many slots it has.
    pub slots: u64,
    /// How many positions have which value.
    pub tally: Tally,
}

/// A file of the database.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its checksum, as [`BlockSummary`] has it.
    #[serde(with = "hex")]
    pub checksum: u64,
    /// The checksum of its header and footer: enough to know the file by, without reading its index. Databases of earlier
    /// versions do not say it.
    #[serde(with = "hex::option", default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<u64>,
    /// The SHA-256 of its bytes, in hexadecimal; databases of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

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

/// A manifest has at most so many bytes. The longest that was ever written has a quarter.
const MOST_BYTES: u64 = 4 << 20;

impl Manifest {
    /// The name of its file.
    pub const FILE: &str = "manifest.json";

    /// A manifest without classes or files.
    pub fn new(game: impl Into<String>, fingerprint: u64) -> Manifest {
        let (settings, classes, files) = (Map::new(), Vec::new(), Vec::new());
        Manifest { format: FORMAT, game: game.into(), fingerprint, settings, classes, files }
    }

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
        let Some(bytes) = read_whole(&path, MOST_BYTES)? else {
            let game = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(Error::NotSolved { game, folder: parent(folder).to_owned() });
        };
        let manifest: Manifest = unseal(&path, &bytes)?;
        manifest.check_whole().map_err(|place| Error::damaged(&path, place))?;
        Ok(manifest)
    }

    /// Refuses a manifest of another game or of other rules; `folder` is where it was found.
    pub fn check(&self, folder: &Path, game: &str, fingerprint: u64) -> Result<(), Error> {
        if self.game != game {
            let (found, expected) = (clipped(&self.game), game.to_owned());
            return Err(Error::OtherRules { path: folder.to_owned(), found, expected });
        }
        check_rules(folder, self.fingerprint, fingerprint)
    }

    /// The line of a file.
    pub fn file(&self, name: &str) -> Option<&FileEntry> {
        self.files.iter().find(|file| file.name == name)
    }

    /// The census of all classes.
    pub fn census(&self) -> Census {
        Census { classes: self.classes.iter().map(|class| (class.label.clone(), class.tally.clone())).collect() }
    }

    /// Whether each file is there with its length; their bytes are checked when they are read.
    pub(super) fn check_files(&self, folder: &Path) -> Result<(), Error> {
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

    fn check_names(&self) -> Result<(), Error> {
        self.files.iter().try_for_each(|file| check_name(&file.name))
    }

    /// Whether it can be the manifest of any database, whoever wrote it: its files have names, each its own, and what
    /// it counts can be counted together. Says where it is wrong if not.
    fn check_whole(&self) -> Result<(), &'static str> {
        let mut names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        names.sort_unstable();
        let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || names.contains(&Manifest::FILE) || self.check_names().is_err() {
            return Err("its list of files");
        }
        let add = |sum: Option<u64>, more: u64| sum?.checked_add(more);
        if self.files.iter().map(|file| file.bytes).fold(Some(0), add).is_none() {
            return Err("the lengths of its files");
        }
        let slots = self.classes.iter().map(|class| class.slots).fold(Some(0), add);
        let positions = self.classes.iter().map(|class| class.tally.positions()).fold(Some(0), add);
        if slots.is_none() || positions.is_none() {
            return Err("its counts");
        }
        Ok(())
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join(Manifest::FILE)
    }
}
