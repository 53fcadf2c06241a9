//! The rounds of a board: round r finds what black loses in 2r plies and brown wins in 2r + 1.

use std::ops::Range;

use kanzen::machine::cpu::Isa;
use kanzen::solve::rounds::{ROUND_WORK, RoundLog, RoundWriter, Rounds, Schedule, ScheduleStep, SetShape};
use kanzen::{Error, Value};
use serde::{Deserialize, Serialize};

use super::engine::{self, Engine};
use super::orbits::ByBrown;
use crate::musashi::board::Board;
use crate::musashi::index::MusashiIndex;
use crate::musashi::index::layout::Layout;
use crate::recorded;

/// The zstd level of the planes: higher ones cost more time than the bytes they save are worth.
const LEVEL: i32 = 1;

/// Bytes of a page. A position with brown to move asks for the values of up to two hundred others, nearly all in
/// different pages. The planes of the smallest board are soon in the cache as a whole: it saves the time for pages.
fn page(layout: &Layout) -> u32 {
    if layout.bits() < 30 { 1 << layout.stored_bits() } else { 1 << 13 }
}

/// What is known when a round is whole: positions up to symmetry, by number of brown pieces.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Lost with black to move, in this round or before.
    pub lost: ByBrown,
    /// Won with brown to move, in this round or before.
    pub won: ByBrown,
    /// Whether brown won anything new.
    pub new: bool,
}

/// The rounds of a board. A set is what brown wins with black on a stored point.
pub struct MusashiRounds<'a> {
    board: &'a Board,
    layout: &'a Layout,
    isa: Isa,
    schedule: Schedule,
    shapes: Vec<SetShape>,
}

impl<'a> MusashiRounds<'a> {
    /// The rounds of a board, with these instructions.
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

    /// The order of a round.
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
            // Not after the last step: a whole round would be lost.
            if number > 0 {
                log.job().steps(1)?;
            }
            match *step {
                ScheduleStep::Make { set: point, buffer } => {
                    engine.lose(point, buffer);
                    lost.add(engine.lost_by_brown(point, buffer));
                }
                ScheduleStep::Renew { set: point, buffer } => {
                    new += engine.win(point, buffer, |make| log.put(point, make))?;
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
        Some(longest as usize / 2 + 2) // round r has the wins in 2r + 1, and one finds nothing
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
