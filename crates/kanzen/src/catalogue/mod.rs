//! A game as the faces see it: by name, without its types.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. [`Catalogued`] makes an entry of any [`Game`](crate::Game), a [`Solver`](crate::solve::Solver) that solves it
//! and an [`Opener`](crate::query::Opener) that reads its database. A [`Catalogue`] is the games that a face offers.

mod catalogued;
mod counts;
pub mod data;
mod entry;
mod games;
mod listing;
mod many;
mod observation;
mod openers;
mod pictures;
mod provenance;
mod shared;
mod written_out;

// What an entry tells of its solve, for the faces.
pub use crate::solve::{Counting, Forecast};
pub use crate::store::Edition;
pub use catalogued::Catalogued;
pub use counts::{ClassCount, Layer, PositionCount, Reach};
pub use entry::{Entry, GameInfo, LongestDistance, Rows, Run, SolveReport, Solved, SolvedPosition, Verdict};
pub use games::{Catalogue, listed, solved_besides};
pub use listing::{Description, Listing, Notation, State, Stored, Summary};
pub use many::Many;
pub use observation::Observation;
pub use pictures::{picture, sheet};
pub use provenance::Provenance;
pub use written_out::{Board, Conformance, Told, WrittenOut, check as check_written_out, written_out};
