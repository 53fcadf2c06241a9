//! Finds the new positions of a round: by a sweep over all lifted boards, or by un-moves of a few positions.
//!
//! Both write the target array on several threads. A move never changes the goal row of its mover: a piece that leaves
//! that row wins at once, and such positions have no bit. So the groups of the target array, slabs with the same goal
//! row, are independent, and each belongs to one thread for the whole sweep.
//!
//! After a round that found few positions, the next one takes back moves from these alone:
//!
//! ```text
//! wins    black has a move to a new loss                         every un-move of a new loss is a win
//! losses  white has a move to a new win, and all its moves lose  un-moves of new wins, then a check of all their moves
//! ```
//!
//! That costs time per new position, where a sweep costs time per board. Half of the rounds find fewer than one
//! position in a thousand.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen::progress::{Event, Observer};
use kanzen_core::machine::cpu::{Gather, Isa, Work, dispatch};
use kanzen_solve::rounds::{ROUND_WORK, WordArray};
use rayon::prelude::*;

use super::kernel::Sweep;
use super::plan::Plan;
use super::set::{CHUNK, NewPositions, Window};
use super::steps::{Placed, Steps};
use crate::nocca::index::layout::{Array, Group, Layout, Slab};

/// Lifted boards per progress event.
const STEP: u64 = 1 << 16;

/// The lifted slabs whose targets lie in one group of an array.
struct Task {
    words: Range<usize>,
    plans: Vec<Plan>,
}

/// The sweep plans of one array, made once.
pub struct Sweeper {
    tasks: Vec<Task>,
}

impl Sweeper {
    /// Plans the sweeps that find positions of `target`.
    pub fn new(layout: &Layout, target: Array) -> Sweeper {
        let mut slabs = layout.slabs(target);
        let mut of_group =
            |group: &Group| -> Vec<Slab> { slabs.by_ref().take(group.slabs).map(|(slab, _)| *slab).collect() };
        let groups: Vec<_> = layout.groups(target).iter().map(|group| (group.words.clone(), of_group(group))).collect();
        let plan = |slab: Slab| Plan::new(layout, target, [slab.top, slab.bottom], slab.middle - 1);
        let task = |(words, slabs): (_, Vec<Slab>)| {
            let lifted = slabs.into_par_iter().filter(|slab| slab.middle > 0);
            Task { words, plans: lifted.map(plan).collect() }
        };
        Sweeper { tasks: groups.into_iter().map(task).collect() }
    }

    /// Prepares a sweep after a change of some slabs of the source.
    pub fn pass<'a>(&'a self, sweep: Sweep<'a>, changed: &Changed, observer: &'a dyn Observer) -> Pass<'a> {
        let touches = |plan: &&Plan| plan.source_slabs().any(|slab| changed.has(slab));
        let mut touched = Changed::none(sweep.layout);
        for plan in self.tasks.iter().flat_map(|task| &task.plans).filter(touches) {
            plan.target_slabs().for_each(|slab| touched.0[slab] = true);
        }
        // Found positions stay found (flip 0). Otherwise a position is decided only by all its moves.
        let needed = |plan: &&Plan| match sweep.flip {
            0 => touches(plan),
            _ => plan.target_slabs().any(|slab| touched.has(slab)),
        };
        let group = |task: &'a Task| {
            let plans: Vec<&Plan> = task.plans.iter().filter(needed).collect();
            let boards = plans.iter().map(|plan| plan.boards(sweep.layout)).sum();
            GroupPass { words: task.words.clone(), plans, boards }
        };
        let groups: Vec<GroupPass<'_>> = self.tasks.iter().map(group).collect();
        let boards = groups.iter().map(|group| group.boards as u64).sum();
        observer.event(Event::Stage { name: "sweep", total: Some(boards) });
        observer.event(Event::Part { work: ROUND_WORK, steps: boards });
        Pass { sweep, groups, touched, boards, swept: AtomicU64::new(0), observer }
    }
}

/// One sweep of an array: the work, by groups.
pub struct Pass<'a> {
    sweep: Sweep<'a>,
    groups: Vec<GroupPass<'a>>,
    /// Slabs whose result may differ from that of an earlier sweep.
    pub touched: Changed,
    /// Lifted boards that this pass visits.
    pub boards: u64,
    /// Lifted boards visited so far.
    swept: AtomicU64,
    observer: &'a dyn Observer,
}

