//! Who wins after each move of very many boards, from two bits a board.
//!
//! A board's moves lead all over the database, and a question to the whole of it wants them all. Who wins on each board
//! fits into memory (two bits each) where the levels do not. Only where it depends on a forbidden move who wins, there
//! is a byte more:
//!
//! ```text
//! note   7 6 | 5 .. 0      who wins as a rule and if the move is forbidden; which move, as the entry has it
//! ```
//!
//! The positions of one board have the same moves, but for the one that is forbidden: those are looked up once.

use kanzen::machine::cpu::{Gather, Work, dispatch};
use kanzen::query::{MoveCounts, MoveNeeds};
use kanzen::rules::Tags;
use kanzen::solve::Exception;
use kanzen::store::Summary;
use kanzen::{Budget, Error, Game, Outcome};

use super::{LITTLE, MANY, Solution};
use crate::ostle::board::Board;
use crate::ostle::index::CanonicalSlot;
use crate::ostle::moves::Effect;
use crate::ostle::rules::{Ostle, Position};

/// Moves that are asked for before the first of them is read.
const AHEAD: usize = 256;
/// A class that is not one: the game is over.
const OVER: u8 = u8::MAX;
/// For each candidate so many boards may be read beforehand.
const BOARDS_PER_NUMBER: u64 = 1 << 12;

/// Levels that stand for who wins: see [`value`](crate::ostle::value).
const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;

/// What the two bits of a level are.
fn bits_of(level: u8) -> u8 {
    match level {
        0 => DRAW,
        _ if level & 1 == 1 => WIN,
        _ => LOSS,
    }
}

/// Who wins as a rule, and who if the move that matters is forbidden: all that can be, and one for the rest.
const TURNS: [(u8, u8); 3] = [(WIN, DRAW), (WIN, LOSS), (DRAW, LOSS)];
/// The note of an entry that has no other: ask the file.
const ASK: u8 = u8::MAX;
/// From here on an entry's case names a move that is not reversible.
const CASES: [(u8, u8); 2] = [(1, 0), (101, 32)];

fn note_of(entry: Exception) -> u8 {
    let turn = TURNS.iter().position(|turn| *turn == (bits_of(entry.value), bits_of(entry.then)));
    let case = CASES.iter().find_map(|&(first, from)| {
        let case = entry.case.checked_sub(first)?;
        (case < 31).then_some(from + case)
    });
    turn.zip(case).map_or(ASK, |(turn, case)| (turn as u8) << 6 | case)
}

fn entry_of_note(note: u8) -> Option<Exception> {
    let &(value, then) = TURNS.get(usize::from(note >> 6))?;
    let (first, from) = CASES[usize::from(note >> 5 & 1)];
    Some(Exception { value, case: first + (note & 63) - from, then })
}

/// What the mover gets by a move to a board on which the other side has this.
fn before(level: u8) -> Outcome {
    match bits_of(level) {
        DRAW => Outcome::Draw,
        WIN => Outcome::Loss,
        _ => Outcome::Win,
    }
}

/// A move that is asked for.
struct Asked {
    next: Board,
    place: CanonicalSlot,
    class: u8,
    effect: Effect,
    tags: Tags,
}

impl Solution {
    /// Reads who wins on each board, if it is to be asked for often enough.
    pub(super) fn prepare_outcomes(&self, numbers: u64, budget: &Budget) -> Result<(), Error> {
        let boards: u64 = self.classes.iter().map(|class| u64::from(class.index.slots())).sum();
        let worth_it = numbers >= MANY && numbers.saturating_mul(BOARDS_PER_NUMBER) >= boards;
        if !worth_it || Summary::memory(boards) > budget.memory || self.has_outcomes() {
            return Ok(());
        }
        for class in &self.classes {
            if class.outcomes.get().is_none() {
                // Another thread may be quicker with the same bits.
                let _ = class.outcomes.set(class.file.summary(bits_of, note_of)?);
            }
        }
        self.database.keep(LITTLE);
        Ok(())
    }

    /// Whether it is in memory who wins on each board.
    pub(super) fn has_outcomes(&self) -> bool {
        self.classes.iter().all(|class| class.outcomes.get().is_some())
    }

    /// The moves of positions counted, if it is in memory who wins.
    pub(super) fn counted(&self, positions: &[Position], needs: MoveNeeds) -> Result<Option<Vec<MoveCounts>>, Error> {
        if !self.has_outcomes() {
            return Ok(None);
        }
        let mut class_of = [[OVER; 8]; 8];
        for (number, class) in self.classes.iter().enumerate() {
            let (mover, opponent) = class.index.pieces();
            class_of[mover as usize][opponent as usize] = number as u8;
        }
        dispatch(CountMoves { solution: self, game: &self.game, positions, needs, class_of }).map(Some)
    }

    /// What the mover of `board` gets by a move.
    #[inline(always)]
    fn outcome_after(&self, board: &Board, asked: &Asked) -> Result<Outcome, Error> {
        if asked.class == OVER {
            return Ok(Outcome::Win);
        }
        let Some(outcomes) = self.classes[usize::from(asked.class)].outcomes.get() else { return Ok(Outcome::Draw) };
        match outcomes.get(asked.place.slot) {
            Summary::DIFFERS => self.outcome_of_case(board, asked, outcomes),
            level => Ok(before(level)),
        }
    }

