//! Runs the dialogue of a game: prints positions and executes what the player types.

use std::path::Path;

use kanzen::Outcome;

use super::contest::{Contest, Player};
use super::keyboard;
use super::opponent::Computer;
use super::record::Record;
use crate::commands::probe::{indented, moves};
use crate::output::{Output, Tone};
use crate::words;

const HELP: &str = "\x20 a move     play it, as it is listed
  hint       the value of each move
  undo       take back your last move
  side       change sides with the computer
  rules      how the game is played and written
  save FILE  write the moves so far to a file
  load FILE  go on with a game from a file
  quit       end
";

/// Width of a text.
const WIDTH: usize = 78;

/// The game between the player and the computer.
pub struct Conversation<'a> {
    contest: Contest<'a>,
    computer: Computer,
    hints: bool,
    output: &'a Output,
}

/// What the player wants.
enum Turn {
    Played,
    Changed,
    Left,
}

impl<'a> Conversation<'a> {
    /// A conversation about a game.
    pub fn new(contest: Contest<'a>, computer: Computer, hints: bool, output: &'a Output) -> Conversation<'a> {
        Conversation { contest, computer, hints, output }
    }

    /// Plays to the end, or until the player leaves.
    pub fn run(mut self) -> anyhow::Result<()> {
        let game = self.output.paint.text(Tone::Bold, &self.contest.now().game);
        self.print(&format!("{game}  {}; `help` lists the commands\n", self.sides()))?;
        if let Some(introduction) = self.computer.introduction() {
            self.print(&introduction)?;
        }
        self.show_board()?;
        while !self.contest.over() {
            if self.contest.your_turn() {
                match self.your_turn()? {
                    Turn::Left => return self.print("Bye.\n"),
                    Turn::Changed if self.contest.your_turn() => self.show_board()?,
                    Turn::Changed => {}
                    Turn::Played => self.show_board()?,
                }
            } else {
                self.computers_turn()?;
                self.show_board()?;
            }
        }
        self.print(&self.result())
    }

    fn print(&self, text: &str) -> anyhow::Result<()> {
        self.output.print(text)
    }

    fn sides(&self) -> &'static str {
        match self.contest.you() {
            Player::First => "you move first",
            Player::Second => "you move second",
            Player::Both => "you play both sides",
        }
    }

    fn show_board(&self) -> anyhow::Result<()> {
        self.print(&format!("\n{}\n", indented(self.contest.board())))?;
        if self.contest.repeated() && !self.contest.over() {
            self.print("This position has been there before.\n")?;
        }
        Ok(())
    }

    fn computers_turn(&mut self) -> anyhow::Result<()> {
        let Some(best) = self.contest.reply(&self.computer)? else { return Ok(()) };
        self.print(&format!("The computer plays {}.\n", self.output.paint.text(Tone::Bold, &best.mv)))?;
        Ok(self.contest.advance(&best)?)
    }

    /// Asks until something has changed.
    fn your_turn(&mut self) -> anyhow::Result<Turn> {
        if self.hints {
            self.hint()?;
        } else {
            self.list_moves()?;
        }
        loop {
            self.print("> ")?;
            let Some(typed) = keyboard::line()? else {
                self.print("\n")?;
                return Ok(Turn::Left);
            };
            if !keyboard::is_seen() {
                self.print(&format!("{}\n", words::one_line(&typed)))?;
            }
            if let Some(choice) = self.contest.choice(&typed).cloned() {
                self.contest.advance(&choice)?;
                return Ok(Turn::Played);
            }
            match typed.to_ascii_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Turn::Left),
                "help" | "?" => self.print(HELP)?,
                "hint" => self.hint()?,
                "rules" => self.print(&self.rules())?,
                "undo" | "back" => match self.contest.undo()? {
                    true => return Ok(Turn::Changed),
                    false => self.print("There is no move of yours to take back.\n")?,
                },
                "side" => {
                    self.contest.change_sides();
                    self.print(&format!("Now {}.\n", self.sides()))?;
                    return Ok(Turn::Changed);
                }
                _ => {
                    if self.files(&typed)? {
                        return Ok(Turn::Changed);
                    }
                }
            }
        }
    }

    /// Saves or loads, if that is what was typed; whether the game has changed by it.
    fn files(&mut self, typed: &str) -> anyhow::Result<bool> {
        let (word, name) =
            typed.split_once(char::is_whitespace).map_or((typed, ""), |(word, name)| (word, name.trim()));
        let path = Path::new(name);
        let done = match word.to_ascii_lowercase().as_str() {
            "save" | "load" if name.is_empty() => Err(anyhow::anyhow!("`{word}` needs the name of a file")),
            "save" => self.contest.record().save(path).map(|()| format!("{} are in {name}.", self.moves_so_far())),
            "load" => Record::load(path)
                .and_then(|record| self.contest.resume(record))
                .map(|()| format!("Now {} of {name}; {}.", self.moves_so_far(), self.sides())),
            _ => Err(anyhow::anyhow!("`{typed}` is no move here; `hint` lists the moves, `help` the rest")),
        };
        // A typing error or a missing file is reported, and the game goes on.
        let changed = done.is_ok() && word.eq_ignore_ascii_case("load");
        let message = done.unwrap_or_else(|refused| {
            format!("{}.", refused.chain().map(ToString::to_string).collect::<Vec<_>>().join(": "))
        });
        self.print(&format!("{}\n", words::one_line(&message)))?;
        Ok(changed)
    }

    fn moves_so_far(&self) -> String {
        words::counted(self.contest.plies() as u64, "move")
    }

    fn rules(&self) -> String {
        let [rules, notation] =
            [self.contest.rules(), &self.contest.notation()].map(|text| words::wrapped(text, WIDTH));
        match notation.is_empty() {
            true => format!("{}\n", indented(&rules)),
            false => format!("{}\n{}\n", indented(&rules), indented(&notation)),
        }
    }

    fn hint(&self) -> anyhow::Result<()> {
        let now = self.contest.now();
        let value = words::value(now.value, now.distance, now.score);
        let value = self.output.paint.text(Tone::Of(now.value), &value);
        self.print(&format!("{}: {value}\n{}", words::to_move(&now.to_move), moves(now).show(self.output.paint)))
    }

    /// The moves without their values: in the order of their names, so that the best does not stand first.
    fn list_moves(&self) -> anyhow::Result<()> {
        let now = self.contest.now();
        let mut names: Vec<&str> = now.moves.iter().map(|choice| choice.mv.as_str()).collect();
        names.sort_unstable();
        self.print(&format!("{}: {}\n", words::to_move(&now.to_move), names.join(" ")))
    }

    fn result(&self) -> String {
        let now = self.contest.now();
        let plies = words::counted(self.contest.plies() as u64, "ply").replace("plys", "plies");
        let mover_wins = match now.value {
            Outcome::Draw => return format!("A draw after {plies}.\n"),
            outcome => outcome == Outcome::Win,
        };
        let winner = match (self.contest.you(), mover_wins, self.contest.your_turn() == mover_wins) {
            (Player::Both, true, _) => "The side to move wins",
            (Player::Both, false, _) => "The side that moved last wins",
            (_, _, true) => "You win",
            (_, _, false) => "The computer wins",
        };
        let margin = now.score.map_or(String::new(), |score| format!(" by {}", score.unsigned_abs()));
        format!("{winner}{margin} after {plies}.\n")
    }
}
