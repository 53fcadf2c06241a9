//! The rules of NOCCA x NOCCA on a board of any size.

use kanzen::rules::{Tag, Tags};
use kanzen::view::View;
use kanzen::{BadPosition, Colour, Game, Value};

use super::board::{MOST_CELLS, Position, Stack};
use super::{text, view};

/// The game on `rows` x `columns`, with `columns` pieces a side.
#[derive(Clone, Copy, Debug)]
pub struct Nocca {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// A move: a top piece steps from a cell to a neighbour, or walks off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
}

impl Nocca {
    /// The game on a board of 3 to 6 rows and 2 to 5 columns.
    pub fn new(rows: usize, columns: usize) -> Option<Nocca> {
        ((3..=6).contains(&rows) && (2..=5).contains(&columns)).then_some(Nocca { rows, columns })
    }

    fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The row that a side wants to leave the board from.
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

    /// The board with colours exchanged and top and bottom too: the same game seen by the other side.
    pub fn turned(&self, board: Position) -> Position {
        let mut turned = Position { cells: [Stack::EMPTY; MOST_CELLS], to_move: board.to_move.other() };
        for cell in 0..self.cells() {
            let (row, column) = (cell / self.columns, cell % self.columns);
            turned.cells[(self.rows - 1 - row) * self.columns + column] = board.cells[cell].recoloured();
        }
        turned
    }

    /// The board seen in a mirror: left and right exchanged.
    pub fn mirrored(&self, board: Position) -> Position {
        let mut mirrored = board;
        for row in mirrored.cells[..self.cells()].chunks_mut(self.columns) {
            row.reverse();
        }
        mirrored
    }

    /// Visits every way to fill the cells from `cell` on with so many pieces of either side.
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

    /// Visits every placement of all pieces, with this side to move.
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

    /// The published counts are of boards with all pieces on them.
    fn counted(&self, board: Position) -> bool {
        self.ended(board).is_none()
    }

    fn canonical(&self, board: Position) -> Position {
        let seen_by_white = if board.to_move == Colour::White { board } else { self.turned(board) };
        let mirrored = self.mirrored(seen_by_white);
        if mirrored.cells < seen_by_white.cells { mirrored } else { seen_by_white }
    }

    /// Every placement counts, whether or not play can reach it.
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

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view(self)
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(self, text)
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
