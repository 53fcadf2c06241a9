//! The engines: they solve a game whose positions are numbered.
//!
//! A [`Solver`] defines how a game is solved. It gets a [`Job`]: threads, memory to reserve, a [`WorkFolder`] for its
//! files, and an observer of the progress. It knows neither file formats nor terminals. The engines:
//!
//! - [`retrograde`]: one word per position, from the ends of the game backwards;
//! - [`rounds`]: sets of positions as bits, one round per ply;
//! - [`search`]: the score of one position, without an index;
//! - [`layers`]: breadth-first search, positions by plies from the start;
//! - [`scores_of_class`]: scores by induction, for games that always end.

mod counted;
mod forecast;
mod induction;
mod job;
pub mod layers;
mod mesh;
pub mod retrograde;
pub mod rounds;
mod rules_only;
mod scored;
pub mod search;
mod shared_keys;
mod shared_list;
mod solver;
mod ways;

pub use kanzen_store::{
    AddChunks, AscendingKeys, CLASSES, Counting, Exception, FillCodes, FillExceptions, IndexedPlane, LogParts,
    MakeChunk, NextBlock, PACKED_KEYS, PackedPlane, ReadChunk, Solution, SolvedClass, SolvedGame, StepsDone, VisitKeys,
    VisitState, WorkFolder, keys_file, plane_file,
};

pub use forecast::{Forecast, Recorded};
pub use induction::scores_of_class;
pub use job::Job;
pub use solver::Solver;
pub use ways::{RulesOnly, Scored, score_of_value};
