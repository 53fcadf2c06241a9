//! The rules of tic-tac-toe.

use std::sync::LazyLock;

use kanzen::index::{Permutation, PermutationGroup};
use kanzen::view::View;
use kanzen::{BadPosition, Game, Value};

use super::{text, view};

/// Tic-tac-toe, three in a row on nine cells.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The stones of both sides as masks; bit 0 is the top left cell, bit 8 the bottom right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) crosses: u16,
    pub(super) noughts: u16,
}

/// The cell that a move fills.
#[derive(Clone, Copy, Debug)]
pub struct Cell(pub(super) u32);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The eight symmetries of the square.
static SYMMETRIES: LazyLock<PermutationGroup> = LazyLock::new(|| PermutationGroup::of_rectangle(3, 3));

/// Whether these stones hold one of the eight lines.
pub(super) fn has_line(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

impl Position {
    fn filled(self) -> u16 {
        self.crosses | self.noughts
    }

    pub(super) fn crosses_move(self) -> bool {
        self.crosses.count_ones() == self.noughts.count_ones()
    }

    fn image(self, symmetry: &Permutation) -> Position {
        let map = |stones: u16| symmetry.apply(stones.into()) as u16;
        Position { crosses: map(self.crosses), noughts: map(self.noughts) }
    }
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = Cell;
    type Key = u32;

    fn initial(&self) -> Position {
        Position { crosses: 0, noughts: 0 }
    }

    fn moves(&self, board: Position, play: &mut impl FnMut(Cell, Position)) {
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

    fn ended(&self, board: Position) -> Option<Value> {
        // Only the player who has just moved can have made a line.
        (has_line(board.crosses) || has_line(board.noughts)).then_some(Value::loss(0))
    }

    fn stuck(&self, _: Position) -> Value {
        Value::DRAW
    }

    fn canonical(&self, board: Position) -> Position {
        let images = SYMMETRIES.symmetries().iter().map(|symmetry| board.image(symmetry));
        images.min_by_key(|image| self.pack(*image)).expect("there are eight images")
    }

    fn class(&self, board: Position) -> u32 {
        9 - board.filled().count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("empty", class)]
    }

    fn to_move(&self, board: Position) -> &'static str {
        text::mover(board)
    }

    fn show(&self, board: Position) -> String {
        text::show(board)
    }

    fn notation(&self) -> String {
        text::NOTATION.to_owned()
    }

    fn view(&self) -> View {
        view::view()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        text::read(text)
    }

    fn show_move(&self, _: Position, cell: Cell) -> String {
        text::show_move(cell)
    }

    fn pack(&self, board: Position) -> u32 {
        u32::from(board.crosses) << 9 | u32::from(board.noughts)
    }

    fn unpack(&self, key: u32) -> Position {
        Position { crosses: (key >> 9) as u16 & 0o777, noughts: key as u16 & 0o777 }
    }
}
