//! `count`: how many positions a game has, by its rules.

use kanzen::catalogue::PositionCount;

use crate::exit::{Ending, keeps_nothing};
use crate::naming::Naming;
use crate::paint::{Paint, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::table::{Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
All positions that can arise are listed by the rules, mirror images once; nothing is solved and
nothing is written. It takes memory for all of them: what the budget cannot hold is refused.

Examples:
  kanzen count tictactoe
  kanzen count tictactoe --json | jq '.total'";

/// Count the positions of a game by its rules, before anything is solved
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Count<N: Naming> {
    #[command(flatten)]
    game: N,
}

impl<N: Naming> Count<N> {
    /// Counts and prints the classes.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        count_by_rules(&self.game.id()?, settings)
    }
}

/// Counts the positions of a game by its rules and prints them.
pub fn count_by_rules(game: &str, settings: &Settings) -> anyhow::Result<Ending> {
    let entry = settings.program.games.find(game)?;
    signals::watch(settings.program.name, Manner::KeepsNothing);
    let count = {
        let progress = Progress::new(game, settings.quiet);
        entry.count(&settings.budget, &progress).map_err(keeps_nothing)?
    };
    if settings.json {
        settings.output.json(&count)?;
    } else {
        settings.output.print(render(&count, settings.output.paint))?;
    }
    Ok(Ending::Done)
}

fn render(count: &PositionCount, paint: Paint) -> String {
    let total = words::counted(count.total, "position");
    let mut text = format!("{}  {total}, mirror images once\n", paint.text(Tone::Bold, &count.game));
    if count.classes.len() > 1 {
        let mut table = Table::new([("class", Lean::Left), ("positions", Lean::Right)]);
        for class in &count.classes {
            table.row([words::class(&class.class).into(), words::count(class.positions).into()]);
        }
        text += &format!("\n{}", table.show(paint));
    }
    text
}
