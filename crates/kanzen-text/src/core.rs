//! The core: a game as a regular expression over eight actions on a board.
//!
//! The actions are those of *Regular Boardgames* (Kowalski, Mika, Sutowicz, Szykuła, AAAI 2019): a pointer walks over the
//! cells of a board; on its way it tests and sets the pieces it stands on, compares and assigns variables, looks ahead
//! and hands the turn over. [`Rule`] combines them by sequence, choice and repetition.
//!
//! **A turn** is a walk through the rules from one [`Rule::Turn`] to the next. The walk picks any branch of a choice and
//! any number of repetitions; if a test on it fails, the walk is no move. What lies between two switches is *one* move of
//! the side that the first of them names.
//!
//! **The keeper** ([`Player::Keeper`]) is no side: what follows its switch belongs to the move before. It serves for
//! upkeep: count, promote, decide who is next. The rules start with the keeper's turn, the pointer on cell 0, the board
//! and the variables as [`Definition::start`] and [`Variable::start`] give them. Where the keeper has several ways,
//! all of them count as moves.
//!
//! **The end.** [`Ends`] decides the result of a position, in this order:
//! 1. the first of [`Ends::checks`] that holds, before the side to move does anything;
//! 2. [`Ends::stuck`] if the side to move has no move, or the keeper cannot go on;
//! 3. [`Ends::endless`] if play goes on forever.
//!
//! # Examples
//!
//! Two cells and a stone on the first; the side to move shifts the stone to the right, and has lost if it cannot.
//!
//! ```
//! use kanzen_text::core::*;
//!
//! let (empty, stone) = (Piece(0), Piece(1));
//! let mut board = Board::new(["left", "right"])?;
//! let right = board.add_label("right")?;
//! board.connect(right, Cell(0), Cell(1))?;
//!
//! // Walk to any cell with a stone, take it up, go right to an empty cell, put it down.
//! let step = Rule::sequence([
//!     Rule::Anywhere,
//!     Rule::On(PieceSet::of(stone)),
//!     Rule::Put(empty),
//!     Rule::Shift(right),
//!     Rule::On(PieceSet::of(empty)),
//!     Rule::Put(stone),
//! ]);
//! let game = Definition {
//!     board,
//!     pieces: vec!["empty".into(), "stone".into()],
//!     sides: ["first".into(), "second".into()],
//!     variables: vec![],
//!     start: vec![stone, empty],
//!     rules: Rule::repeat(Rule::sequence([
//!         Rule::Turn(Player::First),
//!         step.clone(),
//!         Rule::Turn(Player::Second),
//!         step,
//!     ])),
//!     ends: Ends { checks: vec![], stuck: Outcome::MoverLoses, endless: Outcome::Draw },
//! };
//! game.check()?;
//! # Ok::<(), kanzen_text::core::CoreError>(())
//! ```

use std::fmt;

/// The most cells of a board.
pub const MAX_CELLS: usize = 1024;
/// The most kinds of pieces, the empty one among them.
pub const MAX_PIECES: usize = 32;
/// The most variables.
pub const MAX_VARIABLES: usize = 32;
/// The most labels of edges.
pub const MAX_LABELS: usize = 256;
/// The largest bound of a variable.
pub const MAX_VALUE: i32 = 1_000_000;
/// The most parts of the rules and of the ends together.
pub const MAX_PARTS: usize = 1 << 20;
/// The deepest nesting of rules and expressions.
pub const MAX_DEPTH: usize = 200;

/// A cell of the board, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub u16);

/// A kind of piece, counted from 0. By custom 0 is the empty cell; nothing in the core depends on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(pub u8);

/// A label of edges, such as a direction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(pub u16);

/// A variable, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u8);

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side named first.
    First,
    /// The side named second.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Who acts after a switch: a side, or the keeper, whose acts belong to the move before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The side named first.
    First,
    /// The side named second.
    Second,
    /// Upkeep between two moves.
    Keeper,
}

