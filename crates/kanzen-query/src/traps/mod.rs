//! Perfect play that is hard to play against, and models of those who play against it.
//!
//! A side's *due* is what it gets by best play: win, draw or loss, and the score in games that have one. A move keeps
//! the value if the mover's due is the same after it; it *slips* if it is less. A style of ours never slips, and among
//! the moves that do not, `trap` takes one after which most replies do.
//!
//! ```text
//! position ─ a move that keeps the value ─ child ─┬─ safe reply: the opponent still has his due
//!                                                 ├─ slip
//!                                                 └─ slip that somebody who reads h plies cannot see
//! ```
//!
//! All of it is asked of the database as it is: one probe for each move that keeps the value.

mod counts;
mod due;
mod duel;
mod interval;
mod level;
mod model;
mod player;
mod rank;
mod reply;
mod style;

pub use counts::{READS, Traps, probe_traps};
pub use duel::{Duel, DuelReport, SlipsByTurn, TURNS, duel};
pub use interval::wilson;
pub use level::Level;
pub use model::Model;
pub use player::Player;
pub use reply::{Reply, reply};
pub use style::Style;
