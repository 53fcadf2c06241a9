//! Questions to a solved game: value, moves, best line, census, verification.

mod batch;
pub mod find;
mod gather;
mod line;
mod longest;
mod move_counts;
mod openers;
mod oracle;
mod probe;
mod puzzles;
mod recount;
mod scan;
mod search;
mod stats;
mod tablebase;
mod traps;
mod verify;

pub use batch::{Asked, WithMoves};
pub use find::{Find, FindReport};
pub use line::{HowEnded, Line, LineEnd, LineMove, line};
pub use longest::{Example, Longest, LongestGames, longest_games};
pub use move_counts::{Counts, Detail, MoveCounts, MoveNeeds};
pub use oracle::{Audit, Contents, Numbering, Opener, Oracle, PublishedCounts, Spread};
pub use probe::{MoveTo, Moves, Probe, ProbedMove, moves, probe};
pub use puzzles::{Puzzle, puzzles};
pub use recount::{CensusCheck, Difference, Recount};
pub use scan::{Scan, Visit, Wanted, positions_of_value, scan};
pub use search::{Means, Search};
pub use stats::{AllPositions, ClassStats, ScoreBar, Stats, StatsRow, Untimed, Weak};
pub use tablebase::{ALL_POSITIONS, Tablebase};
pub use traps::{Duel, DuelReport, SlipsByTurn, TURNS, duel, wilson};
pub use traps::{Level, Model, Player, READS, Reply, Style, Traps, probe_traps, reply};
pub use verify::{Extent, Mismatch, Unchecked, Verification, verify};

pub use kanzen_core::vocabulary::Answer;
