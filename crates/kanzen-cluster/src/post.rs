//! The connection to another process: frames in sealed records.
//!
//! ```text
//!   engine ──write──> connection ──> reader thread ──inbox──> engine
//!
//!   PARCEL   round   length   bytes ...    a parcel
//!   ACK      bytes   0                     acknowledges bytes of the reader's parcels
//!   CLOSE    round   8        parcels      the round has ended for the sender, who has posted so many parcels in all
//!   BEAT     0       32       pulse        alive, with statistics
//!   FAILED   0       length   text         about to exit with this error
//!   STOPPED  0       0                     interrupted
//! ```
//!
//! A frame fills one record or, if it is long, one for its head and some for its bytes. The sender writes to the
//! connection itself, without waking a thread. The reader thread never blocks on anything but the connection, so a sender
//! cannot deadlock. The send windows bound the size of the inbox.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kanzen::Error;
use kanzen_core::mesh::Parcel;

use crate::faults::{Fate, Faults};
use crate::handshake::Connection;
use crate::heartbeat::{PULSE, Pulse, Pulses, SILENCE};
use crate::inbox::Inbox;
use crate::record::{MAX_PLAIN, MAX_RECORD, Records, Sealer, malformed};

const PARCEL: u8 = 0;
const ACK: u8 = 1;
const CLOSE: u8 = 2;
const BEAT: u8 = 3;
const FAILED: u8 = 4;
const STOPPED: u8 = 5;

/// Kind, number and length.
const HEAD: usize = 13;
/// Maximum length of a frame. A longer one is malformed.
const MAX_LENGTH: u32 = 1 << 30;
/// A frame of at most this length is one record.
const SHORT: usize = 1 << 12;
/// Maximum length of an error message; longer ones are cut.
const MAX_MESSAGE: usize = 2000;
/// Write timeout, after which the sender checks for faults.
const WRITE_TIMEOUT: Duration = Duration::from_millis(200);

/// The connection to one other process.
pub struct Post {
    writer: Mutex<Writer>,
    stream: TcpStream,
    peer: String,
    faults: Faults,
    /// Bytes written to all connections.
    written: Arc<AtomicU64>,
}

struct Writer {
    sealer: Sealer,
    /// Records of the current frame.
    out: Vec<u8>,
    /// A frame was cut off: nothing that follows can be read.
    broken: bool,
}

impl Writer {
    /// Seals a frame and writes its records.
    fn frame(
        &mut self,
        kind: u8,
        number: u64,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let length = u32::try_from(bytes.len()).ok().filter(|&length| length <= MAX_LENGTH);
        let length = length.ok_or_else(|| Error::BadRequest("a parcel exceeds the maximum length".to_owned()))?;
        let mut head = [0; HEAD + SHORT];
        head[0] = kind;
        head[1..9].copy_from_slice(&number.to_le_bytes());
        head[9..HEAD].copy_from_slice(&length.to_le_bytes());
        let (first, rest) = if bytes.len() <= SHORT { (bytes, &[][..]) } else { (&[][..], bytes) };
        head[HEAD..HEAD + first.len()].copy_from_slice(first);
        let failed = |error: io::Error| Error::BadRequest(format!("cannot encrypt a frame: {error}"));
        let Writer { sealer, out, broken } = self;
        *broken = true;
        let mut end = sealer.seal(&head[..HEAD + first.len()], out).map_err(failed)?;
        for some in rest.chunks(MAX_PLAIN) {
            if out.len() - end < MAX_RECORD {
                write(&out[..end])?;
                end = 0;
            }
            end += sealer.seal(some, &mut out[end..]).map_err(failed)?;
        }
        write(&out[..end])?;
        *broken = false;
        Ok(())
    }
}

/// The threads and records that the connections of a process share.
#[derive(Clone)]
pub struct Shared {
    pub inbox: Arc<Inbox>,
    pub pulses: Arc<Pulses>,
    pub faults: Faults,
    /// Bytes written to all connections.
    pub written: Arc<AtomicU64>,
    /// Closed when all reader threads have ended.
    pub reading: Sender<()>,
}

