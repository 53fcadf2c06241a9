//! What a data folder holds: databases and unfinished solves, their size and age, and whether their bytes are sound.

use std::time::SystemTime;

use super::check_file::check_file;
use super::folder::{LOCK, PART, STATE, check_game, lock_of, state_of};
use super::vfs::VfsPath;
use super::{FileEntry, Manifest};
use kanzen_core::vocabulary::Error;

/// A folder of the data folder that is a database or becomes one.
#[derive(Clone, Debug)]
pub struct Holding {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// Where it is.
    pub folder: VfsPath,
    /// Whether it is a finished database; else a solve that is at work or was stopped.
    pub finished: bool,
    /// The size of all its files.
    pub bytes: u64,
    /// When a file of it was last written.
    pub modified: Option<SystemTime>,
}

/// What is wrong in a database, and how much was read to find it.
#[derive(Debug, Default)]
pub struct HoldingCheck {
    /// Files that were read.
    pub files: u64,
    /// Those of them whose SHA-256 is known and was compared.
    pub with_sha256: u64,
    /// What is wrong, of each damaged file the first place.
    pub wrong: Vec<Error>,
}

/// The databases and unfinished solves of a data folder, by name. Other folders are ignored.
///
/// ```
/// use kanzen_store::{WorkFolder, holdings};
/// let data = tempfile::tempdir()?;
/// drop(WorkFolder::open_or_create(data.path(), "stones", 7)?);
/// std::fs::create_dir(data.path().join("photographs"))?;
///
/// let held = holdings(data.path())?;
/// assert_eq!((held.len(), held[0].game.as_str(), held[0].finished), (1, "stones", false));
/// held[0].remove()?;
/// assert!(holdings(data.path())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn holdings(data: impl Into<VfsPath>) -> Result<Vec<Holding>, Error> {
    let data = data.into();
    let mut held = Vec::new();
    for name in data.list()? {
        let (game, finished) = name.strip_suffix(PART).map_or((name.as_str(), true), |game| (game, false));
        if check_game(game).is_ok() {
            held.extend(holding(&data, game, finished)?.filter(Holding::is_marked));
        }
    }
    Ok(held)
}

/// The folder of a game's database, or that of its unfinished solve, whatever is in it.
pub fn holding(data: impl Into<VfsPath>, game: &str, finished: bool) -> Result<Option<Holding>, Error> {
    check_game(game)?;
    let folder = data.into().join(if finished { game.to_owned() } else { format!("{game}{PART}") });
    if !folder.is_dir() {
        return Ok(None);
    }
    let written = |file: &String| folder.join(file).metadata().ok()?.modified;
    let modified = folder.list()?.iter().filter_map(written).max();
    let bytes = folder.folder_bytes()?;
    Ok(Some(Holding { game: game.to_owned(), folder, finished, bytes, modified }))
}

impl Holding {
    /// Whether it is marked as a database or a solve.
    pub fn is_marked(&self) -> bool {
        self.folder.join(if self.finished { Manifest::FILE } else { STATE }).is_file()
    }

    /// The manifest of a finished database.
    pub fn manifest(&self) -> Result<Manifest, Error> {
        Manifest::read(&self.folder)
    }

    /// Whether a solve is at work in it.
    pub fn is_busy(&self) -> bool {
        !self.finished && matches!(lock_of(&self.folder), Err(Error::Busy { .. }))
    }

    /// The names of its files, without those that only say whose it is.
    pub fn files(&self) -> Result<Vec<String>, Error> {
        let mut files = self.folder.list()?;
        files.retain(|name| ![LOCK, STATE, Manifest::FILE].contains(&name.as_str()) && !name.ends_with(".tmp"));
        Ok(files)
    }

    /// Reads every byte of it and compares all checksums there are: those of blocks and indices, the SHA-256 of files,
    /// and that of the manifest itself. `done` hears of each file that was read, with its length.
    pub fn check(&self, done: &mut dyn FnMut(u64)) -> HoldingCheck {
        let mut check = HoldingCheck::default();
        let listed = match self.listed() {
            Ok(listed) => listed,
            Err(error) => {
                check.wrong.push(error);
                return check;
            }
        };
        let (fingerprint, files) = listed;
        for (name, entry) in files {
            let path = self.folder.join(&name);
            check.files += 1;
            check.with_sha256 += u64::from(entry.as_ref().is_some_and(|entry| entry.sha256.is_some()));
            check.wrong.extend(check_file(&path, fingerprint, entry.as_ref()).err());
            done(path.metadata().map_or(0, |file| file.bytes));
        }
        check
    }

    /// The fingerprint of its rules, and its files with their manifest entries, if there are any.
    #[expect(clippy::type_complexity, reason = "a pair for one caller")]
    fn listed(&self) -> Result<(u64, Vec<(String, Option<FileEntry>)>), Error> {
        if !self.finished {
            let files = self.files()?.into_iter().map(|name| (name, None)).collect();
            return Ok((state_of(&self.folder)?, files));
        }
        let manifest = self.manifest()?;
        let files = manifest.files.into_iter().map(|entry| (entry.name.clone(), Some(entry))).collect();
        Ok((manifest.fingerprint, files))
    }

    /// Removes it. A solve that is at work is refused.
    pub fn remove(&self) -> Result<(), Error> {
        let folder = &self.folder;
        let _lock = if self.finished { None } else { Some(lock_of(folder)?) };
        // Killed on the way, it must be known for what it is: of a database the manifest goes first, and what is left
        // is none; of a solve its state goes last, and what is left is a solve that has lost some of its work.
        if self.finished {
            folder.join(Manifest::FILE).remove()?;
            folder.sync_folder()?;
        }
        for name in folder.list()?.iter().filter(|name| *name != STATE && *name != LOCK) {
            folder.join(name).remove()?;
        }
        folder.remove()?;
        folder.parent().sync_folder()
    }
}
