//! The command `kanzen`: the games of Kanzen, what only some of them can do, and the way to a new one.

mod count;
mod ko;
mod new;
mod reach;
mod site;

use std::process::ExitCode;

use clap::Subcommand;
use kanzen_cli::{Act, Command, Ending, Program, Settings};
use kanzen_games::catalogue::Games;

/// What to do.
#[derive(Subcommand)]
enum Commands {
    #[command(flatten)]
    Shared(Command<ko::NameWithKo>),
    Count(count::Count),
    Reach(reach::Reach),
    Site(site::Site),
    New(new::New),
}

impl Act for Commands {
    fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        match self {
            Commands::Shared(command) => command.run(settings),
            Commands::Count(count) => count.run(settings),
            Commands::Reach(reach) => reach.run(settings),
            Commands::Site(site) => site.run(settings),
            Commands::New(new) => new.run(settings),
        }
    }
}

fn main() -> ExitCode {
    Program::new("kanzen", Games).run_with::<Commands>()
}
