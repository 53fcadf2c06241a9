//! The commands, one a file: its arguments, and what it does with them.

mod card;
mod completions;
pub mod count;
mod data;
mod duel;
mod export;
mod find;
mod games;
mod info;
mod line;
mod man;
mod play;
mod probe;
pub mod puzzles;
pub mod reach;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod stats;
mod trap_columns;
mod verify;

use clap::Subcommand;

use crate::exit::Ending;
use crate::naming::Naming;
use crate::settings::Settings;

/// Commands of a program.
pub trait Act: Subcommand {
    /// Does what is asked.
    fn run(self, settings: &Settings) -> anyhow::Result<Ending>;
}

/// The commands that every catalogue has; `N` names a game.
#[derive(Subcommand)]
#[expect(missing_docs, reason = "what a command does is said where its arguments are, for `--help`")]
pub enum Command<N: Naming> {
    Games(games::Games),
    Info(info::Info<N>),
    Solve(solve::Solve<N>),
    Probe(probe::Probe<N>),
    Line(line::Line<N>),
    Stats(stats::Stats<N>),
    Find(find::Find<N>),
    Puzzles(puzzles::Puzzles<N>),
    Export(export::Export<N>),
    Verify(verify::Verify<N>),
    Play(play::Play<N>),
    Duel(duel::Duel<N>),
    Data(data::Data),
    Card(card::Card<N>),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    // After the commands that a program may add.
    #[command(display_order = 1000)]
    Completions(completions::Completions),
    #[command(display_order = 1001)]
    Man(man::Man),
}

impl<N: Naming> Act for Command<N> {
    fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        match self {
            Command::Games(games) => games.run(settings),
            Command::Info(info) => info.run(settings),
            Command::Solve(solve) => solve.run(settings),
            Command::Probe(probe) => probe.run(settings),
            Command::Line(line) => line.run(settings),
            Command::Stats(stats) => stats.run(settings),
            Command::Find(find) => find.run(settings),
            Command::Puzzles(puzzles) => puzzles.run(settings),
            Command::Export(export) => export.run(settings),
            Command::Verify(verify) => verify.run(settings),
            Command::Play(play) => play.run(settings),
            Command::Duel(duel) => duel.run(settings),
            Command::Data(data) => data.run(settings),
            Command::Card(card) => card.run(settings),
            #[cfg(feature = "serve")]
            Command::Serve(serve) => serve.run(settings),
            Command::Completions(completions) => completions.run(settings),
            Command::Man(man) => man.run(settings),
        }
    }
}

/// The same with what the rules alone tell: how many positions there are. A program that counts otherwise for some of its
/// games, as `kanzen` does, brings its own.
#[derive(Subcommand)]
#[expect(missing_docs, reason = "what a command does is said where its arguments are, for `--help`")]
pub enum WithCounts<N: Naming> {
    #[command(flatten)]
    Shared(Command<N>),
    Count(count::Count<N>),
    Reach(reach::Reach<N>),
}

impl<N: Naming> Act for WithCounts<N> {
    fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        match self {
            WithCounts::Shared(command) => command.run(settings),
            WithCounts::Count(count) => count.run(settings),
            WithCounts::Reach(reach) => reach.run(settings),
        }
    }
}
