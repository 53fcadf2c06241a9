//! Round after round: a sweep, then what is new in it.
//!
//! ```text
//! lost in 0   white is stuck
//! won in 1    black has a move to a position lost in 0, or walks off (those have no bits)
//! lost in 2   white has no move but to positions won in 1 ...
//! ```
//!
//! Losses come at even distances and wins at odd ones, so one array of each, for different sides to move on the same
//! board, is all there is: nothing is ever turned round.

use std::ops::Range;
use std::time::{Duration, Instant};

use kanzen::progress::{Event, Observer};
use kanzen::solve::rounds::{ROUND_WORK, RoundLog, RoundWriter, Rounds, SetShape, WordArray};
use kanzen::{Error, Value};

use super::few::FewRound;
use super::forecast;
use super::kernel::Sweep;
use super::lifts::Lifts;
use super::set::{Counts, Log, Set, Touched};
use super::steps::Steps;
use super::stuck::stuck;
use super::sweep::{Changed, Sweeper, Swept};
use crate::nocca::index::layout::{Array, Layout, Slab};
use crate::nocca::index::{BLOCK, padded};
use crate::recorded;

/// The zstd level of the planes: higher ones cost more time than the bytes they save are worth.
const LEVEL: i32 = 3;
/// Bytes of a page of the planes.
const PAGE: u32 = 1 << 13;

/// Less than one new position for so many lifted boards are few, by the array they are found in: moves are taken back
/// from each of them then. A new win costs more, since all moves of the positions before it are looked at.
const FEW: [usize; 2] = [8, 24];

/// The array in which positions of a distance are found.
fn array_of(distance: usize) -> Array {
    Array::BOTH[distance % 2]
}

/// The rounds of a board: the round of a distance finds the positions decided in so many plies.
pub struct NoccaRounds<'a> {
    layout: &'a Layout,
    shapes: [SetShape; 2],
}

impl<'a> NoccaRounds<'a> {
    /// The rounds of a layout's board.
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
        forecast::memory(self.layout.rows, self.layout.columns)
    }

    fn begin(&self) -> Result<Arrays<'a>, Error> {
        Arrays::new(self.layout)
    }

    fn grown_in(&self, distance: usize) -> Range<usize> {
        let array = array_of(distance) as usize;
        array..array + 1
    }

    fn play(&self, arrays: &mut Arrays<'a>, distance: usize, log: &RoundWriter<'_>) -> Result<Counts, Error> {
        let put: Log<'_> = &|make| log.put(array_of(distance) as usize, make);
        Ok(arrays.play(distance, put, log.job().observer())?.counts)
    }

    fn replay(&self, arrays: &mut Arrays<'a>, array: usize, log: &RoundLog<'_>) -> Result<(), Error> {
        arrays.sets[array].replay(log)
    }

    fn is_last(&self, distance: usize, counts: &Counts) -> bool {
        // Walking off is won in 1 as well: there is always something to do up to distance 2.
        distance >= 2 && counts.all() == 0
    }

    fn expected_rounds(&self) -> Option<usize> {
        let longest = recorded::longest(&format!("nocca-{}x{}", self.layout.rows, self.layout.columns))?;
        Some(longest as usize + 2) // from 0 on, and one that finds nothing
    }

    fn found(&self, rounds: &[Counts]) -> u64 {
        rounds.last().map_or(0, Counts::up_to_mirror)
    }

    /// The value of the player who wins: in the plane of wins the side to move, in that of losses the other.
    fn value(&self, _: usize, distance: usize) -> Value {
        Value::win(distance as u16)
    }
}

/// A round that was played.
pub struct Played {
    /// What is new.
    pub counts: Counts,
    /// Lifted boards that the sweep has visited.
    pub lifted: u64,
    /// How long that took.
    pub sweep: Duration,
}

/// Both arrays, in memory.
pub struct Arrays<'a> {
    layout: &'a Layout,
    lifts: Lifts,
    sweepers: [Sweeper; 2],
    /// What is lost and what is won.
    pub sets: [Set; 2],
    found: WordArray,
}

impl<'a> Arrays<'a> {
    /// Nothing found yet.
    pub fn new(layout: &'a Layout) -> Result<Arrays<'a>, Error> {
        let lifted = |slab: &Slab| slab.middle.checked_sub(1).map_or(0, |middle| layout.middles(middle));
        let boards: usize = layout.kept_slabs().iter().map(lifted).sum();
        Arrays::with_few(layout, FEW.map(|many| boards / many))
    }

    /// The same with so many positions of each array taken for few.
    pub fn with_few(layout: &'a Layout, few: [usize; 2]) -> Result<Arrays<'a>, Error> {
        let words = padded(layout.words(Array::Losses).max(layout.words(Array::Wins)));
        let [losses, wins] = Array::BOTH.map(|array| Set::new(layout, array, few[array as usize]));
        Ok(Arrays {
            layout,
            lifts: Lifts::new(layout),
            sweepers: Array::BOTH.map(|array| Sweeper::new(layout, array)),
            sets: [losses?, wins?],
            found: WordArray::zeroed("what a round finds", words)?,
        })
    }

    /// Plays the round of a distance and hands what is new to the log. Those before it must have been played.
    pub fn play(&mut self, distance: usize, log: Log<'_>, observer: &dyn Observer) -> Result<Played, Error> {
        let start = Instant::now();
        let Arrays { layout, lifts, sweepers, sets, found } = self;
        let target = array_of(distance);
        let [set, source] = [target, target.other()].map(|array| &sets[array as usize]);
        // Walking off counts as new when it is first looked at: before, what is new says nothing of the moves.
        if distance > 2
            && let Some(news) = &source.news
        {
            let steps = Steps::new(layout, lifts);
            let round = FewRound { steps: &steps, target, known: &set.words, source: &source.words, news };
            let touched = Touched::Chunks(round.find(found, observer)?);
            let sweep = start.elapsed();
            sets[target.other() as usize].news = None; // of two lists one is in memory
            let counts = sets[target as usize].settle(found, log, false, &touched)?;
            return Ok(Played { counts, lifted: 0, sweep });
        }
        // Won is what has a move into losses; lost, what has none out of the wins.
        let flip = if target == Array::Losses { !0 } else { 0 };
        let sweep = Sweep { layout, lifts, source: &source.words, flip };
        let sweeper = &sweepers[target as usize];
        let swept = match distance {
            0 => {
                observer.event(Event::Part { work: ROUND_WORK, steps: 0 });
                for (slab, start) in layout.slabs(Array::Losses) {
                    let words = slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).width();
                    stuck(layout, lifts, slab, &mut found[start..start + words]);
                }
                Swept { touched: Changed::all(layout), boards: 0 }
            }
            2 => sweeper.sweep(&sweep, &Changed::all(layout), found, observer)?,
            _ => sweeper.sweep(&sweep, &source.changed, found, observer)?,
        };
        let sweep = start.elapsed();
        let flip = distance > 0 && target == Array::Losses;
        let counts = sets[target as usize].settle(found, log, flip, &Touched::Slabs(swept.touched))?;
        Ok(Played { counts, lifted: swept.boards, sweep })
    }
}
