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

//!
//! Several processes can share the slots of each class ([`mesh`](kanzen_core::mesh)): each has some blocks of them, and notices
//! to the others travel in parcels. The algorithm is the same, and a single process pays nothing for it.

mod arrivals;
mod class_context;
mod earlier;
mod edges;
mod graph;
mod initial_pass;
mod level_queue;
mod level_summary;
mod parents;
mod repeats;
mod rules_graph;
mod shards;
mod shared_planes;
mod state;
mod visits;

pub use earlier::{Earlier, EarlierCodes};
pub use graph::{FoundSlots, Graph, Node, Prospects, SlotInit};
pub use rules_graph::RulesGraph;

pub(super) use class_context::wide;

use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use self::class_context::ClassContext;
use self::earlier::EarlierClasses;
use self::edges::Edges;
use self::initial_pass::initial_pass;
use self::level_queue::LevelQueue;
use self::parents::ParentCounts;
use self::state::State;
use self::visits::Visits;
use super::mesh::{Alone, Mesh, RoundRobin, Share, Whole};
use super::{Job, plane_file};
use kanzen_core::machine::{AtomicWords, Codes};
use kanzen_core::vocabulary::{Error, Value};

/// Slots of one task in the initial pass.
const SPAN: usize = 1 << 14;

fn state_file(class: usize) -> String {
    format!("class-{class}.checkpoint")
}

/// What a slot costs in all, in the units of [`Work`], where edges are stored.
pub(super) const WORK_PER_SLOT: u64 = 2 + 4 + 4 + 1;

/// The work of the parts of a class, for progress: about in proportion to the time they take.
struct Work {
    look: u64,
    parents: u64,
    levels: u64,
    write: u64,
}

