//! Operators on bitboards, forwards and backwards.
//!
//! One bitboard for each kind of piece. A guard becomes tests `board & care == want`, a move an exclusive or, its inverse
//! the same exclusive or with the tests of the position after it:
//!
//! ```text
//!            a1 a2                     a1 a2                           a1 a2
//! w before    1  0   test w: 1 .       after the exclusive or    w      0  1   test w: . 1
//! e before    0  1   test e: . 1                                 e      1  0   test e: 1 .
//! ```
//!
//! Operators are filed by a cell and a piece that they need, so that most of those that do not apply are never looked at.

use crate::core::{Comparison, Expression, Outcome, PieceSet, Side};
use crate::ground::{Condition, Cube, Grounded, MAX_CELLS, MAX_PIECES, Target, Values, outcome_of_scores};
use crate::interpreter::Position;

/// The most variables.
pub const MAX_VARIABLES: usize = crate::core::MAX_VARIABLES;

/// A position as bitboards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The number of the point of the rules.
    pub point: u16,
    /// The cells of each kind of piece.
    pub planes: [u64; MAX_PIECES],
    /// The variables; 0 for those that are scores.
    pub variables: [u8; MAX_VARIABLES],
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum After {
    /// A position.
    State(State),
    /// The end of the game. Positive: the first side has won.
    Over(i64),
}

#[derive(Clone, Copy, Debug)]
struct Test {
    plane: u8,
    care: u64,
    want: u64,
}

/// A range of a list.
type Range = (u32, u32);

fn range(all: Range) -> std::ops::Range<usize> {
    all.0 as usize..all.1 as usize
}

/// The tests, values and conditions of a cube.
#[derive(Clone, Copy, Debug)]
struct Guard {
    tests: Range,
    values: Range,
    conditions: Range,
}

#[derive(Clone, Debug)]
struct Compiled {
    guard: Guard,
    flips: Range,
    changes: Range,
    to: Target,
}

/// Words of a memo.
const MEMO: usize = 8;

/// The answers to the first conditions at one position.
#[derive(Default)]
struct Memo {
    known: [u64; MEMO],
    holds: [u64; MEMO],
}

#[derive(Clone, Debug)]
enum Question {
    Any(Vec<Guard>),
    Compare(Expression, Comparison, Expression),
}

/// Operators of one point, by what they need.
#[derive(Clone, Debug, Default)]
struct File {
    /// Pieces, the cells on which operators need them, and the operators of each such cell, in order of cells.
    keys: Vec<(u8, u64, Vec<Range>)>,
    rest: Range,
}

impl File {
    /// The lists of operators that may apply: one call each for what is done with them, which is compiled in place.
    #[inline(always)]
    fn parts(&self, state: &State) -> ([Range; MAX_CELLS + 1], usize) {
        let mut parts = [(0, 0); MAX_CELLS + 1];
        parts[0] = self.rest;
        let mut count = 1;
        for (plane, cells, ranges) in &self.keys {
            let mut here = state.planes[*plane as usize & (MAX_PIECES - 1)] & cells;
            while here != 0 && count <= MAX_CELLS {
                let cell = here & here.wrapping_neg();
                here ^= cell;
                parts[count] = ranges[(cells & (cell - 1)).count_ones() as usize];
                count += 1;
            }
        }
        (parts, count)
    }
}

/// All operators of a game.
///
/// ```
/// use kanzen_text::{ground::Grounded, operators::{After, Operators}};
/// let game = kanzen_text::rbg::read("
///     #players = left(1), right(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, west, east, [x, e, e])
///     #turn(me; foe) = ->me (east* + west*) {x} [e] east {e} [x] [$ me = 1, foe = 0]
///     #rules = (turn(left; right) turn(right; left))*
/// ")?;
/// let game = Grounded::new(&game)?;
/// let operators = Operators::new(&game);
/// let start = operators.initial().unwrap();
/// let mut after = Vec::new();
/// operators.forward(&start, &mut |state| after.push(state));
/// let [After::State(next)] = after[..] else { panic!() };
/// assert_eq!(next.planes[1], 0b010);
/// // The position before, from each point that leads there.
/// let mut before = Vec::new();
/// operators.backward(&next, &mut |state| before.push(state));
/// assert!(before.contains(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Operators {
    initial: Option<State>,
    tests: Vec<Test>,
    values: Vec<(u8, Values)>,
    needed: Vec<(u32, bool)>,
    flips: Vec<(u8, u64)>,
    changes: Vec<(u8, i8)>,
    questions: Vec<Question>,
    forward: (Vec<Compiled>, Vec<File>),
    backward: (Vec<Compiled>, Vec<File>),
    checks: Vec<(Option<Side>, Guard, Outcome)>,
    stuck: Outcome,
    endless: Outcome,
    movers: Vec<Side>,
    point_scores: Vec<Vec<i32>>,
    scores: Vec<bool>,
    max: Vec<i32>,
    pieces: usize,
}

