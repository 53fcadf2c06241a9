//! The rules of NOCCA x NOCCA on a board of any size.

use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Notation, Value};
use kanzen_core::rules::{Tag, Tags};

use super::text;

/// The largest number of cells: six rows of five.
pub const MOST_CELLS: usize = 30;

/// A stack of up to three pieces: a leading one bit, then a bit per piece from bottom to top, set if it is white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stack(u8);

impl Stack {
    /// No piece.
    pub const EMPTY: Stack = Stack(1);

    /// Returns the stack of a code below 16.
    pub fn from_code(code: u8) -> Stack {
        Stack(code.max(1))
    }

    /// Returns the stack as a code below 16.
    pub fn code(self) -> u8 {
        self.0
    }

    /// Returns the number of pieces.
    pub fn height(self) -> u32 {
        self.0.ilog2()
    }

    /// Returns the colour of the top piece.
    pub fn top(self) -> Option<Colour> {
        (self.height() > 0).then_some(Colour::of_bit(self.0 & 1 == 1))
    }

    /// Returns the stack with one more piece on top.
    pub fn with(self, side: Colour) -> Stack {
        Stack(self.0 << 1 | u8::from(side == Colour::White))
    }

    /// Returns the stack without its top piece.
    pub fn without_top(self) -> Stack {
        Stack((self.0 >> 1).max(1))
    }

    /// Returns the pieces from bottom to top.
    pub fn pieces(self) -> impl Iterator<Item = Colour> {
        (0..self.height()).rev().map(move |bit| Colour::of_bit(self.0 >> bit & 1 == 1))
    }

    /// Returns the numbers of black and of white pieces.
    pub fn by_colour(self) -> [usize; 2] {
        let white = self.0.count_ones() as usize - 1;
        [self.height() as usize - white, white]
    }

    /// Returns the stack with every piece's colour exchanged.
    pub fn recoloured(self) -> Stack {
        Stack(self.0 ^ ((1 << self.height()) - 1))
    }
}

/// A position: stacks row by row from the top left, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The cells; those beyond the board are empty.
    pub cells: [Stack; MOST_CELLS],
    /// The side to move. White starts at the bottom row, plays up and moves first.
    pub to_move: Colour,
}

impl Position {
    /// Returns the number of pieces of a side.
    pub fn pieces(&self, side: Colour) -> usize {
        self.cells.iter().map(|stack| stack.by_colour()[side as usize]).sum()
    }
}

/// NOCCA x NOCCA on `rows` x `columns`, with `columns` pieces a side.
#[derive(Clone, Copy, Debug)]
pub struct Nocca {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// A move: a top piece steps to a neighbour cell, or walks off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
}

impl Nocca {
    /// Returns the game on a board of 3 to 6 rows and 2 to 5 columns.
    pub fn new(rows: usize, columns: usize) -> Option<Nocca> {
        ((3..=6).contains(&rows) && (2..=5).contains(&columns)).then_some(Nocca { rows, columns })
    }

    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the row from which a side walks off the board.
    fn far_row(&self, side: Colour) -> usize {
        match side {
            Colour::Black => self.rows - 1,
            Colour::White => 0,
        }
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let rows = row.saturating_sub(1)..=(row + 1).min(self.rows - 1);
        let columns = column.saturating_sub(1)..=(column + 1).min(self.columns - 1);
        let width = self.columns;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
            .filter(move |other| *other != cell)
    }

    /// Exchanges the colours and turns the board upside down: the same game seen from the other side.
    pub fn turned(&self, board: Position) -> Position {
        let mut turned = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move: board.to_move.other() };
        for cell in 0..self.cells() {
            let (row, column) = (cell / self.columns, cell % self.columns);
            turned.cells[(self.rows - 1 - row) * self.columns + column] = board.cells[cell].recoloured();
        }
        turned
    }

    /// Exchanges left and right.
    pub fn mirrored(&self, board: Position) -> Position {
        let mut mirrored = board;
        for row in mirrored.cells[..self.cells()].chunks_mut(self.columns) {
            row.reverse();
        }
        mirrored
    }

    /// Visits every way to fill the cells from `cell` on with the given numbers of pieces.
    fn fill(&self, board: &mut Position, cell: usize, black: usize, white: usize, visit: &mut impl FnMut(Position)) {
        if cell == self.cells() {
            if black + white == 0 {
                visit(*board);
            }
            return;
        }
        if black + white > 3 * (self.cells() - cell) {
            return;
        }
        for stack in (1..16).map(Stack::from_code) {
            let [blacks, whites] = stack.by_colour();
            if blacks <= black && whites <= white {
                board.cells[cell] = stack;
                self.fill(board, cell + 1, black - blacks, white - whites, visit);
            }
        }
        board.cells[cell] = Stack::EMPTY;
    }

    /// Visits every placement of all pieces, with a side to move.
    pub fn placements(&self, to_move: Colour, visit: &mut impl FnMut(Position)) {
        let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move };
        self.fill(&mut board, 0, self.columns, self.columns, visit);
    }
}

