//! The order in which the blocks of a class are visited: ascending or, where a graph has rows, column by column.
//!
//! ```text
//!   a stretch of four rows     0 1 2 3 4          visited   0 5 10 15   1 6 11 16   2 ...
//!                              5 6 7 8 9
//!                              10 ...
//! ```
//!
//! Rows do not begin with blocks: a column of blocks is one of slots as nearly as blocks allow.

use std::ops::Range;

use super::Graph;
use super::level_queue::BLOCK;

/// Blocks that one task looks through, about.
const SPAN: usize = 1024;

/// Some blocks: a few columns of some rows.
#[derive(Clone, Debug)]
struct Task {
    /// The first slot, the length of a row, and how many there are.
    first: u64,
    row: u64,
    rows: u64,
    /// The block after the last one of all rows.
    end: usize,
    columns: Range<usize>,
}

/// All blocks of a class, in tasks.
pub struct Visits {
    tasks: Vec<Task>,
}

impl Visits {
    /// The blocks of the first so many slots of a class; `whole` if that is all of it.
    pub fn new<G: Graph>(graph: &G, class: usize, slots: u64, whole: bool) -> Visits {
        let stretches = if whole { graph.rows(class) } else { Vec::new() };
        let mut visits = Visits { tasks: Vec::new() };
        let mut done = 0;
        for (stretch, row) in stretches {
            visits.add(done..stretch.start, stretch.start - done);
            visits.add(stretch.clone(), row);
            done = stretch.end;
        }
        visits.add(done..slots, slots - done);
        visits
    }

    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Visits the blocks of a task.
    #[inline]
    pub fn each(&self, task: usize, mut visit: impl FnMut(usize)) {
        let Task { first, row, rows, end, columns } = self.tasks[task].clone();
        for column in columns {
            for number in 0..rows {
                let start = first_block(first + number * row) + column;
                let stop = if number + 1 == rows { end } else { first_block(first + (number + 1) * row) };
                if start < stop {
                    visit(start);
                }
            }
        }
    }

    /// Adds the blocks that begin in a stretch.
    fn add(&mut self, stretch: Range<u64>, row: u64) {
        let (first, end) = (stretch.start, first_block(stretch.end));
        if first_block(first) >= end {
            return;
        }
        let rows = (stretch.end - first) / row.max(1);
        let columns = (row as usize).div_ceil(BLOCK) + 1;
        let at_once = (SPAN / rows as usize).max(1);
        for start in (0..columns).step_by(at_once) {
            let columns = start..(start + at_once).min(columns);
            self.tasks.push(Task { first, row, rows, end, columns });
        }
    }
}

/// The first block that begins at a slot or after it.
fn first_block(slot: u64) -> usize {
    (slot as usize).div_ceil(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::super::{Earlier, Node};
    use super::*;
    use kanzen_core::vocabulary::Value;

    struct Rows(u64, Vec<(Range<u64>, u64)>);

    impl Graph for Rows {
        fn classes(&self) -> usize {
            1
        }
        fn name(&self, _: usize) -> String {
            "rows".into()
        }
        fn slots(&self, _: usize) -> u64 {
            self.0
        }
        fn needs(&self, _: usize) -> Vec<usize> {
            Vec::new()
        }
        fn expand(&self, _: usize, _: u64, _: &Earlier, _: &mut Node) {}
        fn parents(&self, _: usize, _: u64, _: &mut Vec<u64>) -> bool {
            false
        }
        fn endless(&self, _: usize, _: u64) -> Value {
            Value::DRAW
        }
        fn rows(&self, _: usize) -> Vec<(Range<u64>, u64)> {
            self.1.clone()
        }
    }

    fn visited(graph: &Rows, whole: bool) -> Vec<usize> {
        let visits = Visits::new(graph, 0, graph.0, whole);
        let mut blocks = Vec::new();
        (0..visits.len()).for_each(|task| visits.each(task, |block| blocks.push(block)));
        blocks
    }

    #[test]
    fn every_block_is_visited_once() {
        let stretches = [
            vec![],
            vec![(0..100_000, 1000)],
            vec![
                (0..5000, 1000),
                (5000..5600, 200),
                (5600..300_000, 294_400),
                (300_100..300_107, 1),
                (300_107..400_000, 99_893),
            ],
            vec![(17..17 + 3 * 77_777, 77_777)],
        ];
        for stretches in stretches {
            for slots in [1, 127, 128, 400_000, 400_001, 1_000_000] {
                let fitting = stretches.iter().filter(|(stretch, _)| stretch.end <= slots).cloned().collect();
                let graph = Rows(slots, fitting);
                for whole in [true, false] {
                    let mut blocks = visited(&graph, whole);
                    blocks.sort_unstable();
                    assert!(blocks.into_iter().eq(0..(slots as usize).div_ceil(BLOCK)), "{:?} of {slots}", graph.1);
                }
            }
        }
    }

    #[test]
    fn columns_come_before_rows() {
        let graph = Rows(12 * BLOCK as u64, vec![(0..12 * BLOCK as u64, 4 * BLOCK as u64)]);
        assert_eq!(visited(&graph, true), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
        assert!(visited(&graph, false).into_iter().eq(0..12));
    }
}
