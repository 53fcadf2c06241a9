//! Searches end at their deadline, or when their client disconnects.

use std::time::{Duration, Instant};

use kanzen::{Budget, Error, Game, Notation, Tally, Value};
use kanzen_core::Deadline;
use kanzen_core::rules::fingerprint;
use kanzen_games::catalogue;
use kanzen_games::othello::{Othello, Start};
use kanzen_solve::SolvedClass;
use kanzen_store::{ClassEntry, Manifest, WorkFolder};
use serde_json::json;

use crate::solve::{BUDGET, solve};

/// A database of `othello-8x8` whose line is a game of first moves: these tests do not need best play.
fn database(data: &std::path::Path) {
    let game = Othello::new(8, 8, Start::Cross).unwrap();
    let (mut board, mut line) = (game.initial(), Vec::new());
    while game.ended(board).is_none() {
        let mut first = None;
        game.moves(board, &mut |turn, child| {
            first.get_or_insert((turn, child));
        });
        let (turn, child) = first.unwrap();
        line.push(game.show_move(board, turn));
        board = child;
    }
    let sign = if line.len().is_multiple_of(2) { 1 } else { -1 };
    let mut manifest = Manifest::new("othello-8x8", fingerprint("othello-8x8", &game, 0));
    manifest.settings.insert("score".into(), json!(sign * game.final_score(board).unwrap()));
    manifest.settings.insert("line".into(), json!(line));
    let (slots, mut tally) = (line.len() as u64 + 1, Tally::default());
    tally.add(Value::DRAW, slots);
    let label = SolvedClass::label([("line", "best play".into())]);
    manifest.classes.push(ClassEntry { label, slots, tally });
    let work = WorkFolder::open_or_create(data, "othello-8x8", manifest.fingerprint).unwrap();
    work.finish(&manifest).unwrap();
}

#[test]
fn a_search_ends_at_its_clients_deadline() {
    let _exclusive = crate::exclusive();
    let data = tempfile::tempdir().unwrap();
    database(data.path());
    let entry = catalogue::find("othello-8x8").unwrap();
    let solved = entry.open(data.path()).unwrap();
    // Ten plies away from the line, and fifty from the end: no search is through with it while a test waits.
    let mut position = entry.initial();
    for _ in 0..10 {
        position = entry.moves(Some(&position)).unwrap().moves.pop().unwrap().position;
    }
    let budget = Budget::new(2, 64 << 20);
    let probe = |deadline: &Deadline| {
        let start = Instant::now();
        let bounded = solved.bounded(&budget, deadline).expect("it searches");
        let pending = bounded.at(Some(&position)).unwrap();
        let error = pending.probe().expect_err("no probe of the opening in so short a time");
        (error, start.elapsed())
    };
    let (late, took) = probe(&Deadline::after(Duration::from_millis(300)));
    assert!(matches!(late, Error::TooLong), "{late}");
    assert!(took < Duration::from_secs(3), "{took:?}");

    let deadline = Deadline::none();
    let leaving = deadline.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        leaving.cancel();
    });
    let (left, took) = probe(&deadline);
    assert!(matches!(left, Error::Stopped), "{left}");
    assert!(took < Duration::from_secs(3), "{took:?}");

    let (gone, took) = probe(&deadline);
    assert!(matches!(gone, Error::Stopped) && took < Duration::from_millis(300), "{gone} {took:?}");
}

/// By the rules alone.
fn plain_score(game: &Othello, board: kanzen_games::othello::Position) -> i16 {
    game.final_score(board).unwrap_or_else(|| {
        let mut best = i16::MIN;
        game.moves(board, &mut |_, child| best = best.max(-plain_score(game, child)));
        best
    })
}

#[test]
fn positions_near_the_end_are_searched_where_nothing_is_solved() {
    let _exclusive = crate::exclusive();
    let entry = catalogue::find("othello-8x8").unwrap();
    let (game, unsolved) = (Othello::new(8, 8, Start::Cross).unwrap(), entry.unsolved().expect("it searches"));
    let [far, near] = ["................................................................", ENDGAME].map(|board| {
        let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
        rows.join("/") + " X"
    });
    let effort = |position: &str| unsolved.at(Some(position)).unwrap().effort(&BUDGET).unwrap();
    assert!(effort(&far) > Duration::from_secs(1 << 30) && effort(&near) < Duration::from_secs(1));
    let probe = unsolved.at(Some(&near)).unwrap().probe().unwrap();
    assert_eq!(probe.score, Some(plain_score(&game, game.read(&near).unwrap())));
    for turn in &probe.moves {
        assert_eq!(turn.score, Some(-plain_score(&game, game.read(&turn.position).unwrap())), "{}", turn.mv);
    }
    assert!(catalogue::find("nocca-3x4").unwrap().unsolved().is_none());
}

/// Seven empty squares.
const ENDGAME: &str = "O.XOOOOX.OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXX.OOOOXXXXXO..XXXXXXX..";

#[test]
fn look_ups_ignore_the_deadline() {
    let _exclusive = crate::exclusive();
    let data = tempfile::tempdir().unwrap();
    let entry = catalogue::find("othello-4x4").unwrap();
    solve(&entry, data.path());
    assert!(entry.open(data.path()).unwrap().bounded(&BUDGET, &Deadline::none()).is_none());
}