impl Player {
    /// The side, unless it is the keeper.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            Player::First => Some(Side::First),
            Player::Second => Some(Side::Second),
            Player::Keeper => None,
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

/// A set of kinds of pieces.
///
/// ```
/// use kanzen_text::core::{Piece, PieceSet};
/// let set: PieceSet = [Piece(1), Piece(3)].into_iter().collect();
/// assert!(set.contains(Piece(3)));
/// assert!(!set.contains(Piece(2)));
/// assert_eq!(set.len(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PieceSet(pub u32);

impl PieceSet {
    /// No piece.
    pub const EMPTY: PieceSet = PieceSet(0);

    /// One kind.
    #[must_use]
    pub fn of(piece: Piece) -> PieceSet {
        PieceSet(1u32.checked_shl(piece.0.into()).unwrap_or(0))
    }

    /// The first `count` kinds.
    #[must_use]
    pub fn all(count: usize) -> PieceSet {
        PieceSet(if count >= 32 { u32::MAX } else { (1 << count) - 1 })
    }

    /// Whether the piece is in the set.
    #[must_use]
    pub fn contains(self, piece: Piece) -> bool {
        self.0 & PieceSet::of(piece).0 != 0
    }

    /// What is in both.
    #[must_use]
    pub fn and(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub fn or(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }

    /// What is in this one and not in the other.
    #[must_use]
    pub fn without(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & !other.0)
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds.
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The kinds in order.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        (0..32).map(Piece).filter(move |&piece| self.contains(piece))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> PieceSet {
        pieces.into_iter().fold(PieceSet::EMPTY, |set, piece| set.or(PieceSet::of(piece)))
    }
}

/// Cells with names, and directed edges with labels. A label leads from a cell to at most one other.
///
/// ```
/// use kanzen_text::core::{Board, Cell};
/// let mut board = Board::new(["a1", "b1"])?;
/// let east = board.add_label("east")?;
/// board.connect(east, Cell(0), Cell(1))?;
/// assert_eq!(board.neighbour(east, Cell(0)), Some(Cell(1)));
/// assert_eq!(board.neighbour(east, Cell(1)), None);
/// # Ok::<(), kanzen_text::core::CoreError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    cells: Vec<String>,
    labels: Vec<String>,
    /// `edges[label][cell]`.
    edges: Vec<Vec<Option<Cell>>>,
}

impl Board {
    /// A board of these cells, without edges.
    ///
    /// # Errors
    /// Without cells, or with more than [`MAX_CELLS`].
    pub fn new<S: Into<String>>(cells: impl IntoIterator<Item = S>) -> Result<Board, CoreError> {
        let cells: Vec<String> = cells.into_iter().take(MAX_CELLS + 1).map(Into::into).collect();
        if cells.is_empty() || cells.len() > MAX_CELLS {
            return Err(CoreError::Size { what: "cells", found: cells.len(), most: MAX_CELLS });
        }
        Ok(Board { cells, labels: Vec::new(), edges: Vec::new() })
    }

    /// Adds a label without edges.
    ///
    /// # Errors
    /// If there are [`MAX_LABELS`] already.
    pub fn add_label(&mut self, name: impl Into<String>) -> Result<Label, CoreError> {
        if self.labels.len() == MAX_LABELS {
            return Err(CoreError::Size { what: "labels", found: MAX_LABELS + 1, most: MAX_LABELS });
        }
        self.labels.push(name.into());
        self.edges.push(vec![None; self.cells.len()]);
        Ok(Label(self.labels.len() as u16 - 1))
    }

    /// Adds an edge; the label led nowhere from that cell, or to the same one.
    ///
    /// # Errors
    /// If a cell or the label does not exist, or the label leads elsewhere already.
    pub fn connect(&mut self, label: Label, from: Cell, to: Cell) -> Result<(), CoreError> {
        let cells = self.cells.len();
        if from.0 as usize >= cells || to.0 as usize >= cells {
            return Err(CoreError::Unknown { what: "cell", number: from.0.max(to.0).into() });
        }
        let edge = self
            .edges
            .get_mut(label.0 as usize)
            .and_then(|edges| edges.get_mut(from.0 as usize))
            .ok_or(CoreError::Unknown { what: "label", number: label.0.into() })?;
        match edge {
            Some(already) if *already != to => Err(CoreError::TwoEdges { label, from }),
            _ => {
                *edge = Some(to);
                Ok(())
            }
        }
    }

