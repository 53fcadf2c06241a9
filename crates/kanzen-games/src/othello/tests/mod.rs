//! Rules, kernels and scores, checked against naive twins and published numbers.

mod article;
mod checkpoint;
mod naive;
mod search;
mod stable;

use kanzen::progress::Silent;
use kanzen::{Budget, Game, Notation, conformance};
use kanzen_core::Ledger;
use kanzen_core::index::Listed;
#[cfg(target_arch = "x86_64")]
use kanzen_core::machine::cpu::Isa;

use super::flips::{Kernel, Portable};
use super::{Othello, Position, Shape, Start};

/// A xorshift generator with a fixed seed.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn every_shape() -> impl Iterator<Item = Shape> {
    (3..=21).flat_map(|rows| (3..=21).filter_map(move |columns| Shape::new(rows, columns)))
}

fn agrees_with_naive(kernel: impl Kernel) {
    let mut random = Random(1);
    for shape in every_shape() {
        for _ in 0..300 {
            let filled = if random.next().is_multiple_of(4) { u64::MAX } else { random.next() | random.next() };
            let discs = shape.all & filled;
            let own = discs & random.next();
            let others = discs & !own;
            let (rows, columns) = (shape.rows, shape.columns);
            let expected = naive::moves(&shape, own, others);
            assert_eq!(kernel.moves(&shape, own, others), expected, "{rows}x{columns} {own:x} {others:x}");
            let mut empties = shape.empties(own, others);
            while empties != 0 {
                let square = empties.trailing_zeros();
                let expected = naive::flips(&shape, own, others, square);
                let found = kernel.flips(&shape, own, others, square);
                assert_eq!(found, expected, "{rows}x{columns} {own:x} {others:x} {square}");
                empties &= empties - 1;
            }
        }
    }
}

#[test]
fn word_kernels_agree_with_naive() {
    agrees_with_naive(Portable);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn vector_kernels_agree_with_naive() {
    if let Some(kernel) = Isa::best().avx2() {
        agrees_with_naive(kernel);
    }
    if let Some(kernel) = Isa::best().avx512() {
        agrees_with_naive(kernel);
    }
}

#[test]
fn the_rules_conform() {
    for (rows, columns, start) in [(4, 4, Start::Cross), (5, 6, Start::Parallel), (8, 8, Start::Cross)] {
        let game = Othello::new(rows, columns, start).unwrap();
        conformance::check(&game, 3_000).unwrap();
    }
}

#[test]
fn four_by_four_has_12351_positions_up_to_symmetry() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    let index = Listed::list(&game, &Ledger::new(Budget::new(2, 1 << 24)), &Silent).unwrap();
    assert_eq!(index.positions(), 12_351);
}

fn perft(game: &Othello, board: Position, plies: u32) -> u64 {
    if plies == 0 || game.ended(board).is_some() {
        return 1;
    }
    let mut leaves = 0;
    game.moves(board, &mut |_, next| leaves += perft(game, next, plies - 1));
    leaves
}

#[test]
fn perft_agrees_with_the_recorded_counts() {
    for line in include_str!("../../../tests/data/othello_perft.csv").lines().filter(|line| !line.starts_with('#')) {
        let Some((board, counts)) = line.split_once(',') else { panic!("{line}") };
        let (rows, columns) = board.split_once('x').unwrap();
        let game = Othello::new(rows.parse().unwrap(), columns.parse().unwrap(), Start::Cross).unwrap();
        for (plies, count) in counts.split(',').enumerate() {
            assert_eq!(perft(&game, game.initial(), plies as u32).to_string(), count, "{board} after {plies} plies");
        }
    }
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    for (text, reason) in [
        ("", "expected rows joined by '/', a space and X or O to move"),
        ("..../.OX./.XO./....", "expected rows joined by '/', a space and X or O to move"),
        ("..../.OX./.XO./.... W", r#"expected X or O to move, found "W""#),
        ("..../.OX./.XO. X", "expected 4 rows, found 3"),
        ("..../.OX/.XO./.... X", "row 2 has 3 squares, expected 4"),
        ("..../.OX./.XO./...# X", "unknown letter '#' at d4: X, O or '.' stand there"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason);
    }
    assert!(Othello::new(2, 4, Start::Cross).is_none());
    assert!(Othello::new(5, 13, Start::Cross).is_none());
}
