//! A game as the faces see it: by name, without its types.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. [`Catalogued`] makes an entry of any [`Game`](crate::Game), a [`Solver`](crate::solve::Solver) that solves it
//! and an [`Opener`](crate::query::Opener) that reads its database. A [`Catalogue`] is the games that a face offers.

#[cfg(feature = "solve")]
mod card;
#[cfg(feature = "solve")]
mod catalogued;
#[cfg(feature = "solve")]
mod counts;
#[cfg(feature = "solve")]
pub mod data;
#[cfg(feature = "solve")]
mod entry;
#[cfg(feature = "solve")]
mod explicit_game;
mod fetched;
#[cfg(feature = "solve")]
mod games;
mod info;
#[cfg(feature = "solve")]
mod listing;
#[cfg(feature = "solve")]
mod many;
#[cfg(feature = "solve")]
mod observation;
mod openers;
#[cfg(feature = "solve")]
mod packed;
#[cfg(feature = "solve")]
mod pictures;
#[cfg(feature = "solve")]
mod provenance;
#[cfg(feature = "solve")]
mod published;
mod reading;
#[cfg(feature = "solve")]
mod shared;

// What an entry tells of its solve, for the faces.
pub use crate::solve::{Counting, Forecast};
#[cfg(feature = "solve")]
pub use crate::store::{Edition, from_memory};
#[cfg(feature = "solve")]
pub use crate::vocabulary::mesh::Mesh;
#[cfg(feature = "solve")]
pub use card::{Card, CardFile};
#[cfg(feature = "solve")]
pub use catalogued::Catalogued;
#[cfg(feature = "solve")]
pub use counts::{ClassCount, Layer, PositionCount, Reach};
#[cfg(feature = "solve")]
pub use entry::{Entry, LongestDistance, Rows, Run, SolveReport, Solved};
#[cfg(feature = "solve")]
pub use explicit_game::{
    Board, Conformance, ExplicitGame, PositionRecord, check as check_explicit_game, explicit_game,
};
pub use fetched::{Fetched, Fetching, Wanted};
#[cfg(feature = "solve")]
pub use games::{Catalogue, listed, solved_besides};
pub use info::{GameInfo, GameView, Verdict};
#[cfg(feature = "solve")]
pub use listing::{Description, Listing, Notation, State, Stored, Summary};
#[cfg(feature = "solve")]
pub use many::Many;
#[cfg(feature = "solve")]
pub use observation::Observation;
#[cfg(feature = "solve")]
pub use packed::write_pack;
#[cfg(feature = "solve")]
pub use pictures::{picture, sheet};
#[cfg(feature = "solve")]
pub use provenance::{Provenance, RecordedRun};
#[cfg(feature = "solve")]
pub use published::{Published, publish};
pub use reading::{Answers, GameReader, Readable, SolvedPosition};
