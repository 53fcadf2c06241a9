//! `kanzen games`: lists the games of the catalogue.

use kanzen::catalogue::{Listing, State, Summary, listed};
use kanzen_core::human_bytes;

use crate::exit::Ending;
use crate::output::{Cell, Lean, Table, Tone};
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
Examples:
  kanzen games
  kanzen games --json | jq -r '.[] | select(.solved) | .id'";

/// List the games, what is solved, and what the rest would cost
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Games {}

impl Games {
    /// Prints the catalogue.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let games = listed(&*settings.program.games, &settings.data);
        let rows: Vec<Listing> = games.iter().map(|entry| Listing::with_summary(entry, &settings.data)).collect();
        if settings.json {
            settings.output.json(&rows)?;
        } else {
            settings.output.print(table(&rows).show(settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

/// Fits the table into 80 columns for all names of games in this repository.
fn table(rows: &[Listing]) -> Table {
    let mut table = Table::new([
        ("game", Lean::Left),
        ("positions", Lean::Right),
        ("solved", Lean::Left),
        ("memory", Lean::Right),
        ("disk", Lean::Right),
        ("time", Lean::Right),
    ]);
    for row in rows {
        let [memory, disk, time] = costs(row).map(Cell::from);
        table.row([Cell::toned(Tone::Bold, &row.id), positions(row).into(), solved(row), memory, disk, time]);
    }
    table
}

fn positions(row: &Listing) -> String {
    if row.summary.is_some_and(|summary| summary.weak.is_some()) {
        return "the start only".to_owned();
    }
    row.positions.map_or("?".to_owned(), words::count)
}

/// The value of the initial position where it is known, or how far the game is from it.
fn solved(row: &Listing) -> Cell {
    match (row.state, &row.summary) {
        (State::Solved, Some(Summary { initial, .. })) => {
            Cell::toned(Tone::Of(initial.value), words::value(initial.value, initial.distance, initial.score))
        }
        (State::Solved, None) => "yes".into(),
        (State::Unfinished, _) => "unfinished".into(),
        (State::Refused, _) => "refused".into(),
        (State::Unsolved, _) => Cell::toned(Tone::Faint, "no"),
    }
}

/// Memory, disk and time of a solve that is still to be made; the size of a database that is there.
fn costs(row: &Listing) -> [String; 3] {
    let forecast = &row.forecast;
    match &row.summary {
        Some(summary) => ["".to_owned(), human_bytes(summary.data_bytes), String::new()],
        None if !forecast.is_known() => ["?", "?", "?"].map(str::to_owned),
        None => [human_bytes(forecast.memory_bytes), human_bytes(forecast.data_bytes), words::time(forecast.seconds)],
    }
}
