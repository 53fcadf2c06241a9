//! A database as files for others to read by ranges: linked or cut, with the pack that they begin with.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use super::Entry;
use super::packed::write_pack;
use crate::store::{Manifest, Pack};
use crate::vocabulary::Error;

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Published {
    /// Files that were cut into parts, with their lengths.
    pub cut: Vec<(String, u64)>,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Writes the database of a game into another folder: its files as they are, hard links where the disk allows that, and
/// those of more than `split` bytes cut into parts, `NAME.000` and so on; and beside them the [pack](super::Fetched).
pub fn publish(entry: &dyn Entry, data: &Path, to: &Path, split: Option<u64>) -> Result<Published, Error> {
    let from = data.join(&entry.info().id);
    let manifest = Manifest::read(&from)?;
    fs::create_dir_all(to).map_err(Error::io("create", to))?;
    let mut published = Published::default();
    let linked = |name: &str| link(&from.join(name), &to.join(name)).map_err(Error::io("write", &to.join(name)));
    linked(Manifest::FILE)?;
    for file in &manifest.files {
        published.bytes += file.bytes;
        match split.filter(|split| file.bytes > *split) {
            Some(split) => {
                let path = to.join(&file.name);
                cut_up(&from.join(&file.name), &path, split).map_err(Error::io("write the parts of", &path))?;
                published.cut.push((file.name.clone(), file.bytes));
            }
            None => linked(&file.name)?,
        }
    }
    published.bytes += write_pack(entry, data, &to.join(Pack::FILE))?;
    Ok(published)
}

/// The same file under another name, or a copy where the disk has no such thing.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ()))
}

/// A file as `NAME.000`, `NAME.001`, ... of so many bytes each.
fn cut_up(from: &Path, to: &Path, split: u64) -> io::Result<()> {
    let mut file = File::open(from)?;
    let mut left = file.metadata()?.len();
    let mut number = 0;
    while left > 0 {
        let mut name = to.as_os_str().to_owned();
        name.push(format!(".{number:03}"));
        let mut part = File::create(Path::new(&name))?;
        let copied = io::copy(&mut (&mut file).take(split), &mut part)?;
        part.flush()?;
        left = if copied == 0 { 0 } else { left - copied };
        number += 1;
    }
    Ok(())
}
