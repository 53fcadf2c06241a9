//! The engines: they solve a game whose positions are numbered.
//!
//! A [`Solver`] defines how a game is solved. It gets a [`Job`]: threads, memory to reserve, a [`WorkFolder`] for its
//! files, and an observer of the progress. It knows neither file formats nor terminals. The engines:
//!
//! - [`retrograde`]: one word per position, from the ends of the game backwards;
//! - [`rounds`]: sets of positions as bits, one round per ply;
//! - [`scores_of_class`]: scores by induction, for games that always end.

mod counted;
mod induction;
mod job;
mod mesh;
pub mod retrograde;
pub mod rounds;
mod rules_only;
mod shared_keys;
mod shared_list;
mod solver;

pub use kanzen_store::{
    AddChunks, AscendingKeys, CLASSES, Counting, Exception, FillCodes, FillExceptions, IndexedPlane, LogParts,
    MakeChunk, NextBlock, PACKED_KEYS, PackedPlane, ReadChunk, Solution, SolvedClass, SolvedGame, StepsDone, VisitKeys,
    VisitState, WorkFolder, keys_file, plane_file,
};

pub use induction::scores_of_class;
pub use job::Job;
pub use rules_only::{RulesOnly, Scored, score_of_value};
pub use solver::{Forecast, Recorded, Solver};
