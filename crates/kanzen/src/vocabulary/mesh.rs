//! Several processes at one work: what they say to each other.
//!
//! ```text
//!   round 0           round 1            round 2 ...
//!   post, poll, ...   post, poll, ...    every process goes through the same rounds
//!        close ───over───>  close ───over───>
//! ```
//!
//! A [`Mesh`] carries parcels of bytes between processes, in rounds: a round is over when everybody has closed it and all
//! its parcels have arrived. That is all that a solver or a question to a whole database needs: the notices of a level
//! are a round, and so is a question to all. How the parcels travel is the affair of whoever implements it; nothing here
//! knows of a network. Alone ([`Alone`]) a round is over as soon as it is closed.

use super::Error;

/// Bytes that came from another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// Which process has posted it.
    pub from: usize,
    /// What it has posted.
    pub bytes: Vec<u8>,
}

/// Processes that work together, as one of them sees it.
///
/// Parcels of a round may arrive in any order. All methods may be called by any thread; [`close`](Mesh::close) and
/// [`next`](Mesh::next) once a round.
///
/// # Errors
/// An error is final: a process that others wait for is lost, and this one has to end too.
pub trait Mesh: Sync {
    /// The number of this process, from 0.
    fn me(&self) -> usize;

    /// How many processes there are, this one among them.
    fn peers(&self) -> usize;

    /// Sends bytes to another process, in the round at hand.
    fn post(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error>;

    /// A parcel of the round at hand, if one is here.
    fn poll(&self) -> Result<Option<Parcel>, Error>;

    /// Says that this process posts nothing more in this round.
    fn close(&self) -> Result<(), Error>;

    /// Whether everybody has closed the round and all its parcels were polled, in this process.
    fn is_over(&self) -> Result<bool, Error>;

    /// Begins the next round; the one at hand was closed here, and all its parcels to this process were polled.
    fn next(&self);

    /// Whether so much is on its way to a process that a sender should look at its own parcels before it posts more.
    fn is_crowded(&self, to: usize) -> bool;

    /// Waits a moment, at most some milliseconds, for something to happen.
    fn rest(&self);

    /// Bytes that this process has posted so far.
    fn posted_bytes(&self) -> u64 {
        0
    }

    /// The slots of a block, as a power of two. Blocks are dealt to the processes in turn; where a file is written they
    /// are those of its planes.
    fn block_bits(&self) -> u32 {
        BLOCK_BITS
    }
}

/// Slots of a block, as a power of two: those of a plane's blocks, so that each process packs its own.
pub const BLOCK_BITS: u32 = 16;

/// A process that has no others beside it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Alone;

impl Mesh for Alone {
    fn me(&self) -> usize {
        0
    }

    fn peers(&self) -> usize {
        1
    }

    fn post(&self, to: usize, _: Vec<u8>) -> Result<(), Error> {
        Err(Error::Rules(format!("there is no process {to} to send anything to")))
    }

    fn poll(&self) -> Result<Option<Parcel>, Error> {
        Ok(None)
    }

    fn close(&self) -> Result<(), Error> {
        Ok(())
    }

    fn is_over(&self) -> Result<bool, Error> {
        Ok(true)
    }

    fn next(&self) {}

    fn is_crowded(&self, _: usize) -> bool {
        false
    }

    fn rest(&self) {}
}

impl dyn Mesh + '_ {
    /// Sends the same bytes to everybody else and tells what each has said, in the order of their numbers.
    pub fn tell_all(&self, mine: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let mut said: Vec<Option<Vec<u8>>> = vec![None; self.peers()];
        for to in (0..self.peers()).filter(|&to| to != self.me()) {
            self.post(to, mine.to_vec())?;
        }
        said[self.me()] = Some(mine.to_vec());
        self.close()?;
        // One parcel of each, and nothing else comes in this round: nobody need wait to be told that it is over.
        let mut missing = self.peers() - 1;
        while missing > 0 {
            match self.poll()? {
                Some(parcel) => {
                    said[parcel.from] = Some(parcel.bytes);
                    missing -= 1;
                }
                None => self.rest(),
            }
        }
        self.next();
        said.into_iter().map(|said| said.ok_or_else(|| garbled("an answer is missing"))).collect()
    }

    /// Agrees on the least of what each process says, number by number.
    pub fn least<const N: usize>(&self, mine: [u64; N]) -> Result<[u64; N], Error> {
        self.combined(mine, u64::min)
    }

    /// Agrees on the sum of what each process says, number by number.
    pub fn sum<const N: usize>(&self, mine: [u64; N]) -> Result<[u64; N], Error> {
        self.combined(mine, u64::wrapping_add)
    }

    fn combined<const N: usize>(&self, mine: [u64; N], combine: fn(u64, u64) -> u64) -> Result<[u64; N], Error> {
        if self.peers() == 1 {
            return Ok(mine);
        }
        let bytes: Vec<u8> = mine.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut all: Option<[u64; N]> = None;
        for said in self.tell_all(&bytes)? {
            let (numbers, []) = said.as_chunks() else { return Err(garbled("numbers")) };
            let numbers: [[u8; 8]; N] = numbers.try_into().map_err(|_| garbled("numbers"))?;
            let numbers = numbers.map(u64::from_le_bytes);
            all = Some(match all {
                None => numbers,
                Some(before) => std::array::from_fn(|at| combine(before[at], numbers[at])),
            });
        }
        Ok(all.unwrap_or(mine))
    }

    /// Takes the parcels of a round that this process has closed, until it is over, and begins the next one.
    pub fn collect(&self, mut take: impl FnMut(Parcel) -> Result<(), Error>) -> Result<(), Error> {
        loop {
            match self.poll()? {
                Some(parcel) => take(parcel)?,
                None if self.is_over()? => break,
                None => self.rest(),
            }
        }
        self.next();
        Ok(())
    }
}

/// Another process said something that makes no sense: it must be another version of this program.
pub(crate) fn garbled(what: &str) -> Error {
    Error::Rules(format!("another process sent {what} that cannot be read"))
}