impl Post {
    /// Takes over the connection to process `from`, named `peer`, and starts a thread that reads it.
    pub fn new(connection: Connection, from: usize, peer: String, shared: &Shared) -> io::Result<Post> {
        let Connection { stream, sealer, opener } = connection;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        stream.set_read_timeout(Some(SILENCE))?;
        let records = Records::new(stream.try_clone()?, opener, SILENCE);
        let (name, known) = (peer.clone(), shared.clone());
        std::thread::Builder::new().name("mesh:post".into()).spawn(move || {
            let faults = &known.faults;
            match listen(records, from, &known) {
                Ok(Fate::Lost { reason, .. }) => faults.note(Fate::Lost { peer: name, reason }),
                Ok(stopped) => faults.note(stopped),
                Err(_) if faults.is_closing() => {}
                Err(error) => match error.kind() {
                    ErrorKind::TimedOut => {
                        let reason = format!("sent no heartbeat for {} seconds", SILENCE.as_secs());
                        faults.note(Fate::Lost { peer: name, reason });
                    }
                    ErrorKind::InvalidData => {
                        let reason = "sent a malformed frame: the network has changed it (protocol error)".to_owned();
                        faults.note(Fate::Lost { peer: name, reason });
                    }
                    ErrorKind::UnexpectedEof => faults.note_gone(&name, "disconnected: connection closed"),
                    _ => faults.note_gone(&name, &format!("disconnected: {error}")),
                },
            }
            drop(known.reading);
        })?;
        let writer = Mutex::new(Writer { sealer, out: vec![0; 2 * MAX_RECORD], broken: false });
        Ok(Post { writer, stream, peer, faults: shared.faults.clone(), written: shared.written.clone() })
    }

    /// Sends a parcel of a round.
    pub fn send(&self, round: u64, bytes: &[u8]) -> Result<(), Error> {
        self.write(self.writer(), PARCEL, round, bytes)
    }

    /// Acknowledges bytes of the other process.
    pub fn send_ack(&self, bytes: u64) -> Result<(), Error> {
        self.write(self.writer(), ACK, bytes, &[])
    }

    /// Ends a round, after `parcels` in all rounds so far.
    pub fn send_close(&self, round: u64, parcels: u64) -> Result<(), Error> {
        self.write(self.writer(), CLOSE, round, &parcels.to_le_bytes())
    }

    /// Sends a heartbeat, unless something else is being sent: that is a sign of life, too.
    pub fn send_beat(&self, pulse: Pulse) {
        if let Ok(writer) = self.writer.try_lock() {
            // The reader thread detects the loss.
            self.write(writer, BEAT, 0, &pulse.to_bytes()).ok();
        }
    }

    /// Sends the reason why this process ends. Best effort.
    pub fn send_fate(&self, fate: &Fate) {
        let written = match fate {
            Fate::Stopped => self.write(self.writer(), STOPPED, 0, &[]),
            Fate::Lost { reason, .. } => {
                let words: Vec<u8> = reason.bytes().take(MAX_MESSAGE).collect();
                self.write(self.writer(), FAILED, 0, &words)
            }
        };
        written.ok();
    }

    /// Closes the sending side, which ends the reader thread of the peer.
    pub fn end(&self) {
        self.stream.shutdown(Shutdown::Write).ok();
    }

    /// Closes the connection, which ends the reader threads of both sides.
    pub fn cut(&self) {
        self.stream.shutdown(Shutdown::Both).ok();
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, mut writer: MutexGuard<'_, Writer>, kind: u8, number: u64, bytes: &[u8]) -> Result<(), Error> {
        self.faults.check()?;
        if writer.broken {
            return self.gone("connection closed");
        }
        writer.frame(kind, number, bytes, |some| self.write_all(some))
    }

