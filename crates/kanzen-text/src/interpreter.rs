//! The reference: legal moves by walking through the rules on a concrete board.
//!
//! Slow and plain on purpose. The operators of a game are compared with it.

use std::collections::BTreeSet;

use crate::automaton::{Automaton, Node, Part, Step, Walk};
use crate::core::{Cell, CoreError, Definition, Expression, Outcome, Piece, PieceSet, Side};

/// The most steps of the walks of one call.
pub const MAX_STEPS: usize = 20_000_000;
/// The most changes of board and variables within a move, and levels of look-ahead.
pub const MAX_CHANGES: usize = 500;

/// A position: what the course of the game depends on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The piece on each cell.
    pub board: Vec<Piece>,
    /// The value of each variable.
    pub variables: Vec<i32>,
    /// Where the pointer is; cell 0 where that makes no difference.
    pub pointer: Cell,
    /// Which place in the rules the game has come to.
    pub place: u32,
    /// The side to move; if the game is over, the side that moved last.
    pub mover: Side,
    /// The keeper could not go on.
    pub over: bool,
}

/// A move.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// What it puts on cells, in this order.
    pub puts: Vec<(Cell, Piece)>,
    /// Where the pointer was when the side handed the turn over.
    pub last: Cell,
    /// The position that it leads to.
    pub to: Position,
}

/// Plays a game by its rules.
///
/// ```
/// use kanzen_text::core::*;
/// use kanzen_text::interpreter::Interpreter;
///
/// // Noughts alone: put one on either cell; who cannot has lost.
/// let put = Rule::sequence([Rule::Anywhere, Rule::On(PieceSet::of(Piece(0))), Rule::Put(Piece(1))]);
/// let game = Definition {
///     board: Board::new(["a", "b"])?,
///     pieces: vec!["empty".into(), "nought".into()],
///     sides: ["first".into(), "second".into()],
///     variables: vec![],
///     start: vec![Piece(0); 2],
///     rules: Rule::repeat(Rule::sequence([
///         Rule::Turn(Player::First),
///         put.clone(),
///         Rule::Turn(Player::Second),
///         put,
///     ])),
///     ends: Ends { checks: vec![], stuck: Outcome::MoverLoses, endless: Outcome::Draw },
/// };
/// let play = Interpreter::new(&game)?;
/// let start = play.initial()?;
/// assert_eq!(play.moves(&start)?.len(), 2);
/// assert_eq!(play.perft(&start, 2)?, 2);
/// let full = play.moves(&play.moves(&start)?[0].to)?[0].to.clone();
/// assert_eq!(play.score(&full)?, Some(-1)); // the first side has lost
/// # Ok::<(), CoreError>(())
/// ```
pub struct Interpreter<'a> {
    game: &'a Definition,
    graph: Automaton,
}

/// What a walk has made of the board, and what is left of its budget.
struct Board {
    board: Vec<Piece>,
    variables: Vec<i32>,
    puts: Vec<(Cell, Piece)>,
    last: Option<Cell>,
    steps: usize,
    depth: usize,
}

impl Board {
    fn value(&self, expression: &Expression) -> Option<i64> {
        expression.value(&mut |id| self.variables[id.0 as usize].into(), &mut |pieces: PieceSet| {
            self.board.iter().filter(|&&piece| pieces.contains(piece)).count() as i64
        })
    }

    fn spend(&mut self) -> Result<(), CoreError> {
        self.steps += 1;
        match self.steps > MAX_STEPS || self.depth > MAX_CHANGES {
            true => Err(CoreError::Endless { steps: MAX_STEPS }),
            false => Ok(()),
        }
    }
}

/// What a walk is to find.
enum Goal<'g> {
    /// All moves of a side.
    Moves(Side, &'g mut BTreeSet<Move>),
    /// This node.
    Reach(Node),
}

impl<'a> Interpreter<'a> {
    /// Prepares a game.
    ///
    /// # Errors
    /// If the definition does not fit together.
    pub fn new(game: &'a Definition) -> Result<Interpreter<'a>, CoreError> {
        Ok(Interpreter { game, graph: Automaton::new(game)? })
    }

    /// The position at the start; the first in order if the keeper has a choice.
    ///
    /// # Errors
    /// If the rules run without an end.
    pub fn initial(&self) -> Result<Position, CoreError> {
        let start = Position {
            board: self.game.start.clone(),
            variables: self.game.variables.iter().map(|variable| variable.start).collect(),
            pointer: Cell(0),
            place: self.graph.start,
            mover: Side::First,
            over: false,
        };
        let first = self.walks(&start)?.into_iter().next().map(|step| step.to);
        Ok(first.unwrap_or(Position { over: true, ..start }))
    }

    /// All moves in order, none if a check has ended the game.
    ///
    /// # Errors
    /// If the rules run without an end.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move>, CoreError> {
        if position.over || self.checked(position)?.is_some() {
            return Ok(Vec::new());
        }
        Ok(self.walks(position)?.into_iter().collect())
    }

    /// The score of a position where the game has ended: positive if the first side has won.
    ///
    /// # Errors
    /// If the rules run without an end.
    pub fn score(&self, position: &Position) -> Result<Option<i64>, CoreError> {
        if !position.over {
            if let Some(outcome) = self.checked(position)? {
                return Ok(Some(self.worth(position, outcome)));
            }
            if !self.walks(position)?.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(self.worth(position, &self.game.ends.stuck)))
    }

    /// How many sequences of moves of this length there are.
    ///
    /// # Errors
    /// If the rules run without an end.
    pub fn perft(&self, position: &Position, depth: u32) -> Result<u64, CoreError> {
        if depth == 0 {
            return Ok(1);
        }
        let moves = self.moves(position)?;
        if depth == 1 {
            return Ok(moves.len() as u64);
        }
        moves.iter().try_fold(0u64, |sum, each| Ok(sum.saturating_add(self.perft(&each.to, depth - 1)?)))
    }

