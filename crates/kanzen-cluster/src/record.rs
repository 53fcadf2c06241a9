//! Sealed records: what travels on a connection after the handshake.
//!
//! ```text
//!   length  !length   ciphertext ... tag       at most 2^15 bytes of plaintext
//! ```
//!
//! The keys are those of the connection, one for each direction. A record is numbered by its place in the stream, so that
//! a changed, lost, repeated or reordered one does not open. The complement of the length makes a flipped bit in the
//! length an error at once, where the receiver would else wait for bytes that no process sends.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use snow::StatelessTransportState as Keys;

/// Maximum plaintext of a record: it stays in the cache between copying and encryption.
pub const MAX_PLAIN: usize = 1 << 15;
const HEAD: usize = 4;
const TAG: usize = 16;
/// Maximum size of a record.
pub const MAX_RECORD: usize = HEAD + MAX_PLAIN + TAG;
/// Size of the read buffer: at least a record. A long parcel takes few system calls.
const AHEAD: usize = 2 * MAX_RECORD;

/// The sending direction of a connection.
pub struct Sealer {
    keys: Arc<Keys>,
    sent: u64,
}

/// The receiving direction of a connection.
#[derive(Clone)]
pub struct Opener {
    keys: Arc<Keys>,
    received: u64,
}

/// Returns both directions of a connection whose handshake is done.
pub fn directions(keys: Keys) -> (Sealer, Opener) {
    let keys = Arc::new(keys);
    (Sealer { keys: keys.clone(), sent: 0 }, Opener { keys, received: 0 })
}

impl Sealer {
    /// Writes the record of a plaintext to `to`, which has room for it, and returns its length.
    pub fn seal(&mut self, plain: &[u8], to: &mut [u8]) -> io::Result<usize> {
        let (head, body) = to.split_at_mut(HEAD);
        let sealed = self.keys.write_message(self.sent, plain, body).map_err(io::Error::other)?;
        self.sent += 1;
        let length = sealed as u16;
        head[..2].copy_from_slice(&length.to_le_bytes());
        head[2..].copy_from_slice(&(!length).to_le_bytes());
        Ok(HEAD + sealed)
    }
}

impl Opener {
    /// Returns the length of the ciphertext that follows a head.
    pub fn length(head: [u8; HEAD]) -> io::Result<usize> {
        let [length, complement] = [[head[0], head[1]], [head[2], head[3]]].map(u16::from_le_bytes);
        if complement != !length || !(TAG..=TAG + MAX_PLAIN).contains(&usize::from(length)) {
            return Err(malformed());
        }
        Ok(usize::from(length))
    }

    /// Appends the plaintext of a record to `plain`.
    pub fn open(&mut self, sealed: &[u8], plain: &mut Vec<u8>) -> io::Result<()> {
        let start = plain.len();
        plain.resize(start + sealed.len(), 0);
        let opened = self.keys.read_message(self.received, sealed, &mut plain[start..]).map_err(|_| malformed())?;
        plain.truncate(start + opened);
        self.received += 1;
        Ok(())
    }
}

/// The error of a record that is not what the peer has sent.
pub fn malformed() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "malformed frame")
}

/// Reads records from a connection.
pub struct Records<R> {
    stream: R,
    opener: Opener,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// When the last record was complete.
    heard: Instant,
    silence: Duration,
}

impl<R: Read> Records<R> {
    /// Reads from a connection. A record must be complete within `silence` after the one before.
    pub fn new(stream: R, opener: Opener, silence: Duration) -> Records<R> {
        Records { stream, opener, buffer: vec![0; AHEAD], start: 0, end: 0, heard: Instant::now(), silence }
    }

    /// Appends the plaintext of the next record to `plain`. The kind of an error is `TimedOut` after silence,
    /// `InvalidData` for a malformed record and `UnexpectedEof` when the connection ends.
    pub fn next(&mut self, plain: &mut Vec<u8>) -> io::Result<()> {
        self.fill(HEAD)?;
        let head = self.buffer[self.start..self.start + HEAD].try_into().expect("four bytes");
        let length = Opener::length(head)?;
        self.fill(HEAD + length)?;
        self.opener.open(&self.buffer[self.start + HEAD..self.start + HEAD + length], plain)?;
        self.start += HEAD + length;
        self.heard = Instant::now();
        Ok(())
    }

    /// Reads until `many` bytes are in the buffer.
    fn fill(&mut self, many: usize) -> io::Result<()> {
        while self.end - self.start < many {
            if self.buffer.len() - self.start < many || self.start == self.end {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            }
            match self.stream.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(ErrorKind::TimedOut.into()),
                Err(error) => return Err(error),
            }
            // Bytes that never complete a record are silence too.
            if self.end - self.start < many && self.heard.elapsed() > self.silence {
                return Err(ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }
}
