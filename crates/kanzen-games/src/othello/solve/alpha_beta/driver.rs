//! Searches the score of a root: proofs, threads, stop and resume.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::table::{Bounds, Table};
use super::worker::{Busy, Shared, Worker};
use super::{Child, Expansion, Tree};
use kanzen::Error;
use kanzen::progress::{Event, Observer};

/// How often a search reports its progress and checks whether to stop.
const TICK: Duration = Duration::from_millis(100);

/// How long a game may last from the position whose score is the first guess: such a game is solved at once.
const LIKELY_PLIES: u32 = 18;

/// Keeps what a search has proven so far, so that another can go on from there.
pub struct Checkpointer<'a> {
    every: Duration,
    keep: Box<Keep<'a>>,
}

/// Keeps the bounds of the root and whatever of the table is worth keeping.
type Keep<'a> = dyn FnMut(Bounds, &Table) -> Result<(), Error> + 'a;

impl<'a> Checkpointer<'a> {
    /// Keeps the bounds of the root and whatever of the table is worth keeping, so often and when a search stops.
    pub fn new(every: Duration, keep: impl FnMut(Bounds, &Table) -> Result<(), Error> + 'a) -> Checkpointer<'a> {
        Checkpointer { every, keep: Box::new(keep) }
    }

    /// A checkpointer that keeps nothing.
    pub fn none() -> Checkpointer<'a> {
        Checkpointer::new(Duration::MAX, |_, _| Ok(()))
    }

    /// Keeps what is proven now.
    pub fn keep(&mut self, root: Bounds, table: &Table) -> Result<(), Error> {
        (self.keep)(root, table)
    }
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The root's score, for its mover.
    pub score: i32,
    /// Positions looked at, those of the last plies included.
    pub positions: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Passes on the request to stop, and no events.
struct StopOnly<'a>(&'a dyn Observer);

impl Observer for StopOnly<'_> {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        self.0.stop()
    }
}

/// A search of one game with one table.
pub struct Search<'a, T: Tree> {
    tree: &'a T,
    table: &'a Table,
    threads: usize,
    deadline: Option<Instant>,
}

