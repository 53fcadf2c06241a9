//! A whole sweep, on several threads.
//!
//! A move of the sweep's mover never changes the row it wants to reach (the piece would win from there, and such
//! positions have no bits). So the groups of the target array, slabs with the same goal row, are written apart from
//! each other: each is one thread's own for as long as it is swept.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use kanzen::progress::{Event, Observer};

use super::kernel::Sweep;
use super::layout::{Array, Group, Layout, Slab};
use super::plan::Plan;

/// Progress is told in steps of so many lifted boards.
const STEP: u64 = 1 << 16;

/// The lifted slabs whose targets stand in one group of an array.
struct Task {
    words: std::ops::Range<usize>,
    plans: Vec<Plan>,
}

/// Everything that the sweeps of one array need, made once.
pub struct Sweeper<'a> {
    layout: &'a Layout,
    tasks: Vec<Task>,
}

impl<'a> Sweeper<'a> {
    /// Plans the sweeps that find positions of an array.
    pub fn new(layout: &'a Layout, target: Array) -> Sweeper<'a> {
        let mut slabs = layout.slabs(target);
        let mut of_group =
            |group: &Group| -> Vec<Slab> { slabs.by_ref().take(group.slabs).map(|(slab, _)| *slab).collect() };
        let groups: Vec<_> = layout.groups(target).iter().map(|group| (group.words.clone(), of_group(group))).collect();
        let plan = |slab: Slab| Plan::new(layout, target, [slab.top, slab.bottom], slab.middle - 1);
        let task = |(words, slabs): (_, Vec<Slab>)| {
            let lifted = slabs.into_par_iter().filter(|slab| slab.middle > 0);
            Task { words, plans: lifted.map(plan).collect() }
        };
        Sweeper { layout, tasks: groups.into_iter().map(task).collect() }
    }

    /// Adds to `found` every position of the array from which a move leads into the set: the source, or, if `flip` is
    /// set, all that is not in it (and has a bit). Tells in which slabs the result may differ from an earlier sweep's,
    /// if the source has changed in some slabs only; in others it is not complete.
    pub fn sweep(
        &self,
        source: &[u64],
        changed: &Changed,
        flip: bool,
        found: &mut [u64],
        observer: &dyn Observer,
    ) -> Changed {
        let sweep = Sweep { layout: self.layout, source, flip: if flip { !0 } else { 0 } };
        let touches = |plan: &&Plan| plan.source_slabs().any(|slab| changed.has(slab));
        let mut touched = Changed::none(self.layout);
        for plan in self.tasks.iter().flat_map(|task| &task.plans).filter(touches) {
            plan.target_slabs().for_each(|slab| touched.0[slab] = true);
        }
        // What has been found stays found. What has not been found (`flip`) needs all moves of a position.
        let needed = |plan: &&Plan| {
            if flip { plan.target_slabs().any(|slab| touched.has(slab)) } else { touches(plan) }
        };
        let mut tasks = Vec::new();
        let mut rest = found;
        let mut boards = 0;
        for task in &self.tasks {
            let (words, after) = std::mem::take(&mut rest).split_at_mut(task.words.len());
            let plans: Vec<&Plan> = task.plans.iter().filter(needed).collect();
            let in_task: usize = plans.iter().map(|plan| plan.boards(self.layout)).sum();
            boards += in_task as u64;
            tasks.push((in_task, plans, task.words.start, words));
            rest = after;
        }
        observer.event(Event::Stage { name: "sweep", total: Some(boards) });
        // The largest first: the threads end at nearly the same time.
        tasks.sort_by_key(|(boards, ..)| *boards);
        let tasks = Mutex::new(tasks);
        let swept = AtomicU64::new(0);
        let work = || {
            loop {
                let task = tasks.lock().expect("nobody panics with it").pop();
                let Some((_, plans, first, words)) = task else { break };
                for plan in plans {
                    sweep.slab(plan, words, first);
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
        touched
    }
}

/// Some slabs.
pub struct Changed(Vec<bool>);

impl Changed {
    /// No slab.
    pub fn none(layout: &Layout) -> Changed {
        Changed(vec![false; layout.slab_count()])
    }

    /// All slabs.
    pub fn all(layout: &Layout) -> Changed {
        Changed(vec![true; layout.slab_count()])
    }

    /// Whether a slab is among them.
    pub fn has(&self, slab: usize) -> bool {
        self.0[slab]
    }

    /// A mark for each slab, none set, to be [taken](Changed::take) when threads have set them.
    pub fn marks(&self) -> Vec<AtomicBool> {
        self.0.iter().map(|_| AtomicBool::new(false)).collect()
    }

    /// Becomes the slabs that are marked.
    pub fn take(&mut self, marks: Vec<AtomicBool>) {
        self.0 = marks.into_iter().map(AtomicBool::into_inner).collect();
    }
}
