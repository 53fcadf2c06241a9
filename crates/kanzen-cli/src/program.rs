//! A program: the name of its command, and the games it offers.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use kanzen::catalogue::{Catalogue, GameOption};
use kanzen::store::{Disk, Vfs};

use crate::args::{self, Args, Common};
use crate::commands;
use crate::exit::{self, Ending};
use crate::out_of_memory;
use crate::render;
use crate::settings::Settings;

/// A command line for a catalogue of games.
#[derive(Clone)]
pub struct Program {
    /// What one types to run it.
    pub name: &'static str,
    /// What it offers.
    pub games: Arc<dyn Catalogue>,
    /// Where its data folder is.
    pub(crate) vfs: Arc<dyn Vfs>,
    /// Its own commands, besides those that every catalogue has.
    own: Vec<Command>,
}

/// A command: its name, its arguments, and what it does.
#[derive(Clone)]
pub struct Command {
    name: &'static str,
    arguments: fn(clap::Command) -> clap::Command,
    run: Arc<dyn Fn(&ArgMatches, &Settings) -> anyhow::Result<Ending> + Send + Sync>,
}

impl Command {
    /// A command that reads its arguments and runs.
    pub fn new<A: clap::Args + 'static>(
        name: &'static str,
        run: fn(A, &Settings) -> anyhow::Result<Ending>,
    ) -> Command {
        let run =
            Arc::new(move |matches: &ArgMatches, settings: &Settings| run(A::from_arg_matches(matches)?, settings));
        Command { name, arguments: A::augment_args, run }
    }
}

/// The definition of a command line. Only commands that some arguments may name get arguments of their own, or all of them
/// if none is named or one that describes the others.
pub fn definition(commands: &[Command], options: &[&'static GameOption], arguments: &[OsString]) -> clap::Command {
    let is_named = |command: &Command| arguments.iter().any(|word| word == command.name);
    let is_about_all = |command: &Command| ["completions", "man"].contains(&command.name) && is_named(command);
    let all = !commands.iter().any(is_named)
        || commands.iter().any(is_about_all)
        || arguments.iter().any(|word| word == "help");
    let subcommands = commands.iter().map(|command| {
        let bare = clap::Command::new(command.name);
        if all || is_named(command) { (command.arguments)(bare) } else { bare }
    });
    let definition = Args::command().subcommands(subcommands).subcommand_required(true).arg_required_else_help(true);
    args::with_options(definition, options)
}

impl Program {
    /// A program of a name, for these games.
    pub fn new(name: &'static str, games: impl Catalogue + 'static) -> Program {
        Program { name, games: Arc::new(games), vfs: Arc::new(Disk), own: Vec::new() }
    }

    /// The same with a command of its own.
    pub fn with(mut self, command: Command) -> Program {
        self.own.push(command);
        self
    }

    /// The same with its data folder on another file system: solves on it can be made to fail, in tests.
    pub fn on(self, vfs: Arc<dyn Vfs>) -> Program {
        Program { vfs, ..self }
    }

    /// Its commands, in the order of the help.
    pub(crate) fn commands(&self) -> Vec<Command> {
        [commands::all(), self.own.clone(), commands::about_all()].concat()
    }

    /// Does what the arguments of this process ask for.
    pub fn run(self) -> ExitCode {
        out_of_memory::name(self.name);
        self.status_of(std::env::args_os()).into()
    }

    /// Does what some arguments ask for, the name of the program first, and returns the exit status.
    pub fn status_of(self, arguments: impl IntoIterator<Item = OsString>) -> u8 {
        exit::status(&self, self.clone().act(arguments))
    }

    fn act(self, arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Ending> {
        let (arguments, commands) = (arguments.into_iter().collect::<Vec<_>>(), self.commands());
        let definition = definition(&commands, &self.games.options(), &arguments);
        let definition = render::help(definition, &self).long_version(render::long_version());
        let matches = definition.clone().try_get_matches_from(arguments)?;
        let settings = Settings::new(Common::from_arg_matches(&matches)?, self, definition)?;
        let named = matches.subcommand();
        let found = named.and_then(|(name, of)| Some((commands.iter().find(|command| command.name == name)?, of)));
        match found {
            Some((command, matches)) => (command.run)(matches, &settings),
            // clap has refused everything else.
            None => anyhow::bail!("no such command"),
        }
    }
}

/// A catalogue without games.
#[cfg(test)]
pub struct NoGames;

#[cfg(test)]
impl Catalogue for NoGames {
    fn all(&self) -> Vec<Arc<kanzen::catalogue::Entry>> {
        Vec::new()
    }
}
