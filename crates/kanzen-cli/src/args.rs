//! The command line as a whole: the options every command takes, and the list of commands.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{completions, count, games, line, man, play, probe, reach, serve, solve, stats, verify};
use crate::exit::Ending;
use crate::settings::Settings;
use crate::size::Size;

const EXAMPLES: &str = "\
Examples:
  kanzen games                          what there is, and what it costs to solve
  kanzen solve nocca-3x4                solve a game; stopped with Ctrl-C, the same command goes on
  kanzen probe nocca-3x4                who wins, in how many plies, by which moves
  kanzen probe tictactoe X../.O./... X  the same for any position
  kanzen line tictactoe                 best play to the end
  kanzen play stones-21                 play against it
  kanzen serve --open                   the same and more, in the browser

Exit status:
  0    done
  1    a negative answer: a mismatch found, a game not solved in the data folder
  2    bad usage, bad input, an untrusted file, a full disk; one line says what and where
  130  a solve stopped by Ctrl-C or SIGTERM: the same command goes on where it stopped";

/// Solve board games completely, and ask about any position
///
/// Kanzen solves two-player board games of perfect information: for every position it knows who wins, in how many
/// plies, and by which moves. A distance counts plies to the end of the game when the winner hurries and the loser
/// delays. Values are always those of the side to move.
#[derive(Parser)]
#[command(name = "kanzen", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// The options of every command.
#[derive(clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// The folder of the databases [default: $KANZEN_DATA, else the user's data folder]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Worker threads [default: all]
    #[arg(long, value_name = "N", global = true, value_parser = threads)]
    pub threads: Option<usize>,

    /// Memory a solve may use, such as 12GB, 12GiB or 800M [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", global = true)]
    pub memory: Option<Size>,

    /// Answer in JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// No progress on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,

    /// Seconds between checkpoints of a solve: for tests
    #[arg(
        long,
        value_name = "N",
        global = true,
        hide = true,
        default_value_t = 300,
        env = "KANZEN_CHECKPOINT_SECONDS"
    )]
    pub checkpoint_seconds: u64,
}

const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a number from 1 to {MOST_THREADS}"))
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    Games(games::Games),
    Solve(solve::Solve),
    Probe(probe::Probe),
    Line(line::Line),
    Stats(stats::Stats),
    Verify(verify::Verify),
    Play(play::Play),
    Serve(serve::Serve),
    Count(count::Count),
    Reach(reach::Reach),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    /// Does it.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        match self {
            Command::Games(games) => games.run(settings),
            Command::Solve(solve) => solve.run(settings),
            Command::Probe(probe) => probe.run(settings),
            Command::Line(line) => line.run(settings),
            Command::Stats(stats) => stats.run(settings),
            Command::Verify(verify) => verify.run(settings),
            Command::Play(play) => play.run(settings),
            Command::Serve(serve) => serve.run(settings),
            Command::Count(count) => count.run(settings),
            Command::Reach(reach) => reach.run(settings),
            Command::Completions(completions) => completions.run(settings),
            Command::Man(man) => man.run(settings),
        }
    }
}

/// A game on the command line.
#[derive(clap::Args)]
pub struct GameName {
    /// The game, as `kanzen games` names it
    #[arg(value_name = "GAME")]
    name: String,

    /// What may not come back in Ostle: the very board of two plies before, as the rules are printed, or a mirrored or
    /// rotated copy of it either, as in the published tables [default: literal]
    #[arg(long, value_name = "RULE")]
    ko: Option<Ko>,
}

/// The two readings of Ostle's ko rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Ko {
    Literal,
    Symmetric,
}

impl GameName {
    /// The name in the catalogue: the symmetric rule makes another game of Ostle.
    pub fn id(&self) -> anyhow::Result<String> {
        let is_ostle = self.name == "ostle" || self.name.starts_with("ostle-");
        anyhow::ensure!(is_ostle || self.ko.is_none(), "--ko is a rule of ostle: {} has none", self.name);
        let symmetric = self.name.ends_with("-symmetric");
        Ok(match self.ko {
            Some(Ko::Symmetric) if !symmetric => format!("{}-symmetric", self.name),
            Some(Ko::Literal) if symmetric => anyhow::bail!("{} has the symmetric ko rule by its name", self.name),
            _ => self.name.clone(),
        })
    }
}

/// A position on the command line: one quoted text, or its words as they are.
#[derive(clap::Args)]
pub struct Position {
    /// The position in the game's notation; without one, the initial position
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
}

impl Position {
    /// The text, if there is one.
    pub fn text(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_hold_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn threads_are_at_least_one() {
        assert_eq!(threads("2"), Ok(2));
        for wrong in ["0", "-1", "1025", "two", ""] {
            assert_eq!(threads(wrong), Err("expected a number from 1 to 1024".to_owned()));
        }
    }

    #[test]
    fn the_ko_rule_is_part_of_the_name() {
        let id = |name: &str, ko| GameName { name: name.to_owned(), ko }.id().map_err(|refusal| refusal.to_string());
        assert_eq!(id("ostle-8", None).as_deref(), Ok("ostle-8"));
        assert_eq!(id("ostle-8", Some(Ko::Literal)).as_deref(), Ok("ostle-8"));
        assert_eq!(id("ostle", Some(Ko::Symmetric)).as_deref(), Ok("ostle-symmetric"));
        assert_eq!(id("ostle-symmetric", Some(Ko::Symmetric)).as_deref(), Ok("ostle-symmetric"));
        assert_eq!(
            id("ostle-symmetric", Some(Ko::Literal)).unwrap_err(),
            "ostle-symmetric has the symmetric ko rule by its name"
        );
        assert_eq!(id("tictactoe", Some(Ko::Literal)).unwrap_err(), "--ko is a rule of ostle: tictactoe has none");
    }

    #[test]
    fn a_position_needs_no_quotes() {
        let position =
            |words: &[&str]| Position { words: words.iter().map(|word| (*word).to_owned()).collect() }.text();
        assert_eq!(position(&[]), None);
        assert_eq!(position(&["X../.../...", "O"]).as_deref(), Some("X../.../... O"));
    }
}
