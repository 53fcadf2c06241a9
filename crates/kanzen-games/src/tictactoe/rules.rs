//! The rules of tic-tac-toe.

use kanzen::view::View;
use kanzen::{BadPosition, Game, Value};

use super::{text, view};

/// The game.
pub struct TicTacToe;

/// The stones of both sides as masks; bit 0 is the top left cell, bit 8 the bottom right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    pub(super) crosses: u16,
    pub(super) noughts: u16,
}

/// The cell that a move fills.
#[derive(Clone, Copy, Debug)]
pub struct Cell(pub(super) u32);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The eight symmetries of the square as images of cells 0 to 8.
const SYMMETRIES: [[u32; 9]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [2, 1, 0, 5, 4, 3, 8, 7, 6],
    [6, 7, 8, 3, 4, 5, 0, 1, 2],
    [8, 7, 6, 5, 4, 3, 2, 1, 0],
    [0, 3, 6, 1, 4, 7, 2, 5, 8],
    [6, 3, 0, 7, 4, 1, 8, 5, 2],
    [2, 5, 8, 1, 4, 7, 0, 3, 6],
    [8, 5, 2, 7, 4, 1, 6, 3, 0],
];

/// Whether these stones hold one of the eight lines.
pub(super) fn has_line(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

impl Board {
    fn filled(self) -> u16 {
        self.crosses | self.noughts
    }

    pub(super) fn crosses_move(self) -> bool {
        self.crosses.count_ones() == self.noughts.count_ones()
    }

    fn image(self, symmetry: &[u32; 9]) -> Board {
        let map = |stones: u16| (0..9).filter(|cell| stones >> cell & 1 == 1).map(|cell| 1 << symmetry[cell]).sum();
        Board { crosses: map(self.crosses), noughts: map(self.noughts) }
    }
}

impl Game for TicTacToe {
    type Position = Board;
    type Move = Cell;
    type Key = u32;

    fn initial(&self) -> Board {
        Board { crosses: 0, noughts: 0 }
    }

    fn moves(&self, board: Board, play: &mut impl FnMut(Cell, Board)) {
        for cell in (0..9).filter(|cell| board.filled() >> cell & 1 == 0) {
            let mut next = board;
            if board.crosses_move() {
                next.crosses |= 1 << cell;
            } else {
                next.noughts |= 1 << cell;
            }
            play(Cell(cell), next);
        }
    }

    fn ended(&self, board: Board) -> Option<Value> {
        // Only the player who has just moved can have made a line.
        (has_line(board.crosses) || has_line(board.noughts)).then_some(Value::loss(0))
    }

    fn stuck(&self, _: Board) -> Value {
        Value::DRAW
    }

    fn canonical(&self, board: Board) -> Board {
        let images = SYMMETRIES.iter().map(|symmetry| board.image(symmetry));
        images.min_by_key(|image| self.pack(*image)).expect("there are eight images")
    }

    fn class(&self, board: Board) -> u32 {
        9 - board.filled().count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("empty", class)]
    }

    fn to_move(&self, board: Board) -> &'static str {
        text::mover(board)
    }

    fn show(&self, board: Board) -> String {
        text::show(board)
    }

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view()
    }

    fn read(&self, text: &str) -> Result<Board, BadPosition> {
        text::read(text)
    }

    fn show_move(&self, _: Board, cell: Cell) -> String {
        text::show_move(cell)
    }

    fn pack(&self, board: Board) -> u32 {
        u32::from(board.crosses) << 9 | u32::from(board.noughts)
    }

    fn unpack(&self, key: u32) -> Board {
        Board { crosses: (key >> 9) as u16 & 0o777, noughts: key as u16 & 0o777 }
    }
}
