//! The command line of a catalogue of games: turns arguments into queries of the library, and answers into text or
//! JSON.
//!
//! A program is a name and its games; everything else is here:
//!
//! ```no_run
//! # struct Games;
//! # impl kanzen::catalogue::Catalogue for Games {
//! #     fn all(&self) -> Vec<std::sync::Arc<kanzen::catalogue::Entry>> { Vec::new() }
//! # }
//! fn main() -> std::process::ExitCode {
//!     kanzen_cli::Program::new("my-games", Games).run()
//! }
//! ```
//!
//! `kanzen` itself is such a program (`src/bin/kanzen`), with commands of its own besides: those are made of the same
//! parts ([`Settings`], [`Progress`], [`output`], [`words`]) and joined by [`Program::with`].

mod archive;
mod args;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "dataframes")]
mod columnar;
pub mod commands;
pub mod exit;
mod files;
mod nearest;
mod open_game;
mod out_of_memory;
pub mod output;
mod program;
pub mod progress;
mod rows;
mod settings;
pub mod signals;
mod size;
#[cfg(feature = "cluster")]
mod throughput;
pub mod words;

pub use exit::Ending;
pub use open_game::open_entry;
pub use program::{Command, Program};
pub use progress::Progress;
pub use settings::Settings;
pub use size::Size;
