//! Solves Sixteen Musashi by rounds over sets of positions ([`kanzen_solve::rounds`]).
//!
//! ```text
//! engine          the sets, block by block, recomputed where anything can have changed
//! predecessors    the two halves of a round: black's losses and brown's wins
//! ```
//!
//! Round r finds the positions that black loses in 2r plies and brown wins in 2r + 1. This file holds the solver, the
//! rounds, the counts up to symmetry, the census and the forecast.
//!
//! Sets are not reduced by symmetry; counts are. By Burnside's lemma, the orbits of a set under the stabilizer of
//! black's point are the mean number of its positions that a symmetry fixes. The identity fixes all of them. A position
//! that another symmetry fixes is a union of that symmetry's cycles of points: these few are listed and looked up.

mod engine;
mod predecessors;

use std::ops::Range;

use kanzen::{Error, Tally, Value};
use kanzen_core::index::cycles;
use kanzen_core::machine::cpu::Isa;
use kanzen_solve::rounds::{ROUND_WORK, RoundLog, RoundWriter, Rounds, SetShape};
use kanzen_solve::{Forecast, Job, Solution, SolvedClass, Solver};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::engine::{Engine, memory, schedule};
use super::index::SetAtATime;
use super::rules::Musashi;
use super::sets::{Bits, Schedule, ScheduleStep};
use crate::musashi::index::layout::{Layout, placements, positions};
use crate::musashi::index::{MusashiIndex, census_label as label};
use crate::musashi::rules::Board;
use crate::recorded;

impl Solver<Musashi> for SetAtATime {
    fn forecast(&self, game: &Musashi) -> Forecast {
        forecast(game.board(), self.index(game).layout())
    }

    fn solve(&self, game: &Musashi, job: &Job<'_>) -> Result<Solution, Error> {
        let index = self.index(game);
        let rounds = kanzen_solve::rounds::solve(&MusashiRounds::new(game.board(), &index, self.isa()), job)?;
        let classes = solved_classes(game.board(), &rounds);
        Ok(Solution { classes, files: index.plane_files().collect(), ..Solution::default() })
    }
}

/// Positions by number of brown pieces.
pub type ByBrown = Vec<u64>;

/// The symmetries other than the identity that fix black's point: for each, the cycles of the other points as index
/// bits.
pub struct Stabilizer {
    cycles: Vec<Vec<u64>>,
}

impl Stabilizer {
    /// Returns the stabilizer of a point, or `None` if an equivalent point is counted instead.
    pub fn new(board: &Board, layout: &Layout, black: u8) -> Option<Stabilizer> {
        let place = |symmetry: &Vec<u8>| symmetry[usize::from(black)];
        if board.symmetries().iter().any(|symmetry| place(symmetry) < black) {
            return None;
        }
        let keeping = board.symmetries().iter().skip(1).filter(|symmetry| place(symmetry) == black);
        let bit = |point: u8| 1u64 << layout.slot(black, point);
        let cycles = keeping.map(|symmetry| {
            let of_bits = |cycle: u64| (0..board.points() as u8).filter(|p| cycle >> p & 1 == 1).map(bit).sum();
            cycles(symmetry, !(1 << black)).map(of_bits).collect()
        });
        Some(Stabilizer { cycles: cycles.collect() })
    }

    /// Returns the order of the stabilizer, the identity included.
    pub fn order(&self) -> u64 {
        1 + self.cycles.len() as u64
    }