    /// Where a label leads from a cell.
    #[must_use]
    pub fn neighbour(&self, label: Label, from: Cell) -> Option<Cell> {
        *self.edges.get(label.0 as usize)?.get(from.0 as usize)?
    }

    /// How many cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Never: a board has a cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All cells in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.cells.len() as u16).map(Cell)
    }

    /// The name of a cell; empty if there is none such.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        self.cells.get(cell.0 as usize).map_or("", String::as_str)
    }

    /// The names of the labels in order.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
}

/// A number that is part of a position: a hand, a counter, a score. Always from 0 to `max`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// What it is called.
    pub name: String,
    /// Its value at the start.
    pub start: i32,
    /// Its largest value. An assignment beyond 0..=max makes the walk no move.
    pub max: i32,
}

/// A number worked out from a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Expression {
    /// A fixed number.
    Constant(i32),
    /// The value of a variable.
    Variable(VariableId),
    /// How many cells of the board hold one of these pieces.
    Count(PieceSet),
    /// The sum of two.
    Add(Box<Expression>, Box<Expression>),
    /// The first less the second.
    Subtract(Box<Expression>, Box<Expression>),
    /// The product of two.
    Multiply(Box<Expression>, Box<Expression>),
    /// The quotient, towards zero; a division by zero makes the walk no move.
    Divide(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// The value, with `variable` and `count` to look up; `None` by division by zero or beyond 64 bits.
    pub fn value(
        &self,
        variable: &mut impl FnMut(VariableId) -> i64,
        count: &mut impl FnMut(PieceSet) -> i64,
    ) -> Option<i64> {
        let mut both = |a: &Expression, b: &Expression| Some((a.value(variable, count)?, b.value(variable, count)?));
        match self {
            Expression::Constant(number) => Some((*number).into()),
            Expression::Variable(id) => Some(variable(*id)),
            Expression::Count(pieces) => Some(count(*pieces)),
            Expression::Add(a, b) => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            Expression::Subtract(a, b) => both(a, b).and_then(|(a, b)| a.checked_sub(b)),
            Expression::Multiply(a, b) => both(a, b).and_then(|(a, b)| a.checked_mul(b)),
            Expression::Divide(a, b) => both(a, b).and_then(|(a, b)| a.checked_div(b)),
        }
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Comparison {
    /// The same.
    Equal,
    /// Not the same.
    NotEqual,
    /// The first is smaller.
    Less,
    /// The first is smaller or the same.
    LessEqual,
    /// The first is larger.
    Greater,
    /// The first is larger or the same.
    GreaterEqual,
}

impl Comparison {
    /// Whether it holds.
    #[must_use]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        }
    }
}

/// The rules: actions, and how they combine.
///
/// ```
/// use kanzen_text::core::{Label, Piece, PieceSet, Rule};
/// let (empty, rook) = (Piece(0), Piece(1));
/// // A slide: take a rook up anywhere, go east over empty cells, at least one, put it down.
/// let step = Rule::sequence([Rule::Shift(Label(0)), Rule::On(PieceSet::of(empty))]);
/// let slide = Rule::sequence([
///     Rule::Anywhere,
///     Rule::On(PieceSet::of(rook)),
///     Rule::Put(empty),
///     step.clone(),
///     Rule::repeat(step),
///     Rule::Put(rook),
/// ]);
/// # let _ = slide;
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The pointer goes along the edge with this label; without such an edge the walk is no move.
    Shift(Label),
    /// The pointer goes to this cell.
    Go(Cell),
    /// The pointer goes to any cell: the choice of `Go` over all cells.
    Anywhere,
    /// The cell under the pointer holds one of these pieces.
    On(PieceSet),
    /// The cell under the pointer holds this piece from now on.
    Put(Piece),
    /// The variable has this value from now on; a value outside of its bounds makes the walk no move.
    Assign(VariableId, Expression),
    /// The comparison holds.
    Compare(Expression, Comparison, Expression),
    /// The move ends; the player acts next.
    Turn(Player),
    /// There is a walk through this rule from here. Nothing that it does stays. It may not hold a `Turn`.
    ///
    /// `Look(Shift(north))` holds where the board goes on to the north.
    Look(Box<Rule>),
    /// There is no walk through this rule from here. It may not hold a `Turn`.
    Unless(Box<Rule>),
    /// All, one after the other. Of none: nothing happens.
    Sequence(Vec<Rule>),
    /// One of them. Of none: the walk is no move.
    Choice(Vec<Rule>),
    /// Any number of times, none too.
    Repeat(Box<Rule>),
}

