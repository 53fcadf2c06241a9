//! A connection between two timely workers that never returns an error.
//!
//! Timely panics when a stream fails. On failure this stream records the fault and parks its thread; the process ends soon
//! afterwards.

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
    /// Bytes written to all connections.
    pub written: Arc<AtomicU64>,
}

impl Link {
    fn gone(&self, what: io::Result<usize>) -> io::Result<usize> {
        if let (true, Ok(end)) = (self.faults.is_closing(), &what) {
            return Ok(*end);
        }
        let reason = match what {
            Ok(_) => "disconnected".to_owned(),
            Err(error) => format!("disconnected: {error}"),
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
            // A finished peer may close its end before timely has sent its last message.
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
        // The peer may already have shut down.
        self.stream.shutdown(how).ok();
        Ok(())
    }
}
