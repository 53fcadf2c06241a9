//! A whole sweep, on several threads.
//!
//! A move of the sweep's mover never changes the row it wants to reach (the piece would win from there, and such
//! positions have no bits). So the groups of the target array, slabs with the same goal row, are written apart from
//! each other: each is one thread's own for as long as it is swept.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use kanzen::progress::{Event, Observer};

use super::kernel::Sweep;
use super::layout::{Array, Group, Layout, Slab};
use super::plan::Plan;

/// Progress is told in steps of so many lifted boards.
const STEP: u64 = 1 << 16;

/// The lifted boards that a whole sweep visits.
pub fn lifted_boards(layout: &Layout) -> u64 {
    let lifted = |(slab, _): (&Slab, usize)| slab.middle.checked_sub(1).map_or(0, |middle| layout.middles(middle));
    layout.slabs(Array::Losses).map(lifted).sum::<usize>() as u64
}

/// The lifted slabs whose targets stand in one group of an array.
struct Task {
    words: std::ops::Range<usize>,
    plans: Vec<Plan>,
}

/// Everything that the sweeps of one array need, made once.
pub struct Sweeper<'a> {
    layout: &'a Layout,
    target: Array,
    tasks: Vec<Task>,
}

impl<'a> Sweeper<'a> {
    /// Plans the sweeps that find positions of an array.
    pub fn new(layout: &'a Layout, target: Array) -> Sweeper<'a> {
        let mut slabs = layout.slabs(target);
        let mut of_group = |group: &Group| -> Vec<Slab> { slabs.by_ref().take(group.slabs).map(|(slab, _)| *slab).collect() };
        let groups: Vec<_> = layout.groups(target).iter().map(|group| (group.words.clone(), of_group(group))).collect();
        let plan = |slab: Slab| Plan::new(layout, target, [slab.top, slab.bottom], slab.middle - 1);
        let task = |(words, slabs): (_, Vec<Slab>)| {
            let lifted = slabs.into_par_iter().filter(|slab| slab.middle > 0);
            Task { words, plans: lifted.map(plan).collect() }
        };
        Sweeper { layout, target, tasks: groups.into_iter().map(task).collect() }
    }

    /// Adds to `found` every position of the array from which a move leads into the set: the source, or, if `flip` is
    /// set, all that is not in it (and has a bit).
    pub fn sweep(&self, source: &[u64], flip: bool, found: &mut [u64], observer: &dyn Observer) {
        let sweep = Sweep { layout: self.layout, source, flip: if flip { !0 } else { 0 } };
        let mut tasks = Vec::new();
        let mut rest = found;
        for task in &self.tasks {
            let (words, after) = std::mem::take(&mut rest).split_at_mut(task.words.len());
            tasks.push((task, words));
            rest = after;
        }
        // The largest first: the threads end at nearly the same time.
        tasks.sort_by_key(|(task, _)| task.words.len());
        let tasks = Mutex::new(tasks);
        let swept = AtomicU64::new(0);
        let work = || {
            loop {
                let task = tasks.lock().expect("nobody panics with it").pop();
                let Some((task, words)) = task else { break };
                for plan in &task.plans {
                    sweep.slab(plan, words, task.words.start);
                    let boards = plan.boards(self.layout) as u64;
                    let before = swept.fetch_add(boards, Ordering::Relaxed);
                    let steps = (before + boards) / STEP - before / STEP;
                    if steps > 0 {
                        observer.event(Event::Steps { steps: steps * STEP });
                    }
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| work());
            }
        });
    }
}
