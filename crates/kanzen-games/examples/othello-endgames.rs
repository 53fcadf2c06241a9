//! Measures endgame searches: `othello-endgames [6x6] THREADS MEGABYTES [EMPTIES...]` prints one JSON object.
//!
//! On the 8x8 board it searches positions 40 to 44 of the FFO endgame test, with their published scores, then four
//! positions of random games for each number of empty squares (default: 14, 16, 18 and 20). On the 6x6 board it
//! searches positions of random games only (default: 22 and 26), and also the scores of all their moves, like `kanzen
//! probe`. Each search starts with an empty table. The exit status is 1 if a score differs from the published one or
//! from that of the best move.

use std::process::ExitCode;
use std::time::Instant;

use kanzen::progress::Silent;
use kanzen::{Error, Game, Notation};
use kanzen_core::machine::cpu::Isa;
use kanzen_games::othello::{Checkpointer, Table};
use kanzen_games::othello::{Engine, Othello, Position, Start};
use serde_json::{Value as Json, json};

/// The name, the position and the published score.
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
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let small = words.first().is_some_and(|word| word == "6x6");
    let numbers: Option<Vec<usize>> = words.drain(usize::from(small)..).map(|text| text.parse().ok()).collect();
    let Some([threads, megabytes, empties @ ..]) = numbers.as_deref() else {
        eprintln!("usage: othello-endgames [6x6] THREADS MEGABYTES [EMPTIES...]");
        return ExitCode::from(2);
    };
    let usual: &[usize] = if small { &[22, 26] } else { &[14, 16, 18, 20] };
    let empties = if empties.is_empty() { usual } else { empties };
    let report =
        if small { report_small(*threads, *megabytes, empties) } else { report(*threads, *megabytes, empties) };
    match report {
        Ok((report, right)) => {
            println!("{report}");
            ExitCode::from(u8::from(!right))
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

/// All searches, and whether the scores equal the published ones.
fn report(threads: usize, megabytes: usize, empties: &[usize]) -> Result<(Json, bool), Error> {
    let game = Othello::new(8, 8, Start::Cross).expect("the real board");
    let search = |board: Position| -> Result<(i32, Json), Error> {
        let table = Table::new(megabytes << 20)?;
        let engine = Engine { game: &game, table: &table, threads, isa: Isa::best(), learned: true, deadline: None };
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

/// The score of each position and of all its moves, and whether the best of these is the score.
fn report_small(threads: usize, megabytes: usize, empties: &[usize]) -> Result<(Json, bool), Error> {
    let game = Othello::new(6, 6, Start::Cross).expect("the small board");
    // The scores of some boards, the positions searched, and the time, from an empty table.
    let search = |boards: &[Position]| -> Result<(Vec<i32>, u64, f64), Error> {
        let (table, start) = (Table::new(megabytes << 20)?, Instant::now());
        let engine = Engine { game: &game, table: &table, threads, isa: Isa::best(), learned: true, deadline: None };
        let (mut scores, mut positions) = (Vec::new(), 0);
        for &board in boards {
            let found = engine.score(board, None, Checkpointer::none(), &Silent)?;
            scores.push(found.score);
            positions += found.positions;
        }
        Ok((scores, positions, start.elapsed().as_secs_f64()))
    };
    let thousandths = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
    let (mut groups, mut right) = (Vec::new(), true);
    for &empty in empties {
        let mut rows = Vec::new();
        let (mut moves, mut searched, mut seconds) = (0, [0; 2], [0.0; 2]);
        for seed in 0..2 * RANDOM {
            let board = random_position(&game, empty as u32, seed as u64);
            let mut children = Vec::new();
            game.moves(board, &mut |_, child| children.push(child));
            let (own, theirs) = (search(&[board])?, search(&children)?);
            right &= theirs.0.iter().map(|score| -score).max() == Some(own.0[0]);
            moves += children.len();
            for (at, (_, positions, took)) in [&own, &theirs].into_iter().enumerate() {
                searched[at] += positions;
                seconds[at] += took;
            }
            rows.push(json!({
                "position": game.show(board), "score": own.0[0], "seconds": thousandths(own.2),
                "moves": children.len(), "seconds_of_moves": thousandths(theirs.2),
            }));
        }
        groups.push(json!({
            "empty": empty, "moves": moves, "searched": searched[0], "searched_for_moves": searched[1],
            "seconds": thousandths(seconds[0]), "seconds_of_moves": thousandths(seconds[1]), "positions": rows,
        }));
    }
    Ok((json!({"threads": threads, "megabytes": megabytes, "random": groups}), right))
}

/// A position of a random game with this many empty squares.
fn random_position(game: &Othello, empty: u32, seed: u64) -> Position {
    let mut luck = 1_000 * seed + u64::from(empty);
    let empties = |board: Position| game.shape().squares() - (board.own | board.others).count_ones();
    loop {
        let mut board = game.initial();
        while game.ended(board).is_none() && empties(board) > empty {
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
