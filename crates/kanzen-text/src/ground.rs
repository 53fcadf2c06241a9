//! Grounding: all moves of a game as operators, found by running the rules on a board that is not known.
//!
//! A walk through the rules asks cells and variables for what they hold; the answers that it needs become the guard of an
//! operator, what it puts and assigns its effect:
//!
//! ```text
//! anywhere {w} [e] up {e} [w]     a1 holds w, a2 holds e   ->   a1 = e, a2 = w      and so for every cell
//! ```
//!
//! - The old piece of each cell written is known, the old value of each variable set is known: operators with several are
//!   split. So an operator swaps bits of bitboards, and its inverse swaps them back.
//! - A look-ahead becomes a list of cubes: ways in which it can hold. A single way, and ways that hang on one cell, fold
//!   into the guard. The rest is a [`Condition`] of the position before the move, shared by all operators that need it;
//!   look-aheads within look-aheads stay conditions within conditions and are not multiplied out.
//! - What a cell can hold at all is found by a fixpoint from the start; guards need not ask for that, and operators that
//!   can never apply are dropped.
//! - A variable that no rule reads is a score. It is not part of a position: a [`Point`] of the rules exists once for each
//!   combination of scores that it is reached with.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use crate::automaton::{Automaton, Node, Part, Step, Walk};
use crate::core::{
    Cell, Comparison, CoreError, Definition, Expression, Outcome, Piece, PieceSet, Rule, Side, VariableId,
};
use crate::interpreter::{Interpreter, Position};

/// The most cells of a board whose game can be grounded.
pub const MAX_CELLS: usize = 64;
/// The most kinds of pieces.
pub const MAX_PIECES: usize = 16;
/// The largest value of a variable.
pub const MAX_VALUE: i32 = 127;
/// The most steps of all walks together.
pub const MAX_STEPS: usize = 20_000_000;
/// The most bytes of what walks remember, roughly.
pub const MAX_MEMORY: usize = 1 << 30;
/// The most operators, and the most ways in which conditions can hold.
pub const MAX_OPERATORS: usize = 2_000_000;
/// The most points of the rules.
pub const MAX_POINTS: usize = 4096;
/// The most narrowings within a walk.
const MAX_DEPTH: usize = 300;

/// A set of values of a variable, by bits.
pub type Values = u128;

/// A place in the rules where a side is to move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The place, as [`Position::place`].
    pub place: u32,
    /// Where the pointer is; cell 0 where that makes no difference.
    pub pointer: Cell,
    /// The side to move.
    pub mover: Side,
    /// The values of the variables that no rule reads; 0 for the others.
    pub scores: Vec<i32>,
}

/// What must hold together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Cells, in order, with the pieces they may hold.
    pub cells: Vec<(Cell, PieceSet)>,
    /// Variables, in order, with the values they may have.
    pub variables: Vec<(VariableId, Values)>,
    /// Conditions, by number, that hold or do not.
    pub conditions: Vec<(usize, bool)>,
}

impl Cube {
    /// Whether it always holds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.variables.is_empty() && self.conditions.is_empty()
    }

    /// How many things it asks for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len() + self.variables.len() + self.conditions.len()
    }

    /// Whether every position in which `other` holds is one in which this holds, as far as plain comparison shows.
    fn follows_from(&self, other: &Cube) -> bool {
        self.len() <= other.len()
            && self.cells.iter().all(|(cell, set)| {
                other.cells.iter().any(|(same, smaller)| same == cell && smaller.without(*set).is_empty())
            })
            && self
                .variables
                .iter()
                .all(|(id, values)| other.variables.iter().any(|(same, fewer)| same == id && fewer & !values == 0))
            && self.conditions.iter().all(|condition| other.conditions.contains(condition))
    }
}

/// A question to a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// One of these holds. They refer to conditions with smaller numbers only.
    Any(Vec<Cube>),
    /// The comparison holds.
    Compare(Expression, Comparison, Expression),
}

/// A cell that changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Write {
    /// The cell.
    pub cell: Cell,
    /// What it holds before.
    pub old: Piece,
    /// What it holds after, something else.
    pub new: Piece,
}

/// Where an operator leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// The next move is made at this point.
    Point(usize),
    /// The game is over. Positive: the first side has won; negative: the second.
    Over(i64),
}

/// A move, for all positions in which its guard holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Operator {
    /// The number of the point at which it is made.
    pub from: usize,
    /// Where it leads.
    pub to: Target,
    /// What must hold before.
    pub guard: Cube,
    /// What changes on the board; the guard has the old pieces.
    pub writes: Vec<Write>,
    /// What is added to variables, never 0.
    pub changes: Vec<(VariableId, i32)>,
}

