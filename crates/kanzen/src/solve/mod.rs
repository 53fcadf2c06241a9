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

mod counted;
mod forecast;
mod induction;
mod job;
pub mod layers;
mod memory_store;
pub mod retrograde;
pub mod rounds;
mod rules_only;
mod scored;
pub mod search;
mod solve_store;
mod solver;

pub use forecast::{Forecast, Recorded};
pub use induction::scores_of_class;
pub use job::Job;
pub use memory_store::MemoryStore;
pub use rules_only::RulesOnly;
pub use scored::{Scored, score_of_value};
pub use solve_store::{
    AscendingKeys, Exception, FillExceptions, IndexedPlane, ReadChunk, SolveStore, StepsDone, VisitKeys,
};
pub use solver::{Counting, Solution, SolvedClass, Solver};

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
