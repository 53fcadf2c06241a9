//! Parcels between two processes, on a connection of their own.
//!
//! ```text
//!   engine ──writes──> connection ──> a thread that reads ──inbox──> engine
//!
//!   round     length   bytes ...     a parcel
//!   how many  TAKEN                  so many bytes of the one who reads this were taken
//! ```
//!
//! Whoever posts writes to the connection itself: no thread is woken for it. The thread that reads at the other end never
//! waits for anything else, so that nobody who writes waits for ever; what lies about there is bounded by the windows of
//! the senders.

use std::io::{self, BufReader, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kanzen::Error;
use kanzen::mesh::Parcel;

use crate::faults::{Fate, Faults};
use crate::inbox::Inbox;

const HEAD: usize = 12;
/// Instead of a length: bytes that were taken.
const TAKEN: u32 = u32::MAX;
/// Nobody posts a parcel of more bytes: whoever says so is something else.
const LONGEST: u32 = 1 << 30;
/// How long a write may wait before somebody looks whether the other process is still there.
const WRITE: Duration = Duration::from_millis(200);
/// What is read ahead of a head: small parcels come with one call, long ones hardly pass through it.
const AHEAD: usize = 1 << 12;

/// The way to one other process.
pub struct Post {
    stream: Mutex<TcpStream>,
    peer: String,
    faults: Faults,
    /// Bytes that were written to all.
    written: Arc<AtomicU64>,
}

impl Post {
    /// Takes over a connection to process `from`, named `peer`; what comes from there goes to the inbox.
    pub fn new(
        stream: TcpStream,
        from: usize,
        peer: String,
        inbox: Arc<Inbox>,
        faults: &Faults,
        written: &Arc<AtomicU64>,
    ) -> io::Result<Post> {
        stream.set_write_timeout(Some(WRITE))?;
        let (reader, name, seen) = (stream.try_clone()?, peer.clone(), faults.clone());
        let read = move || {
            let why = match listen(reader, from, &inbox) {
                Ok(()) => {
                    return seen.note(Fate::Lost { peer: name, reason: "says what nobody understands".to_owned() });
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => "its connection was closed".to_owned(),
                Err(error) => error.to_string(),
            };
            if !seen.is_closing() {
                seen.note_gone(&name, &format!("is gone: {why}"));
            }
        };
        std::thread::Builder::new().name("mesh:post".into()).spawn(read)?;
        Ok(Post { stream: Mutex::new(stream), peer, faults: faults.clone(), written: written.clone() })
    }

    /// Sends a parcel of a round.
    pub fn send(&self, round: u64, bytes: &[u8]) -> Result<(), Error> {
        let length = u32::try_from(bytes.len()).ok().filter(|&length| length <= LONGEST);
        let length = length.ok_or_else(|| Error::BadRequest("a parcel is too long for the network".to_owned()))?;
        self.write(round, length, bytes)
    }

    /// Tells the other process that so many of its bytes were taken.
    pub fn send_taken(&self, bytes: u64) -> Result<(), Error> {
        self.write(bytes, TAKEN, &[])
    }

    /// Nothing more is sent: the thread that reads at the other end may end.
    pub fn end(&self) {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).shutdown(Shutdown::Write).ok();
    }

    fn write(&self, number: u64, length: u32, bytes: &[u8]) -> Result<(), Error> {
        self.faults.check()?;
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&number.to_le_bytes());
        head[8..].copy_from_slice(&length.to_le_bytes());
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        while done < HEAD + bytes.len() {
            let written = match head.get(done..).filter(|head| !head.is_empty()) {
                Some(head) => stream.write_vectored(&[IoSlice::new(head), IoSlice::new(bytes)]),
                None => stream.write(&bytes[done - HEAD..]),
            };
            match written {
                Ok(0) => self.gone("its connection was closed")?,
                Ok(written) => done += written,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It is slow, or stopped: the watch will tell.
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                    self.faults.check()?;
                }
                // A process that is done with all may be gone before the last word of this one was heard.
                Err(_) if self.faults.is_closing() => return Ok(()),
                Err(error) => self.gone(&error.to_string())?,
            }
        }
        self.written.fetch_add(done as u64, Relaxed);
        Ok(())
    }

    fn gone(&self, why: &str) -> Result<(), Error> {
        let reason = format!("is gone: {why}");
        self.faults.note_gone(&self.peer, &reason);
        self.faults.check()?;
        Err(Error::PeerLost { peer: self.peer.clone(), reason })
    }
}

/// Puts what comes into the inbox until the connection ends, which is an error, or makes no sense.
fn listen(stream: TcpStream, from: usize, inbox: &Inbox) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(AHEAD, stream);
    loop {
        let mut head = [0; HEAD];
        reader.read_exact(&mut head)?;
        let (number, length) = head.split_at(8);
        let number = u64::from_le_bytes(number.try_into().expect("eight bytes"));
        match u32::from_le_bytes(length.try_into().expect("four bytes")) {
            TAKEN => inbox.was_taken(from, number),
            length if length > LONGEST => return Ok(()),
            length => {
                let mut bytes = vec![0; length as usize];
                reader.read_exact(&mut bytes)?;
                inbox.put(number, Parcel { from, bytes });
            }
        }
    }
}