/// Why a game cannot be grounded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// The definition does not fit together, or its rules run without an end.
    Core(CoreError),
    /// There is too much of something.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Something that the core can express and operators cannot.
    Unsupported(&'static str),
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Core(error) => error.fmt(f),
            GroundError::TooMany { what, most } => write!(f, "too many {what}: at most {most} are possible"),
            GroundError::Unsupported(what) => write!(f, "operators cannot express {what}"),
        }
    }
}

impl std::error::Error for GroundError {}

impl From<CoreError> for GroundError {
    fn from(error: CoreError) -> GroundError {
        GroundError::Core(error)
    }
}

/// A condition that ends the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundCheck {
    /// Only with this side to move.
    pub mover: Option<Side>,
    /// What must hold.
    pub when: Cube,
    /// What it means.
    pub outcome: Outcome,
}

/// A game as operators.
///
/// ```
/// use kanzen_text::ground::Grounded;
/// let game = kanzen_text::rbg::read("
///     #players = left(1), right(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, west, east, [x, e, e])
///     #turn(me; foe) = ->me (east* + west*) {x} [e] east {e} [x] [$ me = 1, foe = 0]
///     #rules = (turn(left; right) turn(right; left))*
/// ")?;
/// let game = Grounded::new(&game)?;
/// assert_eq!(game.points.len(), 2); // left to move, right to move
/// assert_eq!(game.operators.len(), 4); // from a to b and from b to c, at each point
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grounded {
    /// The game.
    pub game: Definition,
    /// Where sides move.
    pub points: Vec<Point>,
    /// All moves, in order, each once.
    pub operators: Vec<Operator>,
    /// What operators and checks ask for.
    pub conditions: Vec<Condition>,
    /// What ends the game, in order.
    pub checks: Vec<GroundCheck>,
    /// The position at the start; `None` if the game is over before the first move.
    pub initial: Option<Position>,
    /// Variables that no rule reads.
    pub scores: Vec<bool>,
    /// What each cell can hold.
    pub possible: Vec<PieceSet>,
}

impl Grounded {
    /// Grounds a game.
    ///
    /// # Errors
    /// If it is too large, or has something that operators cannot express.
    pub fn new(game: &Definition) -> Result<Grounded, GroundError> {
        let graph = Automaton::new(game)?;
        let limits = [("cells", game.board.len(), MAX_CELLS), ("kinds of pieces", game.pieces.len(), MAX_PIECES)];
        if let Some((what, _, most)) = limits.into_iter().find(|(_, found, most)| found > most) {
            return Err(GroundError::TooMany { what, most });
        }
        let scores = scores(game);
        if game.variables.iter().zip(&scores).any(|(variable, score)| !score && variable.max > MAX_VALUE) {
            return Err(GroundError::TooMany { what: "values of a variable", most: MAX_VALUE as usize + 1 });
        }
        let start = Interpreter::new(game)?.initial()?;
        let mut run = Run {
            game,
            graph: &graph,
            scores: &scores,
            conditions: Vec::new(),
            numbers: HashMap::new(),
            cubes: 0,
            points: BTreeMap::new(),
            order: Vec::new(),
            operators: BTreeSet::new(),
            steps: 0,
            remembered: 0,
            from: 0,
        };
        let initial = (!start.over).then_some(start);
        if let Some(start) = &initial {
            run.point(start.place, start.pointer, start.mover, &start.variables)?;
        }
        while run.from < run.order.len() {
            run.operators_of_point()?;
            run.from += 1;
        }
        let mut checks = Vec::new();
        for (check, part) in game.ends.checks.iter().zip(&graph.checks) {
            let cubes = run.look(*part, Cell(0), &run.unknown(&vec![0; game.variables.len()]), 0)?;
            if let Some(when) = run.as_cube(cubes)? {
                checks.push(GroundCheck { mover: check.mover, when, outcome: check.outcome.clone() });
            }
        }
        let mut grounded = Grounded {
            game: game.clone(),
            points: run.order,
            operators: run.operators.into_iter().collect(),
            conditions: run.conditions,
            checks,
            initial,
            scores,
            possible: Vec::new(),
        };
        grounded.merge_start()?;
        grounded.find_possible();
        Ok(grounded)
    }

