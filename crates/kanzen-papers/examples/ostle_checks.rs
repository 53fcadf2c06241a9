//! Long checks of Ostle that have no command of their own.
//!
//! ```text
//! cargo run --release -p kanzen-papers --example ostle_checks -- count literal 10
//! cargo run --release -p kanzen-papers --example ostle_checks -- twisted 10
//! cargo run --release -p kanzen-papers --example ostle_checks -- paper symmetric DATA
//! cargo run --release -p kanzen-papers --example ostle_checks -- compare ostle DATA
//! ```
//!
//! - `count` counts boards, immediate wins and positions of Ostle up to a number of pieces, without solving.
//! - `twisted` counts the twisted boards under the symmetric rule, and those that the fast test misses: there must be
//!   none.
//! - `paper` solves the 4-4 class position by position, like the paper, and compares each value with the database of
//!   `ostle-8` in a data folder.
//! - `compare` lists the positions of table 2 under both rules, from the databases in a data folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use kanzen::{Error, Game};
use kanzen_core::machine::whole_budget;
use kanzen_core::rules::fingerprint;
use kanzen_games::catalogue::ostle_named;
use kanzen_games::ostle::{
    Board, ByBoards, ClassIndex, HOLES, Move, Ostle, Position, classes, count_class, is_twisted,
    is_twisted_by_definition, value,
};
use kanzen_papers::ostle::ByPositions;
use kanzen_query::Opener;
use kanzen_store::Database;
use rayon::prelude::*;
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["count", ko, pieces] => count(&suffix(ko), pieces.parse()?),
        ["twisted", pieces] => twisted(pieces.parse()?),
        ["paper", ko, data] => paper(&suffix(ko), Path::new(data)),
        ["compare", id, data] => compare(id, Path::new(data)),
        _ => Err("expected: count literal|symmetric PIECES, twisted PIECES, paper literal|symmetric DATA, or \
                  compare GAME DATA"
            .into()),
    }
}

fn database(data: &Path, id: &str, game: &Ostle) -> Result<Database, Error> {
    Database::open_with(data, id, || Ok(fingerprint(id, game, ByBoards.layout(game)?)))
}

fn suffix(ko: &str) -> String {
    if ko == "literal" { String::new() } else { format!("-{ko}") }
}

fn count(suffix: &str, most: u32) -> Result<(), Failure> {
    let id = format!("ostle{suffix}");
    let game = ostle_named(&id)?;
    let (mut boards, mut wins, mut positions) = (0, 0, 0);
    let mut rows = Vec::new();
    for (mover, opponent) in (8..=most).flat_map(|pieces| classes(&game, pieces)) {
        let counts = count_class(&game, &ClassIndex::new(mover, opponent));
        for (hole, count) in HOLES.iter().zip(counts) {
            rows.push(json!({
                "hole_row": hole / 5, "hole_col": hole % 5, "mover": mover, "opponent": opponent,
                "boards": count.boards, "immediate_wins": count.immediate_wins, "positions": count.positions(),
            }));
            boards += count.boards;
            wins += count.immediate_wins;
            positions += count.positions();
        }
    }
    let all = json!({
        "game": id, "pieces": most, "boards": boards, "immediate_wins": wins, "positions": positions, "classes": rows,
    });
    println!("{all}");
    Ok(())
}

fn twisted(most: u32) -> Result<(), Failure> {
    let game = ostle_named("ostle-symmetric")?;
    let mut rows = Vec::new();
    for (mover, opponent) in (8..=most).flat_map(|pieces| classes(&game, pieces)) {
        let index = ClassIndex::new(mover, opponent);
        let boards = (0..index.slots()).into_par_iter().map(|slot| index.board(slot));
        let twisted: Vec<Board> = boards.filter(is_twisted_by_definition).collect();
        let missed: Vec<&Board> = twisted.iter().filter(|board| !is_twisted(board)).collect();
        let examples: Vec<String> =
            missed.iter().take(5).map(|&&board| game.show(Position { board, previous: None })).collect();
        rows.push(json!({
            "mover": mover, "opponent": opponent, "boards": index.slots(), "twisted": twisted.len(), "missed": missed.len(),
            "examples": examples,
        }));
    }
    println!("{}", json!({ "pieces": most, "classes": rows }));
    Ok(())
}

fn paper(suffix: &str, data: &Path) -> Result<(), Failure> {
    let id = format!("ostle-8{suffix}");
    let game = ostle_named(&id)?;
    let oracle = ByBoards.open(&std::sync::Arc::new(game), database(data, &id, &game)?)?;
    let start = Instant::now();
    let positions = ByPositions::new(&game);
    eprintln!("{} positions listed in {:.0?}", positions.positions(), start.elapsed());
    positions.solve(|level, decided| eprintln!("level {level}: {decided} positions, {:.0?}", start.elapsed()));
    oracle.prepare(u64::MAX, kanzen_query::Detail::Answers, &whole_budget())?;
    let compare = |slot: u32| -> Result<u64, String> {
        let board = positions.index().board(slot);
        let mut compared = 0;
        for number in 0..25 {
            let Some(level) = positions.level(slot, number) else { continue };
            let previous = (number != 0).then(|| board.after(Move::numbered(number, &board))).flatten();
            let position = Position { board, previous: previous.map(|(previous, _)| previous) };
            let stored = oracle.answer(kanzen_core::rules::key(&game, position)).map_err(|error| error.to_string())?;
            if stored.value != value(level) {
                return Err(format!("board {slot}, move {number}: {} here, {} stored", value(level), stored.value));
            }
            compared += 1;
        }
        Ok(compared)
    };
    let compared: u64 =
        (0..positions.index().slots()).into_par_iter().map(compare).try_reduce(|| 0, |a, b| Ok(a + b))?;
    println!("{}", json!({ "game": id, "positions": compared, "different": 0, "seconds": start.elapsed().as_secs() }));
    Ok(())
}

/// Positions by plies to a board with an immediate win, as in the published table 2.
fn compare(id: &str, data: &Path) -> Result<(), Failure> {
    let census = |id: &str| -> Result<BTreeMap<u16, u64>, Failure> {
        let game = ostle_named(id)?;
        let total = database(data, id, &game)?.manifest().census().total();
        let mut counts = BTreeMap::from([(0, total.draws())]);
        counts.extend(total.histogram().iter().map(|bar| (bar.distance - 1, bar.wins + bar.losses)));
        Ok(counts)
    };
    let (literal, symmetric) = (census(id)?, census(&format!("{id}-symmetric"))?);
    let plies: BTreeSet<u16> = literal.keys().chain(symmetric.keys()).copied().collect();
    let mut rows = Vec::new();
    let (mut different, mut last_different, mut most) = (0, 0, (0, 0));
    for plies in &plies {
        let [literal, symmetric] = [&literal, &symmetric].map(|counts| counts.get(plies).copied().unwrap_or(0));
        if literal != symmetric {
            different += 1;
            last_different = *plies;
            most = most.max((literal.abs_diff(symmetric), *plies));
        }
        let plies = if *plies == 0 { json!("draw") } else { json!(plies) };
        rows.push(json!({ "plies": plies, "literal": literal, "symmetric": symmetric }));
    }
    let all = json!({
        "game": id, "rows": rows.len(), "different": different, "last_different": last_different,
        "most": { "positions": most.0, "plies": most.1 }, "table": rows,
    });
    println!("{all}");
    Ok(())
}
