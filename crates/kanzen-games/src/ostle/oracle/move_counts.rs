//! Counts the winning, drawing and losing moves of many positions, with two bits of memory per board.
//!
//! The moves of a board lead all over the database, and a query over the whole database needs all of them. The outcome
//! of each board fits into memory (two bits each) where the levels do not. If the outcome depends on the forbidden
//! move, a board also has a byte:
//!
//! ```text
//! note   7 6 | 5 .. 0      the pair of outcomes, without and with the ban; the forbidden move, encoded as in the entry
//! ```
//!
//! The positions of one board have the same moves except for the forbidden one, so they are looked up once.

use kanzen::{Budget, Error, Game, Outcome};
use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use kanzen_core::rules::Tags;
use kanzen_query::{MoveCounts, MoveNeeds};
use kanzen_solve::Exception;
use kanzen_store::Summary;

use super::{BULK, SMALL_CACHE, Solution};
use crate::ostle::board::Board;
use crate::ostle::index::CanonicalSlot;
use crate::ostle::moves::Effect;
use crate::ostle::rules::{Ostle, Position};

/// The moves that are prefetched before the first of them is read.
const AHEAD: usize = 256;
/// Marks a move that ends the game, in place of a class.
const OVER: u8 = u8::MAX;
/// A query of n candidates may load up to n times this many boards.
const BOARDS_PER_NUMBER: u64 = 1 << 12;

/// Levels that represent the outcomes: see [`value`](crate::ostle::value).
const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;

/// The two bits of a level.
fn bits_of(level: u8) -> u8 {
    match level {
        0 => DRAW,
        _ if level & 1 == 1 => WIN,
        _ => LOSS,
    }
}

/// All possible pairs of outcomes: with no ban, and with the relevant move forbidden.
const OUTCOME_PAIRS: [(u8, u8); 3] = [(WIN, DRAW), (WIN, LOSS), (DRAW, LOSS)];
/// The note of an entry that has no encoding: the file must be read.
const READ_FILE: u8 = u8::MAX;
/// The first `case` of an entry and its first code: reversible moves, then others.
const CASES: [(u8, u8); 2] = [(1, 0), (101, 32)];

fn note_of(entry: Exception) -> u8 {
    let pair = OUTCOME_PAIRS.iter().position(|pair| *pair == (bits_of(entry.value), bits_of(entry.then)));
    let case = CASES.iter().find_map(|&(first, from)| {
        let case = entry.case.checked_sub(first)?;
        (case < 31).then_some(from + case)
    });
    pair.zip(case).map_or(READ_FILE, |(pair, case)| (pair as u8) << 6 | case)
}

fn entry_of_note(note: u8) -> Option<Exception> {
    let &(value, then) = OUTCOME_PAIRS.get(usize::from(note >> 6))?;
    let (first, from) = CASES[usize::from(note >> 5 & 1)];
    Some(Exception { value, case: first + (note & 63) - from, then })
}

/// The outcome for the mover of a move to a board with this level.
fn before(level: u8) -> Outcome {
    match bits_of(level) {
        DRAW => Outcome::Draw,
        WIN => Outcome::Loss,
        _ => Outcome::Win,
    }
}

/// A move whose outcome is being fetched.
struct Pending {
    next: Board,
    place: CanonicalSlot,
    class: u8,
    effect: Effect,
    tags: Tags,
}

impl Solution {
    /// Loads the outcomes of all boards if the query is large enough.
    pub(super) fn prepare_outcomes(&self, numbers: u64, budget: &Budget) -> Result<(), Error> {
        let boards: u64 = self.classes.iter().map(|class| u64::from(class.index.slots())).sum();
        let worth_it = numbers >= BULK && numbers.saturating_mul(BOARDS_PER_NUMBER) >= boards;
        if !worth_it || Summary::memory(boards) > budget.memory || self.has_outcomes() {
            return Ok(());
        }
        for class in &self.classes {
            if class.outcomes.get().is_none() {
                // Another thread may have set the same bits first.
                let _ = class.outcomes.set(class.file.summary(bits_of, note_of)?);
            }
        }
        self.database.keep(SMALL_CACHE);
        Ok(())
    }

    /// Whether the outcomes of all boards are in memory.
    pub(super) fn has_outcomes(&self) -> bool {
        self.classes.iter().all(|class| class.outcomes.get().is_some())
    }

    /// Counts the moves of positions, or returns `None` if the outcomes are not in memory.
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

