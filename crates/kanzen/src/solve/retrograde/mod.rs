//! Scalar retrograde analysis: from the ends of the game backwards, level by level.
//!
//! ```text
//!   level L:   slots due at L ──parents──> words of slots due later
//!              lost in L  ->  each parent wins in L + 1 at the latest
//!              won in L   ->  each parent has one open child less; with none left it is lost
//! ```
//!
//! Each edge of the quotient graph (different slots, however many moves connect them) notifies once. Updates commute
//! (lower a count, keep a minimum), so the words after a level do not depend on the number of threads.

mod class_work;
mod edges;
mod graph;
mod level_queue;
mod parents;
mod rules_graph;
mod state;

pub use graph::{Earlier, Graph, Node, Prospects, SlotInit};
pub use rules_graph::RulesGraph;

use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use self::class_work::ClassWork;
use self::edges::Edges;
use self::level_queue::LevelQueue;
use self::parents::{FIRST_NOTICE, ParentCounts};
use self::state::{MAX_CHILDREN, State};
use super::{Job, plane_file};
use crate::machine::AtomicWords;
use crate::vocabulary::{Error, Value};

/// Slots that one task looks at first.
const SPAN: usize = 1 << 14;

fn state_file(class: usize) -> String {
    format!("class-{class}.checkpoint")
}

/// What a slot costs in all, in the units of [`Work`], where edges are stored.
pub(super) const WORK_PER_SLOT: u64 = 2 + 4 + 4 + 1;

/// What the parts of a class cost, as those who watch hear it: about as they take time.
struct Work {
    look: u64,
    parents: u64,
    levels: u64,
    write: u64,
}

impl Work {
    fn of<G: Graph>(graph: &G, class: usize) -> Work {
        let slots = graph.slots(class);
        let tells = slots == 0 || graph.parents(class, 0, &mut Vec::new());
        let stays = u64::from(graph.stays(class));
        Work {
            look: 2 * slots,
            parents: stays * if tells { 0 } else { 4 * slots },
            levels: stays * 4 * slots,
            write: slots,
        }
    }

    fn all(&self) -> u64 {
        self.look + self.parents + self.levels + self.write
    }

    /// What settling so many of the slots is of the work for all levels.
    fn share_of_levels(&self, settled: u64, slots: u64) -> u64 {
        (u128::from(self.levels) * u128::from(settled) / u128::from(slots.max(1))) as u64
    }
}

/// Bytes of memory that the words of so many slots take, with what tells which are due when.
fn words_bytes(slots: u64) -> u64 {
    4 * slots + LevelQueue::bytes(slots)
}

/// Bytes of memory one class needs, stored parents not counted.
pub fn forecast_class<G: Graph>(graph: &G, class: usize) -> u64 {
    let earlier: u64 = graph.needs(class).into_iter().map(|needed| 2 * graph.slots(needed)).sum();
    words_bytes(graph.slots(class)) + earlier
}

/// Solves all classes of a graph that the job's store does not have yet.
///
/// ```
/// use kanzen::progress::Silent;
/// use kanzen::solve::retrograde::{self, Earlier, Graph, Node};
/// use kanzen::solve::{Job, MemoryStore};
/// use kanzen::{Budget, Value};
///
/// /// A token on a ring of 5 points moves one or two steps on; point 0 is lost for the mover.
/// struct Ring;
/// impl Graph for Ring {
///     fn classes(&self) -> usize { 1 }
///     fn name(&self, _: usize) -> String { "ring".into() }
///     fn slots(&self, _: usize) -> u64 { 5 }
///     fn needs(&self, _: usize) -> Vec<usize> { vec![] }
///     fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
///         if slot == 0 { return node.end(Value::loss(0)); }
///         node.here((slot + 1) % 5);
///         node.here((slot + 2) % 5);
///     }
///     fn parents(&self, _: usize, _: u64, _: &mut Vec<u64>) -> bool { false }
///     fn endless(&self, _: usize, _: u64) -> Value { Value::DRAW }
/// }
///
/// let store = MemoryStore::default();
/// retrograde::solve(&Ring, &Job::new(&store, Budget::new(1, 1 << 20), &Silent)?)?;
/// assert_eq!(store.value(0, 4), Value::win(1));
/// assert_eq!(store.value(0, 2), Value::loss(2));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn solve<G: Graph>(graph: &G, job: &Job<'_>) -> Result<(), Error> {
    let is_solved = |class: &usize| job.store.has(&plane_file(*class));
    let (solved, unsolved): (Vec<usize>, Vec<usize>) = (0..graph.classes()).partition(is_solved);
    for &class in &unsolved {
        job.ledger().check(&graph.name(class), forecast_class(graph, class))?;
    }
    job.ahead((0..graph.classes()).map(|class| Work::of(graph, class).all()).sum());
    job.kept(solved.iter().map(|&class| Work::of(graph, class).all()).sum());
    let mut earlier = Earlier::default();
    for class in unsolved {
        let needs = graph.needs(class);
        earlier.keep_only(&needs);
        for needed in needs {
            if !earlier.has(needed) {
                let memory = job.reserve(&graph.name(needed), 2 * graph.slots(needed))?;
                earlier.insert(needed, job.install(|| job.store.get_plane(&plane_file(needed)))?, memory);
            }
        }
        job.install(|| solve_class(&ClassWork { graph, class, earlier: &earlier, job }))?;
    }
    Ok(())
}

