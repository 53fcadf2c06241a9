//! The strong solution of 4x4 Othello.

use std::collections::HashMap;

use kanzen::Game;
use kanzen::progress::Silent;
use kanzen_games::catalogue;
use kanzen_games::othello::{Othello, Position, Start};
use kanzen_query::Extent;

use super::solve::{BUDGET, solve};

/// Scores by plain recursion with a map and a given final count.
fn plain_score(
    game: &Othello,
    board: Position,
    count: &dyn Fn(Position) -> i32,
    known: &mut HashMap<u128, i32>,
) -> i32 {
    if game.ended(board).is_some() {
        return count(board);
    }
    if let Some(score) = known.get(&game.pack(board)) {
        return *score;
    }
    let mut children = Vec::new();
    game.moves(board, &mut |_, child| children.push(child));
    let score = children.into_iter().map(|child| -plain_score(game, child, count, known)).max().unwrap();
    known.insert(game.pack(board), score);
    score
}

#[test]
fn the_database_holds_every_position_and_passes_verification() {
    let data = tempfile::tempdir().unwrap();
    let entry = catalogue::find("othello-4x4").unwrap();
    let report = solve(&entry, data.path());
    assert_eq!((report.positions, report.initial.score), (12_351, Some(-10)));
    let solved = entry.open(data.path()).unwrap();
    let checked = solved.verify(Extent::Full, &BUDGET, &Silent).unwrap();
    assert_eq!((checked.checked, checked.mismatches), (12_351, 0));

    // Every stored score is that of the plain recursion.
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    let mut known = HashMap::new();
    let count = |board: Position| game.final_score(board).unwrap().into();
    assert_eq!(plain_score(&game, game.initial(), &count, &mut known), -10);
    for (key, score) in known.into_iter().step_by(37) {
        let probe = solved.at(Some(&game.show(game.unpack(key)))).unwrap().probe().unwrap();
        assert_eq!(probe.score, Some(score as i16));
        assert_eq!(probe.moves.first().and_then(|best| best.score), Some(score as i16));
    }
    let rows: u64 = solved
        .csv(&Silent)
        .unwrap()
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(rows, 12_351);
}

#[test]
fn there_are_eight_optimal_games_of_ten_moves_and_all_end_3_to_11() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    let mut known = HashMap::new();
    let count = |board: Position| game.final_score(board).unwrap().into();
    let mut games = Vec::new();
    let mut lines = vec![(game.initial(), Vec::new())];
    while let Some((board, line)) = lines.pop() {
        if game.ended(board).is_some() {
            games.push((board, line));
            continue;
        }
        let score = plain_score(&game, board, &count, &mut known);
        game.moves(board, &mut |turn, child| {
            if plain_score(&game, child, &count, &mut known) == -score {
                let mut line: Vec<String> = line.clone();
                line.push(game.show_move(board, turn));
                lines.push((child, line));
            }
        });
    }
    for (board, line) in &games {
        assert_eq!(
            (board.own.count_ones().min(board.others.count_ones()), board.own.count_ones() + board.others.count_ones()),
            (3, 14),
            "{line:?}"
        );
        assert_eq!(line.len(), 10, "{line:?}");
    }
    assert_eq!(games.len(), 8);
}

#[test]
fn without_the_empty_squares_the_winner_has_8_more() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    let discs = |board: Position| board.own.count_ones() as i32 - board.others.count_ones() as i32;
    assert_eq!(plain_score(&game, game.initial(), &discs, &mut HashMap::new()), -8);
}
