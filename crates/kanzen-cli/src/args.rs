//! Parses the command line: the options every command takes, and a command.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command as Definition, FromArgMatches, Parser};
use kanzen::Error;
use kanzen::catalogue::{Entry, GameOption, Given, Scope};
use kanzen_query::MoveTo;

use crate::settings::Settings;
use crate::size::Size;

const EXAMPLES: &str = "\
Examples:
  kanzen games                          what there is, and what it costs to solve
  kanzen solve nocca-3x4                solve a game; stopped with Ctrl-C, the same command goes on
  kanzen info nocca-3x4                 its rules and its notation
  kanzen probe nocca-3x4                its value, its distance in plies, and the best moves
  kanzen probe tictactoe X../.O./... X  the same for any position
  kanzen line tictactoe                 best play to the end
  kanzen play stones-21                 play against it
  kanzen serve --open                   the same and more, in the browser

Exit status:
  0    done
  1    a negative answer: a mismatch found, a game not solved in the data folder
  2    bad usage, bad input, an untrusted file, a full disk; one line states what and where
  130  stopped by Ctrl-C or SIGTERM; the same command goes on with a solve where it stopped";

/// Solve board games completely, and ask about any position
///
/// Kanzen solves two-player board games of perfect information: it computes for every position whether it is won, lost
/// or drawn, the distance in plies, and the best moves. A distance is the depth to win: the winner plays the shortest
/// win, the loser the longest defence. Values are always those of the side to move.
#[derive(Parser)]
#[command(name = "kanzen", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
}

/// The options of every command.
#[derive(clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// The folder of the databases [default: $KANZEN_DATA, else the user's data folder]
    #[arg(long, value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Worker threads [default: all]
    #[arg(long, value_name = "N", global = true, value_parser = threads, allow_negative_numbers = true)]
    pub threads: Option<usize>,

    /// Memory it may use, such as 12GB, 12GiB or 800M [default: nine tenths of what is free]
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

/// A game on the command line: its name, and the options that games declare.
pub struct GameArg {
    name: String,
    given: Given,
}

/// How the options of games are called among those of a command, before their names.
const OPTION: &str = "game option ";

impl GameArg {
    /// The game that is named, or its variant that the options select.
    pub fn entry(&self, settings: &Settings) -> Result<Arc<Entry>, Error> {
        settings.program.games.variant(&self.name, &self.given)
    }

    /// The options of games that were given.
    pub fn given(&self) -> &Given {
        &self.given
    }
}

impl clap::Args for GameArg {
    fn augment_args(definition: Definition) -> Definition {
        definition.arg(Arg::new("game").value_name("GAME").required(true).help("The game, as `kanzen games` names it"))
    }

    fn augment_args_for_update(definition: Definition) -> Definition {
        GameArg::augment_args(definition)
    }
}

