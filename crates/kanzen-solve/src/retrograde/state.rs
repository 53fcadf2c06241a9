//! The state of one slot in the engine, in 32 bits.
//!
//! ```text
//!   31 30   29 ........ 15   14 ......... 0
//!   kind      level            open children
//!
//!   OPEN    level: loss no earlier than this, for children in earlier classes
//!   WIN     level: distance, final once that level is reached (a nearer win may still lower it)
//!   LOSS    level: distance
//!   FIXED   level: 0 draw, 1 untimed win, 2 untimed loss; a finished game
//! ```
//!
//! A finished game has ENDED in place of its children and never changes. A slot whose parents have been notified has
//! DONE there: nothing notifies twice.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Relaxed, Release};

use super::Prospects;
use kanzen_core::vocabulary::Value;

const OPEN: u32 = 0;
const WIN: u32 = 1;
const LOSS: u32 = 2;
const FIXED: u32 = 3;

const COUNT_BITS: u32 = 15;
const COUNT_MASK: u32 = (1 << COUNT_BITS) - 1;
const ENDED: u32 = COUNT_MASK;
const DONE: u32 = COUNT_MASK - 1;

/// The most children a slot can have.
pub const MAX_CHILDREN: u32 = DONE - 2;
pub(super) const MAX_LEVEL: u32 = (1 << 15) - 1;

/// The word of a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u32);

impl State {
    fn new(kind: u32, level: u32, count: u32) -> State {
        debug_assert!(level <= MAX_LEVEL && count <= COUNT_MASK);
        State(kind << 30 | level << COUNT_BITS | count)
    }

    /// A finished game.
    pub fn ended(value: Value) -> State {
        match (value.distance(), value > Value::DRAW) {
            (Some(plies), true) => State::new(WIN, u32::from(plies), ENDED),
            (Some(plies), false) => State::new(LOSS, u32::from(plies), ENDED),
            (None, true) => State::new(FIXED, 1, ENDED),
            (None, false) => State::new(FIXED, if value < Value::DRAW { 2 } else { 0 }, ENDED),
        }
    }

    /// A slot with moves: to `here` slots of its class, and to settled positions.
    pub fn with_moves(here: u32, settled: Prospects) -> State {
        let open = here + u32::from(settled.refuge);
        let farthest_loss = u32::from(settled.farthest_loss);
        match settled.nearest_win {
            Some(level) => State::new(WIN, level.into(), open),
            None if open == 0 => State::new(LOSS, farthest_loss, 0),
            None => State::new(OPEN, farthest_loss, open),
        }
    }

    /// The word as loaded.
    pub fn load(word: &AtomicU32) -> State {
        State(word.load(Relaxed))
    }

    /// Writes the word.
    pub fn store(self, word: &AtomicU32) {
        word.store(self.0, Relaxed);
    }

    fn kind(self) -> u32 {
        self.0 >> 30
    }

    fn level(self) -> u32 {
        self.0 >> COUNT_BITS & MAX_LEVEL
    }

    fn count(self) -> u32 {
        self.0 & COUNT_MASK
    }

    /// The level at which this slot is or was settled as a win or a loss, if it has one.
    pub fn due(self) -> Option<u32> {
        matches!(self.kind(), WIN | LOSS).then(|| self.level())
    }

    /// Levels from `level` on until it is [`due`](State::due); more than [`MAX_LEVEL`] if it was due before or never is.
    ///
    /// Without branches: what a slot is cannot be predicted.
    pub fn wait(self, level: u32) -> u32 {
        let is_due = (self.kind().wrapping_sub(WIN) < 2) as u32;
        self.level().wrapping_sub(level) | is_due.wrapping_sub(1)
    }

    /// Whether its parents have been notified.
    pub fn is_settled(self) -> bool {
        self.count() == DONE
    }

    /// Whether the mover wins.
    fn is_win(self) -> bool {
        self.kind() == WIN
    }

    /// Whether no notice of `level` or a later one can change this slot: moves out of it need not be kept.
    pub fn is_final_before(self, level: u32) -> bool {
        self.count() == ENDED || self.due().is_some_and(|due| due <= level)
    }

