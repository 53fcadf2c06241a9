//! Solves a game with one byte a slot.
//!
//! **Forwards**, from the start: each position that is reached counts its moves. **Backwards**, level by level: a position
//! that is decided is reported to the positions before it by the inverse operators. One of them that can win does; one
//! whose last move is lost has lost. What stays open goes on forever.
//!
//! ```text
//! byte   0 not reached   1 new   2 looked at again   3 drawn   4 many open   5.. open moves   64.. distance   255 far
//! ```
//!
//! A position that a symmetry keeps leads to others several times or is led to several times; so do the moves into one.
//! Counting would go wrong there: such positions are looked at again, forwards, at each report.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};
use std::sync::{Mutex, PoisonError};

use kanzen_core::machine::cpu::{Gather, Work, dispatch};
use kanzen_core::machine::parallel;
use kanzen_core::{Tally, Value};

use crate::core::{Outcome, Side};
use crate::number::Numbering;
use crate::operators::{After, Operators, State};

const NEW: u8 = 1;
const AGAIN: u8 = 2;
const DRAWN: u8 = 3;
const MANY: u8 = 4;
/// One open move; the codes up to `DECIDED` are for more.
const OPEN: u8 = 5;
const DECIDED: u8 = 64;
const FAR: u8 = 255;

/// Slots that are looked through together.
const CHUNK: usize = 1 << 13;

/// Why a game could not be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolveError {
    /// There is no memory for so many bytes.
    Memory {
        /// How many.
        needed: u64,
    },
    /// A move leads to a position that the numbering does not have.
    NotNumbered,
    /// The game is over before the first move.
    NoMove,
    /// Play without an end wins for a side, and there are draws too: what stays open could be either.
    EndlessAndDraws,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Memory { needed } => write!(f, "there is no memory for {needed} bytes"),
            SolveError::NotNumbered => write!(f, "a move leads to a position that the numbering does not have"),
            SolveError::NoMove => write!(f, "the game is over before the first move"),
            SolveError::EndlessAndDraws => write!(f, "play without an end is no draw, but other positions are"),
        }
    }
}

impl std::error::Error for SolveError {}

/// The result of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Decided, or drawn.
    Value(Value),
    /// Play goes on forever, and the side to move wins by that.
    EndlessWin,
    /// Play goes on forever, and the side to move loses by that.
    EndlessLoss,
}

/// All positions that the start leads to, with their values.
///
/// ```
/// use kanzen_core::Value;
/// use kanzen_text::{ground::Grounded, number::Numbering, operators::Operators, symmetry::Symmetries};
/// use kanzen_text::solve::{Answer, Solution};
/// let game = kanzen_text::rbg::read("
///     #players = left(1), right(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, west, east, [x, e, e])
///     #turn(me; foe) = ->me (east* + west*) {x} [e] east {e} [x] [$ me = 1, foe = 0]
///     #rules = (turn(left; right) turn(right; left))*
/// ")?;
/// let game = Grounded::new(&game)?;
/// let (operators, numbering) = (Operators::new(&game), Numbering::new(&game, &Symmetries::find(&game))?);
/// let solution = Solution::new(&operators, &numbering)?;
/// assert_eq!(solution.initial(), Answer::Value(Value::loss(2))); // two steps, and left is stuck
/// assert_eq!(solution.tally().positions(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solution<'a> {
    operators: &'a Operators,
    numbering: &'a Numbering,
    bytes: Vec<AtomicU8>,
    /// One bit a slot: the side to move wins.
    won: Vec<AtomicU64>,
    /// Open moves or distances that a byte cannot hold.
    exceptions: Mutex<HashMap<u64, u32>>,
    /// Chunks to be looked through at this level and at the next.
    now: Vec<AtomicBool>,
    next: Vec<AtomicBool>,
    /// A move leads to no slot.
    broken: AtomicBool,
    /// A position or a move is a draw at once.
    drawn: AtomicBool,
    edges: AtomicU64,
}

fn zeroed<T>(len: usize, zero: impl Fn() -> T) -> Result<Vec<T>, SolveError> {
    let mut all = Vec::new();
    let needed = (len as u64).saturating_mul(size_of::<T>() as u64);
    all.try_reserve_exact(len).map_err(|_| SolveError::Memory { needed })?;
    all.resize_with(len, zero);
    Ok(all)
}

