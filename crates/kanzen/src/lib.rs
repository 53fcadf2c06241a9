//! Kanzen (完全, "complete") strongly solves two-player board games of perfect information.
//!
//! Data flows one way through the rooms of this library:
//!
//! ```text
//! rules -> index -> solve -> store -> query -> faces (command, web, ...)
//! ```
//!
//! A newcomer writes the rules ([`Game`]), runs them through the [`conformance`] kit, and gets the rest.

mod budget;
#[doc = include_str!("../../../docs/add-a-game.md")]
pub mod add_a_game {}

#[doc = include_str!("../../../docs/boards.md")]
pub mod boards {}

pub mod catalogue;
mod census;
pub mod conformance;
pub mod drawing;
mod game;
pub mod index;
mod key;
pub mod machine;
pub mod progress;
pub mod query;
pub mod solve;
pub mod store;
mod value;
pub mod view;

pub use budget::Budget;
pub use census::{Bar, Census, Tally};
pub use game::{Game, Illegal};
pub use key::Key;
pub use value::{Outcome, Value};
