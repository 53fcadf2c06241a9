//! A connection between two workers of timely, as it wants it.
//!
//! Timely panics when a stream fails. This one does not fail: it notes what happened, and its thread sleeps until the
//! process ends, which is soon.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::faults::Faults;

/// A connection to another process.
pub struct Link {
    pub stream: TcpStream,
    pub peer: String,
    pub faults: Faults,
    /// Bytes that were written to all links.
    pub written: Arc<AtomicU64>,
}

impl Link {
    fn gone(&self, what: io::Result<usize>) -> io::Result<usize> {
        if let (true, Ok(end)) = (self.faults.is_closing(), &what) {
            return Ok(*end);
        }
        let reason = match what {
            Ok(_) => "is gone: its connection was closed".to_owned(),
            Err(error) => format!("is gone: {error}"),
        };
        self.faults.note_gone(&self.peer, &reason);
        loop {
            std::thread::park();
        }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.read(buffer),
            Ok(0) => self.gone(Ok(0)),
            Err(error) => self.gone(Err(error)),
            read => read,
        }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.write(bytes),
            // A process that is done with all may close before timely has said its last here.
            Err(_) if self.faults.is_closing() => Ok(bytes.len()),
            Err(error) => self.gone(Err(error)),
            Ok(written) => {
                self.written.fetch_add(written as u64, Relaxed);
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        let stream = self.stream.try_clone()?;
        Ok(Link { stream, peer: self.peer.clone(), faults: self.faults.clone(), written: self.written.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Whoever is gone already has shut down too.
        self.stream.shutdown(how).ok();
        Ok(())
    }
}
