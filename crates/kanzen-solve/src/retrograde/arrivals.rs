//! Delivers the notices that other processes send.
//!
//! ```text
//!   WON, LOST              parent, parent, ...     by the names that the receiver uses
//!   the same, OF_CHILD     child, child, ...       by the sender's numbers; the receiver finds their parents
//!   LEVEL_SUMMARY          number of parcels, next level, ...    the last parcel of each process in a level
//! ```
//!
//! A parcel has notices of one kind, which is its first byte.

use std::sync::atomic::AtomicU32;
use std::sync::{Mutex, PoisonError};

use super::Graph;
use super::class_context::ClassContext;
use super::edges::Edges;
use super::level_queue::BLOCK;
use super::level_summary::{LEVEL_SUMMARY, LevelSummaries};
use super::state::Writers;
use crate::mesh::{Parcel, Share, garbled};
use kanzen_core::machine::{AtomicWords, prefetch};
use kanzen_core::vocabulary::Error;

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
/// Parents that are notified together: their numbers fit into the first cache.
const PARENTS: usize = 2048;
/// So many ahead a word is fetched before its slot is notified. Nothing else is done meanwhile, unlike where parents are
/// found one by one.
const AHEAD: usize = 32;

/// Delivers what other processes send during a level.
pub struct Arrivals<'a, 'w, G, S> {
    pub work: &'a ClassContext<'w, G, S>,
    pub edges: &'a Edges<'w, G>,
    pub words: &'a AtomicWords,
    pub marks: &'a [AtomicU32],
    pub level: u32,
    pub writers: Writers,
    /// Slots made due for the next level; where the list is full, their blocks are marked.
    pub listed: Mutex<Vec<u64>>,
    pub room: usize,
    pub summaries: &'a LevelSummaries,
}

impl<G: Graph, S: Share> Arrivals<'_, '_, G, S> {
    /// Delivers the notices of a parcel.
    pub fn take(&self, Parcel { from, bytes }: &Parcel) -> Result<(), Error> {
        let wrong = || garbled("notices");
        let (&kind, bytes) = bytes.split_first().ok_or_else(wrong)?;
        if kind == LEVEL_SUMMARY {
            return self.summaries.receive(bytes);
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
                    Some(slot) if slot < self.words.len() as u64 => slots.push(slot),
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
        let Arrivals { marks, writers, .. } = *self;
        let next = self.level + 1;
        // One loop for each kind, so that the kind is not tested for every notice.
        match kind {
            WON => self.notify_each(slots, |word| writers.child_won(word, next)),
            _ => self.notify_each(slots, |word| writers.child_lost(word, next)),
        }
        if slots.is_empty() {
            return;
        }
        let mut arrivals = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = slots.len().min(self.room.saturating_sub(arrivals.len()));
        arrivals.extend_from_slice(&slots[..listed]);
        drop(arrivals);
        for &slot in &slots[listed..] {
            writers.lower(&marks[slot as usize / BLOCK], next);
        }
        slots.clear();
    }

    /// Notifies slots; those that are due at the next level stay.
    #[inline]
    fn notify_each(&self, slots: &mut Vec<u64>, notice: impl Fn(&AtomicU32) -> Option<u32>) {
        slots.iter().take(AHEAD).for_each(|&slot| prefetch(&self.words[slot as usize]));
        let mut due_next = 0;
        for at in 0..slots.len() {
            if let Some(&ahead) = slots.get(at + AHEAD) {
                prefetch(&self.words[ahead as usize]);
            }
            let slot = slots[at];
            match notice(&self.words[slot as usize]) {
                Some(due) if due == self.level + 1 => {
                    slots[due_next] = slot;
                    due_next += 1;
                }
                Some(due) => self.writers.lower(&self.marks[slot as usize / BLOCK], due),
                None => {}
            }
        }
        slots.truncate(due_next);
    }
}
