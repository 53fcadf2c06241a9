//! What only a system with processes has, and a browser has not: flags of open files, positioned reads, file numbers.

#[cfg(unix)]
pub use unix::{identity, open, read_exact_at, times};
#[cfg(not(unix))]
pub use without::{identity, open, read_exact_at, times};

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
    use std::path::Path;

    use rustix::fs::OFlags;

    /// Opens a file to be read. It neither waits for a pipe nor follows a link.
    pub fn open(path: &Path) -> io::Result<File> {
        let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32;
        File::options().read(true).custom_flags(flags).open(path)
    }

    /// Fills the buffer with the bytes from `offset` on.
    pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        FileExt::read_exact_at(file, buffer, offset)
    }

    /// The device of a file and its number there.
    pub fn identity(what: &Metadata) -> (u64, u64) {
        (what.dev(), what.ino())
    }

    /// When a file was written, and when its number or name last changed.
    pub fn times(what: &Metadata) -> [(i64, i64); 2] {
        [(what.mtime(), what.mtime_nsec()), (what.ctime(), what.ctime_nsec())]
    }
}

#[cfg(not(unix))]
mod without {
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;

    pub fn open(_: &Path) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn identity(_: &Metadata) -> (u64, u64) {
        (0, 0)
    }

    pub fn times(_: &Metadata) -> [(i64, i64); 2] {
        [(0, 0); 2]
    }
}