impl Work {
    /// The work on so many slots of a class.
    fn of<G: Graph>(graph: &G, class: usize, slots: u64) -> Work {
        let generated = graph.generates_parents(class);
        let stays = u64::from(graph.stays(class));
        Work {
            look: 2 * slots,
            parents: stays * if generated { 0 } else { 4 * slots },
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

/// Bytes of memory for the words of so many slots, with the queue of what is due when.
fn words_bytes(slots: u64) -> u64 {
    4 * slots + LevelQueue::bytes(slots)
}

/// Bytes of memory one class needs, stored parents not counted.
pub fn forecast_class<G: Graph>(graph: &G, class: usize) -> u64 {
    forecast_share(graph, class, Whole)
}

/// The same for a process that owns a share of it.
fn forecast_share<G: Graph>(graph: &G, class: usize, share: impl Share) -> u64 {
    let earlier: u64 = graph.needs(class).into_iter().map(|needed| 2 * share.here(graph.slots(needed))).sum();
    words_bytes(share.here(graph.slots(class))) + earlier
}

/// Solves all classes of a graph that the job's store does not have yet.
///
/// ```
/// use kanzen_core::progress::Silent;
/// use kanzen_solve::retrograde::{self, Earlier, Graph, Node};
/// use kanzen_solve::{Job, WorkFolder};
/// use kanzen_core::{Budget, Value};
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
/// let store = WorkFolder::in_memory();
/// retrograde::solve(&Ring, &Job::new(&store, Budget::new(1, 1 << 20), &Silent)?)?;
/// let plane = store.plane("class-0.plane")?;
/// assert_eq!(plane.get(4)?, Value::win(1));
/// assert_eq!(plane.get(2)?, Value::loss(2));
/// # Ok::<(), kanzen_core::Error>(())
/// ```
pub fn solve<G: Graph>(graph: &G, job: &Job<'_>) -> Result<(), Error> {
    match job.mesh() {
        Some(mesh) => solve_share(graph, job, RoundRobin::of(mesh), mesh),
        None => solve_share(graph, job, Whole, &Alone),
    }
}

fn solve_share<G: Graph, S: Share>(graph: &G, job: &Job<'_>, share: S, mesh: &dyn Mesh) -> Result<(), Error> {
    let solved = shared_planes::finished(mesh, job, graph.classes())?;
    let (solved, unsolved): (Vec<usize>, Vec<usize>) = (0..graph.classes()).partition(|&class| solved[class]);
    for &class in &unsolved {
        job.ledger().check(&graph.name(class), forecast_share(graph, class, share))?;
    }
    let units = |class: usize| Work::of(graph, class, share.here(graph.slots(class))).all();
    job.ahead((0..graph.classes()).map(units).sum());
    job.kept(solved.into_iter().map(units).sum());
    let mut earlier = EarlierClasses::default();
    for class in unsolved {
        let needs = graph.needs(class);
        earlier.keep_only(&needs);
        for needed in needs {
            if !earlier.has(needed) {
                let slots = graph.slots(needed);
                let memory = job.reserve(&graph.name(needed), 2 * share.here(slots))?;
                let codes = job.install(|| match S::WHOLE {
                    true => job.store.get_plane(&plane_file(needed)),
                    false => shared_planes::read(mesh, job, &plane_file(needed), slots),
                })?;
                earlier.insert(needed, codes, memory);
            }
        }
        let work = ClassContext { graph, class, earlier: &earlier, job, share, mesh };
        job.install(|| solve_class(&work))?;
    }
    Ok(())
}

fn solve_class<G: Graph, S: Share>(work: &ClassContext<'_, G, S>) -> Result<(), Error> {
    let ClassContext { graph, class, job, share, .. } = *work;
    let here = work.here();
    let units = Work::of(graph, class, here);
    if S::WHOLE && !graph.stays(class) && settled_at_once(work, &units)? {
        return Ok(());
    }
    let _memory = job.reserve(&work.name(), words_bytes(here))?;
    let mut words = AtomicWords::zeroed(&work.name(), here as usize)?;
    let resumed = shards::resume(work, &mut words)?;
    let mut counts = None;
    if resumed.is_none() {
        words.bytes_mut().fill(0);
        if S::WHOLE && Edges::are_to_be_stored(work) {
            counts = Some(ParentCounts::new(work)?);
        }
        job.part(units.look, here);
        initial_pass(work, &words, counts.as_ref())?;
    } else {
        job.kept(units.look);
    }
    let mut last = resumed;
    if graph.stays(class) {
        (words, last) = levels(work, &units, words, resumed, counts)?;
    }
    let value = |here: u64| {
        State::load(&words[here as usize]).value().unwrap_or_else(|| graph.endless(class, share.global(here)))
    };
    let fill = |first: u64, codes: &mut [i16]| {
        State::codes(&words[first as usize..], codes);
        for (slot, code) in (first..).zip(codes).filter(|(_, code)| **code == State::ENDLESS) {
            *code = graph.endless(class, slot).code();
        }
    };
    job.part(units.write, here);
    work.stage("writing", here);
    let written = match S::WHOLE {
        true => job.store.put_plane(&plane_file(class), here, &fill, &|slots| work.steps(slots)),
        false => shared_planes::write(work, &value),
    };
    match written {
        // All levels are done: a resumed solve has only to write.
        Err(Error::Stopped) if S::WHOLE => stopped(work, last, words.bytes()),
        written => written.and_then(|()| shards::remove_all(work)),
    }
}

/// Lets the graph settle a class that no move stays in, and keeps its plane; `false` if the graph does not.
fn settled_at_once<G: Graph, S: Share>(work: &ClassContext<'_, G, S>, units: &Work) -> Result<bool, Error> {
    let ClassContext { graph, class, job, .. } = *work;
    let slots = work.slots();
    let _memory = job.reserve(&work.name(), 2 * slots)?;
    let mut codes = Codes::zeroed(&work.name(), slots as usize)?;
    job.part(units.look, slots);
    work.stage("moves", slots);
    if !graph.settle_class(class, &work.earlier.view(), job, &mut codes)? {
        return Ok(false);
    }
    job.part(units.write, slots);
    work.stage("writing", slots);
    let fill = |first: u64, to: &mut [i16]| to.copy_from_slice(&codes[first as usize..][..to.len()]);
    job.store.put_plane(&plane_file(class), slots, &fill, &|slots| work.steps(slots))?;
    shards::remove_all(work)?;
    Ok(true)
}

/// Saves the state after the level `last`, or within the one after it.
fn stopped<G: Graph, S: Share>(work: &ClassContext<'_, G, S>, last: Option<u64>, state: &[u8]) -> Result<(), Error> {
    if let Some(level) = last {
        work.job.store.put_state(&state_file(work.class), level, state)?;
        work.job.checkpoint_written();
    }
    Err(Error::Stopped)
}

/// Settles level after level, from the one after `resumed` on. Returns the last one too.
fn levels<G: Graph, S: Share>(
    work: &ClassContext<'_, G, S>,
    units: &Work,
    words: AtomicWords,
    resumed: Option<u64>,
    counts: Option<ParentCounts>,
) -> Result<(AtomicWords, Option<u64>), Error> {
    let job = work.job;
    job.part(units.parents, 2 * work.here());
    let edges = Edges::of(work, &words, resumed, counts)?;
    let settled_before = resumed.map_or(0, |_| settled(&words));
    let kept = units.share_of_levels(settled_before, work.here());
    job.kept(kept);
    job.part(units.levels - kept, work.here() - settled_before);
    work.stage("", work.here());
    let visits = Visits::new(work.graph, work.class, work.here(), S::WHOLE);
    let mut queue = LevelQueue::new(words, visits, resumed);
    let (mut last, mut level_before) = (None, resumed);
    while let Some(level) = shards::next_level(work, last, level_before, &mut queue)? {
        if level > u32::from(Value::MAX_DISTANCE) {
            return Err(Error::Rules(format!("{} has distances above {level}", work.name())));
        }
        let Some(settled) = queue.run(work, &edges, level, &|settled| job.steps(settled).is_ok())? else {
            // Of level 0 nothing can be kept: there is none before it to go on from.
            stopped(work, level_before, queue.state())?;
            return Err(Error::Stopped);
        };
        (last, level_before) = (Some(level), Some(level.into()));
        let level = u64::from(level);
        match S::WHOLE {
            true => {
                job.level_done(level, settled, |store| store.put_state(&state_file(work.class), level, queue.state()))?
            }
            false => job.level_reached(level, settled),
        }
    }
    Ok((queue.into_words(), level_before))
}

/// Slots that are settled, in levels that are done or in one that was begun.
fn settled(words: &AtomicWords) -> u64 {
    let settled = |word: &&AtomicU32| State::load(word).is_settled();
    words.par_chunks(SPAN).map(|chunk| chunk.iter().filter(settled).count() as u64).sum()
}
