//! The level queue: which slots are due at which level; settles them and notifies their parents.

use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::Graph;
use super::arrivals::{Arrivals, KINDS, LOST, OF_CHILD, WON};
use super::class_context::ClassContext;
use super::edges::{Edges, Named};
use super::level_summary::{LevelSummaries, LevelSummary};
use super::state::{MAX_LEVEL, State, Writers};
use super::visits::Visits;
use crate::mesh::{Outboxes, Parcel, Round, Share};
use kanzen_core::machine::{AtomicWords, parallel, prefetch};
use kanzen_core::vocabulary::Error;

/// Slots that share a mark. Small, because late levels settle a few slots here and there.
pub const BLOCK: usize = 128;
/// Blocks whose marks are looked at together.
const SPAN: usize = 1024;
const BATCH: usize = 2048;
/// Parents that are notified together: their words fit into the second cache.
const NOTICES: usize = 1024;
const AHEAD: usize = 24;
/// Settled slots whose parents are found at once.
const CROWD: usize = 64;
/// One slot of so many may be listed, at most.
const LISTED: u64 = 32;
const NEVER: u32 = u32::MAX;

/// One level after the other: which slots are due when.
///
/// Slots made due for the next level are listed, as long as they are few. All others are found by the marks of their
/// blocks, which hold the nearest level at which something unlisted is due. A slot may be found both ways: it is settled
/// once.
pub struct LevelQueue {
    words: AtomicWords,
    marks: Vec<AtomicU32>,
    visits: Visits,
    listed: Vec<u64>,
    agreed: Option<LevelSummary>,
}

impl LevelQueue {
    /// Marks everything that is due after the level that was finished last; blocks are visited in an order of the graph's.
    pub fn new(words: AtomicWords, visits: Visits, finished: Option<u64>) -> LevelQueue {
        let later = |level: &u32| finished.is_none_or(|finished| u64::from(*level) > finished);
        let mark = |block: &[AtomicU32]| {
            AtomicU32::new(block.iter().filter_map(|word| State::load(word).due()).filter(later).min().unwrap_or(NEVER))
        };
        let marks = words.par_chunks(BLOCK).map(mark).collect();
        LevelQueue { words, marks, visits, listed: Vec::new(), agreed: None }
    }

    /// Bytes of memory that marks and lists for so many slots take at most, the words not counted.
    pub fn bytes(slots: u64) -> u64 {
        4 * slots.div_ceil(BLOCK as u64) + 2 * 8 * (slots / LISTED)
    }

    /// All words as bytes, for a checkpoint.
    pub fn state(&mut self) -> &[u8] {
        self.words.bytes()
    }

    /// All words, when everything is settled.
    pub fn into_words(self) -> AtomicWords {
        self.words
    }

    /// What the processes that share the class have agreed on in the last level, if there was one.
    pub fn agreed(&self) -> Option<LevelSummary> {
        self.agreed
    }

    /// The nearest level at which anything is due, if `last` was done last.
    pub fn nearest(&self, last: Option<u32>) -> Option<u32> {
        if let Some(last) = last
            && !self.listed.is_empty()
        {
            return Some(last + 1);
        }
        self.nearest_mark()
    }

    fn nearest_mark(&self) -> Option<u32> {
        let spans = self.marks.par_chunks(64 * SPAN).map(|span| span.iter().map(|mark| mark.load(Relaxed)).min());
        spans.flatten().min().filter(|&level| level != NEVER)
    }