    /// Lets the start share its point with a later one at the same place. They differ in scores only, which do not matter
    /// where the side to move has a move.
    fn merge_start(&mut self) -> Result<(), GroundError> {
        let Some(initial) = &mut self.initial else { return Ok(()) };
        let first = &self.points[0];
        let same =
            |point: &Point| (point.place, point.pointer, point.mover) == (first.place, first.pointer, first.mover);
        let Some(later) = self.points.iter().skip(1).position(same) else { return Ok(()) };
        let returns = self.operators.iter().any(|operator| operator.to == Target::Point(0));
        if returns || Interpreter::new(&self.game)?.moves(initial)?.is_empty() {
            return Ok(());
        }
        for (id, _) in self.scores.iter().enumerate().filter(|(_, score)| **score) {
            initial.variables[id] = self.points[later + 1].scores[id];
        }
        self.points.remove(0);
        self.operators.retain(|operator| operator.from != 0);
        for operator in &mut self.operators {
            operator.from -= 1;
            if let Target::Point(to) = &mut operator.to {
                *to -= 1;
            }
        }
        Ok(())
    }

    /// Finds what each cell can hold, and takes out of guards what goes without asking.
    fn find_possible(&mut self) {
        let start = self.initial.as_ref().map_or(&self.game.start, |initial| &initial.board);
        let mut possible: Vec<PieceSet> = start.iter().map(|piece| PieceSet::of(*piece)).collect();
        let applies = |operator: &Operator, possible: &[PieceSet]| {
            operator.guard.cells.iter().all(|(cell, set)| !possible[cell.0 as usize].and(*set).is_empty())
        };
        loop {
            let before = possible.clone();
            for operator in &self.operators {
                // Where the game is over, no one asks any more.
                if matches!(operator.to, Target::Point(_)) && applies(operator, &possible) {
                    for write in &operator.writes {
                        let at = &mut possible[write.cell.0 as usize];
                        *at = at.or(PieceSet::of(write.new));
                    }
                }
            }
            if before == possible {
                break;
            }
        }
        self.operators.retain(|operator| applies(operator, &possible));
        for operator in &mut self.operators {
            operator.guard.cells.retain_mut(|(cell, set)| {
                *set = set.and(possible[cell.0 as usize]);
                *set != possible[cell.0 as usize]
            });
        }
        self.operators.sort();
        self.operators.dedup();
        self.possible = possible;
    }

    /// The number of the point of a position, unless the game is over or it cannot arise.
    #[must_use]
    pub fn point_of(&self, position: &Position) -> Option<usize> {
        let wanted = Point {
            place: position.place,
            pointer: position.pointer,
            mover: position.mover,
            scores: only_scores(&position.variables, &self.scores),
        };
        let at = |wanted: &Point| self.points.iter().position(|point| !position.over && point == wanted);
        // The start may share its point with others that differ in scores.
        let initial = self.initial.as_ref()?;
        let mut same = position.clone();
        let scores = self.scores.iter().enumerate().filter(|(_, score)| **score);
        scores.for_each(|(id, _)| same.variables[id] = initial.variables[id]);
        let shared = Point { scores: only_scores(&initial.variables, &self.scores), ..wanted.clone() };
        at(&wanted).or_else(|| (same == *initial).then(|| at(&shared))?)
    }
}

fn only_scores(variables: &[i32], scores: &[bool]) -> Vec<i32> {
    variables.iter().zip(scores).map(|(value, score)| if *score { *value } else { 0 }).collect()
}

/// Which variables no rule and no check reads.
fn scores(game: &Definition) -> Vec<bool> {
    fn read(expression: &Expression, scores: &mut [bool]) {
        match expression {
            Expression::Variable(id) => scores[id.0 as usize] = false,
            Expression::Constant(_) | Expression::Count(_) => {}
            Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                read(a, scores);
                read(b, scores);
            }
        }
    }
    fn walk(rule: &Rule, scores: &mut [bool]) {
        match rule {
            Rule::Assign(_, value) => read(value, scores),
            Rule::Compare(a, _, b) => {
                read(a, scores);
                read(b, scores);
            }
            Rule::Look(rule) | Rule::Unless(rule) | Rule::Repeat(rule) => walk(rule, scores),
            Rule::Sequence(rules) | Rule::Choice(rules) => rules.iter().for_each(|rule| walk(rule, scores)),
            _ => {}
        }
    }
    let mut scores = vec![true; game.variables.len()];
    walk(&game.rules, &mut scores);
    game.ends.checks.iter().for_each(|check| walk(&check.when, &mut scores));
    scores
}

/// The value of a variable during a walk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Current {
    Fixed(i32),
    /// What this variable was before the walk, and a number added.
    Before(VariableId, i32),
}

/// A board and variables of which a walk knows only what it has asked for and changed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Unknown {
    /// What each cell may have held before the walk.
    cells: Vec<PieceSet>,
    /// What it holds now, if that is something else.
    puts: Vec<Option<Piece>>,
    /// What each variable may have been before the walk.
    values: Vec<Values>,
    /// What it is now.
    current: Vec<Current>,
    /// Conditions on the position before the walk.
    conditions: BTreeSet<(usize, bool)>,
}