impl FromArgMatches for GameArg {
    fn from_arg_matches(matches: &ArgMatches) -> Result<GameArg, clap::Error> {
        let name = matches.get_one::<String>("game").cloned().unwrap_or_default();
        let option = |id: &clap::Id| {
            let option = id.as_str().strip_prefix(OPTION)?;
            let given = matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
            let value = matches.try_get_one::<String>(id.as_str()).ok().flatten().cloned();
            given.then(|| (option.to_owned(), value.unwrap_or_default()))
        };
        Ok(GameArg { name, given: Given(matches.ids().filter_map(option).collect()) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GameArg::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The definition of a program with the options that its games declare.
pub fn with_options(definition: Definition, options: &[&'static GameOption]) -> Definition {
    definition.mut_subcommands(|command| {
        let names_a_game = command.get_positionals().any(|word| word.get_id() == "game");
        let takes = |option: &&&'static GameOption| match option.scope {
            Scope::Variant => names_a_game,
            Scope::Count => command.get_name() == "count",
            Scope::Reach => command.get_name() == "reach",
        };
        let args: Vec<Arg> = options.iter().filter(takes).map(|option| argument(option)).collect();
        command.args(args)
    })
}

fn argument(option: &'static GameOption) -> Arg {
    // Names of arguments last as long as the program.
    let id: &'static str = format!("{OPTION}{}", option.name).leak();
    // Among the command's own options, whatever heading its last group has left.
    let arg = Arg::new(id).long(option.name).help(option.help).help_heading(None::<&'static str>);
    // A variant belongs to the game, and stands first.
    let arg = if option.scope == Scope::Variant { arg.display_order(0) } else { arg };
    match option.values {
        Some((name, values)) => arg.value_name(name).value_parser(PossibleValuesParser::new(values)),
        None => arg.action(ArgAction::SetTrue),
    }
}

/// A position on the command line: one quoted text, or its words as they are; and moves that are played from it.
#[derive(clap::Args)]
pub struct Position {
    /// The position in the game's notation; without one, the initial position
    #[arg(value_name = "POSITION")]
    words: Vec<String>,

    /// Moves to play from the position first, such as "a1-a2 c3-b3"
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
}

/// How long a search may take.
#[derive(clap::Args)]
pub struct Limit {
    /// Give up after so many seconds, in games whose positions are searched for [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seconds: Option<u64>,
}

impl Limit {
    /// The limit, if one is given.
    pub fn given(&self) -> Option<Duration> {
        self.seconds.map(Duration::from_secs)
    }

    /// The limit that holds.
    pub fn holds(&self) -> Duration {
        self.given().unwrap_or(Duration::from_secs(60))
    }
}

/// Where the moves of a command line lead.
pub struct Reached {
    /// Where they begin; the initial position by default.
    pub start: Option<String>,
    /// Each move, and the position after it.
    pub moves: Vec<MoveTo>,
}

impl Reached {
    /// The position at the end; the initial one by default.
    pub fn position(&self) -> Option<&str> {
        self.moves.last().map(|last| last.position.as_str()).or(self.start.as_deref())
    }

    /// How many moves were played.
    pub fn ply(&self) -> u64 {
        self.moves.len() as u64
    }
}

impl Position {
    /// The text, if there is one.
    pub fn text(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join(" "))
    }

    /// Whether moves are to be played from it.
    pub fn has_moves(&self) -> bool {
        self.moves.is_some()
    }

    /// Reads the position and plays the moves by the rules alone: errors in them are reported whether or not the
    /// game is solved.
    pub fn reached(&self, entry: &Entry) -> Result<Reached, Error> {
        let names = self.moves.as_deref().unwrap_or_default().split([' ', ',']).filter(|name| !name.is_empty());
        played(entry, self.text(), names)
    }
}

/// Plays moves from a position by the rules alone.
pub fn played<'a>(
    entry: &Entry,
    start: Option<String>,
    names: impl Iterator<Item = &'a str>,
) -> Result<Reached, Error> {
    let mut now = entry.moves(start.as_deref())?;
    let mut moves = Vec::new();
    for name in names {
        let found = chosen(&now.moves, name, |choice| &choice.mv).cloned();
        let Some(choice) = found else {
            return Err(Error::NoSuchMove { text: name.to_owned(), position: now.position });
        };
        now = entry.moves(Some(&choice.position))?;
        moves.push(choice);
    }
    Ok(Reached { start, moves })
}

/// The move of a name: as it is listed, or but for capitals if that is clear.
pub fn chosen<'a, M>(moves: &'a [M], name: &str, named: impl Fn(&M) -> &String) -> Option<&'a M> {
    if let Some(exact) = moves.iter().find(|choice| named(choice) == name) {
        return Some(exact);
    }
    let mut alike = moves.iter().filter(|choice| named(choice).eq_ignore_ascii_case(name));
    alike.next().filter(|_| alike.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{NoGames, Program, definition};

    #[test]
    fn the_definitions_hold_together() {
        let commands = Program::new("kanzen", NoGames).commands();
        definition(&commands, &[], &[]).debug_assert();
    }

    #[test]
    fn threads_are_at_least_one() {
        assert_eq!(threads("2"), Ok(2));
        for wrong in ["0", "-1", "1025", "two", ""] {
            assert_eq!(threads(wrong), Err("expected a number from 1 to 1024".to_owned()));
        }
    }

    #[test]
    fn a_position_needs_no_quotes() {
        let position = |words: &[&str]| {
            Position { words: words.iter().map(|word| (*word).to_owned()).collect(), moves: None }.text()
        };
        assert_eq!(position(&[]), None);
        assert_eq!(position(&["X../.../...", "O"]).as_deref(), Some("X../.../... O"));
    }

    #[cfg(feature = "games")]
    mod moves {
        use kanzen_games::catalogue;
        use proptest::prelude::*;

        use super::*;

        const GAMES: [&str; 7] =
            ["tictactoe", "stones-9", "nocca-3x2", "morris-3", "ostle-8", "othello-4x4", "musashi-25"];

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(128))]

            #[test]
            fn moves_that_are_listed_can_be_played_by_their_names(
                game in prop::sample::select(&GAMES[..]), choices in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
                separator in prop::sample::select(&[" ", ",", ", ", "  "][..]),
            ) {
                let entry = catalogue::find(game).unwrap();
                let (mut names, mut now) = (Vec::new(), entry.moves(None).unwrap());
                for choice in choices {
                    if now.moves.is_empty() {
                        break;
                    }
                    let chosen = now.moves[choice.index(now.moves.len())].clone();
                    names.push(chosen.mv);
                    now = entry.moves(Some(&chosen.position)).unwrap();
                }
                let position = Position { words: Vec::new(), moves: Some(names.join(separator)) };
                let reached = position.reached(&entry).unwrap();
                prop_assert_eq!(reached.ply(), names.len() as u64);
                if let Some(position) = reached.position() {
                    prop_assert_eq!(entry.moves(Some(position)).unwrap().position, now.position);
                }
            }

            #[test]
            fn any_other_text_for_moves_is_refused_in_one_line(
                game in prop::sample::select(&GAMES[..]), text in "[a-g1-7 ,x*+-]{0,24}|\\PC{0,12}",
            ) {
                let entry = catalogue::find(game).unwrap();
                let position = Position { words: Vec::new(), moves: Some(text.clone()) };
                match position.reached(&entry) {
                    Ok(reached) => prop_assert!(reached.ply() as usize <= text.len()),
                    Err(error) => {
                        let message = error.to_string();
                        prop_assert!(!message.is_empty() && !message.contains('\n'));
                        prop_assert!(message.len() < 1000 + 16 * text.len());
                    }
                }
            }
        }
    }
}