    /// The value once all levels are done; `None` if play goes on for ever.
    pub fn value(self) -> Option<Value> {
        match (self.kind(), self.level()) {
            (OPEN, _) => None,
            (WIN, level) => Some(Value::win(level as u16)),
            (LOSS, level) => Some(Value::loss(level as u16)),
            (_, 0) => Some(Value::DRAW),
            (_, 1) => Some(Value::UNTIMED_WIN),
            _ => Some(Value::UNTIMED_LOSS),
        }
    }

    /// Stands for no value: play goes on for ever.
    pub const ENDLESS: i16 = i16::MIN;

    /// Writes the codes of the values of some words, or [`ENDLESS`](State::ENDLESS).
    ///
    /// All four that a word can mean are made, and one is taken: which one nothing predicts.
    pub fn codes(words: &[AtomicU32], codes: &mut [i16]) {
        const FIXED_CODES: [i16; 4] =
            [Value::DRAW.code(), Value::UNTIMED_WIN.code(), Value::UNTIMED_LOSS.code(), Value::UNTIMED_LOSS.code()];
        for (word, code) in words.iter().zip(codes) {
            let state = State::load(word);
            let level = state.level() as i16;
            let (win, loss) = (Value::win(0).code() - level, Value::loss(0).code() + level);
            let by_kind = [State::ENDLESS, win, loss, FIXED_CODES[usize::from(level as u16 & 3)]];
            *code = by_kind[state.kind() as usize];
        }
    }

    fn wins_at(self, level: u32) -> Option<State> {
        let later = match self.kind() {
            OPEN => true,
            WIN => self.level() > level && self.count() != ENDED,
            _ => false,
        };
        later.then(|| State::new(WIN, level, self.count()))
    }

    fn closes_at(self, level: u32) -> Option<State> {
        if self.kind() != OPEN || self.count() == 0 {
            return None;
        }
        Some(match self.count() - 1 {
            0 => State::new(LOSS, self.level().max(level), 0),
            left => State::new(OPEN, self.level(), left),
        })
    }
}

/// How many threads may change words at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writers {
    /// This thread only: plain writes instead of atomic updates, which take longer than the rest of a notice.
    One,
    /// Several.
    Many,
}

impl Writers {
    /// The threads of the current pool: only they change words.
    pub fn of_pool() -> Writers {
        if rayon::current_num_threads() == 1 { Writers::One } else { Writers::Many }
    }

    /// A child turned out lost for its mover: this slot wins, at `level` at the latest. Returns the new level if it changed.
    #[inline(always)]
    pub fn child_lost(self, word: &AtomicU32, level: u32) -> Option<u32> {
        self.update(word, |state| state.wins_at(level)).map(|_| level)
    }

    /// A child turned out won for its mover: one open child less. Returns the level if this slot is lost now.
    #[inline(always)]
    pub fn child_won(self, word: &AtomicU32, level: u32) -> Option<u32> {
        self.update(word, |state| state.closes_at(level)).and_then(State::due)
    }

    /// Claims a slot for notifying its parents, if it is due at `level` and unclaimed: returns whether its mover wins.
    #[inline(always)]
    pub fn settle(self, word: &AtomicU32, level: u32) -> Option<bool> {
        let settled = |state: State| {
            (state.due() == Some(level) && state.count() != DONE).then_some(State(state.0 & !COUNT_MASK | DONE))
        };
        self.update(word, settled).map(State::is_win)
    }

    /// Lowers the mark of some slots to a level at which one of them is due, its word written before.
    #[inline(always)]
    pub fn lower(self, mark: &AtomicU32, level: u32) {
        match self {
            Writers::Many => {
                mark.fetch_min(level, Release);
            }
            Writers::One if level < mark.load(Relaxed) => mark.store(level, Relaxed),
            Writers::One => {}
        }
    }