    /// Returns the blocks with positions that a symmetry other than the identity fixes.
    pub fn blocks(&self, layout: &Layout) -> Vec<usize> {
        let mut blocks = Vec::new();
        for cycles in &self.cycles {
            let mut high: Vec<u64> = cycles.iter().map(|cycle| cycle >> layout.block_bits()).collect();
            high.retain(|&part| part != 0);
            let mut found = vec![0u64];
            for part in high {
                let joined: Vec<u64> = found.iter().map(|other| other | part).collect();
                found.extend(joined);
                found.sort_unstable();
                found.dedup();
            }
            blocks.extend(found.into_iter().map(|block| block as usize));
        }
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// Adds the positions of a set that symmetries other than the identity fix, once per symmetry.
    pub fn count(&self, set: &Bits, counts: &mut ByBrown) {
        for cycles in &self.cycles {
            let (outer, inner) = cycles.split_at(cycles.len().min(6));
            let found = (0..1u64 << outer.len()).into_par_iter().map(|chosen| {
                let first: u64 = outer.iter().enumerate().filter(|(n, _)| chosen >> n & 1 == 1).map(|(_, c)| c).sum();
                let mut found = vec![0; counts.len()];
                let mut index = first;
                // All unions of the inner cycles, in Gray code order.
                for step in 1..=1u64 << inner.len() {
                    if set.contains(index) {
                        found[index.count_ones() as usize] += 1;
                    }
                    if let Some(cycle) = inner.get(step.trailing_zeros() as usize) {
                        index ^= cycle;
                    }
                }
                found
            });
            let none = || vec![0; counts.len()];
            let found = found.reduce(none, |mut all, found| {
                all.iter_mut().zip(found).for_each(|(all, found)| *all += found);
                all
            });
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
        }
    }
}

/// The zstd level of the planes: higher levels cost more time than the saved bytes are worth.
const LEVEL: i32 = 1;

/// Returns the page size in bytes. A probe with brown to move reads up to two hundred other values, nearly all from
/// different pages. The planes of the smallest board soon fit into the cache as a whole: one page each saves time.
fn page(layout: &Layout) -> u32 {
    if layout.bits() < 30 { 1 << layout.stored_bits() } else { 1 << 13 }
}

/// The counts after a round: positions up to symmetry, by number of brown pieces.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Lost with black to move, in this round or before.
    pub lost: ByBrown,
    /// Won with brown to move, in this round or before.
    pub won: ByBrown,
    /// Whether brown won any new position.
    pub new: bool,
}

/// The rounds of a board. A set contains brown's wins with black on one stored point.
pub struct MusashiRounds<'a> {
    board: &'a Board,
    layout: &'a Layout,
    isa: Isa,
    schedule: Schedule,
    shapes: Vec<SetShape>,
}

impl<'a> MusashiRounds<'a> {
    /// Prepares the rounds of a board for an instruction set.
    pub fn new(board: &'a Board, index: &'a MusashiIndex, isa: Isa) -> MusashiRounds<'a> {
        let layout = index.layout();
        let shape = |plane: String| SetShape {
            plane,
            blocks: 1 << (layout.bits() - layout.block_bits()),
            block_words: 1 << (layout.block_bits() - 6),
            plane_block_words: 1 << (layout.stored_bits() - 6),
            page: page(layout),
            level: LEVEL,
            rest: Value::UNTIMED_LOSS,
        };
        let shapes = index.plane_files().map(shape).collect();
        MusashiRounds { board, layout, isa, schedule: engine::schedule(board, layout), shapes }
    }

    /// Returns the steps of a round, in order.
    pub fn steps(&self) -> &[ScheduleStep] {
        &self.schedule.steps
    }
}

impl<'a> Rounds for MusashiRounds<'a> {
    type Sets = Engine<'a>;
    type Counts = Round;

    fn shapes(&self) -> &[SetShape] {
        &self.shapes
    }

    fn memory(&self) -> u64 {
        engine::memory(self.layout, self.schedule.buffers)
    }