    /// Settles the slots due at `level` and notifies their parents. Returns how many were settled here.
    ///
    /// `go_on` gets the number of those as they are settled. If it returns false, the rest are left out, and the result is
    /// `None`. The state is then within the level: a queue made from it after the level before finds the others. Where
    /// other processes own a share of the class, a level is always completed.
    pub fn run<G: Graph, S: Share>(
        &mut self,
        work: &ClassContext<'_, G, S>,
        edges: &Edges<'_, G>,
        level: u32,
        go_on: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Option<u64>, Error> {
        let left_out = AtomicBool::new(false);
        let listed = std::mem::take(&mut self.listed);
        let room = self.words.len() / LISTED as usize / rayon::current_num_threads();
        let (writers, summaries) = (Writers::of_pool(), LevelSummaries::default());
        let arrivals = Arrivals {
            work,
            edges,
            words: &self.words,
            marks: &self.marks,
            level,
            writers,
            listed: Default::default(),
            room: if listed.is_empty() { room } else { room / 2 },
            summaries: &summaries,
        };
        let take = |parcel: Parcel| arrivals.take(&parcel);
        let round = Round::new(work.mesh, &take);
        let outboxes = Outboxes::new(if S::WHOLE { 0 } else { work.mesh.peers() }, KINDS);
        let widths = [edges.names(work).width, work.numbers().width];
        let post = Post { work, edges, round: &round, outboxes: &outboxes, widths };
        let spans = self.visits.len();
        let lists: Vec<&[u64]> = listed.chunks(BATCH).collect();
        let done = Mutex::new((0, Vec::new()));
        parallel::on_each_thread(spans + lists.len(), &|tasks| {
            let mut notices = Notices::new(self, level, writers, room);
            while !left_out.load(Relaxed)
                && let Some(task) = tasks.take()
            {
                if task < spans {
                    self.visits.each(task, |block| {
                        if self.marks[block].load(Relaxed) == level {
                            notices.settle_block(&post, block);
                        }
                    });
                } else {
                    notices.settle_list(&post, lists[task - spans]);
                }
                if !S::WHOLE {
                    round.take_some();
                }
                let settled = std::mem::replace(&mut notices.unreported, 0);
                if settled > 0 && !go_on(settled) && S::WHOLE {
                    left_out.store(true, Relaxed);
                }
            }
            let (settled, mut fresh) = notices.finish(&post);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.0 += settled;
            done.1.append(&mut fresh);
        });
        let (settled, mut fresh) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !S::WHOLE {
            outboxes.flush(&round);
            let expects_more = !fresh.is_empty() || (0..work.mesh.peers()).any(|to| round.posted(to) > 0);
            let nearest = if expects_more { Some(level + 1) } else { self.nearest_mark() };
            summaries.send(work.mesh, &round, LevelSummary::new(work.job, nearest));
            round.finish_when(&|taken| Ok(summaries.are_complete(work.mesh, taken)))?;
        }
        fresh.append(&mut arrivals.into_listed());
        self.agreed = summaries.min();
        self.listed = fresh;
        Ok((!left_out.into_inner()).then_some(settled))
    }
}

/// How notices leave a level: parents, and the transport to those that other processes own.
struct Post<'a, 'w, G, S> {
    work: &'a ClassContext<'w, G, S>,
    edges: &'a Edges<'w, G>,
    round: &'a Round<'a>,
    outboxes: &'a Outboxes,
    /// Bytes of a parent's name, and of a child's number.
    widths: [usize; 2],
}

/// Slots that were settled as won, or as lost.
#[derive(Default)]
struct Settled {
    /// Those whose parents are still to be found.
    slots: Vec<u64>,
    /// The parents of the others, to be notified.
    parents: Vec<u64>,
}

impl Settled {
    /// Finds parents, and fetches their words while others are still being found. Notices to other processes leave at
    /// once.
    #[inline]
    fn ask<G: Graph, S: Share>(&mut self, post: &Post<'_, '_, G, S>, words: &AtomicWords, kind: u8) {
        let mut here = |parent: u64| {
            prefetch(&words[parent as usize]);
            self.parents.push(parent);
        };
        if S::WHOLE {
            post.edges.parents_of(&self.slots, here);
        } else {
            let mut outbox = post.outboxes.mine();
            post.edges.shared_parents_of(
                post.work.share,
                post.work.mesh.me(),
                &self.slots,
                &mut here,
                |owner, named| {
                    let [parent, child] = post.widths;
                    match named {
                        Named::Parent(name) => outbox.push_number(post.round, owner, kind, name, parent),
                        Named::Child(slot) => {
                            outbox.push_number(post.round, owner, kind | OF_CHILD, slot.into(), child)
                        }
                    }
                },
            );
        }
        self.slots.clear();
    }
}

/// Notices to parents, delivered in batches so that their words are in the cache by then.
struct Notices<'a> {
    queue: &'a LevelQueue,
    level: u32,
    writers: Writers,
    settled: u64,
    /// Of these, those not reported to the observer yet.
    unreported: u64,
    won: Settled,
    lost: Settled,
    /// Slots made due for the next level; where the list is full, their blocks are marked.
    fresh: Vec<u64>,
    room: usize,
}

