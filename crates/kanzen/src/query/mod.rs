//! Questions to a solved game: value, moves, best line, census, verification.

mod answer;
#[cfg(feature = "solve")]
mod batch;
#[cfg(feature = "solve")]
pub mod find;
mod gather;
mod line;
#[cfg(feature = "solve")]
mod longest;
mod look_up;
#[cfg(feature = "solve")]
mod move_counts;
mod moves;
#[cfg(feature = "solve")]
mod oracle;
mod probe;
#[cfg(feature = "solve")]
mod puzzles;
#[cfg(feature = "solve")]
mod recount;
#[cfg(feature = "solve")]
mod scan;
#[cfg(feature = "solve")]
mod search;
mod stats;
mod tablebase;
mod traps;
#[cfg(feature = "solve")]
mod verify;

pub use answer::Answer;
#[cfg(feature = "solve")]
pub use batch::{Asked, WithMoves};
#[cfg(feature = "solve")]
pub use find::{Find, FindReport};
pub use line::{HowEnded, Line, LineEnd, LineMove, line};
#[cfg(feature = "solve")]
pub use longest::{Example, Longest, LongestGames, longest_games};
/// Without what is asked of whole databases, an oracle is what looks up positions.
#[cfg(not(feature = "solve"))]
pub use look_up::LookUp as Oracle;
pub use look_up::{LookUp, Opener};
#[cfg(feature = "solve")]
pub use move_counts::{Counts, Detail, MoveCounts, MoveNeeds};
pub use moves::{MoveTo, Moves, moves};
#[cfg(feature = "solve")]
pub use oracle::Oracle;
#[cfg(feature = "solve")]
pub(crate) use probe::answer;
pub use probe::{Probe, ProbedMove, probe};
#[cfg(feature = "solve")]
pub use puzzles::{Puzzle, puzzles};
#[cfg(feature = "solve")]
pub use recount::{CensusCheck, Difference, Recount};
#[cfg(feature = "solve")]
pub use scan::{Scan, Visit, Wanted, positions_of_value, scan};
#[cfg(feature = "solve")]
pub use search::{Means, Search};
pub use stats::{AllPositions, ClassStats, ScoreBar, Stats, Untimed, Weak};
pub use tablebase::{ALL_POSITIONS, Tablebase};
#[cfg(feature = "solve")]
pub use traps::{Duel, DuelReport, SlipsByTurn, TURNS, duel, wilson};
pub use traps::{Level, Model, Player, READS, Reply, Style, Traps, probe_traps, reply};
#[cfg(feature = "solve")]
pub use verify::{Extent, Mismatch, Unchecked, Verification, verify};
