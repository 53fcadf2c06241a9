//! `kanzen line`: prints a line of best play to the end.

use kanzen_query as query;

use crate::args::{GameArg, Limit, Position};
use crate::exit::Ending;
use crate::open_game::open_at;
use crate::output::{Cell, Lean, Paint, Table, Tone};
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
Where neither side can force an end, the line stops when a position repeats.

Examples:
  kanzen line tictactoe
  kanzen line stones-21 10
  kanzen line tictactoe --moves \"a1 b1\"
  kanzen line nocca-3x4 --json | jq -r '.line[].move'";

/// Show a line of best play to the end
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Line {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: Position,
    #[command(flatten)]
    limit: Limit,
}

impl Line {
    /// Prints a line of best play from the position.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let (solved, reached) = open_at(&entry, &self.position, &self.limit, settings)?;
        let line = solved.at(reached.position())?.line()?;
        if settings.json {
            settings.output.json(&line)?;
        } else {
            settings.output.print(render(&line, settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn render(line: &query::Line, paint: Paint) -> String {
    let value = paint.text(Tone::Of(line.value), &words::value(line.value, line.distance, line.score));
    let mut text = format!("{}  {}: {value}\n\n", paint.text(Tone::Bold, &line.game), line.position);
    let mut table = Table::new([
        ("ply", Lean::Right),
        ("move", Lean::Left),
        ("position", Lean::Left),
        ("value for its mover", Lean::Left),
    ]);
    for (ply, step) in line.line.iter().enumerate() {
        table.row([
            words::count(ply as u64 + 1).into(),
            Cell::toned(Tone::Bold, &step.mv),
            step.position.as_str().into(),
            Cell::toned(Tone::Of(step.value), words::value(step.value, step.distance, step.score)),
        ]);
    }
    if !line.line.is_empty() {
        text += &format!("{}\n", table.show(paint));
    }
    text + &format!("  {}\n", words::line_end(&line.end))
}
