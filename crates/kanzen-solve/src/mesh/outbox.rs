//! Gathers short records for other processes into parcels.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Round;

/// Bytes of a parcel. To send one wakes several threads on either side, so that larger ones cost less; but each thread
/// fills one for every process.
const PARCEL: usize = 1 << 16;
/// Where there are many processes, not more than this for all parcels of a thread and kind, and not less than a quarter
/// of a parcel for each.
const PARCELS: usize = 1 << 20;

/// The parcels that one thread fills: one for each process and kind of record. The kind is the first byte of a parcel.
#[derive(Default)]
pub(crate) struct Outbox {
    kinds: usize,
    /// Bytes of a full one.
    full: usize,
    parcels: Vec<Vec<u8>>,
}

impl Outbox {
    /// Empty parcels to so many processes, of so many kinds of records.
    pub fn new(peers: usize, kinds: usize) -> Outbox {
        let full = (PARCELS / peers.max(1)).clamp(PARCEL / 4, PARCEL);
        Outbox { kinds, full, parcels: vec![Vec::new(); peers * kinds] }
    }

    /// Adds a record; posts the parcel if it is full.
    pub fn push(&mut self, round: &Round<'_>, to: usize, kind: u8, record: &[u8]) {
        let parcel = &mut self.parcels[to * self.kinds + usize::from(kind)];
        if parcel.is_empty() {
            Outbox::begin(parcel, self.full, kind);
        }
        parcel.extend_from_slice(record);
        if parcel.len() + record.len() > self.full {
            round.post(to, std::mem::take(parcel));
        }
    }

    /// Adds a number of so many bytes. Nearly always four: one store, and a length that is known.
    #[inline]
    pub fn push_number(&mut self, round: &Round<'_>, to: usize, kind: u8, number: u128, width: usize) {
        if width != 4 {
            return self.push(round, to, kind, &number.to_le_bytes()[..width]);
        }
        let parcel = &mut self.parcels[to * self.kinds + usize::from(kind)];
        if parcel.is_empty() {
            Outbox::begin(parcel, self.full, kind);
        }
        parcel.extend_from_slice(&(number as u32).to_le_bytes());
        if parcel.len() + 4 > self.full {
            round.post(to, std::mem::take(parcel));
        }
    }

    #[cold]
    fn begin(parcel: &mut Vec<u8>, full: usize, kind: u8) {
        parcel.reserve_exact(full);
        parcel.push(kind);
    }

    /// Posts all that is left.
    pub fn flush(&mut self, round: &Round<'_>) {
        for (at, parcel) in self.parcels.iter_mut().enumerate().filter(|(_, parcel)| !parcel.is_empty()) {
            round.post(at / self.kinds, std::mem::take(parcel));
        }
    }
}

/// An outbox for each thread of the pool.
pub(crate) struct Outboxes(Vec<Mutex<Outbox>>);

impl Outboxes {
    /// Empty ones.
    pub fn new(peers: usize, kinds: usize) -> Outboxes {
        let threads = rayon::current_num_threads();
        Outboxes((0..threads).map(|_| Mutex::new(Outbox::new(peers, kinds))).collect())
    }

    /// That of this thread.
    pub fn mine(&self) -> MutexGuard<'_, Outbox> {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        self.0[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Posts all that is left in any of them.
    pub fn flush(&self, round: &Round<'_>) {
        for outbox in &self.0 {
            outbox.lock().unwrap_or_else(PoisonError::into_inner).flush(round);
        }
    }
}