impl Game for Nocca {
    type Position = Position;
    type Move = Move;
    type Key = u128;

    fn initial(&self) -> Position {
        let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move: Colour::White };
        for column in 0..self.columns {
            board.cells[column] = Stack::EMPTY.with(Colour::Black);
            board.cells[(self.rows - 1) * self.columns + column] = Stack::EMPTY.with(Colour::White);
        }
        board
    }

    fn moves(&self, board: Position, play: &mut impl FnMut(Move, Position)) {
        let mover = board.to_move;
        for from in (0..self.cells()).filter(|&cell| board.cells[cell].top() == Some(mover)) {
            let mut lifted = Position { to_move: mover.other(), ..board };
            lifted.cells[from] = board.cells[from].without_top();
            if from / self.columns == self.far_row(mover) {
                play(Move { from, to: None }, lifted);
            }
            for to in self.neighbours(from).filter(|&to| board.cells[to].height() <= 2) {
                let mut next = lifted;
                next.cells[to] = board.cells[to].with(mover);
                play(Move { from, to: Some(to) }, next);
            }
        }
    }

    fn unmoves(&self, board: Position, visit: &mut impl FnMut(Position)) -> bool {
        let last = board.to_move.other();
        if self.ended(board).is_some() {
            for from in 0..self.columns {
                let from = self.far_row(last) * self.columns + from;
                if board.cells[from].height() <= 2 {
                    let mut before = Position { to_move: last, ..board };
                    before.cells[from] = board.cells[from].with(last);
                    visit(before);
                }
            }
            return true;
        }
        for to in (0..self.cells()).filter(|&cell| board.cells[cell].top() == Some(last)) {
            for from in self.neighbours(to).filter(|&from| board.cells[from].height() <= 2) {
                let mut before = Position { to_move: last, ..board };
                before.cells[to] = board.cells[to].without_top();
                before.cells[from] = board.cells[from].with(last);
                visit(before);
            }
        }
        true
    }

    fn ended(&self, board: Position) -> Option<Value> {
        (board.pieces(board.to_move.other()) < self.columns).then_some(Value::loss(0))
    }

    /// Published counts include only boards with all pieces on them.
    fn counted(&self, board: Position) -> bool {
        self.ended(board).is_none()
    }

    fn canonical(&self, board: Position) -> Position {
        let seen_by_white = if board.to_move == Colour::White { board } else { self.turned(board) };
        let mirrored = self.mirrored(seen_by_white);
        if mirrored.cells < seen_by_white.cells { mirrored } else { seen_by_white }
    }

    /// Every placement is a root, reachable or not.
    fn roots(&self, visit: &mut impl FnMut(Position)) {
        self.placements(Colour::White, visit);
    }

    fn known_tags(&self) -> Tags {
        Tags::of(&[Tag::Off])
    }

    fn tags(&self, _: Position, step: Move, _: Position) -> Tags {
        Tags::NONE.with_if(Tag::Off, step.to.is_none())
    }

    fn passed(&self, board: Position) -> Option<Position> {
        Some(Position { to_move: board.to_move.other(), ..board })
    }

    fn has_passing(&self) -> bool {
        true
    }

    fn to_move(&self, board: Position) -> &'static str {
        board.to_move.letter()
    }

    fn show(&self, board: Position) -> String {
        text::show(self, board)
    }

    fn show_move(&self, _: Position, step: Move) -> String {
        text::show_move(self, step)
    }

    fn pack(&self, board: Position) -> u128 {
        let side = u128::from(board.to_move == Colour::White);
        board.cells[..self.cells()].iter().fold(side, |key, stack| key << 4 | u128::from(stack.code()))
    }

    fn unpack(&self, key: u128) -> Position {
        let mut board = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move: Colour::Black };
        let mut rest = key;
        for cell in (0..self.cells()).rev() {
            board.cells[cell] = Stack::from_code((rest & 15) as u8);
            rest >>= 4;
        }
        if rest == 1 {
            board.to_move = Colour::White;
        }
        board
    }
}

impl Notation for Nocca {
    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(self, text)
    }
}

impl kanzen::Board for Nocca {
    fn view(&self) -> View {
        text::view(self)
    }
}
