//! Puzzles against what `probe` tells, and pictures of every board.

use std::collections::HashSet;
use std::time::Duration;

use kanzen::Budget;
use kanzen::Game;
use kanzen::catalogue::{Run, Solved};
use kanzen::progress::Silent;
use kanzen::query::Puzzle;
use kanzen::view::svg;
use kanzen_games::catalogue;
use kanzen_games::nocca::Nocca;

fn solved(id: &str, data: &std::path::Path) -> Box<dyn Solved> {
    let entry = catalogue::find(id).unwrap();
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
    entry.solve(data, &run).unwrap();
    entry.open(data).unwrap()
}

/// Plays a solution through: at each turn of the mover its move alone keeps the value, and each reply is a best one.
fn check(solved: &dyn Solved, puzzle: &Puzzle) {
    assert!(puzzle.plies >= 3 && puzzle.plies % 2 == 1 && puzzle.plies == puzzle.solution.len(), "{puzzle:?}");
    let mut position = puzzle.position.clone();
    for (ply, mv) in puzzle.solution.iter().enumerate() {
        let probe = solved.at(Some(&position)).unwrap().probe().unwrap();
        let played = probe.moves.iter().find(|choice| choice.mv == *mv).unwrap_or_else(|| panic!("{mv}: {puzzle:?}"));
        if ply % 2 == 0 {
            assert_eq!(probe.value, puzzle.value, "{puzzle:?}");
            let keeping = probe.moves.iter().filter(|choice| choice.value == puzzle.value).count();
            assert_eq!((keeping, played.value), (1, puzzle.value), "{mv}: {puzzle:?}");
        } else {
            assert_eq!((played.value, played.distance), (probe.value, probe.distance), "{mv}: {puzzle:?}");
        }
        position = played.position.clone();
    }
}

#[test]
fn each_puzzle_has_one_right_move_at_each_turn() {
    let data = tempfile::tempdir().unwrap();
    for id in ["tictactoe", "nocca-3x3", "morris-5"] {
        let solved = solved(id, data.path());
        let puzzles = solved.puzzles(10, 1).unwrap();
        assert!(!puzzles.is_empty(), "{id}");
        assert_eq!(puzzles, solved.puzzles(10, 1).unwrap(), "{id}: the same seed gives the same puzzles");
        assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.difficulty));
        puzzles.iter().for_each(|puzzle| check(&*solved, puzzle));
    }
}

#[test]
fn no_puzzle_is_an_image_of_another() {
    let data = tempfile::tempdir().unwrap();
    let game = Nocca::new(3, 3).unwrap();
    let solved = solved("nocca-3x3", data.path());
    for seed in 0..3 {
        let puzzles = solved.puzzles(40, seed).unwrap();
        let keys = puzzles.iter().map(|puzzle| game.pack(game.canonical(game.read(&puzzle.position).unwrap())));
        assert_eq!(keys.collect::<HashSet<_>>().len(), puzzles.len());
        assert!(puzzles.len() > 10);
    }
}

#[test]
fn every_board_can_be_drawn() {
    for entry in catalogue::all() {
        let picture = svg::draw(&entry.view(), &entry.initial()).unwrap().to_svg();
        let id = &entry.info().id;
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{id}");
        // Each element closes itself, or is a text or the whole.
        let opened = picture.matches('<').count();
        let closed = picture.matches("/>").count() + 2 * picture.matches("</").count();
        assert_eq!(opened, closed, "{id}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{id}");
    }
}