    /// The outcome of the first check that holds.
    fn checked(&self, position: &Position) -> Result<Option<&Outcome>, CoreError> {
        for (check, part) in self.game.ends.checks.iter().zip(&self.graph.checks) {
            if check.mover.is_none_or(|mover| mover == position.mover)
                && self.holds(*part, Cell(0), &mut board_of(position))?
            {
                return Ok(Some(&check.outcome));
            }
        }
        Ok(None)
    }

    fn worth(&self, position: &Position, outcome: &Outcome) -> i64 {
        let wins = |side| if side == Side::First { 1 } else { -1 };
        match outcome {
            Outcome::MoverWins => wins(position.mover),
            Outcome::MoverLoses => wins(position.mover.other()),
            Outcome::Wins(side) => wins(*side),
            Outcome::Draw => 0,
            Outcome::Score(first, second) => {
                let board = board_of(position);
                board.value(first).unwrap_or(0).saturating_sub(board.value(second).unwrap_or(0))
            }
        }
    }

    fn walks(&self, position: &Position) -> Result<BTreeSet<Move>, CoreError> {
        let mut moves = BTreeSet::new();
        let goal = &mut Goal::Moves(position.mover, &mut moves);
        self.walk(position.place, position.pointer, &mut board_of(position), goal)?;
        Ok(moves)
    }

    fn holds(&self, part: Part, cell: Cell, board: &mut Board) -> Result<bool, CoreError> {
        board.depth += 1;
        let found = self.walk(part.first, cell, board, &mut Goal::Reach(part.last));
        board.depth -= 1;
        found
    }

    /// Walks from a node until the goal is reached or nothing is left. Steps that change nothing are followed here, over
    /// every pair of node and cell once; after each change the walk starts anew.
    fn walk(&self, node: Node, cell: Cell, board: &mut Board, goal: &mut Goal<'_>) -> Result<bool, CoreError> {
        let mut walk = Walk::new(node, cell);
        while let Some((node, cell)) = walk.next() {
            if matches!(goal, Goal::Reach(last) if *last == node) {
                return Ok(true);
            }
            for (step, to) in self.graph.steps(node) {
                board.spend()?;
                let found = match step {
                    Step::On(pieces) => {
                        if pieces.contains(board.board[cell.0 as usize]) {
                            walk.push(*to, cell);
                        }
                        false
                    }
                    Step::Compare(a, comparison, b) => {
                        if let (Some(a), Some(b)) = (board.value(a), board.value(b))
                            && comparison.holds(a, b)
                        {
                            walk.push(*to, cell);
                        }
                        false
                    }
                    Step::Look { wanted, part } => {
                        if self.holds(*part, cell, board)? == *wanted {
                            walk.push(*to, cell);
                        }
                        false
                    }
                    Step::Put(piece) => {
                        let before = std::mem::replace(&mut board.board[cell.0 as usize], *piece);
                        board.puts.push((cell, *piece));
                        let found = self.after_change(*to, cell, board, goal);
                        board.puts.pop();
                        board.board[cell.0 as usize] = before;
                        found?
                    }
                    Step::Assign(id, value) => {
                        let (slot, max) = (id.0 as usize, self.game.variables[id.0 as usize].max);
                        match board.value(value) {
                            Some(value) if (0..=max.into()).contains(&value) => {
                                let before = std::mem::replace(&mut board.variables[slot], value as i32);
                                let found = self.after_change(*to, cell, board, goal);
                                board.variables[slot] = before;
                                found?
                            }
                            _ => false,
                        }
                    }
                    Step::Turn(player) => {
                        self.turn(player.side(), *to, cell, board, goal)?;
                        false
                    }
                    _ => {
                        walk.follow(self.game, step, *to, cell);
                        false
                    }
                };
                if found {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn after_change(&self, to: Node, cell: Cell, board: &mut Board, goal: &mut Goal<'_>) -> Result<bool, CoreError> {
        board.depth += 1;
        let found = self.walk(to, cell, board, goal);
        board.depth -= 1;
        found
    }

    /// Ends the move, or lets the keeper go on with it.
    fn turn(
        &self,
        side: Option<Side>,
        to: Node,
        cell: Cell,
        board: &mut Board,
        goal: &mut Goal<'_>,
    ) -> Result<(), CoreError> {
        let Goal::Moves(mover, moves) = goal else { return Ok(()) };
        let end = |side: Option<Side>, board: &Board| Move {
            puts: board.puts.clone(),
            last: board.last.unwrap_or(cell),
            to: Position {
                board: board.board.clone(),
                variables: board.variables.clone(),
                pointer: if side.is_none() || self.graph.is_free(to) { Cell(0) } else { cell },
                place: to,
                mover: side.unwrap_or(*mover),
                over: side.is_none(),
            },
        };
        if side.is_some() {
            moves.insert(end(side, board));
            return Ok(());
        }
        let mut onward = BTreeSet::new();
        let before = board.last;
        board.last = before.or(Some(cell));
        self.after_change(to, cell, board, &mut Goal::Moves(*mover, &mut onward))?;
        if onward.is_empty() {
            onward.insert(end(None, board));
        }
        board.last = before;
        moves.append(&mut onward);
        Ok(())
    }
}

fn board_of(position: &Position) -> Board {
    Board {
        board: position.board.clone(),
        variables: position.variables.clone(),
        puts: Vec::new(),
        last: None,
        steps: 0,
        depth: 0,
    }
}