impl Operators {
    /// Compiles the operators of a game.
    #[must_use]
    pub fn new(game: &Grounded) -> Operators {
        let mut all = Operators {
            initial: None,
            tests: Vec::new(),
            values: Vec::new(),
            needed: Vec::new(),
            flips: Vec::new(),
            changes: Vec::new(),
            questions: Vec::new(),
            forward: (Vec::new(), Vec::new()),
            backward: (Vec::new(), Vec::new()),
            checks: Vec::new(),
            stuck: game.game.ends.stuck.clone(),
            endless: game.game.ends.endless.clone(),
            movers: game.points.iter().map(|point| point.mover).collect(),
            point_scores: game.points.iter().map(|point| point.scores.clone()).collect(),
            scores: game.scores.clone(),
            max: game.game.variables.iter().map(|variable| variable.max).collect(),
            pieces: game.game.pieces.len(),
        };
        all.initial = game.initial.as_ref().and_then(|position| all.state(game, position));
        for condition in &game.conditions {
            let question = match condition {
                Condition::Any(cubes) => Question::Any(cubes.iter().map(|cube| all.cube(cube)).collect()),
                Condition::Compare(a, comparison, b) => Question::Compare(a.clone(), *comparison, b.clone()),
            };
            all.questions.push(question);
        }
        for check in &game.checks {
            let when = all.cube(&check.when);
            all.checks.push((check.mover, when, check.outcome.clone()));
        }
        all.forward = all.filed(game, false);
        all.backward = all.filed(game, true);
        all
    }

    /// The position at the start.
    #[must_use]
    pub fn initial(&self) -> Option<State> {
        self.initial
    }

    /// A position as bitboards; `None` if the game is over there or it cannot arise.
    #[must_use]
    pub fn state(&self, game: &Grounded, position: &Position) -> Option<State> {
        let mut state =
            State { point: game.point_of(position)? as u16, planes: [0; MAX_PIECES], variables: [0; MAX_VARIABLES] };
        for (cell, piece) in position.board.iter().enumerate() {
            state.planes[piece.0 as usize] |= 1 << cell;
        }
        for (id, value) in position.variables.iter().enumerate().filter(|(id, _)| !self.scores[*id]) {
            state.variables[id] = *value as u8;
        }
        Some(state)
    }

    /// The side to move at a point.
    #[must_use]
    pub fn mover(&self, point: u16) -> Side {
        self.movers[point as usize]
    }

    /// Calls `next` with what each move leads to; those that lead to the same place come several times. Checks that end
    /// the game are not looked at.
    #[inline(always)]
    pub fn forward(&self, state: &State, next: &mut impl FnMut(After)) {
        let (all, files) = &self.forward;
        let mut memo = Memo::default();
        let (parts, count) = files[state.point as usize].parts(state);
        for operator in parts[..count].iter().flat_map(|part| &all[range(*part)]) {
            if !self.holds(&operator.guard, state, Some(&mut memo)) {
                continue;
            }
            let after = match operator.to {
                Target::Over(score) => After::Over(score),
                Target::Point(to) => {
                    let mut after = *state;
                    after.point = to as u16;
                    self.flip(operator, &mut after);
                    for (id, add) in &self.changes[range(operator.changes)] {
                        after.variables[*id as usize] = after.variables[*id as usize].wrapping_add_signed(*add);
                    }
                    After::State(after)
                }
            };
            next(after);
        }
    }

