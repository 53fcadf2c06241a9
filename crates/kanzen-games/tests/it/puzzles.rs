//! Puzzles agree with `probe`, and every board can be drawn.

use std::collections::HashSet;
use std::time::Duration;

use kanzen::catalogue::{Rows, Run, Solved};
use kanzen::progress::Silent;
use kanzen::view::svg;
use kanzen::{Budget, Game, Notation, Outcome};
use kanzen_games::catalogue;
use kanzen_games::nocca::Nocca;
use kanzen_query::find::Row;
use kanzen_query::{Find, Puzzle};

fn solved(id: &str, data: &std::path::Path) -> Solved {
    let entry = catalogue::find(id).unwrap();
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
    entry.solve(data, &run).unwrap();
    entry.open(data).unwrap()
}

/// The only move that keeps the value of a position with several moves, and its best replies, by `probe` alone.
fn only_move(solved: &Solved, position: &str, value: Outcome) -> Option<(String, Vec<(String, String)>)> {
    let probe = solved.at(Some(position)).unwrap().probe().unwrap();
    let keeping: Vec<_> = probe.moves.iter().filter(|choice| choice.value == value).collect();
    let ([right], true) = (&keeping[..], probe.moves.len() > 1) else { return None };
    let answers = solved.at(Some(&right.position)).unwrap().probe().unwrap();
    let best = answers
        .moves
        .iter()
        .filter(|reply| (reply.value, reply.distance, reply.score) == (answers.value, answers.distance, answers.score));
    Some((right.mv.clone(), best.map(|reply| (reply.mv.clone(), reply.position.clone())).collect()))
}

/// Whether the mover has exactly one right move at each of `turns` turns, against every best reply.
fn holds(solved: &Solved, position: &str, value: Outcome, turns: usize) -> bool {
    let Some((_, replies)) = only_move(solved, position, value) else { return false };
    turns == 1 || replies.iter().all(|(_, next)| holds(solved, next, value, turns - 1))
}

/// The same against the first best reply only.
fn holds_in_one_line(solved: &Solved, position: &str, value: Outcome, turns: usize) -> bool {
    let Some((_, replies)) = only_move(solved, position, value) else { return false };
    turns == 1 || replies.first().is_none_or(|(_, next)| holds_in_one_line(solved, next, value, turns - 1))
}

/// Checks that the solution is legal, its replies are best ones, and exactly one move is right at each turn, whatever
/// the reply.
fn check(solved: &Solved, puzzle: &Puzzle) {
    assert!(puzzle.plies >= 3 && puzzle.plies % 2 == 1 && puzzle.plies == puzzle.solution.len(), "{puzzle:?}");
    assert!(holds(solved, &puzzle.position, puzzle.value, puzzle.plies.div_ceil(2)), "{puzzle:?}");
    let mut position = puzzle.position.clone();
    for moves in puzzle.solution.chunks(2) {
        let (right, replies) = only_move(solved, &position, puzzle.value).unwrap();
        assert_eq!(right, moves[0], "{puzzle:?}");
        if let Some(reply) = moves.get(1) {
            position = replies.into_iter().find(|(mv, _)| mv == reply).expect("a best reply").1;
        }
    }
}

#[test]
fn each_puzzle_has_one_right_move_at_each_turn() {
    let data = tempfile::tempdir().unwrap();
    for id in ["tictactoe", "nocca-3x3", "morris-5"] {
        let solved = solved(id, data.path());
        let puzzles = solved.puzzles(10, 1, &Silent).unwrap();
        assert!(!puzzles.is_empty(), "{id}");
        assert_eq!(puzzles, solved.puzzles(10, 1, &Silent).unwrap(), "{id}: the same seed gives the same puzzles");
        assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.difficulty));
        puzzles.iter().for_each(|puzzle| check(&solved, puzzle));
    }
}

