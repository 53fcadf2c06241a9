//! A program: what one types to run it, and the games it offers.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use kanzen::catalogue::Catalogue;

use crate::args::{self, Args, Common};
use crate::exit::{self, Ending};
use crate::out_of_memory;
use crate::render;
use crate::settings::Settings;
use crate::version;

/// A command line for a catalogue of games.
#[derive(Clone)]
pub struct Program {
    /// What one types to run it.
    pub name: &'static str,
    /// What it offers.
    pub games: Arc<dyn Catalogue>,
    /// Its own commands, besides those that every catalogue has.
    own: Vec<OwnCommand>,
}

/// A command that one program has.
#[derive(Clone)]
struct OwnCommand {
    definition: clap::Command,
    run: Arc<dyn Fn(&ArgMatches, &Settings) -> anyhow::Result<Ending> + Send + Sync>,
}

impl Program {
    /// A program of a name, for these games.
    pub fn new(name: &'static str, games: impl Catalogue + 'static) -> Program {
        Program { name, games: Arc::new(games), own: Vec::new() }
    }

    /// The same with a command of its own.
    pub fn with<A: clap::Args + 'static>(
        mut self,
        name: &'static str,
        run: fn(A, &Settings) -> anyhow::Result<Ending>,
    ) -> Program {
        let run =
            Arc::new(move |matches: &ArgMatches, settings: &Settings| run(A::from_arg_matches(matches)?, settings));
        self.own.push(OwnCommand { definition: A::augment_args(clap::Command::new(name)), run });
        self
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
        let definition = Args::command().subcommands(self.own.iter().map(|own| own.definition.clone()));
        let definition = args::with_options(definition, &self.games.options());
        let mut definition = render::help(definition, &self).long_version(version::long());
        let matches = definition.clone().try_get_matches_from(arguments)?;
        if let Some((name, own_matches)) = matches.subcommand()
            && let Some(own) = self.own.iter().find(|own| own.definition.get_name() == name).cloned()
        {
            return (own.run)(own_matches, &Settings::new(Common::from_arg_matches(&matches)?, self, definition)?);
        }
        let args = Args::from_arg_matches(&matches).map_err(|wrong| wrong.format(&mut definition))?;
        args.command.run(&Settings::new(args.common, self, definition)?)
    }
}
