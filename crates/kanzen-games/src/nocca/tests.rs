use kanzen::conformance;
use kanzen::progress::Silent;
use kanzen::solve::{MemoryStore, Retrograde, RulesGraph};
use kanzen::{Budget, Game, Key, Outcome, Tally, Value, index::Listed};

use super::*;

pub struct Row {
    pub rows: usize,
    pub columns: usize,
    pub positions: u64,
    pub initial: Option<(Outcome, Option<u16>)>,
}

/// The published table: `tests/data/nocca.csv`.
pub fn published() -> Vec<Row> {
    let number = |text: &str| text.parse().unwrap();
    let lines = include_str!("../../tests/data/nocca.csv").lines().filter(|line| !line.starts_with(['#', 'r']));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let initial = match cells[3] {
                "win" => Some((Outcome::Win, Some(cells[4].parse().unwrap()))),
                "draw" => Some((Outcome::Draw, None)),
                _ => None,
            };
            Row {
                rows: number(cells[0]) as usize,
                columns: number(cells[1]) as usize,
                positions: number(cells[2]),
                initial,
            }
        })
        .collect()
}

/// The game solved from its rules alone: the twin of the engine, which shares nothing with it but the rules.
pub struct RulesOnlySolution<'a> {
    game: &'a Nocca,
    index: Listed<u128>,
    shelf: MemoryStore,
}

impl<'a> RulesOnlySolution<'a> {
    pub fn of(game: &'a Nocca) -> RulesOnlySolution<'a> {
        let budget = Budget::new(2, 4 << 30);
        let index = Listed::list(game, &budget, &Silent).unwrap();
        let mut shelf = MemoryStore::default();
        Retrograde::new(budget).solve(&RulesGraph::new(game, &index), &mut shelf, &Silent).unwrap();
        RulesOnlySolution { game, index, shelf }
    }

    pub fn value(&self, board: Board) -> Value {
        self.shelf.value(0, self.index.rank(0, self.game.pack(self.game.canonical(board))).unwrap())
    }

    pub fn tally(&self) -> Tally {
        self.shelf.tally(0)
    }
}

#[test]
fn all_sixteen_boards_have_the_published_number_of_positions() {
    assert_eq!(published().len(), 16);
    for row in published() {
        assert_eq!(placements(row.rows, row.columns), row.positions, "{}x{}", row.rows, row.columns);
    }
}

#[test]
fn small_boards_have_the_published_values() {
    let mut solved = 0;
    for row in published().into_iter().filter(|row| row.positions < 2_000_000) {
        let Some(initial) = row.initial else { continue };
        let game = Nocca::new(row.rows, row.columns).unwrap();
        let found = RulesOnlySolution::of(&game).value(game.initial());
        assert_eq!((found.outcome(), found.distance()), initial, "{}x{}", row.rows, row.columns);
        solved += 1;
    }
    assert_eq!(solved, 6);
}

#[test]
fn the_engine_agrees_with_the_plain_solver_on_every_position() {
    for (rows, columns) in [(3, 2), (4, 2), (6, 2), (3, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let solved = RulesOnlySolution::of(&game);
        let reference = conformance::reference::solve(&game);
        let mut white_to_move = 0;
        for (key, expected) in reference {
            let board = game.unpack(Key::from_wide(key));
            assert_eq!(solved.value(board), expected);
            white_to_move += u64::from(board.to_move == Side::White);
        }
        assert_eq!(white_to_move, placements(rows, columns) / 2);
    }
}

#[test]
fn the_rules_hold_together() {
    for (rows, columns) in [(3, 2), (5, 2), (3, 3), (4, 4), (6, 5)] {
        conformance::check(&Nocca::new(rows, columns).unwrap(), 20_000).unwrap();
    }
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let game = Nocca::new(3, 2).unwrap();
    for (text, reason) in [
        ("b,b/.,./w,w", "expected rows joined by '/', a space and b or w to move"),
        ("b,b/.,./w,w x", "expected b or w to move, found \"x\""),
        ("b,b/w,w w", "expected 3 rows, found 2"),
        ("b,b,./.,./w,w w", "row 1 has 3 cells, expected 2"),
        ("b,b/bwbw,./.,. w", "a stack of 4, at most 3 are allowed, at a2 (row 2, cell 1)"),
        ("b,b/x,./w,w w", "unknown letter 'x' at a2 (row 2, cell 1)"),
        ("b,b/,./w,w w", "nothing, not even a '.', at a2 (row 2, cell 1)"),
        ("b,b/w,./w,w w", "3 pieces w, expected 2"),
        ("b,b/b,./w,w w", "3 pieces b, expected 2"),
        ("b,b/.,./w,. w", "1 pieces w, expected 2"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason);
    }
}
