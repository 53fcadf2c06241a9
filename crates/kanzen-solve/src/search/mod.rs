//! Alpha-beta search: the score of one position, without an index of all positions.
//!
//! Alpha-beta with windows of no width proves one bound at a time ("at least 4?"); a few such proofs, each led by the
//! one before, close in on the score (MTD(f), Plaat et al. 1996). What is proven goes to a transposition table with
//! whole keys: two positions are never taken for each other, so the score is a proof and not a likelihood. The table
//! is shared by all threads, which stay out of each other's way by [`Busy`] marks.
//!
//! ```text
//!   Tree    what the engine needs of a game: key, children in a promising order, a quick search for the last plies
//!   Table   proven bounds of positions
//!   Search  threads, windows, stop and resume
//! ```

mod busy;
mod driver;
mod table;
mod tree;
mod worker;

pub use busy::Busy;
pub use driver::{Checkpointer, Found, Search};
pub use table::{Bounds, Proven, Table};
pub use tree::{Child, Expansion, Tree};