impl Rule {
    /// Nothing happens.
    pub const NOTHING: Rule = Rule::Sequence(Vec::new());

    /// All, one after the other.
    pub fn sequence(rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::Sequence(rules.into_iter().collect())
    }

    /// One of them.
    pub fn choice(rules: impl IntoIterator<Item = Rule>) -> Rule {
        Rule::Choice(rules.into_iter().collect())
    }

    /// Any number of times.
    #[must_use]
    pub fn repeat(rule: Rule) -> Rule {
        Rule::Repeat(Box::new(rule))
    }

    /// Holds if there is a walk.
    #[must_use]
    pub fn look(rule: Rule) -> Rule {
        Rule::Look(Box::new(rule))
    }

    /// Holds if there is no walk.
    #[must_use]
    pub fn unless(rule: Rule) -> Rule {
        Rule::Unless(Box::new(rule))
    }
}

/// The result of a position that ends the game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// The side to move wins.
    MoverWins,
    /// The side to move loses.
    MoverLoses,
    /// This side wins, with either side to move.
    Wins(Side),
    /// No side wins.
    Draw,
    /// The side with more wins; the difference is the score. First the first side's number, then the second's.
    ///
    /// Othello: `Score(Count(black), Count(white))`. Regular Boardgames: `Score(Variable(white), Variable(black))`,
    /// variables that moves set in advance.
    Score(Expression, Expression),
}

/// A condition that ends the game where it holds.
///
/// ```
/// use kanzen_text::core::*;
/// // Black has won as soon as a black piece stands on cell 7, however the turn came about.
/// let check = Check {
///     mover: None,
///     when: Rule::sequence([Rule::Go(Cell(7)), Rule::On(PieceSet::of(Piece(2)))]),
///     outcome: Outcome::Wins(Side::Second),
/// };
/// # let _ = check;
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// Only with this side to move.
    pub mover: Option<Side>,
    /// Holds if there is a walk through this rule from cell 0. It may not hold a `Turn`.
    pub when: Rule,
    /// What it means.
    pub outcome: Outcome,
}

/// How games end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Tried in order before each move.
    pub checks: Vec<Check>,
    /// The side to move has no move, or the keeper cannot go on (then the side that moved last counts as the mover).
    pub stuck: Outcome,
    /// Play without an end. Not [`Outcome::Score`]; for the mover's outcomes, the mover of any position of it.
    pub endless: Outcome,
}

/// A game: board, pieces, variables, rules and ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// Cells and edges.
    pub board: Board,
    /// Names of the kinds of pieces.
    pub pieces: Vec<String>,
    /// Names of the two sides.
    pub sides: [String; 2],
    /// Numbers that are part of a position.
    pub variables: Vec<Variable>,
    /// The piece on each cell at the start.
    pub start: Vec<Piece>,
    /// The rules, from the keeper's first act on.
    pub rules: Rule,
    /// How games end.
    pub ends: Ends,
}

impl Definition {
    /// Checks that the parts fit together and keep within the bounds.
    ///
    /// # Errors
    /// What does not fit first.
    pub fn check(&self) -> Result<(), CoreError> {
        let size = |what, found, most| match found {
            0..=usize::MAX if found > most => Err(CoreError::Size { what, found, most }),
            _ => Ok(()),
        };
        size("pieces", self.pieces.len(), MAX_PIECES)?;
        size("variables", self.variables.len(), MAX_VARIABLES)?;
        size("checks", self.ends.checks.len(), MAX_PARTS)?;
        if self.start.len() != self.board.len() {
            return Err(CoreError::StartSize { cells: self.board.len(), found: self.start.len() });
        }
        self.start.iter().try_for_each(|&piece| self.check_piece(piece))?;
        for variable in &self.variables {
            if variable.max > MAX_VALUE || variable.start < 0 || variable.start > variable.max {
                return Err(CoreError::Bounds { variable: variable.name.clone() });
            }
        }
        let mut parts = 0;
        self.check_rule(&self.rules, true, 0, &mut parts)?;
        for check in &self.ends.checks {
            self.check_rule(&check.when, false, 0, &mut parts)?;
            self.check_outcome(&check.outcome, &mut parts)?;
        }
        self.check_outcome(&self.ends.stuck, &mut parts)?;
        match self.ends.endless {
            Outcome::Score(..) => Err(CoreError::EndlessScore),
            _ => Ok(()),
        }
    }

