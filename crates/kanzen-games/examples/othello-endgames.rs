//! Endgames on the real board: `othello-endgames THREADS MEGABYTES [EMPTIES...]`, as one JSON object.
//!
//! Positions 40 to 44 of the FFO endgame test with their published scores, then positions of random games with so many
//! empty squares (14, 16, 18 and 20 unless others are named), four each. Each search begins with an empty table. The exit
//! status is 1 if a score is not the published one.

use std::process::ExitCode;

use kanzen::machine::cpu::Isa;
use kanzen::progress::Silent;
use kanzen::solve::search::{Checkpointer, Table};
use kanzen::{Error, Game};
use kanzen_games::othello::{Engine, Othello, Position, Start};
use serde_json::{Value as Json, json};

/// The positions of the test, row by row, the side to move, and the score.
const FFO: [(&str, &str, i32); 5] = [
    ("40", "O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ X", 38),
    ("41", ".OOOOO../..OOOOX./.OOOOOO./XXXXXOO./.XXOOX../OOXOXX../..OXXO../.OOO..O. X", 0),
    ("42", "..OOO.../....XX.O/OOOOOXOO/.OOOOXOO/X.OOOXXO/...OOXOO/...OOOXO/..OOOO.. X", 6),
    ("43", "..XXXXX./..XXXX../.OOOXX../.OOXXXX./.OOXXXO./OOOOXOO./...XOX../..XXXXX. O", -12),
    ("44", "..O.X.O./..O.XO.O/.OOXXXOO/OOOOXXXO/OOOOXX../XXOOXO../..XXXX../...XXX.. O", -14),
];

/// Positions of random games for each number of empty squares.
const RANDOM: usize = 4;

fn main() -> ExitCode {
    let numbers: Option<Vec<usize>> = std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let Some([threads, megabytes, empties @ ..]) = numbers.as_deref() else {
        eprintln!("usage: othello-endgames THREADS MEGABYTES [EMPTIES...]");
        return ExitCode::from(2);
    };
    let empties = if empties.is_empty() { &[14, 16, 18, 20] } else { empties };
    match told(*threads, *megabytes, empties) {
        Ok((told, right)) => {
            println!("{told}");
            ExitCode::from(u8::from(!right))
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// All searches, and whether the scores are the published ones.
fn told(threads: usize, megabytes: usize, empties: &[usize]) -> Result<(Json, bool), Error> {
    let game = Othello::new(8, 8, Start::Cross).expect("the real board");
    let search = |board: Position| -> Result<(i32, Json), Error> {
        let table = Table::new(megabytes << 20)?;
        let engine = Engine { game: &game, table: &table, threads, isa: Isa::best(), learned: true, patience: None };
        let found = engine.score(board, None, Checkpointer::none(), &Silent)?;
        let empty = 64 - (board.own | board.others).count_ones();
        let row = json!({
            "position": game.show(board), "empty": empty, "score": found.score, "positions": found.positions,
            "seconds": (found.seconds * 1000.0).round() / 1000.0,
        });
        Ok((found.score, row))
    };
    let (mut ffo, mut right) = (Vec::new(), true);
    for (name, text, published) in FFO {
        let bad = |reason| Error::BadPosition { game: "othello-8x8".to_owned(), reason };
        let board = game.read(text).map_err(bad)?;
        let (score, mut row) = search(board)?;
        right &= score == published;
        row["name"] = json!(name);
        row["published"] = json!(published);
        ffo.push(row);
    }
    let mut random = Vec::new();
    for &empty in empties {
        for seed in 0..RANDOM {
            random.push(search(random_position(&game, empty as u32, seed as u64))?.1);
        }
    }
    Ok((json!({"threads": threads, "megabytes": megabytes, "ffo": ffo, "random": random}), right))
}

/// A position of a game of random moves with so many empty squares.
fn random_position(game: &Othello, empty: u32, seed: u64) -> Position {
    let mut luck = 1_000 * seed + u64::from(empty);
    loop {
        let mut board = game.initial();
        while game.ended(board).is_none() && 64 - (board.own | board.others).count_ones() > empty {
            let mut children = Vec::new();
            game.moves(board, &mut |_, child| children.push(child));
            luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            board = children[(luck >> 33) as usize % children.len()];
        }
        if game.ended(board).is_none() {
            return board;
        }
    }
}
