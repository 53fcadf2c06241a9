//! Writes the table of docs/traps.md: how often fallible opponents err against each style of perfect play.
//!
//! `cargo run --release -p kanzen-games --example trap_table -- DATA OUT.csv GAMES GAME...` plays GAMES games for each
//! game, style and model from the databases in DATA, and appends each row to OUT.csv as soon as it is complete. It
//! keeps existing rows, so the same command resumes after an interruption. A game that is decided from the start is
//! played from the first drawn position of a seeded random walk; the row names it. OUT-gain.csv compares `trap` with
//! uniform choice for each game and model, with a test of significance.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use kanzen::catalogue::Solved;
use kanzen::progress::Silent;
use kanzen::{Error, Outcome};
use kanzen_core::machine::whole_budget;
use kanzen_games::catalogue;
use kanzen_query::{Duel, DuelReport, Model, Player, Style};

const SEED: u64 = 1;
const HEADING: &str = "game,style,against,games,seed,position,turn_10,low_10,high_10,turn_40,low_40,high_40,median_turn,\
                       lost_value";
const MODELS: [Model; 8] = [
    Model::Errs(0.02),
    Model::Errs(0.05),
    Model::Errs(0.1),
    Model::Reads(2),
    Model::Reads(4),
    Model::Reads(8),
    Model::Haworth(1.0),
    Model::Haworth(2.0),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [data, out, games, ids @ ..] = args.as_slice() else {
        eprintln!("usage: trap_table DATA OUT.csv GAMES GAME...");
        return ExitCode::from(2);
    };
    let Ok(games) = games.parse() else {
        eprintln!("{games} is not a number of games");
        return ExitCode::from(2);
    };
    let out = Path::new(out);
    match ids.iter().try_for_each(|id| rows(Path::new(data), out, games, id)).and_then(|()| gains(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Appends the missing rows of a game.
fn rows(data: &Path, out: &Path, games: u64, id: &str) -> Result<(), Box<dyn std::error::Error>> {
    let known = std::fs::read_to_string(out).unwrap_or_default();
    let mut file = OpenOptions::new().create(true).append(true).open(out)?;
    if known.is_empty() {
        writeln!(file, "# cargo run --release -p kanzen-games --example trap_table")?;
        writeln!(file, "{HEADING}")?;
    } else if !known.ends_with('\n') {
        return Err(format!("{} ends within a row: remove its last line", out.display()).into());
    }
    let solved = catalogue::find(id)?.open(data)?;
    let start = drawn(&solved)?;
    for style in Style::ALL {
        for against in MODELS {
            let key = format!("{id},{style},{against},{games},{SEED},");
            if known.lines().any(|row| row.starts_with(&key)) {
                continue;
            }
            let duel = Duel { style, delay: false, against, games, seed: SEED };
            let report = solved.at(Some(&start))?.duel(&duel, &whole_budget(), &Silent)?;
            writeln!(file, "{key}{}", row(&report, &start))?;
            file.sync_all()?;
        }
    }
    Ok(())
}

fn row(report: &DuelReport, start: &str) -> String {
    let by = |turn: u32| {
        let by = report.slips.iter().find(|by| by.turn == turn).expect("the turns are among those counted");
        format!("{:.4},{:.4},{:.4}", by.games as f64 / report.games as f64, by.low, by.high)
    };
    let median = report.median_turn.map_or(String::new(), |turn| turn.to_string());
    format!("\"{start}\",{},{},{median},{}", by(10), by(40), report.lost_value)
}

/// A share with its confidence interval.
type Share = [f64; 3];

/// Writes the gain of `trap` over `uniform` for each game and model with complete rows.
fn gains(out: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let table = std::fs::read_to_string(out)?;
    let mut known: Vec<(String, String, String, [Share; 2])> = Vec::new();
    for row in table.lines().filter(|row| !row.starts_with('#') && *row != HEADING) {
        let (head, tail) = row.split_once(",\"").ok_or("a row without a position")?;
        let (_, numbers) = tail.rsplit_once("\",").ok_or("a row without an end")?;
        let [game, style, against, ..] = head.split(',').collect::<Vec<_>>()[..] else { return Err("short".into()) };
        let numbers: Vec<f64> = numbers.split(',').take(6).map(str::parse).collect::<Result<_, _>>()?;
        let ([at_10, at_40], []) = numbers.as_chunks() else { return Err("a row of another length".into()) };
        known.push((game.to_owned(), style.to_owned(), against.to_owned(), [*at_10, *at_40]));
    }
    let mut text = String::from("# cargo run --release -p kanzen-games --example trap_table\n");
    text += "game,against,uniform_10,trap_10,by_10,uniform_40,trap_40,by_40\n";
    for (game, _, against, uniform) in known.iter().filter(|row| row.1 == "uniform") {
        let trap = known.iter().find(|row| (&row.0, row.1.as_str(), &row.2) == (game, "trap", against));
        let Some((_, _, _, trap)) = trap else { continue };
        let [at_10, at_40] = [0, 1].map(|turn| {
            let (uniform, trap) = (uniform[turn], trap[turn]);
            let verdict = match () {
                () if trap[1] > uniform[2] => "more",
                () if trap[2] < uniform[1] => "less",
                () => "alike",
            };
            format!("{:.4},{:.4},{verdict}", uniform[0], trap[0])
        });
        text += &format!("{game},{against},{at_10},{at_40}\n");
    }
    std::fs::write(out.with_file_name(format!("{}-gain.csv", out.file_stem().unwrap_or_default().display())), text)?;
    Ok(())
}

/// The initial position, or the first drawn one of a seeded random walk.
fn drawn(solved: &Solved) -> Result<String, Error> {
    let initial = solved.initial();
    for walk in 0..1000 {
        let mut position = initial.clone();
        for ply in 0..100 {
            let at = solved.at(Some(&position))?;
            let probe = at.probe()?;
            if probe.value == Outcome::Draw && !probe.moves.is_empty() {
                return Ok(position);
            }
            match at.reply(Player::Model(Model::Random), &[], walk * 100 + ply)?.reply {
                Some(any) => position = any.position,
                None => break,
            }
        }
    }
    Ok(initial)
}
