//! A whole sweep, on several threads.
//!
//! A move of the sweep's mover never changes the row it wants to reach (the piece would win from there, and such
//! positions have no bits). So the groups of the target array, slabs with the same goal row, are written apart from
//! each other: each is one thread's own for as long as it is swept.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kanzen::progress::{Event, Observer};

use super::kernel::Sweep;
use super::layout::{Array, Layout, Slab};
use super::plan::Plan;

/// The lifted boards that a whole sweep visits.
pub fn lifted_boards(layout: &Layout) -> u64 {
    let lifted = |(slab, _): (&Slab, usize)| slab.middle.checked_sub(1).map_or(0, |middle| layout.middles(middle));
    layout.slabs(Array::Losses).map(lifted).sum::<usize>() as u64
}

/// Adds to `found` every position of the target array from which a move leads into the set: the source, or, if `flip`
/// is set, all that is not in it (and has a bit).
pub fn sweep(layout: &Layout, target: Array, source: &[u64], flip: bool, found: &mut [u64], observer: &dyn Observer) {
    let sweep = Sweep { layout, source, flip: if flip { !0 } else { 0 } };
    let mut slabs: Vec<&Slab> = layout.slabs(target).map(|(slab, _)| slab).collect();
    let mut tasks = Vec::new();
    let mut rest = found;
    for group in layout.groups(target) {
        let (words, after) = std::mem::take(&mut rest).split_at_mut(group.words.len());
        let others = slabs.split_off(group.slabs);
        tasks.push((words, group.words.start, std::mem::replace(&mut slabs, others)));
        rest = after;
    }
    // The largest first: the threads end at nearly the same time.
    tasks.sort_by_key(|(words, ..)| words.len());
    let tasks = Mutex::new(tasks);
    let swept = AtomicU64::new(0);
    let work = || {
        loop {
            let task = tasks.lock().expect("nobody panics with it").pop();
            let Some((words, first, slabs)) = task else { break };
            for slab in slabs.into_iter().filter(|slab| slab.middle > 0) {
                let plan = Plan::new(layout, target, [slab.top, slab.bottom], slab.middle - 1);
                sweep.slab(&plan, words, first);
                let boards = plan.boards(layout) as u64;
                let before = swept.fetch_add(boards, Ordering::Relaxed);
                if before >> 20 != (before + boards) >> 20 {
                    observer.event(Event::Steps { steps: boards });
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
