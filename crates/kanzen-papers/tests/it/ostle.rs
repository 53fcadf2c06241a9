//! The published solver against the engine, and table 3 against the recorded run.

use std::path::Path;
use std::sync::Arc;

use kanzen::progress::Silent;
use kanzen::{Budget, Error, Game};
use kanzen_games::ostle::{Army, ByBoards, Ko, Move, Ostle, Position, value};
use kanzen_papers::ostle::ByPositions;
use kanzen_query::Opener;
use kanzen_solve::{Job, Solver};
use kanzen_store::{Database, Manifest, WorkFolder};

fn solve(game: &Ostle, data: &Path) -> Result<Database, Error> {
    let work = WorkFolder::open_or_create(data, "ostle", ByBoards.layout(game)?)?;
    let solution = ByBoards.solve(game, &Job::new(&work, Budget::new(2, 1 << 30), &Silent)?)?;
    let manifest = Manifest::of(&work, solution)?;
    work.finish(&manifest)
}

/// The published method against the engine.
#[test]
fn the_published_method_gives_the_same_values() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        let game = Ostle::with_army(Army { least: 1, most: 2 }, 2, ko).unwrap();
        let data = tempfile::tempdir().unwrap();
        let oracle = ByBoards.open(&Arc::new(game), solve(&game, data.path()).unwrap()).unwrap();
        let positions = ByPositions::new(&game);
        positions.solve(|_, _| {});
        let mut compared = 0;
        for slot in 0..positions.index().slots() {
            let board = positions.index().board(slot);
            for number in 0..25 {
                let Some(level) = positions.level(slot, number) else { continue };
                let previous = (number != 0).then(|| board.after(Move::numbered(number, &board)).unwrap().0);
                let position = Position { board, previous };
                assert_eq!(
                    oracle.answer(kanzen_core::rules::key(&game, position)).unwrap().value,
                    value(level),
                    "{}",
                    game.show(position)
                );
                compared += 1;
            }
        }
        assert_eq!(compared, positions.positions());
        assert!(compared > 2000);
    }
}

#[test]
fn table_3_is_the_symmetric_rule_with_the_ban_ignored() {
    let record = include_str!("../../../../results/ostle-reach-symmetric.json");
    let record: serde_json::Value = serde_json::from_str(record).unwrap();
    let layers = record["output"]["layers"].as_array().expect("layers");
    let ignored: Vec<String> =
        layers.iter().map(|layer| format!("{},{}", layer["plies"], layer["ban_ignored"])).collect();
    let table = include_str!("../data/ostle_bfs.csv").lines();
    assert_eq!(ignored, table.filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect::<Vec<_>>());
}