    fn write_all(&self, bytes: &[u8]) -> Result<(), Error> {
        let mut done = 0;
        while done < bytes.len() {
            match (&self.stream).write(&bytes[done..]) {
                Ok(0) => self.gone("connection closed")?,
                Ok(written) => done += written,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The peer is slow or suspended: its silence detects the latter.
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    self.faults.check()?;
                }
                // A finished peer may close before it has read the last frame.
                Err(_) if self.faults.is_closing() => return Ok(()),
                Err(error) => self.gone(&error.to_string())?,
            }
        }
        self.written.fetch_add(done as u64, Relaxed);
        Ok(())
    }

    fn gone(&self, why: &str) -> Result<(), Error> {
        let reason = format!("disconnected: {why}");
        self.faults.note_gone(&self.peer, &reason);
        self.faults.check()?;
        Err(Error::PeerLost { peer: self.peer.clone(), reason })
    }
}

/// Handles received frames. Returns how the peer has ended if it sends that.
fn listen(mut records: Records<impl Read>, from: usize, shared: &Shared) -> io::Result<Fate> {
    let Shared { inbox, pulses, .. } = shared;
    let mut record = Vec::new();
    loop {
        record.clear();
        records.next(&mut record)?;
        let (head, first) = record.split_first_chunk::<HEAD>().ok_or_else(malformed)?;
        let number = u64::from_le_bytes(head[1..9].try_into().expect("eight bytes"));
        let length = u32::from_le_bytes(head[9..].try_into().expect("four bytes"));
        if length > MAX_LENGTH {
            return Err(malformed());
        }
        // The ciphertext of a record is longer than its plaintext and needs the room.
        let mut bytes = Vec::with_capacity(length as usize + MAX_RECORD - MAX_PLAIN);
        bytes.extend_from_slice(first);
        while bytes.len() < length as usize {
            records.next(&mut bytes)?;
        }
        if bytes.len() != length as usize {
            return Err(malformed());
        }
        let known = match head[0] {
            PARCEL => inbox.put(number, Parcel { from, bytes }),
            ACK => inbox.acknowledge(from, number),
            CLOSE => bytes.try_into().is_ok_and(|parcels| inbox.close(from, number, u64::from_le_bytes(parcels))),
            BEAT => <[u8; PULSE]>::try_from(bytes).map(|pulse| pulses.update(from, Pulse::of_bytes(&pulse))).is_ok(),
            STOPPED => return Ok(Fate::Stopped),
            FAILED => {
                let words = String::from_utf8_lossy(&bytes).replace(char::is_control, " ");
                return Ok(Fate::Lost { peer: String::new(), reason: format!("failed: {words}") });
            }
            _ => false,
        };
        if !known {
            return Err(malformed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handshake::tests::keys;
    use crate::record::{Opener, directions};
    use std::collections::VecDeque;
    use std::sync::mpsc::channel;

    /// Random numbers from a seed.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % end
        }
    }

    /// A network in memory: bytes arrive in pieces, and then the connection ends.
    struct Wire {
        bytes: VecDeque<u8>,
        dice: Dice,
    }

    impl Read for Wire {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let length = (1 + self.dice.below(2000)).min(to.len());
            self.bytes.read(&mut to[..length])
        }
    }

    /// The records of all kinds of frames in turn, and the opener of their receiver.
    fn sent() -> (Vec<Vec<u8>>, Opener) {
        let (mine, theirs) = keys();
        let mut writer = Writer { sealer: directions(mine).0, out: vec![0; 2 * MAX_RECORD], broken: false };
        let mut records = Vec::new();
        let long = vec![7; MAX_PLAIN + 100];
        let pulse = Pulse { steps: 1, bytes: 2, waited: 3, stalled: 4 }.to_bytes();
        let frames: [(u8, u64, &[u8]); 9] = [
            (BEAT, 0, &pulse),
            (PARCEL, 0, b"notices"),
            (ACK, 5, &[]),
            (PARCEL, 0, &long),
            (PARCEL, 0, &[]),
            (CLOSE, 0, &3u64.to_le_bytes()),
            (PARCEL, 1, b"more"),
            (CLOSE, 1, &4u64.to_le_bytes()),
            (FAILED, 0, b"the disk is full"),
        ];
        for (kind, number, bytes) in frames {
            let mut keep = |some: &[u8]| {
                records.push(some.to_vec());
                Ok(())
            };
            writer.frame(kind, number, bytes, &mut keep).unwrap();
        }
        (records, directions(theirs).1)
    }

    /// What arrives of some bytes: the parcels of both rounds, and how the connection ends.
    fn arrive(bytes: Vec<u8>, opener: Opener, seed: u64) -> (Vec<Vec<u8>>, io::Result<Fate>) {
        let (faults, written, reading) = (Faults::default(), Arc::default(), channel().0);
        let shared =
            Shared { inbox: Arc::new(Inbox::new(2)), pulses: Arc::new(Pulses::new(2, 0)), faults, written, reading };
        shared.inbox.in_flight[1].store(5, Relaxed);
        let wire = Wire { bytes: bytes.into(), dice: Dice(seed | 1) };
        let fate = listen(Records::new(wire, opener, SILENCE), 1, &shared);
        let round = |round| std::iter::from_fn(|| shared.inbox.take(round)).map(|parcel| parcel.bytes).collect();
        let parcels: [Vec<Vec<u8>>; 2] = [0, 1].map(round);
        (parcels.concat(), fate)
    }

    fn expected() -> Vec<Vec<u8>> {
        vec![b"notices".to_vec(), vec![7; MAX_PLAIN + 100], Vec::new(), b"more".to_vec()]
    }

    /// Checks that a changed stream is refused, and that what came before it is what was sent.
    fn refused(bytes: Vec<u8>, opener: Opener, what: &str) {
        let (parcels, fate) = arrive(bytes, opener, 3);
        assert!(fate.is_err(), "{what}: {fate:?}");
        assert_eq!(parcels[..], expected()[..parcels.len()], "{what}");
    }

    #[test]
    fn every_kind_of_frame_arrives_in_pieces_of_any_size() {
        let (records, opener) = sent();
        for seed in 0..50 {
            let (parcels, fate) = arrive(records.concat(), opener.clone(), seed);
            assert_eq!(parcels, expected());
            let reason = "failed: the disk is full".to_owned();
            assert_eq!(fate.unwrap(), Fate::Lost { peer: String::new(), reason });
        }
    }

    #[test]
    fn any_flipped_bit_in_any_kind_of_frame_is_refused() {
        let (records, opener) = sent();
        let mut start = 0;
        for length in records.iter().map(Vec::len) {
            // All bits of short frames; of the long one those of its ends and some in between.
            let step = if length < 100 { 1 } else { 4001 };
            for bit in (0..40 * 8).chain((0..length * 8).step_by(step)).filter(|bit| *bit < length * 8) {
                let mut bytes = records.concat();
                bytes[start + bit / 8] ^= 1 << (bit % 8);
                refused(bytes, opener.clone(), &format!("bit {bit} of the frame at {start}"));
            }
            start += length;
        }
    }

    #[test]
    fn lost_repeated_reordered_and_cut_off_frames_are_refused() {
        let (sent, opener) = sent();
        for seed in 1..300 {
            let mut dice = Dice(seed * 0x9e37_79b9);
            let mut records = sent.clone();
            let at = dice.below(sent.len() - 1);
            match dice.below(4) {
                0 => drop(records.remove(at)),
                1 => records.insert(at + 1, records[dice.below(at + 1)].clone()),
                2 => records.swap(at, at + 1 + dice.below(sent.len() - 1 - at)),
                _ => {
                    records.truncate(at + 1);
                    let kept = dice.below(records[at].len());
                    records[at].truncate(kept);
                }
            }
            refused(records.concat(), opener.clone(), &format!("seed {seed}, frame {at}"));
        }
    }
}
