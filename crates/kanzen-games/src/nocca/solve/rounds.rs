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
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kanzen::progress::{Event, Observer};
use kanzen::solve::rounds::{AddNew, ROUND_WORK, RoundLog, RoundWriter, Rounds, SetShape, WordArray};
use kanzen::{Error, Value};

use super::few::{FewRound, announce};
use super::forecast;
use super::kernel::Sweep;
use super::lifts::Lifts;
use super::set::{CHUNK, Counts, Set, Touched};
use super::steps::Steps;
use super::stuck::stuck;
use super::sweep::{Changed, Sweeper};
use super::windows::{Window, most_words, windows};
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
        let array = array_of(distance) as usize;
        Ok(log.put_in_parts(array, |add| arrays.play(distance, add, log.job().observer()))?.counts)
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
    windows: [Vec<Window>; 2],
    /// What is lost and what is won.
    pub sets: [Set; 2],
    /// What a round finds in a window.
    found: WordArray,
}

impl<'a> Arrays<'a> {
    /// Nothing found yet.
    pub fn new(layout: &'a Layout) -> Result<Arrays<'a>, Error> {
        let lifted = |slab: &Slab| slab.middle.checked_sub(1).map_or(0, |middle| layout.middles(middle));
        let boards: usize = layout.kept_slabs().iter().map(lifted).sum();
        let most = Array::BOTH.map(|array| most_words(layout.words(array)));
        Arrays::with(layout, FEW.map(|many| boards / many), most)
    }

    /// The same with so many positions of each array taken for few, and windows of at most so many words.
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
            found: WordArray::zeroed("what a round finds", words)?,
        })
    }

    /// Plays the round of a distance and hands what is new to the log. Those before it must have been played.
    pub fn play(&mut self, distance: usize, log: &mut AddNew<'_>, observer: &dyn Observer) -> Result<Played, Error> {
        let start = Instant::now();
        let Arrays { layout, lifts, sweepers, windows, sets: [losses, wins], found } = self;
        let target = array_of(distance);
        let (set, source) = if target == Array::Losses { (losses, wins) } else { (wins, losses) };
        let mut by_window = ByWindow { windows: &windows[target as usize], set, found, log, finding: Duration::ZERO };
        // Walking off counts as new when it is first looked at: before, what is new says nothing of the moves.
        if distance > 2
            && let Some(news) = source.news.take()
        {
            announce(&news, by_window.windows.len(), observer);
            let (steps, mut news) = (Steps::new(layout, lifts), Some(news));
            let touched: Vec<_> = by_window.set.words.chunks(CHUNK).map(|_| AtomicBool::new(false)).collect();
            by_window.finding = start.elapsed();
            let (counts, sweep) = by_window.settle_each(false, Touched::Chunks(&touched), |set, window, found| {
                let news_left = news.as_ref().expect("there until the last window");
                let (known, source) = (&set.words[..], &source.words[..]);
                let round = FewRound { steps: &steps, target, known, source, news: news_left };
                round.find(window, found, &touched, observer)?;
                if window.words.end == layout.words(target) {
                    news = None; // of two lists one is in memory, as far as may be
                }
                Ok(())
            })?;
            return Ok(Played { counts, lifted: 0, sweep });
        }
        if distance == 0 {
            observer.event(Event::Part { work: ROUND_WORK, steps: 0 });
            let everywhere = Changed::all(layout);
            let (counts, sweep) = by_window.settle_each(false, Touched::Slabs(&everywhere), |_, window, found| {
                let slabs = layout.slabs(Array::Losses).filter(|(_, start)| window.words.contains(start));
                for (slab, start) in slabs {
                    let words = slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).width();
                    stuck(layout, lifts, slab, &mut found[start - window.first()..][..words]);
                }
                Ok(())
            })?;
            return Ok(Played { counts, lifted: 0, sweep });
        }
        // Won is what has a move into losses; lost, what has none out of the wins.
        let flip = target == Array::Losses;
        let sweep = Sweep { layout, lifts, source: &source.words, flip: if flip { !0 } else { 0 } };
        let sweeper = &sweepers[target as usize];
        let pass = match distance {
            2 => sweeper.pass(sweep, &Changed::all(layout), observer),
            _ => sweeper.pass(sweep, &source.changed, observer),
        };
        by_window.finding = start.elapsed();
        let touched = Touched::Slabs(&pass.touched);
        let (counts, sweep) = by_window.settle_each(flip, touched, |_, window, found| pass.sweep(window, found))?;
        Ok(Played { counts, lifted: pass.boards, sweep })
    }
}

/// A round of an array, window by window.
struct ByWindow<'a, 'b> {
    windows: &'a [Window],
    set: &'a mut Set,
    found: &'a mut WordArray,
    log: &'a mut AddNew<'b>,
    /// How long it took so far to find what is new.
    finding: Duration,
}

impl ByWindow<'_, '_> {
    /// Lets `find` add what there is in each window to `found`, and settles it before the next one. Tells what is new,
    /// and how long it took to find it.
    fn settle_each(
        self,
        flip: bool,
        touched: Touched<'_>,
        mut find: impl FnMut(&Set, &Window, &mut WordArray) -> Result<(), Error>,
    ) -> Result<(Counts, Duration), Error> {
        let ByWindow { windows, set, found, log, mut finding } = self;
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
