//! The manifest: what a database is, what is in it, and what each of its files must be.

mod folder;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::FORMAT;
use super::checks::{check_name, check_rules};
use super::sealed::{clipped, hex, unseal};
use kanzen_core::vocabulary::{Census, Error, Tally};

/// What a database is. Nothing in it depends on the machine or the hour: two solves write the same bytes.
///
/// ```
/// use kanzen_store::Manifest;
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
    /// The name of the game, such as `nocca-4x4`.
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
    /// What distinguishes it from the others, such as `{"white": 5, "black": 4}`.
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
    /// The length of the file.
    pub bytes: u64,
    /// Its checksum, as the writer of block files returns it.
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

impl Manifest {
    /// The name of its file.
    pub const FILE: &str = "manifest.json";

    /// It has at most so many bytes. The longest that was ever written has a quarter.
    pub const MOST_BYTES: u64 = 4 << 20;

    /// A manifest without classes or files.
    pub fn new(game: impl Into<String>, fingerprint: u64) -> Manifest {
        let (settings, classes, files) = (Map::new(), Vec::new(), Vec::new());
        Manifest { format: FORMAT, game: game.into(), fingerprint, settings, classes, files }
    }

    /// The manifest that these bytes are; `path` is what errors call it.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest, Error> {
        let manifest: Manifest = unseal(path, bytes)?;
        manifest.check_whole().map_err(|place| Error::damaged(path, place))?;
        Ok(manifest)
    }

    /// The size of all files that it lists.
    pub fn bytes(&self) -> u64 {
        // Of one that was read the sum is known to fit.
        self.files.iter().map(|file| file.bytes).fold(0, u64::saturating_add)
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

    fn check_names(&self) -> Result<(), Error> {
        self.files.iter().try_for_each(|file| check_name(&file.name))
    }

    /// Whether it can be the manifest of any database, by any author: its files have names, each its own, and what
    /// it counts can be counted together. The error names the place.
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
}
