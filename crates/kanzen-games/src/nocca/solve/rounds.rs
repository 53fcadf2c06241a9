//! The rounds of NOCCA: round d finds the positions decided in d plies.
//!
//! ```text
//! lost in 0   white has no move
//! won in 1    black has a move to a position lost in 0, or walks off (those have no bits)
//! lost in 2   every move of white leads to a position won in 1 ...
//! ```
//!
//! Losses have even distances and wins odd ones. So one array of each is enough, for different sides to move on the
//! same board, and no position is ever turned.
//!
//! White to move without a move is lost in 0. A stack can move unless all its neighbours are three high. White has no
//! move where every movable stack has a black top, so such a board has at most as many stacks as black has pieces. (A
//! blocked stack, which may be white, needs so many pieces around it that there are even fewer stacks.)

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kanzen::progress::{Event, Observer};
use kanzen::{Error, Value};
use kanzen_solve::rounds::{AddNew, ROUND_WORK, RoundLog, RoundWriter, Rounds, SetShape, WordArray};

use super::kernel::Sweep;
use super::set::{CHUNK, Counts, Set, Touched, Window, most_words, windows};
use super::steps::{Lifts, Steps};
use super::sweep::{Changed, SparseRound, Sweeper, report_size};
use crate::nocca::index::layout::{Array, Layout, Slab};
use crate::nocca::index::{BLOCK, heights, padded};
use crate::recorded;

/// The zstd level of the planes: higher levels cost more time than the saved bytes are worth.
const LEVEL: i32 = 3;
/// Page size of the planes, in bytes.
const PAGE: u32 = 1 << 13;

/// By array: a round with fewer than one new position per this many lifted boards is followed by un-moves from single
/// positions. A new win costs more, because all moves of its predecessors are checked.
const FEW: [usize; 2] = [8, 24];

/// Returns the array of the positions with a distance.
fn array_of(distance: usize) -> Array {
    Array::BOTH[distance % 2]
}

/// The rounds of one board.
pub struct NoccaRounds<'a> {
    layout: &'a Layout,
    shapes: [SetShape; 2],
}

impl<'a> NoccaRounds<'a> {
    /// Returns the rounds of a layout's board.
    pub fn new(layout: &'a Layout) -> NoccaRounds<'a> {
        let shape = |array: Array| SetShape {
            plane: format!("{}.plane", array.name()),
            blocks: padded(layout.words(array)) / BLOCK,
            block_words: BLOCK,
            plane_block_words: BLOCK,
            page: PAGE,
            level: LEVEL,
            rest: Value::DRAW,
        };
        NoccaRounds { layout, shapes: Array::BOTH.map(shape) }
    }
}

impl<'a> Rounds for NoccaRounds<'a> {
    type Sets = Arrays<'a>;
    type Counts = Counts;

    fn shapes(&self) -> &[SetShape] {
        &self.shapes
    }

    fn memory(&self) -> u64 {
        super::memory(self.layout.rows, self.layout.columns)
    }

    fn begin(&self) -> Result<Arrays<'a>, Error> {
        Arrays::new(self.layout)
    }

    fn grown_in(&self, distance: usize) -> Range<usize> {
        let array = array_of(distance) as usize;
        array..array + 1
    }

    fn play(&self, arrays: &mut Arrays<'a>, distance: usize, log: &RoundWriter<'_>) -> Result<Counts, Error> {
        let array = array_of(distance) as usize;
        Ok(log.put_in_parts(array, |add| arrays.play(distance, add, log.job().observer()))?.counts)
    }

    fn replay(&self, arrays: &mut Arrays<'a>, array: usize, log: &RoundLog<'_>) -> Result<(), Error> {
        arrays.sets[array].replay(log)
    }

    fn is_last(&self, distance: usize, counts: &Counts) -> bool {
        // Walking off also wins in 1, so rounds up to distance 2 always have work.
        distance >= 2 && counts.all() == 0
    }

    fn expected_rounds(&self) -> Option<usize> {
        let longest = recorded::longest(&format!("nocca-{}x{}", self.layout.rows, self.layout.columns))?;
        Some(longest as usize + 2) // from 0 on, and a last one that finds nothing
    }