    fn check_piece(&self, piece: Piece) -> Result<(), CoreError> {
        match (piece.0 as usize) < self.pieces.len() {
            true => Ok(()),
            false => Err(CoreError::Unknown { what: "piece", number: piece.0.into() }),
        }
    }

    fn check_pieces(&self, pieces: PieceSet) -> Result<(), CoreError> {
        pieces.iter().try_for_each(|piece| self.check_piece(piece))
    }

    fn check_variable(&self, id: VariableId) -> Result<(), CoreError> {
        match (id.0 as usize) < self.variables.len() {
            true => Ok(()),
            false => Err(CoreError::Unknown { what: "variable", number: id.0.into() }),
        }
    }

    fn check_outcome(&self, outcome: &Outcome, parts: &mut usize) -> Result<(), CoreError> {
        match outcome {
            Outcome::Score(a, b) => {
                self.check_expression(a, 0, parts)?;
                self.check_expression(b, 0, parts)
            }
            _ => Ok(()),
        }
    }

    fn check_expression(&self, expression: &Expression, depth: usize, parts: &mut usize) -> Result<(), CoreError> {
        one_part(depth, parts)?;
        match expression {
            Expression::Constant(_) => Ok(()),
            Expression::Variable(id) => self.check_variable(*id),
            Expression::Count(pieces) => self.check_pieces(*pieces),
            Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.check_expression(a, depth + 1, parts)?;
                self.check_expression(b, depth + 1, parts)
            }
        }
    }

    fn check_rule(&self, rule: &Rule, turns: bool, depth: usize, parts: &mut usize) -> Result<(), CoreError> {
        one_part(depth, parts)?;
        match rule {
            Rule::Shift(label) if label.0 as usize >= self.board.labels.len() => {
                Err(CoreError::Unknown { what: "label", number: label.0.into() })
            }
            Rule::Go(cell) if cell.0 as usize >= self.board.len() => {
                Err(CoreError::Unknown { what: "cell", number: cell.0.into() })
            }
            Rule::Shift(_) | Rule::Go(_) | Rule::Anywhere => Ok(()),
            Rule::On(pieces) => self.check_pieces(*pieces),
            Rule::Put(piece) => self.check_piece(*piece),
            Rule::Assign(id, value) => {
                self.check_variable(*id)?;
                self.check_expression(value, depth + 1, parts)
            }
            Rule::Compare(a, _, b) => {
                self.check_expression(a, depth + 1, parts)?;
                self.check_expression(b, depth + 1, parts)
            }
            Rule::Turn(_) if !turns => Err(CoreError::TurnInLook),
            Rule::Turn(_) => Ok(()),
            Rule::Look(inner) | Rule::Unless(inner) => self.check_rule(inner, false, depth + 1, parts),
            Rule::Sequence(rules) | Rule::Choice(rules) => {
                rules.iter().try_for_each(|rule| self.check_rule(rule, turns, depth + 1, parts))
            }
            Rule::Repeat(inner) => self.check_rule(inner, turns, depth + 1, parts),
        }
    }
}

/// Counts one part of the rules.
fn one_part(depth: usize, parts: &mut usize) -> Result<(), CoreError> {
    *parts += 1;
    if depth > MAX_DEPTH {
        return Err(CoreError::Size { what: "levels of nesting", found: depth, most: MAX_DEPTH });
    }
    if *parts > MAX_PARTS {
        return Err(CoreError::Size { what: "parts of the rules", found: *parts, most: MAX_PARTS });
    }
    Ok(())
}

