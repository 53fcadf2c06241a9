//! `kanzen card`: prints the metadata of a database for a data archive.

mod dataset;
mod markdown;
mod run_record;

use std::path::PathBuf;

use kanzen::catalogue;

pub use markdown::markdown;

use crate::args::GameArg;
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::settings::Settings;
use run_record::RunRecord;

const EXAMPLES: &str = "\
In Markdown, or with --json as a Dataset of schema.org, for the page of a data archive. Unknown
fields are left out: a database does not contain its author, date and licence. --run takes the
record of the solve, from `cargo xtask record` or `kanzen solve --json`, if its counts are those of
the database.

Examples:
  kanzen card nocca-3x4
  kanzen card nocca-3x4 --json > dataset.json
  kanzen card nocca-3x4 --author \"Ada Lovelace\" --licence CC0-1.0 --run results/nocca-3x4.json";

/// Print a data card of a database: rules, counts, files with their SHA-256, citation
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Card {
    #[command(flatten)]
    game: GameArg,

    /// Who publishes it; may be given several times
    #[arg(long = "author", value_name = "NAME")]
    authors: Vec<String>,

    /// The licence it is published under, such as CC0-1.0
    #[arg(long, value_name = "LICENCE", alias = "license")]
    licence: Option<String>,

    /// The record of the solve that made it
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
}

/// What a database does not contain: its authors, its licence and the record of its solve.
#[derive(Default)]
pub struct Publication {
    authors: Vec<String>,
    licence: Option<String>,
    run: Option<RunRecord>,
}

impl Card {
    /// Prints the card.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        open_entry(&entry, settings)?;
        let card = catalogue::Card::of(&entry, &settings.data)?;
        let run = self.run.as_deref().map(|file| RunRecord::read(file, &card)).transpose()?;
        let publication = Publication { authors: self.authors, licence: self.licence, run };
        if settings.json {
            settings.output.json(&dataset::dataset(&card, &publication))?;
        } else {
            settings.output.print(markdown(&card, &publication, settings.program.name))?;
        }
        Ok(Ending::Done)
    }
}

/// The version of the program that writes the card.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A sentence for a paper: who, what, by which program and rules, and the digest of all of it.
fn citation(card: &catalogue::Card, publication: &Publication) -> String {
    let authors = match publication.authors.len() {
        0 => String::new(),
        _ => format!("{}: ", publication.authors.join(", ")),
    };
    format!(
        "{authors}{} ({}), {}. Database of Kanzen {VERSION}, format {}, rules {}, manifest SHA-256 {}.",
        card.title,
        card.game,
        extent(card),
        card.format,
        card.fingerprint,
        card.sha256()
    )
}

/// How much of the game is known.
fn extent(card: &catalogue::Card) -> &'static str {
    if card.weak.is_some() { "solved from its initial position" } else { "strongly solved" }
}