    /// The outcome of a move for the mover of `board`.
    #[inline(always)]
    fn outcome_after(&self, board: &Board, pending: &Pending) -> Result<Outcome, Error> {
        if pending.class == OVER {
            return Ok(Outcome::Win);
        }
        let Some(outcomes) = self.classes[usize::from(pending.class)].outcomes.get() else { return Ok(Outcome::Draw) };
        match outcomes.get(pending.place.slot) {
            Summary::DIFFERS => self.outcome_of_case(board, pending, outcomes),
            level => Ok(before(level)),
        }
    }

    /// The same if it depends on the move that is then forbidden.
    fn outcome_of_case(&self, board: &Board, pending: &Pending, outcomes: &Summary) -> Result<Outcome, Error> {
        let class = &self.classes[usize::from(pending.class)];
        let entry = match outcomes.note(pending.place.slot).and_then(entry_of_note) {
            Some(entry) => entry,
            None => class.file.get(pending.place.slot)?,
        };
        let position = self.game.arrive(pending.next, *board, pending.effect);
        Ok(before(self.level_at(class, position, pending.place, entry)?))
    }
}

/// Counts the moves of a slice of positions.
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
        let mut pending: Vec<Pending> = Vec::with_capacity(2 * AHEAD);
        // The positions of one board, and the end of their moves in `pending`.
        let mut groups: Vec<(&[Position], usize)> = Vec::new();
        for group in self.positions.chunk_by(|one, other| one.board == other.board) {
            self.enqueue(bits, &group[0].board, &mut pending);
            groups.push((group, pending.len()));
            if pending.len() >= AHEAD {
                self.flush(&mut groups, &mut pending, &mut counts)?;
            }
        }
        self.flush(&mut groups, &mut pending, &mut counts)?;
        Ok(counts)
    }
}

impl CountMoves<'_> {
    /// Prefetches the outcomes of the moves of a board and, if needed, of passing.
    #[inline(always)]
    fn enqueue<B: Gather>(&self, bits: B, board: &Board, pending: &mut Vec<Pending>) {
        let free = |board: Board| Position { board, previous: None };
        let mut push = |next: Board, effect, tags| {
            let class = self.class_of[next.mover.count_ones() as usize & 7][next.opponent.count_ones() as usize & 7];
            let mut place = CanonicalSlot { slot: 0, symmetry: 0 };
            if let Some(class) = self.solution.classes.get(usize::from(class)) {
                let found = class.index.find(bits, &next);
                place = CanonicalSlot { slot: found.slot, symmetry: found.symmetry };
                if let Some(outcomes) = class.outcomes.get() {
                    outcomes.prefetch(found.slot);
                }
            }
            pending.push(Pending { next, place, class, effect, tags });
        };
        self.game.board_moves(board, |mv, next, effect| {
            let tags = if self.needs.tags { self.game.tags(free(*board), mv, free(next)) } else { Tags::NONE };
            push(next, effect, tags);
        });
        if self.needs.passing {
            let passed = Board { hole: board.hole, mover: board.opponent, opponent: board.mover };
            // After a pass nothing is forbidden, as after a capture.
            push(passed, Effect::Capture, Tags::NONE);
        }
    }

    /// Reads the outcomes of the pending moves and counts the legal ones of each position.
    fn flush(
        &self,
        groups: &mut Vec<(&[Position], usize)>,
        pending: &mut Vec<Pending>,
        counts: &mut Vec<MoveCounts>,
    ) -> Result<(), Error> {
        let (ko, mut start) = (self.game.ko(), 0);
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (positions, end) in groups.drain(..) {
            let board = &positions[0].board;
            let mut moves = &pending[start..end];
            start = end;
            let mut all = MoveCounts::default();
            if self.needs.passing
                && let Some((last, others)) = moves.split_last()
            {
                all.passed = Some(self.solution.outcome_after(board, last)?);
                moves = others;
            }
            outcomes.clear();
            for pending in moves {
                let outcome = self.solution.outcome_after(board, pending)?;
                all.add(pending.tags, outcome);
                outcomes.push(outcome);
            }
            for position in positions {
                let mut allowed = all;
                // Only the first such move is forbidden.
                let forbidden = position.previous.and_then(|previous| {
                    moves.iter().position(|pending| {
                        matches!(pending.effect, Effect::Quiet { .. }) && ko.recreates(&previous, &pending.next)
                    })
                });
                if let Some(forbidden) = forbidden {
                    allowed.remove(moves[forbidden].tags, outcomes[forbidden]);
                }
                counts.push(allowed);
            }
        }
        pending.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_encodes_its_entry_or_refers_to_the_file() {
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
        // All moves of the real game have a note: up to 24 reversible ones, and up to 24 others.
        for case in (1..=24).chain(101..=124) {
            assert_ne!(note_of(Exception { value: 7, case, then: 4 }), READ_FILE);
        }
    }
}