    /// Calls `next` with each position that a move leads from to here, once for each such move. A check may have ended the
    /// game there.
    #[inline(always)]
    pub fn backward(&self, state: &State, next: &mut impl FnMut(State)) {
        let (all, files) = &self.backward;
        let (parts, count) = files[state.point as usize].parts(state);
        'operators: for operator in parts[..count].iter().flat_map(|part| &all[range(*part)]) {
            let Target::Point(from) = operator.to else { continue };
            if !self.tests(operator.guard.tests, state) {
                continue;
            }
            let mut before = *state;
            before.point = from as u16;
            self.flip(operator, &mut before);
            for (id, add) in &self.changes[range(operator.changes)] {
                let value = i32::from(before.variables[*id as usize]) - i32::from(*add);
                if !(0..=self.max[*id as usize]).contains(&value) {
                    continue 'operators;
                }
                before.variables[*id as usize] = value as u8;
            }
            if self.holds(&Guard { tests: (0, 0), ..operator.guard }, &before, None) {
                next(before);
            }
        }
    }

    #[inline(always)]
    fn flip(&self, operator: &Compiled, state: &mut State) {
        for (plane, bits) in &self.flips[range(operator.flips)] {
            state.planes[*plane as usize] ^= bits;
        }
    }

    /// The result where a check has ended the game, as a score for the first side.
    #[must_use]
    pub fn checked(&self, state: &State) -> Option<i64> {
        let mover = self.mover(state.point);
        let check =
            self.checks.iter().find(|(side, when, _)| side.is_none_or(|s| s == mover) && self.holds(when, state, None));
        check.map(|(.., outcome)| self.worth(outcome, state))
    }

    /// The result where the side to move has no move.
    #[must_use]
    pub fn stuck(&self, state: &State) -> i64 {
        self.worth(&self.stuck, state)
    }

    /// The result of play without an end.
    #[must_use]
    pub fn endless(&self) -> &Outcome {
        &self.endless
    }

    fn worth(&self, outcome: &Outcome, state: &State) -> i64 {
        let point = state.point as usize;
        let scores = &self.point_scores[point];
        if let Some(known) = outcome_of_scores(outcome, self.movers[point], scores, &self.scores) {
            return known;
        }
        let Outcome::Score(first, second) = outcome else { return 0 };
        let value = |expression| self.value(expression, state).unwrap_or(0);
        value(first).saturating_sub(value(second))
    }

    fn value(&self, expression: &Expression, state: &State) -> Option<i64> {
        expression.value(
            &mut |id| match self.scores[id.0 as usize] {
                true => self.point_scores[state.point as usize][id.0 as usize].into(),
                false => state.variables[id.0 as usize].into(),
            },
            &mut |pieces| self.count(pieces, state),
        )
    }

    fn count(&self, pieces: PieceSet, state: &State) -> i64 {
        pieces.iter().map(|piece| i64::from(state.planes[piece.0 as usize & (MAX_PIECES - 1)].count_ones())).sum()
    }

    #[inline(always)]
    fn tests(&self, tests: Range, state: &State) -> bool {
        let fits = |test: &Test| state.planes[test.plane as usize & (MAX_PIECES - 1)] & test.care == test.want;
        self.tests[range(tests)].iter().all(fits)
    }

    #[inline(always)]
    fn holds(&self, guard: &Guard, state: &State, mut memo: Option<&mut Memo>) -> bool {
        let value = |id: u8| state.variables[id as usize & (MAX_VARIABLES - 1)] & 127;
        self.tests(guard.tests, state)
            && self.values[range(guard.values)].iter().all(|(id, values)| values >> value(*id) & 1 == 1)
            && self.needed[range(guard.conditions)]
                .iter()
                .all(|&(number, holds)| self.answer(number as usize, state, memo.as_deref_mut()) == holds)
    }

    /// Whether a condition holds; the memo has those that were answered for the same position.
    fn answer(&self, number: usize, state: &State, mut memo: Option<&mut Memo>) -> bool {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        if let Some(memo) = memo.as_deref().filter(|_| word < MEMO)
            && memo.known[word] & bit != 0
        {
            return memo.holds[word] & bit != 0;
        }
        let found = match &self.questions[number] {
            Question::Any(cubes) => cubes.iter().any(|cube| self.holds(cube, state, memo.as_deref_mut())),
            Question::Compare(a, comparison, b) => {
                matches!((self.value(a, state), self.value(b, state)), (Some(a), Some(b)) if comparison.holds(a, b))
            }
        };
        if let Some(memo) = memo.filter(|_| word < MEMO) {
            memo.known[word] |= bit;
            memo.holds[word] |= if found { bit } else { 0 };
        }
        found
    }

    fn cube(&mut self, cube: &Cube) -> Guard {
        Guard { tests: self.cells(&cube.cells), values: self.variables(cube), conditions: self.conditions(cube) }
    }

    fn cells(&mut self, cells: &[(crate::core::Cell, PieceSet)]) -> Range {
        let begin = self.tests.len() as u32;
        let mut by_plane = [(0u64, 0u64); MAX_PIECES];
        for (cell, set) in cells {
            let bit = 1u64 << cell.0;
            for (piece, (care, want)) in by_plane.iter_mut().enumerate().take(self.pieces) {
                match (set.0 >> piece & 1 == 1, set.len() == 1) {
                    (true, true) => (*care, *want) = (*care | bit, *want | bit),
                    (false, false) => *care |= bit,
                    _ => {}
                }
            }
        }
        for (plane, (care, want)) in by_plane.into_iter().enumerate().filter(|(_, (care, _))| *care != 0) {
            self.tests.push(Test { plane: plane as u8, care, want });
        }
        (begin, self.tests.len() as u32)
    }

    fn variables(&mut self, cube: &Cube) -> Range {
        let begin = self.values.len() as u32;
        self.values.extend(cube.variables.iter().map(|(id, values)| (id.0, *values)));
        (begin, self.values.len() as u32)
    }

    fn conditions(&mut self, cube: &Cube) -> Range {
        let begin = self.needed.len() as u32;
        self.needed.extend(cube.conditions.iter().map(|(number, holds)| (*number as u32, *holds)));
        (begin, self.needed.len() as u32)
    }

    /// Compiles all operators in one direction, in the order in which they are filed.
    fn filed(&mut self, game: &Grounded, back: bool) -> (Vec<Compiled>, Vec<File>) {
        // By point, then by the piece and the cell that the operator is filed under.
        let mut by_point = vec![Vec::new(); game.points.len()];
        for (number, operator) in game.operators.iter().enumerate() {
            let at = match (back, operator.to) {
                (false, _) => operator.from,
                (true, Target::Point(to)) => to,
                (true, Target::Over(_)) => continue,
            };
            let singles = seen_from(operator, back);
            let singles = singles.iter().filter(|(_, set)| set.len() == 1);
            let written = |cell| operator.writes.iter().any(|write| write.cell == cell);
            let key = singles
                .map(|(cell, set)| (set.iter().next().map_or(0, |piece| piece.0), *cell))
                .max_by_key(|&(piece, cell)| (piece > 0, written(cell), piece, cell));
            by_point[at].push((key.map(|(piece, cell)| (piece, cell.0)), number));
        }
        let (mut all, mut files) = (Vec::new(), Vec::new());
        for mut listed in by_point {
            listed.sort_unstable();
            let mut file = File::default();
            for group in listed.chunk_by(|a, b| a.0 == b.0) {
                let begin = all.len() as u32;
                for (_, number) in group {
                    let operator = &game.operators[*number];
                    let compiled = Compiled {
                        guard: Guard {
                            tests: self.cells(&seen_from(operator, back)),
                            values: self.variables(&operator.guard),
                            conditions: self.conditions(&operator.guard),
                        },
                        flips: self.flips(&operator.writes),
                        changes: self.changes(&operator.changes),
                        to: if back { Target::Point(operator.from) } else { operator.to },
                    };
                    all.push(compiled);
                }
                let part = (begin, all.len() as u32);
                match (group[0].0, file.keys.last_mut()) {
                    (None, _) => file.rest = part,
                    (Some((piece, cell)), Some((same, cells, ranges))) if *same == piece => {
                        *cells |= 1 << cell;
                        ranges.push(part);
                    }
                    (Some((piece, cell)), _) => file.keys.push((piece, 1 << cell, vec![part])),
                }
            }
            files.push(file);
        }
        (all, files)
    }

    fn flips(&mut self, writes: &[crate::ground::Write]) -> Range {
        let begin = self.flips.len() as u32;
        let mut by_plane = [0u64; MAX_PIECES];
        for write in writes {
            by_plane[write.old.0 as usize] ^= 1 << write.cell.0;
            by_plane[write.new.0 as usize] ^= 1 << write.cell.0;
        }
        let planes = by_plane.into_iter().enumerate().filter(|(_, bits)| *bits != 0);
        self.flips.extend(planes.map(|(plane, bits)| (plane as u8, bits)));
        (begin, self.flips.len() as u32)
    }

    fn changes(&mut self, changes: &[(crate::core::VariableId, i32)]) -> Range {
        let begin = self.changes.len() as u32;
        self.changes.extend(changes.iter().map(|(id, add)| (id.0, *add as i8)));
        (begin, self.changes.len() as u32)
    }
}

/// What an operator needs of cells before it, or, seen backwards, after it.
fn seen_from(operator: &crate::ground::Operator, back: bool) -> Vec<(crate::core::Cell, PieceSet)> {
    let mut cells = operator.guard.cells.clone();
    if back {
        for write in &operator.writes {
            cells.retain(|(cell, _)| *cell != write.cell);
            cells.push((write.cell, PieceSet::of(write.new)));
        }
    }
    cells
}