#[test]
fn a_puzzle_must_hold_against_all_best_replies() {
    // Without such positions the test above would prove nothing: a search along one line would pass it.
    let data = tempfile::tempdir().unwrap();
    let solved = solved("nocca-3x3", data.path());
    let find = Find { condition: "value = 'win' AND distance >= 5 AND only_move".into(), ..Find::default() };
    let mut starts = Vec::new();
    let mut row = |row: Row| {
        starts.push(row.cells[0].text().unwrap().to_owned());
        Ok(())
    };
    let mut rows = Rows { heading: &mut |_| Ok(()), row: &mut row };
    solved.find(&find, &Budget::new(2, 1 << 30), &Silent, &mut rows).unwrap();
    let differs =
        |start: &&String| holds_in_one_line(&solved, start, Outcome::Win, 2) && !holds(&solved, start, Outcome::Win, 2);
    assert!(starts.iter().filter(differs).count() > 0, "of {}", starts.len());
}

#[test]
fn no_puzzle_is_an_image_of_another() {
    let data = tempfile::tempdir().unwrap();
    let game = Nocca::new(3, 3).unwrap();
    let solved = solved("nocca-3x3", data.path());
    for seed in 0..3 {
        let puzzles = solved.puzzles(40, seed, &Silent).unwrap();
        let keys = puzzles.iter().map(|puzzle| game.pack(game.canonical(game.read(&puzzle.position).unwrap())));
        assert_eq!(keys.collect::<HashSet<_>>().len(), puzzles.len());
        assert!(puzzles.len() > 10);
    }
}

/// The puzzles of a sheet in docs/puzzles.
fn sheet(path: &std::path::Path) -> Vec<Puzzle> {
    let text = std::fs::read_to_string(path).unwrap();
    let puzzle = |line: &str| {
        let fields: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| fields[name].as_u64().unwrap();
        Puzzle {
            game: fields["game"].as_str().unwrap().to_owned(),
            position: fields["position"].as_str().unwrap().to_owned(),
            value: serde_json::from_value(fields["value"].clone()).unwrap(),
            distance: fields["distance"].as_u64().map(|plies| plies as u16),
            plies: number("plies") as usize,
            solution: serde_json::from_value(fields["solution"].clone()).unwrap(),
            difficulty: number("difficulty") as usize,
        }
    };
    text.lines().map(puzzle).collect()
}

/// Checked by the rules alone; also by `probe` for games solved in the folder KANZEN_SHEETS_DATA
/// (`KANZEN_SHEETS_DATA=DATA cargo test -p kanzen-games --test puzzles sheets`), since the large ones take hours to
/// solve.
#[test]
fn sheets_of_the_docs_hold() {
    let sheets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/puzzles");
    let data = std::env::var_os("KANZEN_SHEETS_DATA").map(std::path::PathBuf::from);
    let Ok(files) = sheets.read_dir() else { return }; // a crate by itself has no docs
    let mut probed = Vec::new();
    for path in files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
    {
        let puzzles = sheet(&path);
        let id = path.file_stem().unwrap().to_str().unwrap();
        let entry = catalogue::find(id).unwrap();
        assert_eq!(puzzles.len(), 10, "{id}");
        assert_eq!(puzzles.iter().map(|puzzle| &puzzle.position).collect::<HashSet<_>>().len(), 10, "{id}");
        let picture = std::fs::read_to_string(path.with_extension("svg")).unwrap();
        for puzzle in &puzzles {
            assert_eq!(puzzle.game, id);
            assert!(entry.draw(Some(&puzzle.position), 0).is_ok(), "{puzzle:?}");
            assert!(puzzle.plies >= 3 && puzzle.plies == puzzle.solution.len(), "{puzzle:?}");
        }
        assert!(picture.starts_with("<svg "), "{id}");
        if let Some(data) = data.as_deref().filter(|data| entry.is_solved(data)) {
            let solved = entry.open(data).unwrap();
            puzzles.iter().for_each(|puzzle| check(&solved, puzzle));
            probed.push(id.to_owned());
        }
    }
    assert!(data.is_none() || !probed.is_empty(), "no sheet is of a game that is solved there");
    println!("probed: {probed:?}");
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
