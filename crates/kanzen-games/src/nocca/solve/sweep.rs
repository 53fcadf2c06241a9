//! A whole sweep, on several threads.
//!
//! A move of the sweep's mover never changes the row it wants to reach (the piece would win from there, and such
//! positions have no bits). So the groups of the target array, slabs with the same goal row, are written apart from
//! each other: each is one thread's own for as long as it is swept.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kanzen::Error;
use kanzen::machine::cpu::Isa;
use kanzen::progress::{Event, Observer};
use kanzen::solve::rounds::ROUND_WORK;
use rayon::prelude::*;

use super::kernel::Sweep;
use super::plan::Plan;
use super::windows::Window;
use crate::nocca::index::layout::{Array, Group, Layout, Slab};

/// Progress is told in steps of so many lifted boards.
const STEP: u64 = 1 << 16;

/// The lifted slabs whose targets stand in one group of an array.
struct Task {
    words: Range<usize>,
    plans: Vec<Plan>,
}

/// Everything that the sweeps of one array need, made once.
pub struct Sweeper {
    tasks: Vec<Task>,
}

impl Sweeper {
    /// Plans the sweeps that find positions of an array.
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

    /// Prepares a sweep where the source has changed in some slabs only.
    pub fn pass<'a>(&'a self, sweep: Sweep<'a>, changed: &Changed, observer: &'a dyn Observer) -> Pass<'a> {
        let touches = |plan: &&Plan| plan.source_slabs().any(|slab| changed.has(slab));
        let mut touched = Changed::none(sweep.layout);
        for plan in self.tasks.iter().flat_map(|task| &task.plans).filter(touches) {
            plan.target_slabs().for_each(|slab| touched.0[slab] = true);
        }
        // What has been found stays found. What has not been found needs all moves of a position.
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

/// One sweep of an array: what there is to do, by groups.
pub struct Pass<'a> {
    sweep: Sweep<'a>,
    groups: Vec<GroupPass<'a>>,
    /// The slabs in which its result may differ from an earlier sweep's.
    pub touched: Changed,
    /// The lifted boards it visits.
    pub boards: u64,
    /// Those it has visited.
    swept: AtomicU64,
    observer: &'a dyn Observer,
}

/// What there is to do in a group.
struct GroupPass<'a> {
    words: Range<usize>,
    plans: Vec<&'a Plan>,
    boards: usize,
}

impl Pass<'_> {
    /// Adds to `found`, which begins where the window does, every position of a window from which a move leads into the
    /// set of the sweep: the source, or, if it is flipped, all that is not in it (and has a bit). Where the source has
    /// changed in some slabs only, the result is complete only in those that this touches.
    pub fn sweep(&self, window: &Window, found: &mut [u64]) -> Result<(), Error> {
        let mut tasks = Vec::new();
        let mut rest = &mut found[window.words.start - window.first()..];
        for group in &self.groups[window.groups.clone()] {
            let (words, after) = std::mem::take(&mut rest).split_at_mut(group.words.len());
            tasks.push((group, words));
            rest = after;
        }
        // The largest first: the threads end at nearly the same time.
        tasks.sort_by_key(|(group, _)| group.boards);
        let tasks = Mutex::new(tasks);
        let (isa, stopped) = (Isa::best(), AtomicBool::new(false));
        let work = || {
            loop {
                let task = tasks.lock().expect("nobody panics with it").pop();
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

/// Which slabs a sweep has to look at: those in which something has changed.
pub struct Changed(Vec<bool>);

impl Changed {
    /// Marks no slab of a layout.
    pub fn none(layout: &Layout) -> Changed {
        Changed(vec![false; layout.slab_count()])
    }

    /// Marks every slab of a layout.
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
