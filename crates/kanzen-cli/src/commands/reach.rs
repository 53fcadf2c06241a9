//! `reach`: positions by fewest plies from the initial one, by the rules.

use crate::exit::{Ending, keeps_nothing};
use crate::naming::Naming;
use crate::paint::Tone;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::table::{Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
Positions are counted by the fewest plies that lead to them, mirror images once. Nothing is solved
and nothing is written; what the memory cannot hold is refused.

Examples:
  kanzen reach tictactoe
  kanzen reach tictactoe --depth 3 --json";

/// Count the positions of a game by fewest plies from the initial one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Reach<N: Naming> {
    #[command(flatten)]
    game: N,

    /// How many plies to go [default: to the last new position]
    #[arg(long, value_name = "N", value_parser = depth, allow_negative_numbers = true)]
    depth: Option<u32>,
}

/// A number of plies on the command line.
pub fn depth(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "expected a number of plies, 0 or more")
}

impl<N: Naming> Reach<N> {
    /// Counts the positions, layer by layer, and prints them.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        reach_by_rules(&self.game.id()?, self.depth, settings)
    }
}

/// Counts the positions of a game by fewest plies, by its rules, and prints the layers.
pub fn reach_by_rules(game: &str, depth: Option<u32>, settings: &Settings) -> anyhow::Result<Ending> {
    let entry = settings.program.games.find(game)?;
    signals::watch(settings.program.name, Manner::KeepsNothing);
    let reach = {
        let progress = Progress::new(game, settings.quiet);
        entry.reach(depth, &settings.budget, &progress).map_err(keeps_nothing)?
    };
    if settings.json {
        settings.output.json(&reach)?;
        return Ok(Ending::Done);
    }
    let total = reach.layers.iter().map(|layer| layer.positions).sum();
    let paint = settings.output.paint;
    let mut table = Table::new([("plies", Lean::Right), ("positions", Lean::Right)]);
    for layer in &reach.layers {
        table.row([layer.plies.to_string().into(), words::count(layer.positions).into()]);
    }
    let heading = paint.text(Tone::Bold, &reach.game);
    let text = format!("{heading}  {}\n\n{}", words::counted(total, "position"), table.show(paint));
    settings.output.print(text)?;
    Ok(Ending::Done)
}
