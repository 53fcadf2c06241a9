//! A game as the faces see it: by name, without its types.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. [`Catalogued`] makes an entry of any [`Game`](crate::Game), a [`Solver`](crate::solve::Solver) that solves it
//! and an [`Opener`](crate::query::Opener) that reads its database. A [`Catalogue`] is the games that a face offers.

mod catalogued;
pub mod data;
mod entry;
mod games;
mod openers;
mod pictures;

pub use catalogued::Catalogued;
pub use entry::{Entry, GameInfo, Listing, LongestDistance, Rows, Run, SolveReport, Solved, SolvedPosition, Verdict};
pub use games::{Catalogue, listed, solved_besides};
pub use pictures::{picture, sheet};