fn solve_class<G: Graph>(work: &ClassWork<'_, G>) -> Result<(), Error> {
    let ClassWork { graph, class, job, .. } = *work;
    let slots = work.slots();
    let units = Work::of(graph, class);
    let _memory = job.reserve(&work.name(), words_bytes(slots))?;
    let mut words = AtomicWords::zeroed(&work.name(), slots as usize)?;
    let resumed = job.store.get_state(&state_file(class), words.bytes_mut())?;
    let mut counts = None;
    if resumed.is_none() {
        words.bytes_mut().fill(0);
        if Edges::are_to_be_stored(work) {
            counts = Some(ParentCounts::new(work)?);
        }
        job.part(units.look, slots);
        first_look(work, &words, counts.as_ref())?;
    } else {
        job.kept(units.look);
    }
    let mut last = resumed;
    if graph.stays(class) {
        (words, last) = levels(work, &units, words, resumed, counts)?;
    }
    let value = |slot: u64| State::load(&words[slot as usize]).value().unwrap_or_else(|| graph.endless(class, slot));
    job.part(units.write, slots);
    work.stage("writing", slots);
    match job.store.put_plane(&plane_file(class), slots, &value, &|slots| work.steps(slots)) {
        // All levels are done: whoever goes on from here has only to write.
        Err(Error::Stopped) => stopped(work, last, words.bytes()),
        written => written.and_then(|()| job.store.remove(&state_file(class))),
    }
}

/// Keeps a state that was left after the level `last`, or within the one after it.
fn stopped<G: Graph>(work: &ClassWork<'_, G>, last: Option<u64>, state: &[u8]) -> Result<(), Error> {
    if let Some(level) = last {
        work.job.store.put_state(&state_file(work.class), level, state)?;
        work.job.checkpoint_written();
    }
    Err(Error::Stopped)
}

/// Settles level after level, from the one after `resumed` on. Tells the last one too.
fn levels<G: Graph>(
    work: &ClassWork<'_, G>,
    units: &Work,
    words: AtomicWords,
    resumed: Option<u64>,
    counts: Option<ParentCounts>,
) -> Result<(AtomicWords, Option<u64>), Error> {
    let job = work.job;
    job.part(units.parents, 2 * work.slots());
    let edges = Edges::of(work, &words, resumed, counts)?;
    let settled_before = resumed.map_or(0, |_| settled(&words));
    let kept = units.share_of_levels(settled_before, work.slots());
    job.kept(kept);
    job.part(units.levels - kept, work.slots() - settled_before);
    work.stage("", work.slots());
    let mut queue = LevelQueue::new(words, resumed);
    let (mut last, mut level_before) = (None, resumed);
    while let Some(level) = queue.nearest(last) {
        if level > u32::from(Value::MAX_DISTANCE) {
            return Err(Error::Rules(format!("{} has distances above {level}", work.name())));
        }
        let Some(settled) = queue.run(&edges, level, &|settled| job.steps(settled).is_ok()) else {
            // Of level 0 nothing can be kept: there is none before it to go on from.
            stopped(work, level_before, queue.state())?;
            return Err(Error::Stopped);
        };
        (last, level_before) = (Some(level), Some(level.into()));
        let level = u64::from(level);
        job.level_done(level, settled, |store| store.put_state(&state_file(work.class), level, queue.state()))?;
    }
    Ok((queue.into_words(), level_before))
}

/// Slots that are settled, in levels that are done or in one that was begun.
fn settled(words: &AtomicWords) -> u64 {
    let settled = |word: &&AtomicU32| State::load(word).is_settled();
    words.par_chunks(SPAN).map(|chunk| chunk.iter().filter(settled).count() as u64).sum()
}

/// Writes the first word of every slot: finished games, and how many moves are open. Counts the parents of each, if they
/// are to be stored.
fn first_look<G: Graph>(
    work: &ClassWork<'_, G>,
    words: &AtomicWords,
    counts: Option<&ParentCounts>,
) -> Result<(), Error> {
    work.stage("moves", work.slots());
    let together = work.graph.together(work.class).max(1) as usize;
    let length = together * (SPAN / together).max(1);
    let scratch = || (Node::default(), Vec::with_capacity(length));
    words.par_chunks(length).enumerate().try_for_each_init(scratch, |(node, inits), (span, chunk)| {
        let first = (span * length) as u64;
        inits.clear();
        if work.graph.init_slots(work.class, first..first + chunk.len() as u64, work.earlier, inits) {
            assert_eq!(inits.len(), chunk.len(), "a word for each slot");
            inits.iter().zip(chunk).for_each(|(init, word)| init.0.store(word));
        } else {
            for (offset, word) in chunk.iter().enumerate() {
                work.expand(first + offset as u64, node);
                let state = first_word(node).map_err(Error::Rules)?;
                state.store(word);
                if let Some(counts) = counts
                    && !state.is_final_before(FIRST_NOTICE)
                {
                    counts.add(&node.here);
                }
            }
        }
        work.steps(chunk.len() as u64)
    })
}

/// The first word of a slot whose moves are known.
fn first_word(node: &mut Node) -> Result<State, String> {
    if let Some(sentence) = node.fault.take() {
        return Err(sentence);
    }
    if let Some(value) = node.ended {
        return Ok(State::ended(value));
    }
    let here = node.distinct_here().len();
    if here > MAX_CHILDREN as usize {
        return Err(format!("a position has {here} moves, more than {MAX_CHILDREN}"));
    }
    Ok(State::with_moves(here as u32, node.settled))
}
