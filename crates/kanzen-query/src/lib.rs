//! Queries over a solved game: value, moves, best line, census, verification.

pub mod find;
mod line;
mod move_counts;
mod oracle;
mod probe;
mod puzzles;
mod recount;
mod search;
mod stats;
mod tablebase;
mod traps;
mod verify;

pub use find::{Find, FindReport};
pub use line::{HowEnded, Line, LineEnd, LineMove, line};
pub use move_counts::{Counts, Detail, MoveCounts, MoveNeeds};
pub(crate) use oracle::gather;
pub use oracle::{
    Audit, Contents, Numbering, Opener, Oracle, PublishedCounts, Scan, Spread, Visit, Wanted, positions_of_value, scan,
};
pub use probe::{MoveTo, Moves, Probe, ProbedMove, moves, probe};
pub use puzzles::{Puzzle, puzzles};
pub use recount::{CensusCheck, Difference, Recount};
pub use search::{Asked, Means, Search, WithMoves};
pub use stats::{
    AllPositions, ClassStats, Example, Longest, LongestGames, ScoreBar, Stats, StatsRow, Untimed, Weak, longest_games,
};
pub use tablebase::{ALL_POSITIONS, Tablebase};
pub use traps::{Duel, DuelReport, SlipsByTurn, TURNS, duel, wilson};
pub use traps::{Level, Model, Player, READS, Reply, Style, Traps, probe_traps, reply};
pub use verify::{Extent, Mismatch, Unchecked, Verification, verify};

pub use kanzen_core::vocabulary::Answer;
