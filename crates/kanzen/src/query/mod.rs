//! Questions to a solved game: value, moves, best line, census, verification.

mod answer;
mod batch;
pub mod find;
mod line;
mod longest;
mod move_counts;
mod moves;
mod oracle;
mod probe;
mod puzzles;
mod scan;
mod stats;
mod tablebase;
mod traps;
mod verify;

pub use answer::Answer;
pub use batch::{Asked, Batch, WithMoves};
pub use find::{Find, FindReport};
pub use line::{HowEnded, Line, LineEnd, LineMove, line};
pub use longest::{Example, Longest, LongestGames, longest_games};
pub use move_counts::{Counts, Detail, MoveCounts, MoveNeeds};
pub use moves::{MoveTo, Moves, moves};
pub use oracle::{Opener, Oracle};
pub(crate) use probe::answer;
pub use probe::{Probe, ProbedMove, probe};
pub use puzzles::{Puzzle, puzzles};
pub use scan::{Scan, Wanted, positions_of_value, scan};
pub use stats::{AllPositions, ClassStats, ScoreBar, Stats, Untimed, Weak};
pub use tablebase::{ALL_POSITIONS, Tablebase};
pub use traps::{
    Duel, DuelReport, Level, Model, Player, READS, Reply, SlipsByTurn, Style, TURNS, Traps, duel, probe_traps, reply,
    wilson,
};
pub use verify::{CensusCheck, Difference, Extent, Mismatch, Recount, Unchecked, Verification, verify};
