//! Three in a row on a board of nine.

use kanzen::view::{Shape, Side, Tone, View};
use kanzen::{BadPosition, Game, Value};

/// The game.
pub struct TicTacToe;

/// The stones of both sides as masks; bit 0 is the top left cell, bit 8 the bottom right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    crosses: u16,
    noughts: u16,
}

/// The cell that a move fills.
#[derive(Clone, Copy, Debug)]
pub struct Cell(u32);

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

fn has_line(stones: u16) -> bool {
    LINES.iter().any(|line| stones & line == *line)
}

impl Board {
    fn filled(self) -> u16 {
        self.crosses | self.noughts
    }

    fn crosses_move(self) -> bool {
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
        if board.crosses_move() { "X" } else { "O" }
    }

    fn show(&self, board: Board) -> String {
        let mut text = String::new();
        for cell in 0..9 {
            if cell % 3 == 0 && cell > 0 {
                text.push('/');
            }
            text.push(match (board.crosses >> cell & 1, board.noughts >> cell & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '.',
            });
        }
        format!("{text} {}", self.to_move(board))
    }

    fn view(&self) -> View {
        View::grid(3, 3)
            .sides(Side::new("X", "Crosses", "×", Tone::Dark), Side::new("O", "Noughts", "○", Tone::Light))
            .piece('X', Some(0), Shape::Cross)
            .piece('O', Some(1), Shape::Ring)
            .japanese(
                "三目並べ",
                "3×3の盤の空いたマスに交互に印を置き、縦・横・斜めに三つ並べると勝ち。盤が埋まれば引き分け。",
            )
    }

    fn read(&self, text: &str) -> Result<Board, BadPosition> {
        let (cells, side) =
            text.split_once(' ').ok_or_else(|| BadPosition::new("expected three rows, a space and X or O to move"))?;
        let rows: Vec<&str> = cells.split('/').collect();
        if rows.len() != 3 {
            return Err(BadPosition::new(format!("expected 3 rows, found {}", rows.len())));
        }
        let mut board = self.initial();
        for (row, text) in rows.iter().enumerate() {
            if text.chars().count() != 3 {
                return Err(BadPosition::new(format!(
                    "row {} has {} cells, expected 3",
                    row + 1,
                    text.chars().count()
                )));
            }
            for (column, letter) in text.chars().enumerate() {
                match letter {
                    'X' => board.crosses |= 1 << (3 * row + column),
                    'O' => board.noughts |= 1 << (3 * row + column),
                    '.' => {}
                    other => return Err(BadPosition::new(format!("unknown letter {other:?} in row {}", row + 1))),
                }
            }
        }
        let (crosses, noughts) = (board.crosses.count_ones(), board.noughts.count_ones());
        if crosses != noughts && crosses != noughts + 1 {
            return Err(BadPosition::new(format!("{crosses} X and {noughts} O cannot stand on the board together")));
        }
        if side != self.to_move(board) {
            return Err(BadPosition::new(format!(
                "with {crosses} X and {noughts} O it is {} to move",
                self.to_move(board)
            )));
        }
        let (last, other) =
            if board.crosses_move() { (board.noughts, board.crosses) } else { (board.crosses, board.noughts) };
        if has_line(other) {
            return Err(BadPosition::new(format!("{} to move has three in a row already", self.to_move(board))));
        }
        // The stone that ended the game lies on every line its side has.
        if has_line(last) && !(0..9).any(|cell| last >> cell & 1 == 1 && !has_line(last & !(1 << cell))) {
            return Err(BadPosition::new("two lines that no single move completes"));
        }
        Ok(board)
    }

    fn show_move(&self, _: Board, Cell(cell): Cell) -> String {
        format!("{}{}", char::from(b'a' + (cell % 3) as u8), 3 - cell / 3)
    }

    fn pack(&self, board: Board) -> u32 {
        u32::from(board.crosses) << 9 | u32::from(board.noughts)
    }

    fn unpack(&self, key: u32) -> Board {
        Board { crosses: (key >> 9) as u16 & 0o777, noughts: key as u16 & 0o777 }
    }
}

#[cfg(test)]
mod tests {
    use kanzen::progress::Silent;
    use kanzen::{Budget, conformance, index::Listed};

    use super::*;

    #[test]
    fn the_rules_hold_together() {
        let report = conformance::check(&TicTacToe, 10_000).unwrap();
        assert_eq!((report.positions, report.values_compared), (5_478, true));
    }

    #[test]
    fn up_to_symmetry_there_are_765_positions() {
        let index = Listed::list(&TicTacToe, &Budget::new(2, 1 << 20), &Silent).unwrap();
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
