//! The catalogue: games by name, with their types erased.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. An entry is made of any [`Game`](crate::Game), a [`Solver`](crate::solve::Solver) that solves it and an
//! [`Opener`](crate::query::Opener) that reads its database; a [`Reader`] only reads. A [`Catalogue`] is the games that a
//! program offers.

mod card;
mod counts;
pub mod data;
mod entry;
mod explicit_game;
mod fetched;
mod games;
mod info;
mod observation;
mod pictures;
mod provenance;
mod publish;
mod reader;

// Types of the solve of an entry.
pub use crate::solve::Counting;
pub use card::{Card, CardFile};
pub use counts::{ClassCount, CountCell, CountTable, Layer, PositionCount, Reach};
pub use entry::{Entry, LongestDistance, OwnCount, OwnReach, Run, SolveReport};
pub use explicit_game::{
    Conformance, ExplicitGame, GridBoard, PositionRecord, check as check_explicit_game, explicit_game,
};
pub use fetched::{Fetched, Fetching, Wanted};
pub use games::{Catalogue, GameOption, Given, Scope, Variants, listed, solved_besides};
pub use info::{Description, GameInfo, GameView, Listing, NotationInfo, State, Stored, Summary, Verdict};
pub use observation::Observation;
pub use pictures::{picture, sheet};
pub use provenance::{Provenance, RecordedRun};
pub use publish::{Published, publish, write_pack};
pub use reader::{Reader, Rows, Solved, SolvedPosition};