impl<'a, T: Tree> Search<'a, T> {
    /// A search that keeps what it proves in `table`.
    pub fn new(tree: &'a T, table: &'a Table, threads: usize) -> Search<'a, T> {
        Search { tree, table, threads: threads.max(1), deadline: None }
    }

    /// Gives up with [`Error::TooLong`] after this time.
    pub fn within(self, deadline: Duration) -> Search<'a, T> {
        Search { deadline: Instant::now().checked_add(deadline), ..self }
    }

    /// What nothing is known of.
    pub fn any_score(&self) -> Bounds {
        Bounds { lower: -self.tree.limit(), upper: self.tree.limit() }
    }

    /// The score of a root of which `known` is proven.
    pub fn score(
        &self,
        root: T::Node,
        known: Bounds,
        mut checkpoints: Checkpointer<'_>,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        let start = Instant::now();
        let positions = AtomicU64::new(0);
        let mut bounds = known;
        let mut guess = if known.exact().is_none() { self.likely(root, &positions, observer)? } else { known.lower };
        let (mut last_way, mut same_way) = (0, 0);
        while bounds.exact().is_none() {
            guess = guess.clamp(bounds.lower, bounds.upper);
            // "Is it more than window?": from the guess downwards, unless it is proven that far already.
            let window = if guess == bounds.lower { guess } else { guess - 1 };
            observer.event(Event::Stage { name: &format!("score above {window}?"), total: None });
            let score = self.run(root, window, bounds, &positions, &mut checkpoints, observer)?;
            let way = if score > window { 1 } else { -1 };
            if way > 0 {
                bounds.lower = score;
            } else {
                bounds.upper = score;
            }
            // Again and again the same way: the score is far off, so the steps grow.
            same_way = if way == last_way { same_way + 1 } else { 0 };
            last_way = way;
            guess = score + if same_way >= 2 { way << same_way.min(5) } else { 0 };
            let text = format!(
                "score from {} to {} after {} positions, {:.1} M a second",
                bounds.lower,
                bounds.upper,
                positions.load(Ordering::Relaxed),
                positions.load(Ordering::Relaxed) as f64 / 1e6 / start.elapsed().as_secs_f64()
            );
            observer.event(Event::Note { text: &text });
            checkpoints.keep(bounds, self.table)?;
            if bounds.exact().is_none() && observer.stop() {
                return Err(Error::Stopped);
            }
        }
        Ok(Found { score: bounds.lower, positions: positions.into_inner(), seconds: start.elapsed().as_secs_f64() })
    }

    /// What the score may well be, so that the first question is a good one: the game's own guess, or the score of the
    /// position to which the most promising moves lead.
    fn likely(&self, root: T::Node, positions: &AtomicU64, observer: &dyn Observer) -> Result<i32, Error> {
        if self.tree.plies(root) > LIKELY_PLIES
            && let Some(guess) = self.tree.guess(root)
        {
            return Ok(guess);
        }
        let (mut node, mut sign, mut followed) = (root, 1, false);
        while self.tree.plies(node) > LIKELY_PLIES {
            let Some(&child) = self.children(node).first() else { break };
            (node, sign, followed) = (child, -sign, true);
        }
        if !followed {
            return Ok(0);
        }
        let found = self.score(node, self.any_score(), Checkpointer::none(), &StopOnly(observer))?;
        positions.fetch_add(found.positions, Ordering::Relaxed);
        Ok(sign * found.score)
    }

    /// The children of a position, the most promising first.
    pub fn children(&self, node: T::Node) -> Vec<T::Node> {
        let mut nodes = Vec::new();
        match self.tree.expand(node, &mut nodes) {
            Expansion::Forced(child) => return vec![child],
            Expansion::Known(_) => return Vec::new(),
            Expansion::Children => {}
        }
        let mut children: Vec<_> = nodes.into_iter().map(|node| Child::new(self.tree, node)).collect();
        self.tree.rank(node, &mut children);
        // Equal ranks stay in the order of the list: the same order every time.
        children.sort_by_key(|child| child.rank);
        children.into_iter().map(|child| child.node).collect()
    }

    /// Whether a position's score is more than `window`.
    pub fn is_above(&self, node: T::Node, window: i32, observer: &dyn Observer) -> Result<bool, Error> {
        let score =
            self.run(node, window, self.any_score(), &AtomicU64::new(0), &mut Checkpointer::none(), observer)?;
        Ok(score > window)
    }

    /// One proof by all threads; the first that is through ends it.
    fn run(
        &self,
        root: T::Node,
        window: i32,
        bounds: Bounds,
        positions: &AtomicU64,
        checkpoints: &mut Checkpointer<'_>,
        observer: &dyn Observer,
    ) -> Result<i32, Error> {
        let (busy, stop) = (Busy::default(), AtomicBool::new(false));
        let shared =
            Shared { tree: self.tree, table: self.table, busy: &busy, positions, stop: &stop, threads: self.threads };
        if self.threads == 1 && self.deadline.is_none() && checkpoints.every == Duration::MAX && self.small(root) {
            let score = Worker::new(&shared).prove(root, window);
            return score.ok_or(Error::Stopped);
        }
        std::thread::scope(|scope| {
            let (done, results) = channel();
            for number in 0..self.threads {
                let (shared, done) = (&shared, done.clone());
                let work = move || {
                    let score = Worker::new(shared).prove(root, window);
                    // The result first: a thread that gives up because of it must not report before it. The receiver
                    // is gone only when a result is there already.
                    let _ = done.send(score);
                    if score.is_some() {
                        shared.stop.store(true, Ordering::Relaxed);
                    }
                };
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(refusal) if number == 0 => return Err(Error::Threads(refusal.to_string())),
                    Err(_) => break, // the others find the same, only later
                }
            }
            let mut reported = positions.load(Ordering::Relaxed);
            let mut kept = Instant::now();
            let stopped = |error: Error| {
                stop.store(true, Ordering::Relaxed);
                error
            };
            loop {
                match results.recv_timeout(TICK) {
                    Ok(Some(score)) => return Ok(score),
                    Ok(None) | Err(RecvTimeoutError::Disconnected) => return Err(Error::Stopped),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let now = positions.load(Ordering::Relaxed);
                observer.event(Event::Steps { steps: now - reported });
                reported = now;
                if observer.stop() {
                    checkpoints.keep(bounds, self.table).map_err(stopped)?;
                    return Err(stopped(Error::Stopped));
                }
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return Err(stopped(Error::TooLong));
                }
                if kept.elapsed() >= checkpoints.every {
                    checkpoints.keep(bounds, self.table).map_err(stopped)?;
                    observer.event(Event::Checkpoint);
                    kept = Instant::now();
                }
            }
        })
    }

    /// Whether starting threads would cost more than the search.
    fn small(&self, root: T::Node) -> bool {
        self.tree.plies(root) <= 16
    }
}
