//! The commands, one per file: arguments and execution.

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
mod verify;

use crate::program::Command;

/// The commands that every catalogue has.
pub fn all() -> Vec<Command> {
    vec![
        Command::new("games", games::Games::run),
        Command::new("info", info::Info::run),
        Command::new("solve", solve::Solve::run),
        Command::new("probe", probe::Probe::run),
        Command::new("line", line::Line::run),
        Command::new("stats", stats::Stats::run),
        Command::new("find", find::Find::run),
        Command::new("puzzles", puzzles::Puzzles::run),
        Command::new("export", export::Export::run),
        Command::new("verify", verify::Verify::run),
        Command::new("play", play::Play::run),
        Command::new("duel", duel::Duel::run),
        Command::new("data", data::Data::run),
        Command::new("card", card::Card::run),
        #[cfg(feature = "serve")]
        Command::new("serve", serve::Serve::run),
        Command::new("count", count::Count::run),
        Command::new("reach", reach::Reach::run),
    ]
}

/// Those that describe all commands, which stand last.
pub fn about_all() -> Vec<Command> {
    vec![Command::new("completions", completions::Completions::run), Command::new("man", man::Man::run)]
}
