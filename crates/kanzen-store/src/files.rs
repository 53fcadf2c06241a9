//! Files that appear whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::disk::{self, NewFile};
use kanzen_core::vocabulary::Error;

/// The name beside `path` under which it is written until it is whole.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}

/// Makes a synced file visible under its name, for good.
pub(super) fn publish(from: &Path, to: &Path) -> Result<(), Error> {
    disk::rename(from, to).map_err(Error::io("rename", from))?;
    sync_folder(parent(to))
}

/// Writes `bytes` as the file `path`: after a kill at any instant there is the old file or the new one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let tmp = unfinished(path);
    let written = NewFile::create(&tmp).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync()
    });
    if let Err(source) = written {
        disk::remove_file(&tmp).ok(); // a full disk gets its bytes back
        return Err(Error::io("write", path)(source));
    }
    publish(&tmp, path)
}

/// The bytes of a file of at most `limit` bytes, or nothing if it is absent.
pub(super) fn read_whole(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Error> {
    let (file, what) = match open_regular(path) {
        Err(Error::Missing { .. }) => return Ok(None),
        opened => opened?,
    };
    let length = what.len();
    if length > limit {
        return Err(Error::damaged(path, format!("its length: {length} bytes, where at most {limit} can be right")));
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // It may have grown since: what comes later is not part of it.
    file.take(length).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
    Ok(Some(bytes))
}

/// Opens a regular file to read, and tells what it is.
///
/// Anything else is refused before it can do harm: a pipe would keep its reader waiting, a device never ends, and a
/// link in a stranger's folder leads to a file that is not theirs.
pub(super) fn open_regular(path: &Path) -> Result<(File, Metadata), Error> {
    let refused = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => Error::Missing { path: path.to_owned() },
        _ => Error::io("open", path)(source),
    };
    check_regular(path, &fs::symlink_metadata(path).map_err(refused)?)?;
    let file = disk::open(path).map_err(refused)?;
    let what = file.metadata().map_err(refused)?;
    check_regular(path, &what)?;
    Ok((file, what))
}

/// Refuses what is not a regular file.
pub(super) fn check_regular(path: &Path, what: &Metadata) -> Result<(), Error> {
    if what.is_file() { Ok(()) } else { Err(Error::NotAFile { path: path.to_owned() }) }
}

/// Makes the names in a folder survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> Result<(), Error> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    disk::sync_folder(folder).map_err(Error::io("sync", folder))
}

/// The folder a file is in.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes a folder, and those above it that are missing; each is there for good.
pub(super) fn make_folders(path: &Path) -> Result<(), Error> {
    fn make(path: &Path) -> io::Result<()> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        make(parent(path))?;
        match disk::make_folder(path) {
            // Somebody else was quicker, or it is a file.
            Err(there) if there.kind() == ErrorKind::AlreadyExists => match path.is_dir() {
                true => Ok(()),
                false => Err(ErrorKind::NotADirectory.into()),
            },
            made => made.and_then(|()| disk::sync_folder(parent(path))),
        }
    }
    make(path).map_err(Error::io("create", path))
}

/// Removes a file or a whole folder; it may be gone already.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    let removed = match fs::symlink_metadata(path) {
        Ok(what) if what.is_dir() => {
            names(path)?.iter().try_for_each(|name| remove(&path.join(name)))?;
            disk::remove_folder(path)
        }
        Ok(_) => disk::remove_file(path),
        Err(absent) => Err(absent),
    };
    match removed {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::io("remove", path)(source)),
        _ => Ok(()),
    }
}

/// The names in a folder, sorted; none if there is no such folder.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match disk::list(folder) {
        Err(absent) if absent.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::io("list", folder))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::io("list", folder))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The bytes of all files in a folder and the folders within; none if it is absent.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a"), [0; 100])?;
/// std::fs::create_dir(folder.path().join("b"))?;
/// std::fs::write(folder.path().join("b/c"), [0; 23])?;
/// assert_eq!(kanzen_store::folder_bytes(folder.path())?, 123);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn folder_bytes(folder: &Path) -> Result<u64, Error> {
    let mut bytes = 0;
    for name in names(folder)? {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Ok(what) if what.is_dir() => bytes += folder_bytes(&path)?,
            Ok(what) => bytes += what.len(),
            Err(gone) if gone.kind() == ErrorKind::NotFound => {} // a solve at work removes files
            Err(source) => return Err(Error::io("measure", &path)(source)),
        }
    }
    Ok(bytes)
}