/// What to do with the slots of a chunk.
#[derive(Clone, Copy)]
enum Job {
    /// Find the moves of new positions.
    Expand,
    /// Report those decided at this level.
    Report(u32),
}

/// A job in one chunk.
struct Chunk<'a> {
    solution: &'a Solution<'a>,
    chunk: usize,
    job: Job,
}

impl Work for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let solution = self.solution;
        for slot in solution.of_chunk(self.chunk) {
            let byte = solution.bytes[slot].load(Relaxed);
            match self.job {
                Job::Expand if byte == NEW => solution.expand(bits, slot as u64),
                Job::Report(level) if byte >= DECIDED && solution.distance(slot as u64, byte) == level => {
                    solution.report(bits, slot as u64, level);
                }
                _ => {}
            }
        }
    }
}

impl<'a> Solution<'a> {
    /// How many bytes of memory a solution takes, without the numbering.
    #[must_use]
    pub fn memory(numbering: &Numbering) -> u64 {
        numbering.slots() + numbering.slots().div_ceil(8) + 2 * numbering.slots().div_ceil(CHUNK as u64)
    }

    /// Solves a game, on all threads of the current pool. Memory is reserved before the work begins.
    ///
    /// # Errors
    /// Without enough memory, or if operators and numbering are not of the same game.
    pub fn new(operators: &'a Operators, numbering: &'a Numbering) -> Result<Solution<'a>, SolveError> {
        let start = operators.initial().ok_or(SolveError::NoMove)?;
        let slots = usize::try_from(numbering.slots()).map_err(|_| SolveError::Memory { needed: numbering.slots() })?;
        let chunks = slots.div_ceil(CHUNK);
        let mut solution = Solution {
            operators,
            numbering,
            bytes: zeroed(slots, || AtomicU8::new(0))?,
            won: zeroed(slots.div_ceil(64), || AtomicU64::new(0))?,
            exceptions: Mutex::new(HashMap::new()),
            now: zeroed(chunks, || AtomicBool::new(false))?,
            next: zeroed(chunks, || AtomicBool::new(false))?,
            broken: AtomicBool::new(false),
            drawn: AtomicBool::new(false),
            edges: AtomicU64::new(0),
        };
        let slot = numbering.rank(&start).ok_or(SolveError::NotNumbered)?;
        solution.reach(slot);
        while solution.swap() {
            solution.chunks(Job::Expand);
        }
        // Levels 0 and 1 are decided already.
        solution.now.iter().for_each(|chunk| chunk.store(true, Relaxed));
        for level in 0.. {
            solution.chunks(Job::Report(level));
            if !solution.swap() && level > 0 {
                break;
            }
            if level == 0 {
                solution.now.iter().for_each(|chunk| chunk.store(true, Relaxed));
            }
        }
        if solution.broken.load(Relaxed) {
            return Err(SolveError::NotNumbered);
        }
        match solution.drawn.load(Relaxed) && *operators.endless() != Outcome::Draw {
            true => Err(SolveError::EndlessAndDraws),
            false => Ok(solution),
        }
    }

    /// The result of the start.
    #[must_use]
    pub fn initial(&self) -> Answer {
        self.operators.initial().and_then(|start| self.answer(&start)).unwrap_or(Answer::Value(Value::DRAW))
    }

    /// The result of a position; `None` if the start does not lead there.
    #[must_use]
    pub fn answer(&self, state: &State) -> Option<Answer> {
        let slot = self.numbering.rank(state)?;
        let byte = self.bytes.get(slot as usize)?.load(Relaxed);
        (byte != 0).then(|| self.answer_of(slot, byte, || self.operators.mover(state.point)))
    }

    fn answer_of(&self, slot: u64, byte: u8, mover: impl Fn() -> Side) -> Answer {
        match byte {
            DRAWN => Answer::Value(Value::DRAW),
            DECIDED.. => {
                let distance = self.distance(slot, byte).min(u32::from(u16::MAX)) as u16;
                Answer::Value(if self.is_won(slot) { Value::win(distance) } else { Value::loss(distance) })
            }
            _ => match self.operators.endless() {
                Outcome::MoverWins => Answer::EndlessWin,
                Outcome::Wins(side) if *side == mover() => Answer::EndlessWin,
                Outcome::MoverLoses | Outcome::Wins(_) => Answer::EndlessLoss,
                Outcome::Draw | Outcome::Score(..) => Answer::Value(Value::DRAW),
            },
        }
    }

    /// All positions by value; those that go on forever count as draws.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let parts = parallel::map(self.now.len(), &|chunk| {
            let mut tally = Tally::default();
            for slot in self.of_chunk(chunk) {
                let byte = self.bytes[slot].load(Relaxed);
                if byte != 0 {
                    // Which side moves matters for play without an end only, which has no distance.
                    match self.answer_of(slot as u64, byte, || Side::First) {
                        Answer::Value(value) => tally.add(value, 1),
                        _ => tally.add(Value::DRAW, 1),
                    }
                }
            }
            tally
        });
        let mut tally = Tally::default();
        parts.iter().for_each(|part| tally.merge(part));
        tally
    }

    /// How many moves there are in all positions that are not decided at once.
    #[must_use]
    pub fn edges(&self) -> u64 {
        self.edges.load(Relaxed)
    }

    /// Makes the chunks of the next level those of this one; returns whether there are any.
    fn swap(&mut self) -> bool {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter().for_each(|chunk| chunk.store(false, Relaxed));
        self.now.iter().any(|chunk| chunk.load(Relaxed))
    }

    fn of_chunk(&self, chunk: usize) -> std::ops::Range<usize> {
        chunk * CHUNK..((chunk + 1) * CHUNK).min(self.bytes.len())
    }

    /// Does the job in the chunks of this level.
    fn chunks(&self, job: Job) {
        parallel::for_each(self.now.len(), &|chunk| {
            if self.now[chunk].load(Relaxed) {
                dispatch(Chunk { solution: self, chunk, job });
            }
        });
    }

    /// Marks a position that a move leads to.
    fn reach(&self, slot: u64) {
        let byte = &self.bytes[slot as usize];
        if byte.load(Relaxed) == 0 && byte.compare_exchange(0, NEW, Relaxed, Relaxed).is_ok() {
            self.next[slot as usize / CHUNK].store(true, Relaxed);
        }
    }

    /// Finds the moves of a new position.
    #[inline(always)]
    fn expand<B: Gather>(&self, bits: B, slot: u64) {
        let state = self.numbering.unrank(slot);
        let mover = self.operators.mover(state.point);
        let for_mover = |score: i64| if mover == Side::First { score.signum() } else { -score.signum() };
        let byte = &self.bytes[slot as usize];
        if let Some(score) = self.operators.checked(&state) {
            return self.end(slot, for_mover(score), 0);
        }
        let (mut moves, mut open, mut best) = (0u32, 0u32, -1);
        let mut again = self.numbering.rank_with(bits, &state).is_none_or(|(_, kept)| kept);
        self.operators.forward(&state, &mut |after| {
            moves += 1;
            match after {
                After::Over(score) => best = best.max(for_mover(score)),
                After::State(after) => match self.numbering.rank_with(bits, &after) {
                    Some((next, kept)) => {
                        open += 1;
                        again |= kept;
                        self.reach(next);
                    }
                    None => self.broken.store(true, Relaxed),
                },
            }
        });
        self.edges.fetch_add(moves.into(), Relaxed);
        if moves == 0 {
            return self.end(slot, for_mover(self.operators.stuck(&state)), 0);
        }
        if best == 1 || open == 0 {
            return self.end(slot, best, 1);
        }
        // A move that draws at once stays open forever.
        if best == 0 {
            open += 1;
            self.drawn.store(true, Relaxed);
        }
        let code = match open {
            _ if again => AGAIN,
            1..=58 => OPEN + open as u8 - 1,
            _ => {
                self.exceptions.lock().unwrap_or_else(PoisonError::into_inner).insert(slot, open);
                MANY
            }
        };
        byte.store(code, Relaxed);
    }

    fn end(&self, slot: u64, result: i64, distance: u32) {
        match result {
            0 => {
                self.bytes[slot as usize].store(DRAWN, Relaxed);
                self.drawn.store(true, Relaxed);
            }
            _ => {
                if result > 0 {
                    self.win(slot);
                }
                self.bytes[slot as usize].store(DECIDED + distance as u8, Relaxed);
            }
        }
    }

    fn win(&self, slot: u64) {
        self.won[slot as usize / 64].fetch_or(1 << (slot % 64), Relaxed);
    }

    fn is_won(&self, slot: u64) -> bool {
        self.won[slot as usize / 64].load(Relaxed) >> (slot % 64) & 1 == 1
    }

    fn distance(&self, slot: u64, byte: u8) -> u32 {
        match byte {
            FAR => *self.exceptions.lock().unwrap_or_else(PoisonError::into_inner).get(&slot).unwrap_or(&u32::MAX),
            _ => u32::from(byte - DECIDED),
        }
    }

    /// Reports a position decided at this level to all before it.
    #[inline(always)]
    fn report<B: Gather>(&self, bits: B, slot: u64, level: u32) {
        let state = self.numbering.unrank(slot);
        let mover = self.operators.mover(state.point);
        let won = self.is_won(slot);
        self.operators.backward(&state, &mut |before| {
            let Some((parent, _)) = self.numbering.rank_with(bits, &before) else { return };
            let byte = self.bytes[parent as usize].load(Relaxed);
            if !(byte == AGAIN || (MANY..DECIDED).contains(&byte)) {
                return;
            }
            if won == (self.operators.mover(before.point) == mover) {
                return self.decide(parent, level + 1, true);
            }
            if byte == AGAIN {
                if self.is_lost(bits, &before, level) {
                    self.decide(parent, level + 1, false);
                }
            } else if self.closes_last(parent) {
                self.decide(parent, level + 1, false);
            }
        });
    }

    /// Takes one open move away; returns whether it was the last.
    fn closes_last(&self, slot: u64) -> bool {
        let byte = &self.bytes[slot as usize];
        let mut seen = byte.load(Relaxed);
        loop {
            match seen {
                OPEN => return true,
                MANY => {
                    let mut exceptions = self.exceptions.lock().unwrap_or_else(PoisonError::into_inner);
                    // Another thread may have decided it meanwhile.
                    if byte.load(Relaxed) != MANY {
                        return false;
                    }
                    let Some(open) = exceptions.get_mut(&slot) else { return false };
                    *open -= 1;
                    return *open == 0;
                }
                _ if seen > OPEN && seen < DECIDED => {}
                _ => return false,
            }
            match byte.compare_exchange_weak(seen, seen - 1, Relaxed, Relaxed) {
                Ok(_) => return false,
                Err(now) => seen = now,
            }
        }
    }

    /// Whether all moves lead to positions that are lost for the mover and were decided up to this level.
    fn is_lost<B: Gather>(&self, bits: B, state: &State, level: u32) -> bool {
        let mover = self.operators.mover(state.point);
        let mut lost = true;
        self.operators.forward(state, &mut |after| {
            lost = lost
                && match after {
                    After::Over(score) => score != 0 && (score < 0) == (mover == Side::First),
                    After::State(after) => self.numbering.rank_with(bits, &after).is_some_and(|(slot, _)| {
                        let byte = self.bytes[slot as usize].load(Relaxed);
                        byte >= DECIDED
                            && self.distance(slot, byte) <= level
                            && self.is_won(slot) != (self.operators.mover(after.point) == mover)
                    }),
                };
        });
        lost
    }

    /// Decides an open position. Several reports may do so at the same level, all alike.
    fn decide(&self, slot: u64, distance: u32, won: bool) {
        if won {
            self.win(slot);
        }
        if distance < u32::from(FAR - DECIDED) {
            self.bytes[slot as usize].store(DECIDED + distance as u8, Relaxed);
        } else {
            let mut exceptions = self.exceptions.lock().unwrap_or_else(PoisonError::into_inner);
            exceptions.insert(slot, distance);
            self.bytes[slot as usize].store(FAR, Relaxed);
        }
        self.next[slot as usize / CHUNK].store(true, Relaxed);
    }
}
