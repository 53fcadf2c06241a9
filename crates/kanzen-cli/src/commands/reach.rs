//! `kanzen reach`: positions by fewest plies from the initial one.

use kanzen::catalogue::CatalogueError;
use kanzen_games::{catalogue, ostle};
use serde::Serialize;

use crate::args::GameName;
use crate::exit::Ending;
use crate::paint::Tone;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals;
use crate::table::{Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
A position is a board with the move that is forbidden on it, if one is; mirror images are one. The
published table is that of the symmetric ko rule with the ban ignored. Nothing is written to the
data folder; the whole game takes 5.5 GB of memory.

Examples:
  kanzen reach ostle --depth 8
  kanzen reach ostle --ko symmetric --ban ignored
  kanzen reach ostle-8 --json";

/// Count the positions of Ostle by fewest plies from the initial one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Reach {
    #[command(flatten)]
    game: GameName,

    /// How many plies to go [default: to the last new position]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Whether a forbidden move is left out, or played all the same
    #[arg(long, value_name = "HOW", default_value = "honoured")]
    ban: Ban,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Ban {
    Honoured,
    Ignored,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    layers: Vec<Layer>,
}

#[derive(Serialize)]
struct Layer {
    plies: u32,
    positions: u64,
}

impl Reach {
    /// Counts.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let id = self.game.id()?;
        let game = catalogue::ostle_named(&id)?;
        let ban = match self.ban {
            Ban::Honoured => ostle::Ban::Honoured,
            Ban::Ignored => ostle::Ban::Ignored,
        };
        signals::watch();
        let layers = {
            let progress = Progress::new(&id, settings.quiet);
            ostle::reach(&game, ban, self.depth, &settings.budget, &progress).map_err(CatalogueError::from)?
        };
        let layers = (0..).zip(layers).map(|(plies, positions)| Layer { plies, positions }).collect();
        let answer = Answer { game: id, layers };
        if settings.json {
            settings.output.json(&answer)?;
            return Ok(Ending::Done);
        }
        let total = answer.layers.iter().map(|layer| layer.positions).sum();
        let mut table = Table::new([("plies", Lean::Right), ("positions", Lean::Right)]);
        for layer in &answer.layers {
            table.row([layer.plies.to_string().into(), words::count(layer.positions).into()]);
        }
        let paint = settings.output.paint;
        let game = paint.text(Tone::Bold, &answer.game);
        settings.output.print(format!("{game}  {}\n\n{}", words::counted(total, "position"), table.show(paint)))?;
        Ok(Ending::Done)
    }
}
