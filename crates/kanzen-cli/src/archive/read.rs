//! Imports a database from an archive or a folder into the data folder.
//!
//! An archive is untrusted. The first pass reads up to the manifest, which lists the files to take. The second pass takes
//! the files beside that manifest, by plain names and with their exact lengths. Headers are read one by one, as they are:
//! names and sizes from extended headers are ignored or refused.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use kanzen::Error;
use kanzen::catalogue::data::{Import, Imported, MANIFEST, MOST_MANIFEST_BYTES};
use kanzen::progress::Observer;
use tar::Archive;

use super::names::{Named, named};
use crate::settings::Settings;

/// An archive unpacks to no more than so many times its size, and this: planes are compressed already.
const MOST_TIMES: u64 = 64;
const AND_BYTES: u64 = 64 << 20;
/// The most bytes of an extended header.
const MOST_REMARKS: u64 = 64 << 10;

/// Imports the database of an archive or folder into the data folder, after all checks.
pub fn import(from: &Path, settings: &Settings, observer: &dyn Observer) -> Result<Imported, Error> {
    let found = std::fs::metadata(from).map_err(|source| refused(from, source))?;
    let source = if found.is_dir() { Source::Folder(from) } else { Source::Archive(from) };
    let manifest = source.manifest()?;
    let mut importing = Import::begin(&*settings.program.games, &settings.data, from, &manifest.bytes, observer)?;
    source.files(&manifest.folder, &mut importing)?;
    importing.commit(&settings.budget)
}

enum Source<'a> {
    Folder(&'a Path),
    Archive(&'a Path),
}

/// The manifest, and the folder of the archive that it is in.
struct Found {
    folder: String,
    bytes: Vec<u8>,
}

impl Source<'_> {
    fn manifest(&self) -> Result<Found, Error> {
        match self {
            Source::Folder(folder) => {
                let mut file = opened(&folder.join(MANIFEST))?;
                let bytes = at_most(&mut file, MOST_MANIFEST_BYTES).map_err(|source| refused(folder, source))?;
                Ok(Found { folder: String::new(), bytes: bytes.ok_or_else(|| long_manifest(folder))? })
            }
            Source::Archive(path) => {
                let mut found = None;
                each_file(path, |folder, name, file| {
                    if name == MANIFEST {
                        let bytes = at_most(file, MOST_MANIFEST_BYTES).map_err(|source| refused(path, source))?;
                        let bytes = bytes.ok_or_else(|| long_manifest(path))?;
                        found = Some(Found { folder: folder.to_owned(), bytes });
                    }
                    Ok(found.is_none())
                })?;
                found.ok_or_else(|| Error::bad_archive(path, format!("there is no {MANIFEST} in it")))
            }
        }
    }

    fn files(&self, of: &str, importing: &mut Import<'_>) -> Result<(), Error> {
        match self {
            Source::Folder(folder) => {
                importing.files().iter().try_for_each(|name| importing.take(name, &mut opened(&folder.join(name))?))
            }
            Source::Archive(path) => each_file(path, |folder, name, file| {
                if name == MANIFEST && folder != of {
                    return Err(Error::bad_archive(path, "it holds more than one database"));
                }
                // Other files, such as a data card, are ignored.
                if folder == of && importing.has(name) {
                    importing.take(name, file)?;
                }
                Ok(true)
            }),
        }
    }
}

