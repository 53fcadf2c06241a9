//! Tic-tac-toe: rules, notation and view of the 3x3 board.

use std::sync::LazyLock;

use kanzen::notation::{read_rows, show_rows, square};
use kanzen::view::{Shape, Side, Tone, View};
use kanzen::{BadPosition, Game, Notation, Value};
use kanzen_core::index::{Permutation, PermutationGroup};

/// Tic-tac-toe, three in a row on nine cells.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The marks of both sides as masks; bit 0 is the top left cell, bit 8 the bottom right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    crosses: u16,
    noughts: u16,
}

/// The cell that a move fills.
#[derive(Clone, Copy, Debug)]
pub struct Cell(u32);

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

static SYMMETRIES: LazyLock<PermutationGroup> = LazyLock::new(|| PermutationGroup::of_rectangle(3, 3));

fn has_line(marks: u16) -> bool {
    LINES.iter().any(|line| marks & line == *line)
}

impl Position {
    fn filled(self) -> u16 {
        self.crosses | self.noughts
    }

    fn crosses_move(self) -> bool {
        self.crosses.count_ones() == self.noughts.count_ones()
    }

    /// The letter of the side to move.
    fn mover(self) -> &'static str {
        if self.crosses_move() { "X" } else { "O" }
    }

    fn image(self, symmetry: &Permutation) -> Position {
        let map = |marks: u16| symmetry.apply(marks.into()) as u16;
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
        // Only the player who has just moved can have completed a line.
        (has_line(board.crosses) || has_line(board.noughts)).then_some(Value::loss(0))
    }

    fn stuck(&self, _: Position) -> Value {
        Value::DRAW
    }

    fn canonical(&self, board: Position) -> Position {
        let images = SYMMETRIES.symmetries().iter().map(|symmetry| board.image(symmetry));
        images.min_by_key(|image| self.pack(*image)).expect("a square has eight symmetries")
    }

    fn class(&self, board: Position) -> u32 {
        9 - board.filled().count_ones()
    }

    fn class_label(&self, class: u32) -> Vec<(&'static str, u32)> {
        vec![("empty", class)]
    }

    fn to_move(&self, board: Position) -> &'static str {
        board.mover()
    }

    fn show(&self, board: Position) -> String {
        show(board)
    }

    fn show_move(&self, _: Position, Cell(cell): Cell) -> String {
        square(cell as usize % 3, 3 - cell as usize / 3)
    }

    fn pack(&self, board: Position) -> u32 {
        u32::from(board.crosses) << 9 | u32::from(board.noughts)
    }

    fn unpack(&self, key: u32) -> Position {
        Position { crosses: (key >> 9) as u16 & 0o777, noughts: key as u16 & 0o777 }
    }
}

impl Notation for TicTacToe {
    fn notation(&self) -> String {
        NOTATION.to_owned()
    }

    fn read(&self, text: &str) -> Result<Position, BadPosition> {
        read(text)
    }
}

impl kanzen::Board for TicTacToe {
    fn view(&self) -> View {
        View::grid(3, 3)
            .sides(Side::new("X", "Crosses", "×", Tone::Dark), Side::new("O", "Noughts", "○", Tone::Light))
            .piece('X', Some(0), Shape::Cross)
            .piece('O', Some(1), Shape::Ring)
            .japanese(
                "三目並べ",
                "3×3の盤の空いたマスに交互に印を置き、縦・横・斜めに三つ並べると勝ちです。盤が埋まれば引き分けです。",
            )
    }
}

// Text:
//
//     X../.O./... X      rows from the top, then the side to move, which the marks imply
//     a1                 columns a to c from the left, rows 1 to 3 from the bottom

/// The notation, described for users.
const NOTATION: &str = "Rows from the top joined by '/', X and O, '.' where nothing stands; a space, and the side to move. A \
    move is its square: columns a, b, c from the left, rows 1, 2, 3 from the bottom.";

fn show(board: Position) -> String {
    let letter = |cell: usize| match (board.crosses >> cell & 1, board.noughts >> cell & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '.',
    };
    format!("{} {}", show_rows([3; 3], letter), board.mover())
}

fn read(text: &str) -> Result<Position, BadPosition> {
    let (cells, side) =
        text.split_once(' ').ok_or_else(|| BadPosition::new("expected three rows, a space and X or O to move"))?;
    let mut board = Position { crosses: 0, noughts: 0 };
    for (cell, (row, letter)) in read_rows(cells, ["row", "cells"], [3; 3])?.into_iter().enumerate() {
        match letter {
            'X' => board.crosses |= 1 << cell,
            'O' => board.noughts |= 1 << cell,
            '.' => {}
            other => return Err(BadPosition::new(format!("unknown letter {other:?} in row {row}"))),
        }
    }
    let (crosses, noughts) = (board.crosses.count_ones(), board.noughts.count_ones());
    if crosses != noughts && crosses != noughts + 1 {
        return Err(BadPosition::new(format!("{crosses} X and {noughts} O cannot stand on the board together")));
    }
    if side != board.mover() {
        return Err(BadPosition::new(format!("with {crosses} X and {noughts} O it is {} to move", board.mover())));
    }
    let (last, other) =
        if board.crosses_move() { (board.noughts, board.crosses) } else { (board.crosses, board.noughts) };
    if has_line(other) {
        return Err(BadPosition::new(format!("{} to move has three in a row already", board.mover())));
    }
    // One mark ended the game, so it lies on every line of its side.
    if has_line(last) && !(0..9).any(|cell| last >> cell & 1 == 1 && !has_line(last & !(1 << cell))) {
        return Err(BadPosition::new("two lines that no single move completes"));
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use kanzen::progress::Silent;
    use kanzen::{Budget, Game, Notation, conformance};
    use kanzen_core::Ledger;
    use kanzen_core::index::Listed;

    use super::TicTacToe;

    #[test]
    fn the_rules_conform() {
        let report = conformance::check(&TicTacToe, 10_000).unwrap();
        assert_eq!((report.positions, report.values_compared), (5_478, true));
    }

    #[test]
    fn up_to_symmetry_there_are_765_positions() {
        let index = Listed::list(&TicTacToe, &Ledger::new(Budget::new(2, 1 << 20)), &Silent).unwrap();
        assert_eq!(index.positions(), 765);
    }

    #[test]
    fn wrong_boards_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "expected three rows, a space and X or O to move"),
            (".../... X", "expected 3 rows, found 2"),
            ("..../.../... X", "row 1 has 4 cells, expected 3"),
            ("..x/.../... X", "unknown letter 'x' in row 1"),
            ("XX./.../... O", "2 X and 0 O cannot stand on the board together"),
            ("X../.../... X", "with 1 X and 0 O it is O to move"),
            ("XXX/OO./..O X", "X to move has three in a row already"),
        ] {
            assert_eq!(TicTacToe.read(text).unwrap_err().to_string(), reason);
        }
    }
}
