//! Writes files for the user atomically: they appear complete or not at all.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;

/// The files in work of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all files in work, before the process ends while a thread still writes them.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        fs::remove_file(path).ok();
    }
}

/// A file in work: written beside its name, which it gets when it is finished. Dropped before, it leaves nothing.
pub struct AtomicFile {
    path: PathBuf,
    unfinished: PathBuf,
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Begins a file.
    pub fn create(path: &Path) -> anyhow::Result<AtomicFile> {
        anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".tmp");
        let unfinished = PathBuf::from(unfinished);
        let file = File::create(&unfinished).with_context(|| format!("cannot write {}", path.display()))?;
        self::unfinished().push(unfinished.clone());
        Ok(AtomicFile { path: path.to_owned(), unfinished, file: Some(BufWriter::with_capacity(1 << 20, file)) })
    }

    /// Syncs the file and gives it its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(|error| error.into_error()).with_context(context)?;
            file.sync_all().with_context(context)?;
            fs::rename(&self.unfinished, &self.path).with_context(context)?;
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // Finished, there is nothing of that name.
        fs::remove_file(&self.unfinished).ok();
        unfinished().retain(|path| *path != self.unfinished);
    }
}

/// Writes a whole file.
pub fn write_beside(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_finished_leaves_the_old_one() {
        let folder = std::env::temp_dir().join(format!("kanzen-beside-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("rows.csv");
        write_beside(&path, b"old").unwrap();
        let mut half = AtomicFile::create(&path).unwrap();
        half.write_all(b"ha").unwrap();
        drop(half);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(AtomicFile::create(&folder).is_err());
        assert!(AtomicFile::create(&folder.join("absent/rows.csv")).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
