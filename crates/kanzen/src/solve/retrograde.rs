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

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::agenda::Agenda;
use super::edges::Edges;
use super::job::Job;
use super::state::{MAX_CHILDREN, State};
use super::words::Words;
use super::{Earlier, Graph, Node, Shelf, SolveError};
use crate::progress::{Event, Observer};
use crate::store::StoreError;
use crate::{Budget, Value};

/// Slots that one task looks at first.
const SPAN: usize = 1 << 14;

/// Bytes of memory one class needs, stored parents not counted.
pub fn forecast_class<G: Graph>(graph: &G, class: usize) -> u64 {
    let earlier: u64 = graph.needs(class).into_iter().map(|needed| 2 * graph.slots(needed)).sum();
    4 * graph.slots(class) + earlier
}

/// The scalar retrograde engine.
///
/// ```
/// use kanzen::solve::{Earlier, Graph, MemoryShelf, Node, Retrograde};
/// use kanzen::{Budget, Value, progress::Silent};
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
/// let mut shelf = MemoryShelf::default();
/// Retrograde::new(Budget::new(1, 1 << 20)).solve(&Ring, &mut shelf, &Silent)?;
/// assert_eq!(shelf.value(0, 4), Value::win(1));
/// assert_eq!(shelf.value(0, 2), Value::loss(2));
/// # Ok::<(), kanzen::solve::SolveError>(())
/// ```
pub struct Retrograde {
    budget: Budget,
    checkpoint_every: Duration,
}

impl Retrograde {
    /// An engine with this budget, a checkpoint every five minutes.
    pub fn new(budget: Budget) -> Retrograde {
        Retrograde { budget, checkpoint_every: Duration::from_secs(300) }
    }

    /// Writes a checkpoint after the first level that ends this long after the last one.
    pub fn checkpoint_every(self, interval: Duration) -> Retrograde {
        Retrograde { checkpoint_every: interval, ..self }
    }

    /// Solves all classes that the shelf does not have yet.
    pub fn solve<G: Graph>(
        &self,
        graph: &G,
        shelf: &mut (impl Shelf + Send),
        observer: &dyn Observer,
    ) -> Result<(), SolveError> {
        let unsolved: Vec<usize> = (0..graph.classes()).filter(|&class| !shelf.finished(class)).collect();
        for &class in &unsolved {
            self.budget.allows(&graph.name(class), forecast_class(graph, class))?;
        }
        let pool = crate::solve::pool(self.budget.threads)?;
        let mut earlier = Earlier::default();
        for class in unsolved {
            let needs = graph.needs(class);
            earlier.keep_only(&needs);
            for needed in needs {
                if !earlier.has(needed) {
                    earlier.insert(needed, shelf.load(needed)?);
                }
            }
            let words = pool.install(|| self.run_class(graph, class, &earlier, shelf, observer))?;
            let value =
                |slot: u64| State::load(&words[slot as usize]).value().unwrap_or_else(|| graph.endless(class, slot));
            pool.install(|| shelf.finish(class, graph.slots(class), &value))?;
        }
        Ok(())
    }

    fn run_class<G: Graph>(
        &self,
        graph: &G,
        class: usize,
        earlier: &Earlier,
        shelf: &mut impl Shelf,
        observer: &dyn Observer,
    ) -> Result<Words, SolveError> {
        let slots = graph.slots(class);
        let mut words = Words::zeroed(slots as usize).map_err(|source| StoreError::Io {
            action: "reserve memory for",
            path: graph.name(class).into(),
            source,
        })?;
        let job = Job { graph, class, earlier, budget: &self.budget, observer };
        let resumed = shelf.resume(class, words.bytes_mut())?;
        if resumed.is_none() {
            words.bytes_mut().fill(0);
            first_look(&job, &words)?;
        }
        if !graph.stays(class) {
            return Ok(words);
        }
        let edges = Edges::of(&job, &words, resumed)?;
        job.stage("", slots);
        let mut agenda = Agenda::new(words, resumed);
        let mut last_checkpoint = Instant::now();
        let mut last = None;
        while let Some(level) = agenda.nearest(last) {
            if level > u32::from(Value::MAX_DISTANCE) {
                return Err(SolveError::Rules(format!("{} has distances above {level}", graph.name(class))));
            }
            let settled = agenda.run(&edges, level);
            last = Some(level);
            observer.event(Event::Level { level: u64::from(level), positions: settled });
            observer.event(Event::Steps { steps: settled });
            let stop = observer.stop();
            if stop || last_checkpoint.elapsed() >= self.checkpoint_every {
                shelf.checkpoint(class, u64::from(level), agenda.state())?;
                observer.event(Event::Checkpoint);
                last_checkpoint = Instant::now();
            }
            if stop {
                return Err(SolveError::Stopped);
            }
        }
        Ok(agenda.into_words())
    }
}

/// Writes the first word of every slot: finished games, and how many moves are open.
fn first_look<G: Graph>(job: &Job<'_, G>, words: &Words) -> Result<(), SolveError> {
    job.stage("moves", job.slots());
    let desk = || (Node::default(), Vec::with_capacity(SPAN));
    words.par_chunks(SPAN).enumerate().try_for_each_init(desk, |(node, sights), (span, chunk)| {
        let first = (span * SPAN) as u64;
        sights.clear();
        if job.graph.look(job.class, first..first + chunk.len() as u64, job.earlier, sights) {
            assert_eq!(sights.len(), chunk.len(), "a sight for each slot");
            sights.iter().zip(chunk).for_each(|(sight, word)| sight.0.store(word));
        } else {
            for (offset, word) in chunk.iter().enumerate() {
                job.expand(first + offset as u64, node);
                look(node).map_err(SolveError::Rules)?.store(word);
            }
        }
        job.steps(chunk.len() as u64)
    })
}

fn look(node: &mut Node) -> Result<State, String> {
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
