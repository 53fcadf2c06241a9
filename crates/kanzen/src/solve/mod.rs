//! Numbers in, values out: the engines.
//!
//! A [`Solver`] is how a game is solved. It gets a [`Job`]: threads, memory to reserve, a [`SolveStore`] that keeps its
//! work, an observer that hears how it goes. It knows neither file formats nor terminals. The engines:
//!
//! - [`retrograde`]: one word a position, from the ends of the game backwards;
//! - [`rounds`]: sets of positions as bits, a round for each ply;
//! - [`search`]: one position's score, without a number for each;
//! - [`layers`]: breadth first, what can be reached in how many plies;
//! - [`scores_of_class`]: scores by induction, for games that always end.

#[cfg(feature = "solve")]
mod counted;
mod forecast;
#[cfg(feature = "solve")]
mod induction;
#[cfg(feature = "solve")]
mod job;
#[cfg(feature = "solve")]
pub mod layers;
#[cfg(feature = "solve")]
mod memory_store;
#[cfg(feature = "solve")]
mod mesh;
#[cfg(feature = "solve")]
pub mod retrograde;
pub mod rounds;
#[cfg(feature = "solve")]
mod rules_only;
#[cfg(feature = "solve")]
mod scored;
#[cfg(feature = "solve")]
pub mod search;
#[cfg(feature = "solve")]
mod shared_keys;
#[cfg(feature = "solve")]
mod shared_list;
mod solution;
mod solve_store;
#[cfg(feature = "solve")]
mod solver;
mod ways;

pub use forecast::{Forecast, Recorded};
#[cfg(feature = "solve")]
pub use induction::scores_of_class;
#[cfg(feature = "solve")]
pub use job::Job;
#[cfg(feature = "solve")]
pub use memory_store::MemoryStore;
pub use solution::{Counting, Solution, SolvedClass};
pub use solve_store::{
    AddChunks, AscendingKeys, Exception, FillCodes, FillExceptions, IndexedPlane, LogParts, MakeChunk, NextBlock,
    PACKED_KEYS, PackedPlane, ReadChunk, SolveStore, SolvedGame, StepsDone, VisitKeys, VisitState,
};
#[cfg(feature = "solve")]
pub use solver::Solver;
pub use ways::{RulesOnly, Scored, score_of_value};

/// The file of a class's values.
pub fn plane_file(class: usize) -> String {
    format!("class-{class}.plane")
}

/// The file of a class's keys.
pub fn keys_file(class: usize) -> String {
    format!("class-{class}.keys")
}

/// The setting that holds the game's numbers of the listed classes.
pub const CLASSES: &str = "classes";
