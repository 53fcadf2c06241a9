//! `kanzen probe`: prints the value of a position and of each of its moves.

use std::io::BufRead;
use std::path::PathBuf;

use anyhow::Context;
use kanzen::catalogue::{Solved, SolvedPosition, picture};
use kanzen::{Error, ErrorKind, Outcome};
use kanzen_query as query;
use serde_json::json;

use crate::args::{GameArg, Limit, Position};
use crate::exit::Ending;
use crate::files::write_beside;
use crate::open_game::{open_at, open_entry};
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
A position is text in the game's notation; quotes are not needed. Each move's value is the mover's.

Examples:
  kanzen probe tictactoe
  kanzen probe tictactoe X../.O./... X
  kanzen probe tictactoe --moves \"b2 a1\"
  kanzen probe stones-21 6
  kanzen probe tictactoe --traps
  kanzen probe nocca-3x4 --json | jq '.moves[0].move'
  kanzen probe tictactoe --svg board.svg
  kanzen probe tictactoe - < positions.txt     one a line, answered by one JSON object a line";

/// Print the value of a position and of each legal move, best first
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Probe {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: Position,
    #[command(flatten)]
    limit: Limit,

    /// Count the replies that slip to each move that keeps the value; hidden slips are those that a search of H plies
    /// does not refute, 4 if H is not given
    #[arg(long, value_name = "H", num_args = 0..=1, require_equals = true, default_missing_value = DEFAULT_READS)]
    traps: Option<u16>,

    /// Draw the position as a picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// [`query::READS`], as clap wants it.
const DEFAULT_READS: &str = "4";

impl Probe {
    /// Prints the value of the position and of each of its moves.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        if self.position.text().as_deref() == Some("-") {
            anyhow::ensure!(self.svg.is_none(), "--svg draws one position, not those of standard input");
            anyhow::ensure!(
                !self.position.has_moves(),
                "--moves are played from one position, not from those of standard input"
            );
            let solved = open_entry(&entry, settings)?;
            solved.keep(settings.kept());
            return many(&solved, self.traps, settings);
        }
        let (solved, reached) = open_at(&entry, &self.position, &self.limit, settings)?;
        let position = solved.at(reached.position())?;
        let probe = probed(&position, self.traps)?;
        if let Some(path) = &self.svg {
            write_beside(path, picture(&entry, &probe.position)?.as_bytes())?;
        }
        if settings.json {
            settings.output.json(&probe)?;
        } else {
            settings.output.print(render(&probe, &position.draw(reached.ply()), self.traps, settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

/// The answer for a position, with the slips of its replies if they are wanted.
fn probed(position: &SolvedPosition<'_>, traps: Option<u16>) -> Result<query::Probe, Error> {
    match traps {
        Some(reads) => position.probe_traps(reads),
        None => position.probe(),
    }
}

/// Answers the positions of standard input, one a line, with an object a line; a bad one gets its error.
fn many(solved: &Solved, traps: Option<u16>, settings: &Settings) -> anyhow::Result<Ending> {
    let mut ending = Ending::Done;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.context("cannot read standard input")?;
        let text = String::from_utf8_lossy(&line);
        let position = text.trim();
        if position.is_empty() {
            continue;
        }
        let answer = match solved.at(Some(position)).and_then(|position| probed(&position, traps)) {
            Ok(probe) => serde_json::to_string(&probe)?,
            // A damaged file would answer nothing else.
            Err(error) if !matches!(error.kind(), ErrorKind::BadInput | ErrorKind::NotStored) => {
                return Err(error.into());
            }
            Err(error) => {
                ending = Ending::Mismatch;
                json!({ "position": position, "error": error.to_string() }).to_string()
            }
        };
        settings.output.print(answer + "\n")?;
    }
    Ok(ending)
}

fn render(probe: &query::Probe, board: &str, traps: Option<u16>, paint: Paint) -> String {
    let value = words::value(probe.value, probe.distance, probe.score);
    let mut text = format!(
        "{}  {}: {}\n\n",
        paint.text(Tone::Bold, &probe.game),
        words::to_move(&probe.to_move),
        paint.text(Tone::Of(probe.value), &value)
    );
    text += &indented(board);
    if board != probe.position {
        text += &format!("\n  {}\n", paint.text(Tone::Faint, &probe.position));
    }
    text.push('\n');
    if probe.moves.is_empty() {
        text += "  no moves: the game is over\n";
    } else {
        text += &match traps {
            Some(_) => trap_moves(probe).show(paint),
            None => moves(probe).show(paint),
        };
    }
    if let Some(reads) = traps {
        text += &remark(probe, reads);
    }
    text
}

/// A board under its heading.
pub fn indented(board: &str) -> String {
    board.lines().map(|line| format!("{}\n", format!("  {line}").trim_end())).collect()
}

/// The moves of a position, best first, with what the mover gets by each.
pub fn moves(probe: &query::Probe) -> Table {
    let mut table = Table::new([("move", Lean::Left), ("value", Lean::Left), ("position", Lean::Left)]);
    for choice in &probe.moves {
        let value = words::value(choice.value, choice.distance, choice.score);
        table.row([
            Cell::toned(Tone::Bold, &choice.mv),
            Cell::toned(Tone::Of(choice.value), value),
            choice.position.as_str().into(),
        ]);
    }
    table
}

/// The moves, best first, each that keeps the value with the replies to it.
fn trap_moves(probe: &query::Probe) -> Table {
    let mut table = Table::new([
        ("move", Lean::Left),
        ("value", Lean::Left),
        ("replies", Lean::Right),
        ("safe", Lean::Right),
        ("slips", Lean::Right),
        ("hidden", Lean::Right),
        ("position", Lean::Left),
    ]);
    for choice in &probe.moves {
        let value = words::value(choice.value, choice.distance, choice.score);
        let counts = choice.traps.map(|traps| [traps.replies, traps.safe, traps.slips, traps.hidden]);
        let [replies, safe, slips, hidden] = match counts {
            Some(counts) => counts.map(|count| words::count(count.into())),
            None => [(); 4].map(|()| String::new()),
        };
        table.row([
            Cell::toned(Tone::Bold, &choice.mv),
            Cell::toned(Tone::Of(choice.value), value),
            replies.into(),
            safe.into(),
            slips.into(),
            hidden.into(),
            choice.position.as_str().into(),
        ]);
    }
    table
}

/// What the columns mean, or why they are empty.
fn remark(probe: &query::Probe, reads: u16) -> String {
    if probe.moves.is_empty() {
        return String::new();
    }
    if probe.value == Outcome::Win && probe.score.is_none() {
        return "\n  Nothing to trap: the opponent has lost, and who has lost cannot slip.\n".to_owned();
    }
    format!("\n  A slip gets the opponent less than his due; a search of {reads} plies does not refute hidden ones.\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_depth_is_that_of_the_library() {
        assert_eq!(DEFAULT_READS, query::READS.to_string());
    }
}