    /// The same where it depends on the move that is forbidden after it.
    fn outcome_of_case(&self, board: &Board, asked: &Asked, outcomes: &Summary) -> Result<Outcome, Error> {
        let class = &self.classes[usize::from(asked.class)];
        let entry = match outcomes.note(asked.place.slot).and_then(entry_of_note) {
            Some(entry) => entry,
            None => class.file.get(asked.place.slot)?,
        };
        let position = self.game.arrive(asked.next, *board, asked.effect);
        Ok(before(self.level_at(class, position, asked.place, entry)?))
    }
}

/// The moves of positions, counted.
struct CountMoves<'a> {
    solution: &'a Solution,
    game: &'a Ostle,
    positions: &'a [Position],
    needs: MoveNeeds,
    class_of: [[u8; 8]; 8],
}

impl Work for CountMoves<'_> {
    type Output = Result<Vec<MoveCounts>, Error>;

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) -> Result<Vec<MoveCounts>, Error> {
        let mut counts = Vec::with_capacity(self.positions.len());
        let mut asked: Vec<Asked> = Vec::with_capacity(2 * AHEAD);
        // Positions of one board, and where their moves end among those asked for.
        let mut groups: Vec<(&[Position], usize)> = Vec::new();
        for group in self.positions.chunk_by(|one, other| one.board == other.board) {
            self.ask(bits, &group[0].board, &mut asked);
            groups.push((group, asked.len()));
            if asked.len() >= AHEAD {
                self.settle(&mut groups, &mut asked, &mut counts)?;
            }
        }
        self.settle(&mut groups, &mut asked, &mut counts)?;
        Ok(counts)
    }
}

impl CountMoves<'_> {
    /// Asks for the moves of a board, and with them for what passing would lead to.
    #[inline(always)]
    fn ask<B: Gather>(&self, bits: B, board: &Board, asked: &mut Vec<Asked>) {
        let free = |board: Board| Position { board, previous: None };
        let mut ask = |next: Board, effect, tags| {
            let class = self.class_of[next.mover.count_ones() as usize & 7][next.opponent.count_ones() as usize & 7];
            let mut place = CanonicalSlot { slot: 0, symmetry: 0 };
            if let Some(class) = self.solution.classes.get(usize::from(class)) {
                let found = class.index.find(bits, &next);
                place = CanonicalSlot { slot: found.slot, symmetry: found.symmetry };
                if let Some(outcomes) = class.outcomes.get() {
                    outcomes.prefetch(found.slot);
                }
            }
            asked.push(Asked { next, place, class, effect, tags });
        };
        self.game.board_moves(board, |mv, next, effect| {
            let tags = if self.needs.tags { self.game.tags(free(*board), mv, free(next)) } else { Tags::NONE };
            ask(next, effect, tags);
        });
        if self.needs.passing {
            let passed = Board { hole: board.hole, mover: board.opponent, opponent: board.mover };
            // Nothing is forbidden after it, as after a capture.
            ask(passed, Effect::Capture, Tags::NONE);
        }
    }

    /// Reads what was asked for, and counts for each position the moves that it is allowed.
    fn settle(
        &self,
        groups: &mut Vec<(&[Position], usize)>,
        asked: &mut Vec<Asked>,
        counts: &mut Vec<MoveCounts>,
    ) -> Result<(), Error> {
        let (ko, mut start) = (self.game.ko(), 0);
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (positions, end) in groups.drain(..) {
            let board = &positions[0].board;
            let mut moves = &asked[start..end];
            start = end;
            let mut all = MoveCounts::default();
            if self.needs.passing
                && let Some((last, others)) = moves.split_last()
            {
                all.passed = Some(self.solution.outcome_after(board, last)?);
                moves = others;
            }
            outcomes.clear();
            for asked in moves {
                let outcome = self.solution.outcome_after(board, asked)?;
                all.add(asked.tags, outcome);
                outcomes.push(outcome);
            }
            for position in positions {
                let mut allowed = all;
                // One move is forbidden at a time, the first.
                let forbidden = position.previous.and_then(|previous| {
                    moves.iter().position(|asked| {
                        matches!(asked.effect, Effect::Quiet { .. }) && ko.recreates(&previous, &asked.next)
                    })
                });
                if let Some(forbidden) = forbidden {
                    allowed.remove(moves[forbidden].tags, outcomes[forbidden]);
                }
                counts.push(allowed);
            }
        }
        asked.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_its_entry_says_or_to_ask() {
        for value in [0, 1, 2, 7, 8] {
            for then in [0, 1, 2, 9, 10] {
                for case in 1..=u8::MAX {
                    let entry = Exception { value, case, then };
                    if let Some(read) = entry_of_note(note_of(entry)) {
                        assert_eq!((read.case, read.value), (case, bits_of(value)), "{entry:?}");
                        assert_eq!(read.then, bits_of(then), "{entry:?}");
                    }
                }
            }
        }
        // What the real game has is noted: a move among the reversible ones, or any other of 24.
        for case in (1..=24).chain(101..=124) {
            assert_ne!(note_of(Exception { value: 7, case, then: 4 }), ASK);
        }
    }
}