/// What does not fit together in a [`Definition`], or cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoreError {
    /// There is none, or there are too many.
    Size {
        /// Of what.
        what: &'static str,
        /// How many there are; counting may have stopped early.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// A number that stands for nothing.
    Unknown {
        /// What it would be.
        what: &'static str,
        /// The number.
        number: u32,
    },
    /// A label leads from one cell to two.
    TwoEdges {
        /// The label.
        label: Label,
        /// The cell.
        from: Cell,
    },
    /// The start has another number of cells than the board.
    StartSize {
        /// Cells of the board.
        cells: usize,
        /// Cells of the start.
        found: usize,
    },
    /// A variable starts outside of its bounds, or the bounds are too large.
    Bounds {
        /// Its name.
        variable: String,
    },
    /// A switch of player within a look-ahead.
    TurnInLook,
    /// A score cannot be the result of play without an end.
    EndlessScore,
    /// One turn takes more steps than an interpreter allows.
    Endless {
        /// The bound.
        steps: usize,
    },
}

impl fmt::Display for CoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreError::Size { what, found: 0, .. } => write!(f, "no {what}"),
            CoreError::Size { what, found, most } => write!(f, "{found} {what}, at most {most} are possible"),
            CoreError::Unknown { what, number } => write!(f, "there is no {what} {number}"),
            CoreError::TwoEdges { label, from } => {
                write!(f, "label {} leads from cell {} to two cells", label.0, from.0)
            }
            CoreError::StartSize { cells, found } => {
                write!(f, "the board has {cells} cells, the start {found}")
            }
            CoreError::Bounds { variable } => {
                write!(f, "variable {variable} starts outside of its bounds, or they exceed {MAX_VALUE}")
            }
            CoreError::TurnInLook => write!(f, "a switch of player within a look-ahead"),
            CoreError::EndlessScore => write!(f, "play without an end has no score"),
            CoreError::Endless { steps } => write!(f, "a turn takes more than {steps} steps"),
        }
    }
}

impl std::error::Error for CoreError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> Definition {
        Definition {
            board: Board::new(["a"]).unwrap(),
            pieces: vec!["empty".into()],
            sides: ["first".into(), "second".into()],
            variables: vec![],
            start: vec![Piece(0)],
            rules: Rule::Turn(Player::First),
            ends: Ends { checks: vec![], stuck: Outcome::MoverLoses, endless: Outcome::Draw },
        }
    }

    #[test]
    fn a_definition_that_fits_passes() {
        assert_eq!(nothing().check(), Ok(()));
    }

    #[test]
    fn what_does_not_exist_is_an_error() {
        let with = |rules| Definition { rules, ..nothing() }.check();
        assert_eq!(with(Rule::Put(Piece(1))), Err(CoreError::Unknown { what: "piece", number: 1 }));
        assert_eq!(with(Rule::Go(Cell(1))), Err(CoreError::Unknown { what: "cell", number: 1 }));
        assert_eq!(with(Rule::Shift(Label(0))), Err(CoreError::Unknown { what: "label", number: 0 }));
        let assign = Rule::Assign(VariableId(0), Expression::Constant(0));
        assert_eq!(with(assign), Err(CoreError::Unknown { what: "variable", number: 0 }));
    }

    #[test]
    fn a_switch_within_a_look_ahead_is_an_error() {
        let rules = Rule::unless(Rule::choice([Rule::Anywhere, Rule::Turn(Player::Second)]));
        assert_eq!(Definition { rules, ..nothing() }.check(), Err(CoreError::TurnInLook));
    }

    #[test]
    fn nesting_is_bounded() {
        let rules = (0..=MAX_DEPTH).fold(Rule::NOTHING, |rule, _| Rule::repeat(rule));
        assert!(matches!(Definition { rules, ..nothing() }.check(), Err(CoreError::Size { .. })));
    }

    #[test]
    fn a_label_leads_to_one_cell_only() {
        let mut board = Board::new(["a", "b"]).unwrap();
        let label = board.add_label("go").unwrap();
        board.connect(label, Cell(0), Cell(1)).unwrap();
        assert_eq!(board.connect(label, Cell(0), Cell(1)), Ok(()));
        assert_eq!(board.connect(label, Cell(0), Cell(0)), Err(CoreError::TwoEdges { label, from: Cell(0) }));
        assert_eq!(Board::new([""; 0]), Err(CoreError::Size { what: "cells", found: 0, most: MAX_CELLS }));
    }
}