    fn found(&self, rounds: &[Counts]) -> u64 {
        rounds.last().map_or(0, Counts::up_to_mirror)
    }

    /// The value for the winner: the side to move in the plane of wins, the other side in the plane of losses.
    fn value(&self, _: usize, distance: usize) -> Value {
        Value::win(distance as u16)
    }
}

/// The result of one round.
pub struct Played {
    /// The new positions.
    pub counts: Counts,
    /// Lifted boards visited.
    pub lifted: u64,
    /// The time to find them.
    pub sweep: Duration,
}

/// Both arrays, in memory.
pub struct Arrays<'a> {
    layout: &'a Layout,
    lifts: Lifts,
    sweepers: [Sweeper; 2],
    windows: [Vec<Window>; 2],
    /// The lost and the won positions.
    pub sets: [Set; 2],
    /// The new positions of one window.
    found: WordArray,
}

impl<'a> Arrays<'a> {
    /// Returns empty arrays.
    pub fn new(layout: &'a Layout) -> Result<Arrays<'a>, Error> {
        let lifted = |slab: &Slab| slab.middle.checked_sub(1).map_or(0, |middle| layout.middles(middle));
        let boards: usize = layout.stored_slabs().iter().map(lifted).sum();
        let most = Array::BOTH.map(|array| most_words(layout.words(array)));
        Arrays::with(layout, FEW.map(|many| boards / many), most)
    }

    /// The same with explicit limits: how many positions of each array are few, and how many words a window has at
    /// most.
    pub fn with(layout: &'a Layout, few: [usize; 2], most: [usize; 2]) -> Result<Arrays<'a>, Error> {
        let windows = Array::BOTH.map(|array| windows(layout, array, most[array as usize]));
        let words = windows.iter().flatten().map(|window| window.len).max().unwrap_or(0);
        let [losses, wins] = Array::BOTH.map(|array| Set::new(layout, array, few[array as usize]));
        Ok(Arrays {
            layout,
            lifts: Lifts::new(layout),
            sweepers: Array::BOTH.map(|array| Sweeper::new(layout, array)),
            windows,
            sets: [losses?, wins?],
            found: WordArray::zeroed("new positions of a round", words)?,
        })
    }

    /// Plays the round of a distance and passes the new positions to the log. All earlier rounds must have been played.
    pub fn play(&mut self, distance: usize, log: &mut AddNew<'_>, observer: &dyn Observer) -> Result<Played, Error> {
        let start = Instant::now();
        let Arrays { layout, lifts, sweepers, windows, sets: [losses, wins], found } = self;
        let target = array_of(distance);
        let (set, source) = if target == Array::Losses { (losses, wins) } else { (wins, losses) };
        let mut windowed =
            WindowedRound { windows: &windows[target as usize], set, found, log, finding: Duration::ZERO };
        // Up to distance 2 the list of new positions is incomplete: walking off has no bit in it.
        if distance > 2
            && let Some(new_positions) = source.new_positions.take()
        {
            report_size(&new_positions, windowed.windows.len(), observer);
            let (steps, mut new_positions) = (Steps::new(layout, lifts), Some(new_positions));
            let touched: Vec<_> = windowed.set.words.chunks(CHUNK).map(|_| AtomicBool::new(false)).collect();
            windowed.finding = start.elapsed();
            let (counts, sweep) = windowed.settle_each(false, Touched::Chunks(&touched), |set, window, found| {
                let remaining = new_positions.as_ref().expect("dropped after the last window only");
                let (known, source) = (&set.words[..], &source.words[..]);
                let round = SparseRound { steps: &steps, target, known, source, new_positions: remaining };
                round.find(window, found, &touched, observer)?;
                if window.words.end == layout.words(target) {
                    new_positions = None; // keeps only one of two lists in memory where possible
                }
                Ok(())
            })?;
            return Ok(Played { counts, lifted: 0, sweep });
        }
        if distance == 0 {
            observer.event(Event::Part { work: ROUND_WORK, steps: 0 });
            let everywhere = Changed::all(layout);
            let (counts, sweep) = windowed.settle_each(false, Touched::Slabs(&everywhere), |_, window, found| {
                let slabs = layout.slabs(Array::Losses).filter(|(_, start)| window.words.contains(start));
                for (slab, start) in slabs {
                    let words = slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).width();
                    stuck(layout, lifts, slab, &mut found[start - window.first()..][..words]);
                }
                Ok(())
            })?;
            return Ok(Played { counts, lifted: 0, sweep });
        }
        // A win has a move into the losses; a loss has no move out of the wins.
        let flip = target == Array::Losses;
        let sweep = Sweep { layout, lifts, source: &source.words, flip: if flip { !0 } else { 0 } };
        let sweeper = &sweepers[target as usize];
        let pass = match distance {
            2 => sweeper.pass(sweep, &Changed::all(layout), observer),
            _ => sweeper.pass(sweep, &source.changed, observer),
        };
        windowed.finding = start.elapsed();
        let touched = Touched::Slabs(&pass.touched);
        let (counts, sweep) = windowed.settle_each(flip, touched, |_, window, found| pass.sweep(window, found))?;
        Ok(Played { counts, lifted: pass.boards, sweep })
    }
}

/// A round of one array, window by window.
struct WindowedRound<'a, 'b> {
    windows: &'a [Window],
    set: &'a mut Set,
    found: &'a mut WordArray,
    log: &'a mut AddNew<'b>,
    /// The time spent finding positions so far.
    finding: Duration,
}

impl WindowedRound<'_, '_> {
    /// Lets `find` fill `found` for each window, and settles that window before the next one. Returns the new positions
    /// and the time to find them.
    fn settle_each(
        self,
        flip: bool,
        touched: Touched<'_>,
        mut find: impl FnMut(&Set, &Window, &mut WordArray) -> Result<(), Error>,
    ) -> Result<(Counts, Duration), Error> {
        let WindowedRound { windows, set, found, log, mut finding } = self;
        let round = set.begin_round();
        for window in windows {
            let start = Instant::now();
            find(set, window, found)?;
            finding += start.elapsed();
            set.settle(&round, window, found, log, flip, touched)?;
            window.carry(found);
        }
        Ok((set.end_round(round), finding))
    }
}

/// Adds the positions of a slab in which white has no move. `set` is the slab's part of the losses.
pub fn stuck(layout: &Layout, lifts: &Lifts, slab: &Slab, set: &mut [u64]) {
    let space = layout.space(Array::Losses, slab.top, slab.bottom);
    let stacks = heights::occupied(slab.top) + heights::occupied(slab.bottom);
    let most = layout.columns as u32;
    let width = space.width();
    for upper_sum in 0..=slab.middle {
        for (upper, &upper_code) in lifts.upper.codes(upper_sum).iter().enumerate() {
            for (lower, &lower_code) in lifts.lower.codes(slab.middle - upper_sum).iter().enumerate() {
                if stacks + heights::occupied(upper_code) + heights::occupied(lower_code) <= most {
                    let tops = movable(layout, [slab.top, upper_code, lower_code, slab.bottom]);
                    let board = layout.run(slab.middle, upper_sum, upper) + lower;
                    let stuck = space.select(0, layout.with_bits(Array::Losses, slab.top, slab.bottom, tops));
                    set[board * width..][..width].copy_from_slice(&stuck.mask[..width]);
                }
            }
        }
    }
}

/// Returns the top pieces of the movable stacks, as bits over all pieces in order.
fn movable(layout: &Layout, parts: [u32; 4]) -> u32 {
    let cells_of = [layout.columns, layout.upper.cells(), layout.lower.cells(), layout.columns];
    let mut board: Vec<u32> = Vec::with_capacity(30);
    for (code, cells) in parts.into_iter().zip(cells_of) {
        board.extend((0..cells).map(|cell| heights::height(code, cell)));
    }
    let columns = layout.columns;
    let at = |cell: usize| (cell / columns, layout.by_place[cell % columns]);
    let mut tops = 0;
    let mut pieces = 0;
    for (cell, &height) in board.iter().enumerate() {
        pieces += height;
        let (row, column) = at(cell);
        let can_move = board.iter().enumerate().any(|(other, &height)| {
            let (other_row, other_column) = at(other);
            other != cell && height < 3 && row.abs_diff(other_row) <= 1 && column.abs_diff(other_column) <= 1
        });
        if height > 0 && can_move {
            tops |= 1 << (pieces - 1);
        }
    }
    tops
}
