//! Notices that come from other processes.
//!
//! ```text
//!   WON, LOST              parent, parent, ...     by the names that the receiver knows them by
//!   the same, OF_CHILD     child, child, ...       by their numbers with the sender; the receiver asks for their parents
//!   OUTLOOK                how many parcels, when something is due next, ...    the last one of each process in a level
//! ```
//!
//! A parcel has notices of one kind, which is its first byte.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Release;
use std::sync::{Mutex, PoisonError};

use super::Graph;
use super::class_work::ClassWork;
use super::edges::Edges;
use super::level_queue::BLOCK;
use super::outlook::{OUTLOOK, Outlooks};
use super::state::{child_lost, child_won};
use crate::machine::{AtomicWords, prefetch};
use crate::solve::mesh::{Parcel, Share, garbled};
use crate::vocabulary::Error;

/// A child was won for its mover.
pub const WON: u8 = 0;
/// A child was lost for its mover.
pub const LOST: u8 = 1;
/// Added where the settled slot is sent instead of its parents.
pub const OF_CHILD: u8 = 2;
/// Kinds of notices.
pub const KINDS: usize = 4;

/// Children whose parents are notified together: their words fit into the second cache.
const CHILDREN: usize = 256;
/// Parents that are notified together, for the same reason.
const PARENTS: usize = 2048;

/// Delivers what other processes send during a level.
pub struct Arrivals<'a, 'w, G, S> {
    pub work: &'a ClassWork<'w, G, S>,
    pub edges: &'a Edges<'w, G>,
    pub words: &'a AtomicWords,
    pub marks: &'a [AtomicU32],
    pub level: u32,
    /// Slots made due for the next level; beyond the room there is, their blocks are marked.
    pub listed: Mutex<Vec<u64>>,
    pub room: usize,
    pub outlooks: &'a Outlooks,
}

impl<G: Graph, S: Share> Arrivals<'_, '_, G, S> {
    /// Delivers the notices of a parcel.
    pub fn take(&self, Parcel { from, bytes }: &Parcel) -> Result<(), Error> {
        let wrong = || garbled("notices");
        let (&kind, bytes) = bytes.split_first().ok_or_else(wrong)?;
        if kind == OUTLOOK {
            return self.outlooks.hear(bytes);
        }
        if usize::from(kind) >= KINDS {
            return Err(wrong());
        }
        let mut slots = Vec::new();
        let mut sound = true;
        if kind & OF_CHILD == 0 {
            let names = self.edges.names(self.work);
            slots.reserve(PARENTS);
            for some in bytes.chunks(PARENTS * names.width) {
                self.work.visit_names(names, some, |_, slot| match slot {
                    Some(slot) if slot < self.words.len() as u64 => self.fetch(slot, &mut slots),
                    // A position from which a move would lead here, but to which no game leads.
                    None => {}
                    Some(_) => sound = false,
                });
                self.notify(kind, &mut slots);
            }
        } else {
            for some in bytes.chunks(CHILDREN * self.work.numbers().width) {
                sound &= self.edges.parents_of_others(self.work, *from, some, |slot| self.fetch(slot, &mut slots));
                self.notify(kind & !OF_CHILD, &mut slots);
            }
        }
        if sound { Ok(()) } else { Err(wrong()) }
    }

    /// The slots that are due at the next level because of what was delivered, but for those whose blocks are marked.
    pub fn into_listed(self) -> Vec<u64> {
        self.listed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn fetch(&self, slot: u64, slots: &mut Vec<u64>) {
        prefetch(&self.words[slot as usize]);
        slots.push(slot);
    }

    /// Notifies slots that are here, and forgets them.
    fn notify(&self, kind: u8, slots: &mut Vec<u64>) {
        let Arrivals { words, marks, .. } = *self;
        let next = self.level + 1;
        let notice = if kind == WON { child_won } else { child_lost };
        slots.retain(|&slot| match notice(&words[slot as usize], next) {
            Some(due) if due == next => true,
            Some(due) => {
                marks[slot as usize / BLOCK].fetch_min(due, Release);
                false
            }
            None => false,
        });
        if slots.is_empty() {
            return;
        }
        let mut arrivals = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = slots.len().min(self.room.saturating_sub(arrivals.len()));
        arrivals.extend_from_slice(&slots[..listed]);
        drop(arrivals);
        for &slot in &slots[listed..] {
            marks[slot as usize / BLOCK].fetch_min(next, Release);
        }
        slots.clear();
    }
}