impl<'a> Notices<'a> {
    fn new(queue: &'a LevelQueue, level: u32, writers: Writers, room: usize) -> Notices<'a> {
        let [won, lost] = Default::default();
        Notices { queue, level, writers, settled: 0, unreported: 0, won, lost, fresh: Vec::new(), room }
    }

    fn settle_block<G: Graph, S: Share>(&mut self, post: &Post<'_, '_, G, S>, block: usize) {
        let LevelQueue { words, marks, .. } = self.queue;
        // Cleared before the scan. A thread that makes something due meanwhile writes its word first and then this
        // mark: either the scan sees the word, or the mark stays.
        marks[block].swap(NEVER, AcqRel);
        let mut wait = NEVER;
        for slot in block * BLOCK..((block + 1) * BLOCK).min(words.len()) {
            match State::load(&words[slot]).wait(self.level) {
                0 => self.settle(post, slot as u64),
                levels => wait = wait.min(levels),
            }
        }
        if wait <= MAX_LEVEL {
            self.writers.lower(&marks[block], self.level + wait);
        }
    }

    fn settle_list<G: Graph, S: Share>(&mut self, post: &Post<'_, '_, G, S>, slots: &[u64]) {
        for (at, &slot) in slots.iter().enumerate() {
            if let Some(&ahead) = slots.get(at + AHEAD) {
                prefetch(&self.queue.words[ahead as usize]);
            }
            self.settle(post, slot);
        }
    }

    fn settle<G: Graph, S: Share>(&mut self, post: &Post<'_, '_, G, S>, slot: u64) {
        let Some(wins) = self.writers.settle(&self.queue.words[slot as usize], self.level) else { return };
        self.settled += 1;
        self.unreported += 1;
        let (side, kind) = if wins { (&mut self.won, WON) } else { (&mut self.lost, LOST) };
        side.slots.push(slot);
        if side.slots.len() == CROWD {
            side.ask(post, &self.queue.words, kind);
            if side.parents.len() >= NOTICES {
                self.deliver();
            }
        }
    }

    fn deliver(&mut self) {
        let writers = self.writers;
        let mut won = std::mem::take(&mut self.won.parents);
        self.deliver_each(&mut won, |word, level| writers.child_won(word, level));
        self.won.parents = won;
        let mut lost = std::mem::take(&mut self.lost.parents);
        self.deliver_each(&mut lost, |word, level| writers.child_lost(word, level));
        self.lost.parents = lost;
    }

    #[inline]
    fn deliver_each(&mut self, parents: &mut Vec<u64>, notice: impl Fn(&AtomicU32, u32) -> Option<u32>) {
        let LevelQueue { words, marks, .. } = self.queue;
        for parent in parents.drain(..) {
            match notice(&words[parent as usize], self.level + 1) {
                Some(due) if due == self.level + 1 && self.fresh.len() < self.room => self.fresh.push(parent),
                Some(due) => self.writers.lower(&marks[parent as usize / BLOCK], due),
                None => {}
            }
        }
    }

    fn finish<G: Graph, S: Share>(mut self, post: &Post<'_, '_, G, S>) -> (u64, Vec<u64>) {
        self.won.ask(post, &self.queue.words, WON);
        self.lost.ask(post, &self.queue.words, LOST);
        self.deliver();
        (self.settled, self.fresh)
    }
}
