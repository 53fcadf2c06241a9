//! `kanzen reach`: positions by fewest plies from the initial one.

use kanzen_cli::commands::reach::{depth, reach_by_rules};
use kanzen_cli::exit::keeps_nothing;
use kanzen_cli::paint::Tone;
use kanzen_cli::signals::{self, Manner};
use kanzen_cli::table::{Lean, Table};
use kanzen_cli::{Ending, Naming, Progress, Settings, words};
use kanzen_games::{catalogue, ostle};
use serde::Serialize;

use crate::ko::NameWithKo;

const EXAMPLES: &str = "\
Mirror images are one position. Of Ostle, a position is a board with the move that is forbidden on
it, if one is; the published table is that of the symmetric ko rule with the ban ignored. A few
plies take little memory, the whole game 5.5 GB. Any other game is listed by its rules, as far as
the memory holds. Nothing is written to the data folder.

Examples:
  kanzen reach tictactoe
  kanzen reach ostle --depth 8
  kanzen reach ostle --ko symmetric --ban ignored
  kanzen reach ostle --ban both
  kanzen reach ostle-8 --json";

/// Count positions by fewest plies from the initial one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Reach {
    #[command(flatten)]
    game: NameWithKo,

    /// How many plies to go [default: to the last new position]
    #[arg(long, value_name = "N", value_parser = depth, allow_negative_numbers = true)]
    depth: Option<u32>,

    /// Whether a forbidden move of Ostle is left out, or played all the same; one search counts both [default:
    /// honoured]
    #[arg(long, value_name = "HOW")]
    ban: Option<Ban>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Ban {
    Honoured,
    Ignored,
    Both,
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
    /// Beside them, if both are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    ban_ignored: Option<u64>,
}

impl Reach {
    /// Counts the positions, layer by layer, and prints them.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let id = self.game.id()?;
        catalogue::find(&id)?;
        let Ok(game) = catalogue::ostle_named(&id) else {
            anyhow::ensure!(self.ban.is_none(), "--ban is for ostle: {id} forbids no move");
            return reach_by_rules(&id, self.depth, settings);
        };
        signals::watch(settings.program.name, Manner::KeepsNothing);
        let reached = {
            let progress = Progress::new(&id, settings.quiet);
            ostle::reach(&game, self.depth, &settings.budget, &progress).map_err(keeps_nothing)?
        };
        let layers = layers(self.ban.unwrap_or(Ban::Honoured), &reached);
        let answer = Answer { game: id, layers };
        if settings.json {
            settings.output.json(&answer)?;
            return Ok(Ending::Done);
        }
        let total = answer.layers.iter().map(|layer| layer.positions).sum();
        let paint = settings.output.paint;
        let game = paint.text(Tone::Bold, &answer.game);
        settings.output.print(format!(
            "{game}  {}\n\n{}",
            words::counted(total, "position"),
            table(&answer.layers).show(paint)
        ))?;
        Ok(Ending::Done)
    }
}

fn layers(ban: Ban, reached: &ostle::Reached) -> Vec<Layer> {
    let (honoured, ignored) = (&reached.honoured, &reached.ignored);
    let (counts, beside) = match ban {
        Ban::Honoured => (honoured, None),
        Ban::Ignored => (ignored, None),
        Ban::Both => (honoured, Some(ignored)),
    };
    let last = counts.len().max(beside.map_or(0, Vec::len));
    let at = |counts: &Vec<u64>, plies: usize| counts.get(plies).copied().unwrap_or(0);
    (0..last)
        .map(|plies| Layer {
            plies: plies as u32,
            positions: at(counts, plies),
            ban_ignored: beside.map(|beside| at(beside, plies)),
        })
        .collect()
}

fn table(layers: &[Layer]) -> Table {
    let (plies, positions) = (("plies", Lean::Right), ("positions", Lean::Right));
    let mut one = Table::new([plies, positions]);
    let mut both = Table::new([plies, positions, ("ban ignored", Lean::Right)]);
    for layer in layers {
        let cells = [layer.plies.to_string().into(), words::count(layer.positions).into()];
        match layer.ban_ignored {
            None => one.row(cells),
            Some(ignored) => {
                let [plies, positions] = cells;
                both.row([plies, positions, words::count(ignored).into()]);
            }
        }
    }
    if layers.iter().any(|layer| layer.ban_ignored.is_some()) { both } else { one }
}
