//! A game as the faces see it: by name, without its types.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. [`Catalogued`] makes an entry of any [`Game`](crate::Game), a [`Solver`](crate::solve::Solver) that solves it
//! and an [`Opener`](crate::query::Opener) that reads its database. A [`Catalogue`] is the games that a face offers.

mod card;
mod catalogued;
mod counts;
pub mod data;
mod entry;
mod explicit_game;
mod fetched;
mod games;
mod info;
mod listing;
mod many;
mod observation;
mod packed;
mod pictures;
mod provenance;
mod published;
mod reading;
mod shared;

// What an entry tells of its solve, for the faces.
pub use crate::solve::{Counting, Forecast};
pub use crate::store::{Edition, from_memory};
pub use crate::vocabulary::mesh::Mesh;
pub use card::{Card, CardFile};
pub use catalogued::Catalogued;
pub use counts::{ClassCount, Layer, PositionCount, Reach};
pub use entry::{Entry, LongestDistance, Rows, Run, SolveReport, Solved};
pub use explicit_game::{
    Board, Conformance, ExplicitGame, PositionRecord, check as check_explicit_game, explicit_game,
};
pub use fetched::{Fetched, Fetching, Wanted};
pub use games::{Catalogue, listed, solved_besides};
pub use info::{GameInfo, GameView, Verdict};
pub use listing::{Description, Listing, Notation, State, Stored, Summary};
pub use many::Many;
pub use observation::Observation;
pub use packed::write_pack;
pub use pictures::{picture, sheet};
pub use provenance::{Provenance, RecordedRun};
pub use published::{Published, publish};
pub use reading::{Answers, GameReader, Readable, SolvedPosition};