    #[inline(always)]
    fn update(self, word: &AtomicU32, change: impl Fn(State) -> Option<State>) -> Option<State> {
        let mut now = word.load(Relaxed);
        loop {
            let next = change(State(now))?;
            if self == Writers::One {
                word.store(next.0, Relaxed);
                return Some(next);
            }
            match word.compare_exchange_weak(now, next.0, Relaxed, Relaxed) {
                Ok(_) => return Some(next),
                Err(other) => now = other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Writers; 2] = [Writers::One, Writers::Many];

    fn word(state: State) -> AtomicU32 {
        AtomicU32::new(state.0)
    }

    fn with_moves(here: u32, children: &[Value]) -> State {
        let mut settled = Prospects::default();
        children.iter().for_each(|child| settled.add(*child));
        State::with_moves(here, settled)
    }

    #[test]
    fn a_loss_waits_for_the_slowest_child() {
        for writers in BOTH {
            let slot = word(with_moves(2, &[Value::win(9)]));
            assert_eq!(writers.child_won(&slot, 2), None);
            assert_eq!(writers.child_won(&slot, 4), Some(10));
            assert_eq!(State::load(&slot).value(), Some(Value::loss(10)));
        }
    }

    #[test]
    fn codes_of_words_are_those_of_their_values() {
        let ended = [Value::DRAW, Value::UNTIMED_WIN, Value::UNTIMED_LOSS, Value::win(7), Value::loss(0)];
        let mut words: Vec<AtomicU32> = ended.iter().map(|&value| word(State::ended(value))).collect();
        words.extend([
            word(with_moves(3, &[])),
            word(with_moves(0, &[Value::win(8)])),
            word(with_moves(1, &[Value::loss(4)])),
        ]);
        let mut codes = vec![0; words.len()];
        State::codes(&words, &mut codes);
        for (word, code) in words.iter().zip(codes) {
            assert_eq!(Value::from_code(code), State::load(word).value());
        }
    }

    #[test]
    fn a_nearer_win_lowers_a_later_one() {
        for writers in BOTH {
            let slot = word(with_moves(2, &[Value::loss(8)]));
            assert_eq!(State::load(&slot).due(), Some(9));
            assert_eq!(writers.child_lost(&slot, 3), Some(3));
            assert_eq!(writers.child_lost(&slot, 5), None);
            assert_eq!(State::load(&slot).value(), Some(Value::win(3)));
        }
    }

    #[test]
    fn a_draw_is_a_refuge() {
        let slot = word(with_moves(1, &[Value::DRAW, Value::win(2)]));
        assert_eq!(Writers::Many.child_won(&slot, 2), None);
        assert_eq!(State::load(&slot).value(), None);
    }

    #[test]
    fn a_slot_is_settled_once_and_at_its_level() {
        for (state, writers) in [State::ended(Value::loss(3)), with_moves(0, &[Value::win(2)])].into_iter().zip(BOTH) {
            let slot = word(state);
            assert_eq!(writers.settle(&slot, 2), None);
            assert_eq!(writers.settle(&slot, 3), Some(false));
            assert_eq!(writers.settle(&slot, 3), None);
            assert_eq!(writers.child_lost(&slot, 4), None);
            assert_eq!(State::load(&slot).value(), Some(Value::loss(3)));
        }
    }

    #[test]
    fn the_wait_leads_to_the_level_at_which_a_slot_is_due() {
        let fixed = [Value::DRAW, Value::UNTIMED_WIN, Value::UNTIMED_LOSS].map(State::ended);
        let timed = [Value::win(7), Value::loss(7), Value::win(0), Value::loss(MAX_LEVEL as u16 / 2)].map(State::ended);
        for state in fixed.into_iter().chain(timed).chain([with_moves(3, &[Value::win(6)])]) {
            for level in [0, 6, 7, 8, 1000] {
                let wait = state.wait(level);
                assert_eq!((wait <= MAX_LEVEL).then(|| level + wait), state.due().filter(|&due| due >= level));
            }
        }
    }

    #[test]
    fn a_finished_game_never_changes() {
        for value in [Value::win(1), Value::loss(0), Value::DRAW, Value::UNTIMED_WIN, Value::UNTIMED_LOSS] {
            let slot = word(State::ended(value));
            assert_eq!(Writers::One.child_lost(&slot, 1).or(Writers::Many.child_won(&slot, 1)), None);
            assert_eq!(State::load(&slot).value(), Some(value));
        }
    }

    #[test]
    fn a_mark_is_lowered_and_never_raised() {
        for writers in BOTH {
            let mark = AtomicU32::new(u32::MAX);
            for (level, expected) in [(7, 7), (9, 7), (3, 3)] {
                writers.lower(&mark, level);
                assert_eq!(mark.load(Relaxed), expected);
            }
        }
    }
}
