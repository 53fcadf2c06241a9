//! `kanzen count`: counts the positions of a game by its rules, or what the game counts instead of them.

use kanzen::catalogue::{CountCell, CountTable, PositionCount};

use crate::args::GameArg;
use crate::exit::{Ending, keeps_nothing};
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::signals::{self, Manner};
use crate::words;

const EXAMPLES: &str = "\
The positions of a game are listed by its rules, mirror images once, which takes memory for all of
them: what the budget cannot hold is refused. Of morris, placements are counted instead: they are
unique up to the symmetries of the board and pseudo-reachable: the mills on the board can have been
closed with the men that are missing. Where the printed table has another number, the difference
is listed with its reason. Nothing is solved and nothing is written.

Examples:
  kanzen count tictactoe
  kanzen count tictactoe --json | jq '.total'
  kanzen count morris-9
  kanzen count morris-7 --json | jq '.zdd'
  kanzen count morris-9 --zdd --memory 12GB   the second ZDD too: minutes and gigabytes";

/// Count the positions of a game by its rules, before anything is solved
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Count {
    #[command(flatten)]
    game: GameArg,
}

impl Count {
    /// Counts and prints the tables.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        signals::watch(settings.program.name, Manner::KeepsNothing);
        let count = {
            let progress = Progress::new(&entry.info().id, settings.quiet);
            entry.count_given(self.game.given(), &settings.budget, &progress).map_err(keeps_nothing)?
        };
        if settings.json {
            settings.output.json(&count)?;
        } else {
            settings.output.print(render(&count, settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn render(count: &PositionCount, paint: Paint) -> String {
    let [unit, remark] = count.unit;
    let total = words::counted(count.total, unit);
    let mut text = format!("{}  {total}{remark}\n", paint.text(Tone::Bold, &count.game));
    for table in &count.tables {
        text += if table.apart { "\n" } else { "" };
        text += &shown(table).show(paint);
    }
    text
}

fn shown(table: &CountTable) -> Table {
    let lean = |right: bool| if right { Lean::Right } else { Lean::Left };
    let columns: Vec<(&str, Lean)> = table.columns.iter().map(|(name, right)| (*name, lean(*right))).collect();
    let mut shown = Table::of(&columns);
    for row in &table.rows {
        let cell = |cell: &CountCell| -> Cell {
            match cell {
                CountCell::Text(text) => text.as_str().into(),
                CountCell::Class(label) => words::class(label).into(),
                CountCell::Count(number) => words::count(*number).into(),
            }
        };
        shown.push(row.iter().map(cell).collect());
    }
    shown
}
