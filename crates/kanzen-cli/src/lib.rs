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
//! parts ([`Settings`], [`Progress`], [`table`], [`words`]) and joined by [`Program::with`].

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
pub mod paint;
mod program;
pub mod progress;
mod render;
mod rows;
mod settings;
pub mod signals;
mod size;
pub mod table;
#[cfg(feature = "cluster")]
mod throughput;
pub mod words;

pub use exit::Ending;
pub use open_game::open_entry;
pub use program::{Command, Program};
pub use progress::Progress;
pub use settings::Settings;
pub use size::Size;
