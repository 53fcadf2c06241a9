//! A program: what one types to run it, and the games it offers.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory, FromArgMatches};
use kanzen::catalogue::Catalogue;

use crate::args::Args;
use crate::commands::{Act, WithCounts};
use crate::exit::{self, Ending};
use crate::naming::GameName;
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
}

impl Program {
    /// A program of a name, for these games.
    pub fn new(name: &'static str, games: impl Catalogue + 'static) -> Program {
        Program { name, games: Arc::new(games) }
    }

    /// Does what the arguments of this process ask for, with the commands that every catalogue has.
    pub fn run(self) -> ExitCode {
        self.run_with::<WithCounts<GameName>>()
    }

    /// The same with other commands, or more of them.
    pub fn run_with<C: Act>(self) -> ExitCode {
        out_of_memory::name(self.name);
        self.status_of::<C>(std::env::args_os()).into()
    }

    /// Does what some arguments ask for, the name of the program first, and tells the exit status.
    pub fn status_of<C: Act>(self, arguments: impl IntoIterator<Item = OsString>) -> u8 {
        exit::status(&self, self.clone().act::<C>(arguments))
    }

    fn act<C: Act>(self, arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<Ending> {
        let mut definition = render::help(Args::<C>::command(), &self).long_version(version::long());
        let matches = definition.clone().try_get_matches_from(arguments)?;
        let args = Args::<C>::from_arg_matches(&matches).map_err(|wrong| wrong.format(&mut definition))?;
        let settings = Settings::new(args.common, self, definition)?;
        args.command.run(&settings)
    }
}