    fn begin(&self) -> Result<Engine<'a>, Error> {
        Engine::new(self.board, self.layout, self.schedule.buffers, self.isa)
    }

    fn grown_in(&self, _: usize) -> Range<usize> {
        0..self.shapes.len()
    }

    fn play(&self, engine: &mut Engine<'a>, round: usize, log: &RoundWriter<'_>) -> Result<Round, Error> {
        log.job().stage(&format!("round {round}"), Some(self.steps().len() as u64));
        log.job().part(ROUND_WORK, self.steps().len() as u64);
        let (mut lost, mut won) = (Orbits::default(), Orbits::default());
        let mut new = 0;
        for (number, step) in self.steps().iter().enumerate() {
            // Not after the last step: that would lose a whole round.
            if number > 0 {
                log.job().steps(1)?;
            }
            match *step {
                ScheduleStep::Make { set: point, buffer } => {
                    engine.make_lost(point, buffer);
                    lost.add(engine.lost_by_brown(point, buffer));
                }
                ScheduleStep::Renew { set: point, buffer } => {
                    new += engine.extend_won(point, buffer, |make| log.put(point, make))?;
                    won.add(engine.won_by_brown(point));
                }
            }
        }
        engine.end_round();
        Ok(Round { lost: lost.0, won: won.0, new: new > 0 })
    }

    fn replay(&self, engine: &mut Engine<'a>, point: usize, log: &RoundLog<'_>) -> Result<(), Error> {
        let shape = &self.shapes[point];
        for chunk in 0..shape.chunks() {
            let first = chunk * SetShape::CHUNK;
            log.read(chunk, shape.chunk_blocks(chunk), shape.block_words, |block, new| {
                engine.replay(point, first + block, new);
            })?;
        }
        Ok(())
    }

    fn is_last(&self, _: usize, round: &Round) -> bool {
        !round.new
    }

    fn expected_rounds(&self) -> Option<usize> {
        let longest = recorded::longest(&format!("musashi-{}", self.board.points()))?;
        Some(longest as usize / 2 + 2) // round r has the wins in 2r + 1, and the last one finds nothing
    }

    fn found(&self, rounds: &[Round]) -> u64 {
        let won = |round: &Round| round.won.iter().sum::<u64>();
        let mut latest = rounds.iter().rev().map(won);
        latest.next().unwrap_or(0) - latest.next().unwrap_or(0)
    }

    fn value(&self, _: usize, round: usize) -> Value {
        Value::win(2 * round as u16 + 1)
    }

    fn is_stored(&self, point: usize, block: usize) -> bool {
        self.layout.is_stored(self.layout.stored()[point], block as u64)
    }
}

/// Orbits of positions, summed over black's points.
#[derive(Default)]
struct Orbits(ByBrown);

impl Orbits {
    fn add(&mut self, counted: Option<(ByBrown, u64)>) {
        let Some((counts, symmetries)) = counted else { return };
        self.0.resize(counts.len(), 0);
        self.0.iter_mut().zip(counts).for_each(|(all, count)| *all += count / symmetries);
    }
}

/// Builds a class per number of brown pieces and side to move from the counts of all rounds.
fn solved_classes(board: &Board, rounds: &[Round]) -> Vec<SolvedClass> {
    let mut classes = Vec::new();
    for (brown, slots) in placements(board).into_iter().enumerate() {
        let (mut lost, mut won) = (Tally::default(), Tally::default());
        let (mut lost_before, mut won_before) = (0, 0);
        for (number, round) in (0u16..).zip(rounds) {
            lost.add(Value::loss(2 * number), round.lost[brown] - lost_before);
            won.add(Value::win(2 * number + 1), round.won[brown] - won_before);
            (lost_before, won_before) = (round.lost[brown], round.won[brown]);
        }
        lost.add(Value::UNTIMED_WIN, slots - lost_before);
        won.add(Value::UNTIMED_LOSS, slots - won_before);
        classes.push(SolvedClass { label: label(brown, "black"), slots, tally: lost });
        classes.push(SolvedClass { label: label(brown, "brown"), slots, tally: won });
    }
    classes
}

/// Estimates the cost from the runs in `results/`. Smaller boards take more bytes per position.
fn forecast(board: &Board, layout: &Layout) -> Forecast {
    let stored = ((layout.stored().len() as u64) << layout.bits()) as f64;
    Forecast {
        positions: Some(positions(board)),
        seconds: 0.5 + stored * 4.7e-9,
        memory_bytes: memory(layout, schedule(board, layout).buffers) + (16 << 20),
        data_bytes: (stored * 0.0283) as u64 + (12 << 20),
        // All logs, and the planes that replace them one by one: hardly more than the finished database.
        disk_bytes: (stored * 0.03) as u64 + (16 << 20),
    }
}
