//! `kanzen play`: plays a game against the database, in the terminal or over a pipe.

mod contest;
mod conversation;
mod keyboard;
mod opponent;
mod record;

use kanzen::catalogue::Entry;

use crate::args::{GameArg, Position};
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::settings::Settings;

use contest::{Contest, Player};
use conversation::Conversation;
use opponent::Opponent;

const EXAMPLES: &str = "\
You type a move as it is listed, or one of: hint (the value of each move), undo, side (change
sides), rules, save FILE, load FILE, help, quit. The computer plays a best move, unless --style or
--level is given. Levels:
  1  plays any move
  2  takes a win at once and sees nothing else
  3  sees an end of the game at most 2 plies away
  4  sees an end of the game at most 4 plies away
  5  plays any move in 20% of its turns, else perfectly
  6  plays any move in 10% of its turns, else perfectly
  7  plays any move in 3% of its turns, else perfectly
  8  gives nothing away and plays where you can go wrong

Examples:
  kanzen play tictactoe
  kanzen play nocca-3x4 --side second
  kanzen play nocca-3x4 --side b --hints
  kanzen play tictactoe --moves \"b2 a1\"
  kanzen play tictactoe --level 3
  kanzen play stones-21 10";

/// Play against it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    position: Position,

    /// Your side: first, second, both, or its letter in the notation
    #[arg(long, value_name = "SIDE", default_value = "first")]
    side: String,

    /// Show the value of each move all the time
    #[arg(long)]
    hints: bool,

    #[command(flatten)]
    opponent: Opponent,
}

impl Play {
    /// Plays until the game or the input ends.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        settings.refuse_json(&format!("`{} probe --json` answers programs", settings.program.name))?;
        let reached = self.position.reached(&entry)?;
        let you = match Player::named(&self.side) {
            Some(player) => player,
            None => player_of_letter(&entry, reached.start.as_deref(), &self.side)?,
        };
        let solved = open_entry(&entry, settings)?;
        solved.keep(settings.kept());
        let contest = Contest::new(&entry, &solved, reached, you)?;
        Conversation::new(contest, self.opponent.computer(), self.hints, &settings.output).run()?;
        Ok(Ending::Done)
    }
}

/// The player who has a side of the notation.
fn player_of_letter(entry: &Entry, start: Option<&str>, letter: &str) -> anyhow::Result<Player> {
    let start = entry.moves(start)?;
    let first = start.to_move;
    let second = match start.moves.first() {
        Some(choice) => Some(entry.moves(Some(&choice.position))?.to_move),
        None => None,
    };
    if first.eq_ignore_ascii_case(letter) && second.as_ref() != Some(&first) {
        return Ok(Player::First);
    }
    match second {
        Some(second) if second != first && second.eq_ignore_ascii_case(letter) => Ok(Player::Second),
        Some(second) if second != first => {
            anyhow::bail!("no side {letter:?} in {}: use {first}, {second}, first, second or both", start.game)
        }
        _ => anyhow::bail!("no side {letter:?} in {}: use first, second or both", start.game),
    }
}
