//! Writes a database into an archive: no owner, no time, a fixed order, so that the bytes are reproducible.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use flate2::{Compression, GzBuilder};
use tar::{EntryType, Header};

use crate::files::AtomicFile;

/// How an archive is compressed, by the ending of its name. Planes are compressed already: it does not gain much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Not at all.
    Plain,
    /// With gzip.
    Gzip,
    /// With zstd.
    Zstd,
}

impl Format {
    /// Returns the format that the ending of a name selects.
    pub fn of(path: &Path) -> anyhow::Result<Format> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match name {
            name if name.ends_with(".tar") => Ok(Format::Plain),
            name if name.ends_with(".tar.gz") || name.ends_with(".tgz") => Ok(Format::Gzip),
            name if name.ends_with(".tar.zst") => Ok(Format::Zstd),
            _ => anyhow::bail!("{}: the ending selects the format, .tar, .tar.gz or .tar.zst", path.display()),
        }
    }
}

/// An archive in the making; it gets its name when it is finished.
pub struct Packer {
    body: Body,
    folder: String,
}

enum Body {
    Plain(AtomicFile),
    Gzip(flate2::write::GzEncoder<AtomicFile>),
    Zstd(zstd::Encoder<'static, AtomicFile>),
}

impl Write for Body {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Body::Plain(file) => file.write(bytes),
            Body::Gzip(file) => file.write(bytes),
            Body::Zstd(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Body::Plain(file) => file.flush(),
            Body::Gzip(file) => file.flush(),
            Body::Zstd(file) => file.flush(),
        }
    }
}

impl Packer {
    /// Begins an archive of one folder.
    pub fn new(path: &Path, format: Format, folder: &str) -> anyhow::Result<Packer> {
        let file = AtomicFile::create(path)?;
        let body = match format {
            Format::Plain => Body::Plain(file),
            Format::Gzip => Body::Gzip(GzBuilder::new().mtime(0).write(file, Compression::default())),
            Format::Zstd => Body::Zstd(zstd::Encoder::new(file, 3)?),
        };
        Ok(Packer { body, folder: folder.to_owned() })
    }

    /// Adds a file of so many bytes.
    pub fn add(&mut self, name: &str, bytes: u64, mut from: impl Read) -> anyhow::Result<()> {
        let header = header(&format!("{}/{name}", self.folder), bytes)?;
        self.body.write_all(header.as_bytes())?;
        let copied = std::io::copy(&mut (&mut from).take(bytes), &mut self.body)?;
        anyhow::ensure!(copied == bytes, "{name} has {copied} bytes instead of {bytes}");
        let padding = (512 - bytes % 512) % 512;
        self.body.write_all(&[0; 512][..padding as usize])?;
        Ok(())
    }

    /// Ends the archive and gives it its name.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.body.write_all(&[0; 1024])?;
        match self.body {
            Body::Plain(file) => file.finish(),
            Body::Gzip(file) => file.finish()?.finish(),
            Body::Zstd(file) => file.finish()?.finish(),
        }
    }
}

fn header(path: &str, bytes: u64) -> anyhow::Result<Header> {
    let mut header = Header::new_gnu();
    header.set_path(path).with_context(|| format!("{path} is too long for an archive"))?;
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    header.set_size(bytes);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header.set_cksum();
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_selects_the_format() {
        let format = |name: &str| Format::of(Path::new(name)).ok();
        assert_eq!(format("a/stones.tar"), Some(Format::Plain));
        assert_eq!(format("stones.tar.gz"), Some(Format::Gzip));
        assert_eq!(format("stones.tgz"), Some(Format::Gzip));
        assert_eq!(format("stones.tar.zst"), Some(Format::Zstd));
        assert_eq!(format("stones.zip"), None);
        assert_eq!(format("tar"), None);
    }

    #[test]
    fn files_of_more_than_eight_gigabytes_have_headers() {
        let large = header("nocca-6x5/wins.plane", 20 << 30).unwrap();
        assert_eq!(large.entry_size().unwrap(), 20 << 30);
        assert!(header(&"x".repeat(150), 1).is_err());
    }
}
