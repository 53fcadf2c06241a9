//! `kanzen games`: the catalogue.

use std::path::Path;

use kanzen::catalogue::{Entry, Forecast};
use kanzen::machine::human_bytes;
use kanzen_games::catalogue;
use serde::Serialize;

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

#[derive(Serialize)]
struct Row {
    id: String,
    title: String,
    rules: String,
    positions: Option<u64>,
    solved: bool,
    forecast: Forecast,
}

impl Games {
    /// Lists them.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let rows: Vec<Row> = listed(&settings.data).iter().map(|entry| row(&**entry, &settings.data)).collect();
        if settings.json {
            settings.output.json(&rows)?;
        } else {
            settings.output.print(table(&rows).show(settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

/// The games of the catalogue, and those members of its endless families that are solved already.
fn listed(data: &Path) -> Vec<Box<dyn Entry>> {
    let mut games = catalogue::all();
    let mut names: Vec<String> = match std::fs::read_dir(data) {
        Ok(folders) => folders.flatten().filter_map(|folder| folder.file_name().into_string().ok()).collect(),
        Err(_) => Vec::new(), // no data folder yet: nothing is solved
    };
    names.sort();
    names.retain(|name| games.iter().all(|game| game.card().id != *name));
    games.extend(names.iter().filter_map(|name| catalogue::find(name).ok()).filter(|game| game.is_solved(data)));
    games
}

fn row(entry: &dyn Entry, data: &Path) -> Row {
    let card = entry.card();
    Row {
        id: card.id.clone(),
        title: card.title.clone(),
        rules: card.rules.clone(),
        positions: card.positions,
        solved: entry.is_solved(data),
        forecast: card.forecast,
    }
}

fn table(rows: &[Row]) -> Table {
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