/// What a walk collects.
enum Goal {
    /// Operators; whether the side has handed over to the keeper makes no difference.
    Moves,
    /// Cubes of the ways to a node.
    Reach(Node),
    /// Cubes of the ways to any switch.
    Switch,
}

/// A walk with what it collects.
struct Search {
    goal: Goal,
    found: Vec<Unknown>,
    seen: HashSet<(Node, Cell, Unknown)>,
}

struct Run<'a> {
    game: &'a Definition,
    graph: &'a Automaton,
    scores: &'a [bool],
    conditions: Vec<Condition>,
    numbers: HashMap<Condition, usize>,
    cubes: usize,
    points: BTreeMap<Point, usize>,
    order: Vec<Point>,
    operators: BTreeSet<Operator>,
    steps: usize,
    remembered: usize,
    from: usize,
}

impl Run<'_> {
    /// The number of a point, new if it is.
    fn point(&mut self, place: Node, pointer: Cell, mover: Side, values: &[i32]) -> Result<usize, GroundError> {
        let pointer = if self.graph.is_free(place) { Cell(0) } else { pointer };
        let point = Point { place, pointer, mover, scores: only_scores(values, self.scores) };
        if let Some(&number) = self.points.get(&point) {
            return Ok(number);
        }
        if self.order.len() == MAX_POINTS {
            return Err(GroundError::TooMany { what: "points of the rules", most: MAX_POINTS });
        }
        self.points.insert(point.clone(), self.order.len());
        self.order.push(point);
        Ok(self.order.len() - 1)
    }

    /// A position of which only the scores are known.
    fn unknown(&self, scores: &[i32]) -> Unknown {
        let variables = self.game.variables.iter();
        Unknown {
            cells: vec![PieceSet::all(self.game.pieces.len()); self.game.board.len()],
            puts: vec![None; self.game.board.len()],
            values: variables
                .map(|variable| if variable.max >= MAX_VALUE { Values::MAX } else { (1 << (variable.max + 1)) - 1 })
                .collect(),
            current: (0..self.scores.len())
                .map(|id| match self.scores[id] {
                    true => Current::Fixed(scores[id]),
                    false => Current::Before(VariableId(id as u8), 0),
                })
                .collect(),
            conditions: BTreeSet::new(),
        }
    }

    fn operators_of_point(&mut self) -> Result<(), GroundError> {
        let point = self.order[self.from].clone();
        let mut search = Search { goal: Goal::Moves, found: Vec::new(), seen: HashSet::new() };
        self.walk(point.place, point.pointer, self.unknown(&point.scores), &mut search, 0)
    }

    /// Follows all ways from here. Steps that learn and change nothing are followed over pairs of node and cell; after each
    /// other one the walk starts anew.
    fn walk(
        &mut self,
        node: Node,
        cell: Cell,
        board: Unknown,
        search: &mut Search,
        depth: usize,
    ) -> Result<(), GroundError> {
        if depth > MAX_DEPTH {
            return Err(GroundError::TooMany { what: "tests and changes within a move", most: MAX_DEPTH });
        }
        if !search.seen.insert((node, cell, board.clone())) {
            return Ok(());
        }
        self.remembered += 200 + 6 * board.cells.len() + 32 * board.values.len();
        if self.remembered > MAX_MEMORY {
            return Err(GroundError::TooMany { what: "bytes of cases within moves", most: MAX_MEMORY });
        }
        let graph = self.graph;
        let mut walk = Walk::new(node, cell);
        while let Some((node, cell)) = walk.next() {
            if matches!(search.goal, Goal::Reach(last) if last == node) {
                search.found.push(board.clone());
                continue;
            }
            for (step, to) in graph.steps(node) {
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return Err(GroundError::TooMany { what: "steps of walks", most: MAX_STEPS });
                }
                let after = match step {
                    Step::On(pieces) => {
                        let at = cell.0 as usize;
                        match board.puts[at] {
                            Some(piece) if pieces.contains(piece) => vec![board.clone()],
                            Some(_) => vec![],
                            None => board.with_cell(cell, *pieces).into_iter().collect(),
                        }
                    }
                    Step::Put(piece) => {
                        let mut after = board.clone();
                        after.puts[cell.0 as usize] = Some(*piece);
                        vec![after]
                    }
                    Step::Compare(a, comparison, b) => self.compare(&board, a, *comparison, b)?,
                    Step::Assign(id, value) => self.assign(&board, *id, value)?,
                    Step::Look { wanted, part } => {
                        let cubes = self.look(*part, cell, &board, depth + 1)?;
                        self.narrowed(&board, cubes, *wanted)?.into_iter().collect()
                    }
                    Step::Turn(player) => {
                        match (&search.goal, player.side()) {
                            (Goal::Moves, Some(side)) => self.finish(&board, Some((*to, cell, side)))?,
                            (Goal::Moves, None) => self.keep(*to, cell, &board, search, depth)?,
                            _ => search.found.push(board.clone()),
                        }
                        vec![]
                    }
                    _ => {
                        walk.follow(self.game, step, *to, cell);
                        vec![]
                    }
                };
                for after in after {
                    if after == board {
                        walk.push(*to, cell);
                    } else {
                        self.walk(*to, cell, after, search, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The keeper goes on with the move; where it cannot, the game is over.
    fn keep(
        &mut self,
        node: Node,
        cell: Cell,
        board: &Unknown,
        search: &mut Search,
        depth: usize,
    ) -> Result<(), GroundError> {
        self.walk(node, cell, board.clone(), search, depth + 1)?;
        let goal = Goal::Switch;
        let cubes = self.ways(goal, node, cell, board, depth + 1)?;
        if let Some(stuck) = self.narrowed(board, cubes, false)? {
            self.finish(&stuck, None)?;
        }
        Ok(())
    }

    /// The ways in which a look-ahead can hold, each as what it asks for beyond what is known.
    fn look(&mut self, part: Part, cell: Cell, board: &Unknown, depth: usize) -> Result<Vec<Cube>, GroundError> {
        self.ways(Goal::Reach(part.last), part.first, cell, board, depth)
    }

    fn ways(
        &mut self,
        goal: Goal,
        node: Node,
        cell: Cell,
        board: &Unknown,
        depth: usize,
    ) -> Result<Vec<Cube>, GroundError> {
        let mut search = Search { goal, found: Vec::new(), seen: HashSet::new() };
        self.walk(node, cell, board.clone(), &mut search, depth)?;
        let cubes: BTreeSet<Cube> = search.found.iter().map(|found| board.learnt(found)).collect();
        if cubes.iter().any(Cube::is_empty) {
            return Ok(vec![Cube::default()]);
        }
        // What follows from another need not be asked for.
        let mut cubes: Vec<Cube> = cubes.into_iter().collect();
        cubes.sort_by_key(Cube::len);
        let mut kept: Vec<Cube> = Vec::new();
        for cube in cubes {
            if !kept.iter().take(256).any(|other| other.follows_from(&cube)) {
                kept.push(cube);
            }
        }
        Ok(kept)
    }

    /// What is known if one of the cubes holds, or none of them; `None` if that cannot be.
    fn narrowed(
        &mut self,
        board: &Unknown,
        mut cubes: Vec<Cube>,
        wanted: bool,
    ) -> Result<Option<Unknown>, GroundError> {
        if cubes.iter().any(Cube::is_empty) {
            return Ok(wanted.then(|| board.clone()));
        }
        let mut after = board.clone();
        if wanted {
            // What all cubes ask of a cell is asked for anyway.
            for cell in self.game.board.cells() {
                let of_cube = |cube: &Cube| cube.cells.iter().find(|(same, _)| *same == cell).map(|(_, set)| *set);
                let all: Option<Vec<PieceSet>> = cubes.iter().map(of_cube).collect();
                if let Some(all) = all {
                    let any = all.into_iter().fold(PieceSet::EMPTY, PieceSet::or);
                    let Some(narrower) = after.with_cell(cell, any) else { return Ok(None) };
                    after = narrower;
                }
            }
        } else {
            // Cubes that hang on one thing are excluded by its opposite, until nothing changes.
            loop {
                let single = cubes.iter().position(|cube| cube.len() == 1);
                let Some(single) = single else { break };
                let cube = cubes.remove(single);
                let narrower = if let Some((cell, set)) = cube.cells.first() {
                    after.with_cell(*cell, PieceSet(!set.0))
                } else if let Some((id, values)) = cube.variables.first() {
                    after.with_values(*id, !values)
                } else {
                    let (number, holds) = cube.conditions[0];
                    after.with_condition(number, !holds)
                };
                let Some(narrower) = narrower else { return Ok(None) };
                after = narrower;
                cubes = after.simplified(cubes);
                if cubes.iter().any(Cube::is_empty) {
                    return Ok(None);
                }
            }
        }
        cubes = after.simplified(cubes);
        if cubes.iter().any(Cube::is_empty) {
            return Ok(wanted.then_some(after));
        }
        match (cubes.len(), wanted) {
            (0, wanted) => Ok((!wanted).then_some(after)),
            (1, true) => Ok(after.with_cube(&cubes[0])),
            _ => {
                cubes.sort();
                let number = self.condition(Condition::Any(cubes))?;
                Ok(after.with_condition(number, wanted))
            }
        }
    }

    /// One cube that holds if any of these does; `None` if none can.
    fn as_cube(&mut self, cubes: Vec<Cube>) -> Result<Option<Cube>, GroundError> {
        let before = self.unknown(&vec![0; self.scores.len()]);
        Ok(self.narrowed(&before, cubes, true)?.map(|after| before.learnt(&after)))
    }

    /// The number of a condition, new if it is.
    fn condition(&mut self, condition: Condition) -> Result<usize, GroundError> {
        if let Some(&number) = self.numbers.get(&condition) {
            return Ok(number);
        }
        self.cubes += match &condition {
            Condition::Any(cubes) => cubes.len(),
            Condition::Compare(..) => 1,
        };
        if self.cubes > MAX_OPERATORS {
            return Err(GroundError::TooMany { what: "ways in which conditions hold", most: MAX_OPERATORS });
        }
        self.conditions.push(condition.clone());
        self.numbers.insert(condition, self.conditions.len() - 1);
        Ok(self.conditions.len() - 1)
    }

    fn compare(
        &mut self,
        board: &Unknown,
        a: &Expression,
        comparison: Comparison,
        b: &Expression,
    ) -> Result<Vec<Unknown>, GroundError> {
        let mut asked = Asked::default();
        asked.add(a, board);
        asked.add(b, board);
        let holds = |id: VariableId, value: i64| {
            let value_of = |expression: &Expression| board.value_with(expression, id, value);
            matches!((value_of(a), value_of(b)), (Some(a), Some(b)) if comparison.holds(a, b))
        };
        if asked.counts.is_empty() && asked.variables.len() <= 1 {
            return Ok(match asked.variables.first() {
                None if holds(VariableId(0), 0) => vec![board.clone()],
                None => vec![],
                Some(&id) => {
                    let values = board.values_where(id, |value| holds(id, value));
                    board.with_values(id, values).into_iter().collect()
                }
            });
        }
        // The old pieces of the cells that count must be known.
        let mut boards = vec![board.clone()];
        for pieces in &asked.counts {
            for cell in (0..board.puts.len()).filter(|&cell| board.puts[cell].is_some()) {
                let cell = Cell(cell as u16);
                let sides = [*pieces, PieceSet(!pieces.0)];
                boards =
                    boards.iter().flat_map(|board| sides.map(|set| board.with_cell(cell, set))).flatten().collect();
                if boards.len() > 4096 {
                    return Err(GroundError::TooMany { what: "cases of a comparison", most: 4096 });
                }
            }
        }
        let mut after = Vec::new();
        for board in boards {
            let condition = Condition::Compare(board.before(a), comparison, board.before(b));
            let number = self.condition(condition)?;
            after.extend(board.with_condition(number, true));
        }
        Ok(after)
    }

    fn assign(&mut self, board: &Unknown, id: VariableId, value: &Expression) -> Result<Vec<Unknown>, GroundError> {
        let max: i64 = self.game.variables[id.0 as usize].max.into();
        let mut asked = Asked::default();
        asked.add(value, board);
        if !asked.counts.is_empty() {
            return Err(GroundError::Unsupported("a variable that is set to a number of pieces"));
        }
        let Some(&variable) = asked.variables.first() else {
            let mut after = board.clone();
            return Ok(match board.value_with(value, VariableId(0), 0) {
                Some(value) if (0..=max).contains(&value) => {
                    after.current[id.0 as usize] = Current::Fixed(value as i32);
                    vec![after]
                }
                _ => vec![],
            });
        };
        let result = |old: i64| board.value_with(value, variable, old).filter(|new| (0..=max).contains(new));
        if asked.variables.len() == 1 {
            let values = board.values_where(variable, |old| result(old).is_some());
            let Some(mut after) = board.with_values(variable, values) else { return Ok(vec![]) };
            let olds: Vec<i64> = (0..=MAX_VALUE.into()).filter(|old| values >> old & 1 == 1).collect();
            let difference = |old: i64| result(old).map(|new| new - old);
            if olds.iter().all(|&old| difference(old) == difference(olds[0])) {
                let add = difference(olds[0]).unwrap_or(0) as i32;
                after.current[id.0 as usize] = Current::Before(variable, add);
                return Ok(vec![after]);
            }
        }
        // Otherwise one case for each old value.
        let mut after = Vec::new();
        for case in board.cases(variable) {
            after.extend(self.assign(&case, id, value)?);
        }
        Ok(after)
    }

    /// Adds the operators of a walk that has come to its end.
    fn finish(&mut self, board: &Unknown, to: Option<(Node, Cell, Side)>) -> Result<(), GroundError> {
        let mut open = vec![board.clone()];
        while let Some(board) = open.pop() {
            // One case for each old value of a variable that is set, and for each old piece of a cell that is.
            let set = (0..self.scores.len()).find_map(|id| {
                let own = VariableId(id as u8);
                match board.current[id] {
                    _ if self.scores[id] => None,
                    Current::Before(of, _) if of == own => None,
                    _ if board.values[id].count_ones() > 1 => Some(own),
                    Current::Before(of, _) if board.values[of.0 as usize].count_ones() > 1 => Some(of),
                    _ => None,
                }
            });
            if let Some(id) = set {
                open.extend(board.cases(id));
                continue;
            }
            let put = (0..board.puts.len()).find(|&cell| board.puts[cell].is_some() && board.cells[cell].len() > 1);
            if let Some(cell) = put {
                let pieces = board.cells[cell].iter();
                open.extend(pieces.filter_map(|piece| board.with_cell(Cell(cell as u16), PieceSet::of(piece))));
                continue;
            }
            self.add_operator(&board, to)?;
        }
        Ok(())
    }

    fn add_operator(&mut self, board: &Unknown, to: Option<(Node, Cell, Side)>) -> Result<(), GroundError> {
        let mut writes = Vec::new();
        for cell in self.game.board.cells() {
            let at = cell.0 as usize;
            if let (Some(new), Some(old)) = (board.puts[at], board.cells[at].iter().next())
                && old != new
            {
                writes.push(Write { cell, old, new });
            }
        }
        let mut changes = Vec::new();
        let mut values = vec![0; self.scores.len()];
        for (id, current) in board.current.iter().enumerate() {
            let old = board.values[id].trailing_zeros() as i32;
            let add = match *current {
                Current::Fixed(value) if self.scores[id] => {
                    values[id] = value;
                    0
                }
                Current::Fixed(value) => value - old,
                Current::Before(of, add) if of.0 as usize == id => add,
                Current::Before(of, add) => board.values[of.0 as usize].trailing_zeros() as i32 + add - old,
            };
            if add != 0 {
                changes.push((VariableId(id as u8), add));
            }
        }
        let to = match to {
            Some((place, pointer, side)) => Target::Point(self.point(place, pointer, side, &values)?),
            None => {
                let mover = self.order[self.from].mover;
                let outcome = outcome_of_scores(&self.game.ends.stuck, mover, &values, self.scores);
                Target::Over(outcome.ok_or(GroundError::Unsupported("a keeper that is stuck with a score of counts"))?)
            }
        };
        let before = self.unknown(&self.order[self.from].scores.clone());
        self.operators.insert(Operator { from: self.from, to, guard: before.learnt(board), writes, changes });
        match self.operators.len() > MAX_OPERATORS {
            true => Err(GroundError::TooMany { what: "operators", most: MAX_OPERATORS }),
            false => Ok(()),
        }
    }
}

/// The result, if it hangs on scores alone: positive if the first side has won.
pub(crate) fn outcome_of_scores(outcome: &Outcome, mover: Side, values: &[i32], scores: &[bool]) -> Option<i64> {
    let wins = |side| if side == Side::First { 1 } else { -1 };
    match outcome {
        Outcome::MoverWins => Some(wins(mover)),
        Outcome::MoverLoses => Some(wins(mover.other())),
        Outcome::Wins(side) => Some(wins(*side)),
        Outcome::Draw => Some(0),
        Outcome::Score(first, second) => {
            let mut known = true;
            let mut value = |expression: &Expression| {
                let mut counted = false;
                let value = expression.value(
                    &mut |id| {
                        known &= scores[id.0 as usize];
                        values[id.0 as usize].into()
                    },
                    &mut |_| {
                        counted = true;
                        0
                    },
                );
                known &= !counted;
                value
            };
            let (first, second) = (value(first)?, value(second)?);
            known.then(|| first.saturating_sub(second))
        }
    }
}

/// What an expression needs to know of the position before the walk.
#[derive(Default)]
struct Asked {
    variables: Vec<VariableId>,
    counts: Vec<PieceSet>,
}

impl Asked {
    fn add(&mut self, expression: &Expression, board: &Unknown) {
        match expression {
            Expression::Constant(_) => {}
            Expression::Variable(id) => {
                if let Current::Before(of, _) = board.current[id.0 as usize]
                    && !self.variables.contains(&of)
                {
                    self.variables.push(of);
                }
            }
            Expression::Count(pieces) => self.counts.push(*pieces),
            Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.add(a, board);
                self.add(b, board);
            }
        }
    }
}

impl Unknown {
    /// With a cell known to have held one of these before the walk.
    fn with_cell(&self, cell: Cell, pieces: PieceSet) -> Option<Unknown> {
        let narrower = self.cells[cell.0 as usize].and(pieces);
        let mut after = self.clone();
        after.cells[cell.0 as usize] = narrower;
        (!narrower.is_empty()).then_some(after)
    }

    fn with_values(&self, id: VariableId, values: Values) -> Option<Unknown> {
        let narrower = self.values[id.0 as usize] & values;
        let mut after = self.clone();
        after.values[id.0 as usize] = narrower;
        (narrower != 0).then_some(after)
    }

    fn with_condition(&self, number: usize, holds: bool) -> Option<Unknown> {
        let mut after = self.clone();
        after.conditions.insert((number, holds));
        (!self.conditions.contains(&(number, !holds))).then_some(after)
    }

    fn with_cube(&self, cube: &Cube) -> Option<Unknown> {
        let mut after = self.clone();
        for (cell, pieces) in &cube.cells {
            after = after.with_cell(*cell, *pieces)?;
        }
        for (id, values) in &cube.variables {
            after = after.with_values(*id, *values)?;
        }
        for (number, holds) in &cube.conditions {
            after = after.with_condition(*number, *holds)?;
        }
        Some(after)
    }

    /// One case for each value that a variable may have had.
    fn cases(&self, id: VariableId) -> Vec<Unknown> {
        (0..=MAX_VALUE).filter_map(|value| self.with_values(id, 1 << value)).collect()
    }

    /// The values that a variable may have had with which something holds.
    fn values_where(&self, id: VariableId, holds: impl Fn(i64) -> bool) -> Values {
        let values = self.values[id.0 as usize];
        (0..=MAX_VALUE)
            .filter(|value| values >> value & 1 == 1 && holds((*value).into()))
            .fold(0, |set, v| set | 1 << v)
    }

    /// What the other knows beyond this.
    fn learnt(&self, other: &Unknown) -> Cube {
        let cells = (0..self.cells.len()).filter(|&cell| self.cells[cell] != other.cells[cell]);
        let variables = (0..self.values.len()).filter(|&id| self.values[id] != other.values[id]);
        Cube {
            cells: cells.map(|cell| (Cell(cell as u16), other.cells[cell])).collect(),
            variables: variables.map(|id| (VariableId(id as u8), other.values[id])).collect(),
            conditions: other.conditions.difference(&self.conditions).copied().collect(),
        }
    }

    /// The cubes that can still hold, without what is known.
    fn simplified(&self, cubes: Vec<Cube>) -> Vec<Cube> {
        let mut left: Vec<Cube> = Vec::new();
        for cube in cubes {
            if let Some(after) = self.with_cube(&cube) {
                let mut cube = cube;
                cube.cells.retain(|(cell, _)| self.cells[cell.0 as usize] != after.cells[cell.0 as usize]);
                cube.variables.retain(|(id, _)| self.values[id.0 as usize] != after.values[id.0 as usize]);
                cube.conditions.retain(|condition| !self.conditions.contains(condition));
                left.push(cube);
            }
        }
        left
    }

    /// The value of an expression without counts, if that variable was this before the walk.
    fn value_with(&self, expression: &Expression, id: VariableId, value: i64) -> Option<i64> {
        let mut variable = |asked: VariableId| match self.current[asked.0 as usize] {
            Current::Fixed(value) => value.into(),
            Current::Before(of, add) if of == id => value + i64::from(add),
            Current::Before(of, add) => i64::from(self.values[of.0 as usize].trailing_zeros()) + i64::from(add),
        };
        expression.value(&mut variable, &mut |_| 0)
    }

    /// The expression in terms of the position before the walk.
    fn before(&self, expression: &Expression) -> Expression {
        let plus = |a: Expression, add: i32| match add {
            0 => a,
            _ => Expression::Add(Box::new(a), Box::new(Expression::Constant(add))),
        };
        let both = |make: fn(Box<Expression>, Box<Expression>) -> Expression, a: &Expression, b: &Expression| {
            make(Box::new(self.before(a)), Box::new(self.before(b)))
        };
        match expression {
            Expression::Constant(number) => Expression::Constant(*number),
            Expression::Variable(id) => match self.current[id.0 as usize] {
                Current::Fixed(value) => Expression::Constant(value),
                Current::Before(of, add) => plus(Expression::Variable(of), add),
            },
            Expression::Count(pieces) => {
                let puts = self.puts.iter().zip(&self.cells);
                let add = puts
                    .filter_map(|(put, old)| put.map(|new| (new, old)))
                    .map(|(new, old)| i32::from(pieces.contains(new)) - i32::from(old.without(*pieces).is_empty()));
                plus(Expression::Count(*pieces), add.sum())
            }
            Expression::Add(a, b) => both(Expression::Add, a, b),
            Expression::Subtract(a, b) => both(Expression::Subtract, a, b),
            Expression::Multiply(a, b) => both(Expression::Multiply, a, b),
            Expression::Divide(a, b) => both(Expression::Divide, a, b),
        }
    }
}
