//! `kanzen reach`: counts positions by fewest plies from the initial one.

use crate::args::GameArg;
use crate::exit::{Ending, keeps_nothing};
use crate::output::{Lean, Table, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
Mirror images are one position. Of Ostle, a position is a board with the move that is forbidden on
it, if one is; the published table is that of the symmetric ko rule with the ban ignored. A few
plies take little memory, the whole game 5.5 GB. Any other game is listed by its rules, as far as
the memory holds. Nothing is solved and nothing is written to the data folder.

Examples:
  kanzen reach tictactoe
  kanzen reach tictactoe --depth 3 --json
  kanzen reach ostle --depth 8
  kanzen reach ostle --ko symmetric --ban ignored
  kanzen reach ostle --ban both
  kanzen reach ostle-8 --json";

/// Count positions by fewest plies from the initial one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Reach {
    #[command(flatten)]
    game: GameArg,

    /// How many plies to go [default: to the last new position]
    #[arg(long, value_name = "N", value_parser = depth, allow_negative_numbers = true)]
    depth: Option<u32>,
}

/// A number of plies on the command line.
fn depth(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "expected a number of plies, 0 or more")
}

impl Reach {
    /// Counts the positions, layer by layer, and prints them.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        signals::watch(settings.program.name, Manner::KeepsNothing);
        let reach = {
            let progress = Progress::new(&entry.info().id, settings.quiet);
            entry.reach_given(self.depth, self.game.given(), &settings.budget, &progress).map_err(keeps_nothing)?
        };
        if settings.json {
            settings.output.json(&reach)?;
            return Ok(Ending::Done);
        }
        let total = reach.layers.iter().map(|layer| layer.positions).sum();
        let paint = settings.output.paint;
        // What a game counts besides has the same names in each layer.
        let more = reach.layers.first().map(|layer| layer.more.keys()).into_iter().flatten();
        let more: Vec<String> = more.map(|name| name.replace('_', " ")).collect();
        let mut columns = vec![("plies", Lean::Right), ("positions", Lean::Right)];
        columns.extend(more.iter().map(|name| (name.as_str(), Lean::Right)));
        let mut table = Table::of(&columns);
        for layer in &reach.layers {
            let mut cells = vec![layer.plies.to_string().into(), words::count(layer.positions).into()];
            cells.extend(layer.more.values().map(|count| words::count(count.as_u64().unwrap_or(0)).into()));
            table.push(cells);
        }
        let heading = paint.text(Tone::Bold, &reach.game);
        let text = format!("{heading}  {}\n\n{}", words::counted(total, "position"), table.show(paint));
        settings.output.print(text)?;
        Ok(Ending::Done)
    }
}
