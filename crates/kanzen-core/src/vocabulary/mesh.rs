//! The message-passing interface between processes that solve or search together.
//!
//! ```text
//!   round 0                 round 1                 round 2 ...
//!   post, poll, ...         post, poll, ...         every process goes through the same rounds
//!        barrier_enter ──>       barrier_enter ──>
//! ```
//!
//! A [`Mesh`] carries parcels of bytes in rounds. A round ends at a split-phase barrier: once every process has entered
//! it and all parcels of the round have arrived. The engines need nothing else: the notices of one level are a round, and
//! so is an all-reduce. The transport is the implementor's choice. With a single process ([`Alone`]) a round is over as
//! soon as the barrier is entered.

use super::Error;

/// A message from another process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// The process that posted it.
    pub from: usize,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// A group of cooperating processes, as seen by one of them.
///
/// Parcels of a round may arrive in any order. All methods may be called by any thread; [`barrier_enter`](Mesh::barrier_enter) and
/// [`next_round`](Mesh::next_round) once a round.
///
/// # Errors
/// Every error is final: a process that the others wait for is lost, so this one has to end too.
pub trait Mesh: Sync {
    /// The number of this process, from 0.
    fn me(&self) -> usize;

    /// The number of processes, including this one.
    fn peers(&self) -> usize;

    /// Sends bytes to another process within the current round.
    fn post(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error>;

    /// Returns a parcel of the current round, if one has arrived.
    fn poll(&self) -> Result<Option<Parcel>, Error>;

    /// Enters the barrier: this process posts nothing more in this round.
    fn barrier_enter(&self) -> Result<(), Error>;

    /// Whether the barrier is complete: every process has entered it, and this one has polled all parcels of the round.
    fn barrier_done(&self) -> Result<bool, Error>;

    /// Starts the next round, after the barrier is complete.
    fn next_round(&self);

    /// Whether the send window to a process is full: drain your own inbox before posting more.
    fn window_full(&self, to: usize) -> bool;

    /// Parks the thread until something arrives, for a few milliseconds at most.
    fn park(&self);

    /// Bytes posted by this process so far.
    fn posted_bytes(&self) -> u64 {
        0
    }

    /// The slots of a block, as a power of two. Blocks are assigned to the processes round robin; where a file is
    /// written they are the blocks of its planes.
    fn block_bits(&self) -> u32 {
        BLOCK_BITS
    }
}

/// Slots of a block, as a power of two: those of a plane's blocks, so that each process packs its own.
pub const BLOCK_BITS: u32 = 16;

/// A single process.
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
        Err(Error::Rules(format!("there is no process {to}")))
    }

    fn poll(&self) -> Result<Option<Parcel>, Error> {
        Ok(None)
    }

    fn barrier_enter(&self) -> Result<(), Error> {
        Ok(())
    }

    fn barrier_done(&self) -> Result<bool, Error> {
        Ok(true)
    }

    fn next_round(&self) {}

    fn window_full(&self, _: usize) -> bool {
        false
    }

    fn park(&self) {}
}

impl dyn Mesh + '_ {
    /// Sends `mine` to all other processes and returns what each sent, by process number.
    pub fn all_gather(&self, mine: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let mut said: Vec<Option<Vec<u8>>> = vec![None; self.peers()];
        for to in (0..self.peers()).filter(|&to| to != self.me()) {
            self.post(to, mine.to_vec())?;
        }
        said[self.me()] = Some(mine.to_vec());
        self.barrier_enter()?;
        // Exactly one parcel of each process arrives in this round, so the barrier need not complete first.
        let mut missing = self.peers() - 1;
        while missing > 0 {
            match self.poll()? {
                Some(parcel) => {
                    said[parcel.from] = Some(parcel.bytes);
                    missing -= 1;
                }
                None => self.park(),
            }
        }
        self.next_round();
        said.into_iter().map(|said| said.ok_or_else(|| garbled("an answer is missing"))).collect()
    }

    /// The element-wise minimum over all processes.
    pub fn all_reduce_min<const N: usize>(&self, mine: [u64; N]) -> Result<[u64; N], Error> {
        self.combined(mine, u64::min)
    }

    /// The element-wise sum over all processes.
    pub fn all_reduce_sum<const N: usize>(&self, mine: [u64; N]) -> Result<[u64; N], Error> {
        self.combined(mine, u64::wrapping_add)
    }

    fn combined<const N: usize>(&self, mine: [u64; N], combine: fn(u64, u64) -> u64) -> Result<[u64; N], Error> {
        if self.peers() == 1 {
            return Ok(mine);
        }
        let bytes: Vec<u8> = mine.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut all: Option<[u64; N]> = None;
        for said in self.all_gather(&bytes)? {
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

    /// Takes parcels until the barrier that this process has entered is complete, and starts the next round.
    pub fn collect(&self, mut take: impl FnMut(Parcel) -> Result<(), Error>) -> Result<(), Error> {
        loop {
            match self.poll()? {
                Some(parcel) => take(parcel)?,
                None if self.barrier_done()? => break,
                None => self.park(),
            }
        }
        self.next_round();
        Ok(())
    }
}

/// A message that cannot be decoded: the other process must be another version of this program.
pub fn garbled(what: &str) -> Error {
    Error::Rules(format!("another process sent {what} that cannot be read"))
}