/// The work in one group.
struct GroupPass<'a> {
    words: Range<usize>,
    plans: Vec<&'a Plan>,
    boards: usize,
}

impl Pass<'_> {
    /// Adds to `found` every position of a window with a move into the set of the sweep. `found` begins where the
    /// window does. The set is the source or, if flipped, its complement among the positions that have a bit.
    ///
    /// If only some slabs of the source have changed, the result is complete only in [`touched`](Pass::touched) slabs.
    pub fn sweep(&self, window: &Window, found: &mut [u64]) -> Result<(), Error> {
        let mut tasks = Vec::new();
        let mut rest = &mut found[window.words.start - window.first()..];
        for group in &self.groups[window.groups.clone()] {
            let (words, after) = std::mem::take(&mut rest).split_at_mut(group.words.len());
            tasks.push((group, words));
            rest = after;
        }
        // The largest group first, so that the threads finish at nearly the same time.
        tasks.sort_by_key(|(group, _)| group.boards);
        let tasks = Mutex::new(tasks);
        let (isa, stopped) = (Isa::best(), AtomicBool::new(false));
        let work = || {
            loop {
                let task = tasks.lock().expect("no thread panics").pop();
                let Some((group, words)) = task else { break };
                for plan in &group.plans {
                    if self.observer.stop() {
                        stopped.store(true, Ordering::Relaxed);
                        return;
                    }
                    self.sweep.slab(isa, plan, words, group.words.start);
                    let boards = plan.boards(self.sweep.layout) as u64;
                    let before = self.swept.fetch_add(boards, Ordering::Relaxed);
                    let steps = (before + boards) / STEP - before / STEP;
                    if steps > 0 {
                        self.observer.event(Event::Steps { steps: steps * STEP });
                    }
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| work());
            }
        });
        if stopped.into_inner() { Err(Error::Stopped) } else { Ok(()) }
    }
}

/// The slabs in which a round found anything: a later sweep visits only what depends on them.
pub struct Changed(Vec<bool>);

impl Changed {
    /// Returns the set with no slab of a layout.
    pub fn none(layout: &Layout) -> Changed {
        Changed(vec![false; layout.slab_count()])
    }

    /// Returns the set with every slab of a layout.
    pub fn all(layout: &Layout) -> Changed {
        Changed(vec![true; layout.slab_count()])
    }

    /// Whether the set contains a slab.
    pub fn has(&self, slab: usize) -> bool {
        self.0[slab]
    }

    /// Returns an unset mark per slab; threads set them, and [`take`](Changed::take) stores them.
    pub fn marks(&self) -> Vec<AtomicBool> {
        self.0.iter().map(|_| AtomicBool::new(false)).collect()
    }

    /// Replaces the set by the marked slabs.
    pub fn take(&mut self, marks: Vec<AtomicBool>) {
        self.0 = marks.into_iter().map(AtomicBool::into_inner).collect();
    }
}

/// Positions per piece of parallel work.
const PIECE: usize = 1 << 10;

/// A round that finds positions of `target` by un-moves of the few positions that the last round found.
pub struct SparseRound<'a> {
    /// Moves of single positions.
    pub steps: &'a Steps<'a>,
    /// The array of the positions to find.
    pub target: Array,
    /// The words of the target array.
    pub known: &'a [u64],
    /// The words of the other array.
    pub source: &'a [u64],
    /// The new positions of the other array.
    pub new_positions: &'a NewPositions,
}

/// Reports the size of a round that goes through `new_positions` once per window.
pub fn report_size(new_positions: &NewPositions, windows: usize, observer: &dyn Observer) {
    let total = (new_positions.count() * windows) as u64;
    observer.event(Event::Stage { name: "sweep", total: Some(total) });
    observer.event(Event::Part { work: ROUND_WORK, steps: total });
}

