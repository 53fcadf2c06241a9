//! The commands, one a file: its arguments, and what it does with them.

mod card;
mod completions;
mod count;
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
mod reach;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod stats;
mod trap_columns;
mod verify;

use clap::Subcommand;

use crate::exit::Ending;
use crate::settings::Settings;

/// The commands that every catalogue has.
#[derive(Subcommand)]
#[expect(missing_docs, reason = "what a command does is documented where its arguments are, for `--help`")]
pub enum Command {
    Games(games::Games),
    Info(info::Info),
    Solve(solve::Solve),
    Probe(probe::Probe),
    Line(line::Line),
    Stats(stats::Stats),
    Find(find::Find),
    Puzzles(puzzles::Puzzles),
    Export(export::Export),
    Verify(verify::Verify),
    Play(play::Play),
    Duel(duel::Duel),
    Data(data::Data),
    Card(card::Card),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Count(count::Count),
    Reach(reach::Reach),
    // After the commands that a program may add.
    #[command(display_order = 1000)]
    Completions(completions::Completions),
    #[command(display_order = 1001)]
    Man(man::Man),
}

impl Command {
    /// Does what is asked.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
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
            Command::Count(count) => count.run(settings),
            Command::Reach(reach) => reach.run(settings),
            Command::Completions(completions) => completions.run(settings),
            Command::Man(man) => man.run(settings),
        }
    }
}
