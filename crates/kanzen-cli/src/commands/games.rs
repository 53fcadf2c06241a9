//! `kanzen games`: the catalogue.

use kanzen::catalogue::{Listing, listed};
use kanzen::human_bytes;

use crate::exit::Ending;
use crate::paint::Tone;
use crate::settings::Settings;
use crate::table::{Cell, Lean, Table};
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
        let rows: Vec<Listing> = games.iter().map(|entry| Listing::of(&**entry, &settings.data)).collect();
        if settings.json {
            settings.output.json(&rows)?;
        } else {
            settings.output.print(table(&rows).show(settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn table(rows: &[Listing]) -> Table {
    let mut table = Table::new([
        ("game", Lean::Left),
        ("title", Lean::Left),
        ("positions", Lean::Right),
        ("solved", Lean::Left),
        ("memory", Lean::Right),
        ("disk", Lean::Right),
        ("time", Lean::Right),
    ]);
    for row in rows {
        let cost = |text: String| Cell::toned(if row.solved { Tone::Faint } else { Tone::Plain }, text);
        table.row([
            Cell::toned(Tone::Bold, &row.id),
            row.title.as_str().into(),
            row.positions.map_or("?".to_owned(), words::count).into(),
            if row.solved { "yes" } else { "no" }.into(),
            cost(human_bytes(row.forecast.memory_bytes)),
            cost(human_bytes(row.forecast.data_bytes)),
            cost(words::time(row.forecast.seconds)),
        ]);
    }
    table
}
