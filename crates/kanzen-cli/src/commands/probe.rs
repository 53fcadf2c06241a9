//! `kanzen probe`: the value of a position and of each of its moves.

use kanzen::query;

use crate::args::Position;
use crate::exit::Ending;
use crate::naming::Naming;
use crate::open_game::open_at;
use crate::paint::{Paint, Tone};
use crate::settings::Settings;
use crate::table::{Cell, Lean, Table};
use crate::words;

const EXAMPLES: &str = "\
A position is text in the game's notation; quotes are not needed. Each move's value is the mover's.

Examples:
  kanzen probe tictactoe
  kanzen probe tictactoe X../.O./... X
  kanzen probe tictactoe --moves \"b2 a1\"
  kanzen probe stones-21 6
  kanzen probe nocca-3x4 --json | jq '.moves[0].move'";

/// Tell the value of a position and of each legal move, best first
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Probe<N: Naming> {
    #[command(flatten)]
    game: N,
    #[command(flatten)]
    position: Position,
}

impl<N: Naming> Probe<N> {
    /// Prints the value of the position and of each of its moves.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let game = self.game.id()?;
        let (solved, reached) = open_at(&game, &self.position, settings)?;
        let position = solved.at(reached.position())?;
        let probe = position.probe()?;
        if settings.json {
            settings.output.json(&probe)?;
        } else {
            settings.output.print(render(&probe, &position.draw(reached.ply()), settings.output.paint))?;
        }
        Ok(Ending::Done)
    }
}

fn render(probe: &query::Probe, board: &str, paint: Paint) -> String {
    let value = words::value(probe.value, probe.distance, probe.score);
    let mut text = format!(
        "{}  {}: {}\n\n",
        paint.text(Tone::Bold, &probe.game),
        words::to_move(&probe.to_move),
        paint.text(Tone::Of(probe.value), &value)
    );
    text += &indented(board);
    if board != probe.position {
        text += &format!("\n  {}\n", paint.text(Tone::Faint, &probe.position));
    }
    text.push('\n');
    if probe.moves.is_empty() {
        text += "  no moves: the game is over\n";
    } else {
        text += &moves(probe).show(paint);
    }
    text
}

/// A board under its heading.
pub fn indented(board: &str) -> String {
    board.lines().map(|line| format!("{}\n", format!("  {line}").trim_end())).collect()
}

/// The moves of a position, best first, with what the mover gets by each.
pub fn moves(probe: &query::Probe) -> Table {
    let mut table = Table::new([("move", Lean::Left), ("value", Lean::Left), ("position", Lean::Left)]);
    for choice in &probe.moves {
        let value = words::value(choice.value, choice.distance, choice.score);
        table.row([
            Cell::toned(Tone::Bold, &choice.mv),
            Cell::toned(Tone::Of(choice.value), value),
            choice.position.as_str().into(),
        ]);
    }
    table
}