/// Calls back for each file of an archive with its folder, its name and its bytes, until the callback returns `false`.
fn each_file(path: &Path, mut call: impl FnMut(&str, &str, &mut dyn Read) -> Result<bool, Error>) -> Result<(), Error> {
    let wrong = |source: io::Error| refused(path, source);
    let mut archive = Archive::new(unpacked(path)?);
    // Raw: an entry that renames the next one could also be of any length, and would be read into memory whole.
    for entry in archive.entries().map_err(wrong)?.raw(true) {
        let mut entry = entry.map_err(wrong)?;
        match named(entry.header()).map_err(|reason| Error::bad_archive(path, reason))? {
            Named::Nothing => {}
            Named::Remarks => {
                let remarks = at_most(&mut entry, MOST_REMARKS).map_err(wrong)?;
                if remarks.is_none_or(|remarks| is_override(&remarks)) {
                    let reason = "it names or measures files in extended headers: pack it with `--format=gnu`";
                    return Err(Error::bad_archive(path, reason));
                }
            }
            Named::File { folder, name } => {
                if !call(&folder, &name, &mut entry)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Whether an extended header overrides the name, the size or the link target of an entry.
fn is_override(remarks: &[u8]) -> bool {
    let key = |record: &[u8]| {
        let record = record.splitn(2, |byte| *byte == b' ').nth(1).unwrap_or_default();
        record.split(|byte| *byte == b'=').next().unwrap_or_default().to_vec()
    };
    let changes = |key: &[u8]| key == b"path" || key == b"size" || key == b"linkpath" || key.starts_with(b"GNU.sparse");
    remarks.split(|byte| *byte == b'\n').any(|record| changes(&key(record)))
}

/// Opens a file that may be compressed, as its first bytes show.
fn unpacked(path: &Path) -> Result<Box<dyn Read>, Error> {
    let mut file = opened(path)?;
    let wrong = |source: io::Error| refused(path, source);
    let length = file.metadata().map_err(wrong)?.len();
    let mut first = Vec::new();
    (&mut file).take(4).read_to_end(&mut first).map_err(wrong)?;
    file.rewind().map_err(wrong)?;
    let file = BufReader::with_capacity(1 << 20, file);
    let most = length.saturating_mul(MOST_TIMES).saturating_add(AND_BYTES);
    Ok(match first[..] {
        [0x1f, 0x8b, ..] => Box::new(Bounded { from: MultiGzDecoder::new(file), left: most }),
        [0x28, 0xb5, 0x2f, 0xfd] => {
            Box::new(Bounded { from: zstd::Decoder::with_buffer(file).map_err(wrong)?, left: most })
        }
        _ => Box::new(file),
    })
}

/// Bytes up to a limit, beyond which it is an error to read on.
struct Bounded<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(to)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "it unpacks to far more than a database would")
        })?;
        Ok(read)
    }
}

/// All bytes, unless there are more than so many.
fn at_most(from: &mut dyn Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

fn long_manifest(path: &Path) -> Error {
    Error::bad_archive(path, format!("its {MANIFEST} has more than {MOST_MANIFEST_BYTES} bytes"))
}

/// Opens a regular file: a pipe would keep its reader waiting, and a link in an untrusted folder leads elsewhere.
fn opened(path: &Path) -> Result<File, Error> {
    let regular = |what: std::fs::Metadata| what.is_file().then_some(());
    let what = std::fs::symlink_metadata(path).map_err(|source| refused(path, source))?;
    regular(what).ok_or_else(|| Error::NotAFile { path: path.to_owned() })?;
    File::open(path).map_err(|source| refused(path, source))
}

fn refused(path: &Path, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::NotFound => Error::Missing { path: path.to_owned() },
        // Errors of the decompressors and the header parser on bytes that are no archive.
        io::ErrorKind::InvalidData
        | io::ErrorKind::InvalidInput
        | io::ErrorKind::UnexpectedEof
        | io::ErrorKind::Other => Error::bad_archive(path, source.to_string().replace(char::is_control, " ")),
        _ => Error::Io { action: "read", path: PathBuf::from(path), source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_override_name_or_size_are_recognised() {
        for changes in
            ["12 path=x\n", "30 mtime=1.5\n12 size=99999999999\n", "9 linkpath=x\n", "9 GNU.sparse.major=1\n"]
        {
            assert!(is_override(changes.as_bytes()), "{changes}");
        }
        assert!(!is_override(b"30 mtime=1700000000.123456789\n14 uname=path=\n"));
        assert!(!is_override(b""));
    }

    #[test]
    fn what_unpacks_to_too_much_is_an_error() {
        let mut bounded = Bounded { from: io::repeat(0), left: 1000 };
        let mut piece = [0; 400];
        assert_eq!(bounded.read(&mut piece).unwrap(), 400);
        assert_eq!(bounded.read(&mut piece).unwrap(), 400);
        assert_eq!(bounded.read(&mut piece).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
