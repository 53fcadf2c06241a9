//! Positioned reads: all that the store asks of a finished file, wherever its bytes are.

use std::fmt::Debug;
use std::io;

/// Bytes that any number of threads may read at any place: a file, or what is fetched of one piece by piece.
///
/// Required: [`size`](ReadAt::size), without which the end of a block file could not be found, and
/// [`read_exact_at`](ReadAt::read_exact_at).
///
/// ```
/// use kanzen_store::ReadAt;
/// let bytes = b"complete".to_vec();
/// let mut found = [0; 3];
/// bytes.read_exact_at(&mut found, 3)?;
/// assert_eq!((bytes.size()?, &found), (8, b"ple"));
/// assert!(bytes.read_exact_at(&mut found, 6).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadAt: Debug + Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from `offset` on. Where they end before, the error is of the kind
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof).
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

/// A file that is in memory as a whole.
impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let from = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)?.get(..buffer.len()));
        buffer.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}
