//! The sheets of puzzles in docs/puzzles: what is drawn is what is listed, and what is listed is right.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use kanzen::catalogue::{Entry, Run, Solved};
use kanzen::progress::Silent;
use kanzen::query::Puzzle;
use kanzen::{Budget, Outcome};
use kanzen_cli::commands::puzzles::puzzle_sheet;
use kanzen_games::catalogue;

/// The seed of scripts/puzzle-sheets.
const SEED: u64 = 1;
/// Games that are solved here in seconds.
const SMALL: [&str; 4] = ["morris-6", "musashi-25", "nocca-4x4", "nocca-6x3"];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/puzzles"))
}

/// The puzzles of each list, by game.
fn lists() -> BTreeMap<String, Vec<Puzzle>> {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let lists = files.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), text.lines().map(puzzle).collect())
    };
    lists.map(read).collect()
}

fn puzzle(line: &str) -> Puzzle {
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |field: &str| json[field].as_str().unwrap().to_owned();
    let number = |field: &str| json[field].as_u64().unwrap() as usize;
    Puzzle {
        game: text("game"),
        position: text("position"),
        value: if json["value"] == "win" { Outcome::Win } else { Outcome::Draw },
        distance: json["distance"].as_u64().map(|plies| plies as u16),
        plies: number("plies"),
        solution: json["solution"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned()).collect(),
        difficulty: number("difficulty"),
    }
}

#[test]
fn each_sheet_shows_its_ten_puzzles_and_their_solutions_can_be_played() {
    let lists = lists();
    assert!(SMALL.iter().all(|game| lists.contains_key(*game)), "{:?}", lists.keys());
    for (game, puzzles) in &lists {
        let entry = catalogue::find(game).unwrap();
        assert_eq!(puzzles.len(), 10, "{game}");
        let drawn = std::fs::read_to_string(folder().join(format!("{game}.svg"))).unwrap();
        assert!(puzzle_sheet(&*entry, SEED, puzzles).unwrap() == drawn, "{game}: scripts/puzzle-sheets makes it anew");
        puzzles.iter().for_each(|puzzle| play(&*entry, puzzle));
    }
}

/// Plays a solution by the rules; a win that is played to its end ends the game.
fn play(entry: &dyn Entry, puzzle: &Puzzle) {
    assert!(puzzle.plies >= 3 && puzzle.plies % 2 == 1 && puzzle.plies == puzzle.solution.len(), "{puzzle:?}");
    let mut now = entry.moves(Some(&puzzle.position)).unwrap();
    for mv in &puzzle.solution {
        assert!(now.moves.len() > usize::from(now.position == puzzle.position), "there is a choice: {puzzle:?}");
        let to = now.moves.iter().find(|choice| choice.mv == *mv).unwrap_or_else(|| panic!("{mv}: {puzzle:?}"));
        now = entry.moves(Some(&to.position.clone())).unwrap();
    }
    if puzzle.distance == Some(puzzle.plies as u16) {
        assert!(now.ended == Some(Outcome::Loss) || now.moves.is_empty(), "{puzzle:?}");
    }
}

#[test]
fn probe_confirms_the_puzzles_of_small_games_against_every_best_reply() {
    let data = tempfile::tempdir().unwrap();
    let lists = lists();
    for game in SMALL {
        let entry = catalogue::find(game).unwrap();
        let run = Run { budget: Budget::new(2, 2 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
        entry.solve(data.path(), &run).unwrap();
        let solved = entry.open(data.path()).unwrap();
        for puzzle in &lists[game] {
            confirm(&*solved, puzzle, &puzzle.position, puzzle.plies);
        }
    }
}

/// One move keeps the value, and again after each best reply to it, for so many plies or until the game is over.
fn confirm(solved: &dyn Solved, puzzle: &Puzzle, position: &str, plies: usize) {
    let probe = solved.at(Some(position)).unwrap().probe().unwrap();
    assert_eq!(probe.value, puzzle.value, "{position}: {puzzle:?}");
    let keeping: Vec<_> = probe.moves.iter().filter(|choice| choice.value == puzzle.value).collect();
    assert_eq!(keeping.len(), 1, "{position}: {puzzle:?}");
    if plies > 1 {
        let answers = solved.at(Some(&keeping[0].position)).unwrap().probe().unwrap();
        let best =
            |choice: &&kanzen::query::ProbedMove| (choice.value, choice.distance) == (answers.value, answers.distance);
        for reply in answers.moves.iter().filter(best) {
            confirm(solved, puzzle, &reply.position, plies - 2);
        }
    }
}
