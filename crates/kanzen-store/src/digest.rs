//! The SHA-256 of a file, for those who publish a database and those who fetch it.
//!
//! The checksums of blocks find damage, at the speed of memory. They do not tell a file from one that was made to have
//! the same ones; a cryptographic digest does, and `sha256sum` computes this one anywhere.

use sha2::{Digest, Sha256};

use super::vfs::VfsPath;
use kanzen_core::vocabulary::Error;

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A digest in the making.
#[derive(Default)]
pub(super) struct FileDigest(Sha256);

impl FileDigest {
    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes so far, as sixty-four hexadecimal digits.
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The SHA-256 of a file.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("abc");
/// std::fs::write(&path, "abc")?;
/// let digest = kanzen_store::sha256_of(&path)?;
/// assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"); // FIPS 180-4, example 1
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sha256_of(path: impl Into<VfsPath>) -> Result<String, Error> {
    let path = path.into();
    let file = path.open()?;
    let mut digest = FileDigest::default();
    let hash = file.size().and_then(|length| {
        let mut piece = vec![0; PIECE.min(length as usize)];
        for from in (0..length).step_by(PIECE) {
            let piece = &mut piece[..PIECE.min((length - from) as usize)];
            file.read_exact_at(piece, from)?;
            digest.update(piece);
        }
        Ok(())
    });
    hash.map_err(Error::io("read", &path))?;
    Ok(digest.finish())
}