impl SparseRound<'_> {
    /// Adds the new positions of a window to `found` and marks the chunks of the array that may contain any.
    ///
    /// `found` begins where the window does. It must be empty except for bits carried over from the window before.
    pub fn find(
        &self,
        window: &Window,
        found: &mut WordArray,
        touched: &[AtomicBool],
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let words = found.atomic();
        self.new_positions.pieces(PIECE).try_for_each(|(first, places)| {
            if observer.stop() {
                return Err(Error::Stopped);
            }
            dispatch(Unmoves { round: self, first, places, window, found: words, touched });
            observer.event(Event::Steps { steps: places.len() as u64 });
            Ok(())
        })?;
        if self.target == Array::Losses {
            // Bits carried over are already checked, and are left alone.
            let chunks = found[..window.len].par_chunks_mut(CHUNK).zip(&touched[window.chunks.start..]).enumerate();
            let chunks = chunks.filter(|(_, (_, touched))| touched.load(Ordering::Relaxed));
            chunks.try_for_each(|(chunk, (found, _))| {
                if observer.stop() {
                    return Err(Error::Stopped);
                }
                dispatch(Verify { round: self, first: window.first() + chunk * CHUNK, found });
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Un-moves: finds unknown positions of a window of the target with a move to one of the new positions.
struct Unmoves<'a> {
    round: &'a SparseRound<'a>,
    /// The bit from which `places` are counted.
    first: u64,
    places: &'a [u32],
    window: &'a Window,
    found: &'a [AtomicU64],
    touched: &'a [AtomicBool],
}

impl Unmoves<'_> {
    #[inline(always)]
    fn add(&self, bit: u64) {
        let (word, bit) = ((bit / 64) as usize, 1 << (bit % 64));
        let found = &self.found[word - self.window.first()];
        if self.round.known[word] & bit == 0 && found.load(Ordering::Relaxed) & bit == 0 {
            found.fetch_or(bit, Ordering::Relaxed);
            self.touched[word / CHUNK].store(true, Ordering::Relaxed);
        }
    }
}

impl Work for Unmoves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        let SparseRound { steps, target, .. } = *self.round;
        let white = target == Array::Losses;
        let mut cached = None;
        for &place in self.places {
            let Some(after) = steps.at(cpu, target.other(), self.first + u64::from(place), &mut cached) else {
                continue;
            };
            steps.each_lifted(&after, white, |cell, lifted| {
                // The piece did not come from the goal row: it would have walked off from there.
                if !self.window.has_goal_row(lifted.goal_row(target)) {
                    return true;
                }
                for &from in steps.near(cell) {
                    let before = steps.put(&lifted, from, white);
                    if let Some(located) = before.and_then(|before| steps.locate(cpu, target, &before)) {
                        self.add(located.bit);
                        located.twin.into_iter().for_each(|twin| self.add(twin));
                    }
                }
                true
            });
        }
    }
}

/// Keeps the lost positions of a chunk of candidates: those from which every white move leads to a win for black.
struct Verify<'a> {
    round: &'a SparseRound<'a>,
    /// The first word of the chunk.
    first: usize,
    found: &'a mut [u64],
}

impl Work for Verify<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) {
        let mut cached = None;
        for (at, word) in self.found.iter_mut().enumerate().filter(|(_, word)| **word != 0) {
            let mut left = *word;
            while left != 0 {
                let bit = 64 * (self.first + at) as u64 + u64::from(left.trailing_zeros());
                let placed = self.round.steps.at(cpu, Array::Losses, bit, &mut cached);
                if !placed.is_some_and(|placed| self.round.is_lost(cpu, &placed)) {
                    *word &= !(left & left.wrapping_neg());
                }
                left &= left - 1;
            }
        }
    }
}

impl SparseRound<'_> {
    #[inline(always)]
    fn is_lost<C: Gather>(&self, cpu: C, placed: &Placed) -> bool {
        self.steps.each_lifted(placed, true, |cell, lifted| {
            self.steps.near(cell).iter().all(|&to| {
                let after = self.steps.put(&lifted, to, true);
                // A target without a bit is one where black walks off at once.
                let located = after.and_then(|after| self.steps.locate(cpu, Array::Wins, &after));
                located.is_none_or(|at| self.source[(at.bit / 64) as usize] >> (at.bit % 64) & 1 == 1)
            })
        })
    }
}
