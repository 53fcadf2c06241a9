//! Questions to a solved game: value, moves, best line, census, verification.

mod answer;

pub mod find;
mod line;
mod longest;
mod moves;
mod oracle;
mod probe;
mod puzzles;
mod scan;
mod stats;
mod tablebase;
mod verify;

pub use answer::Answer;
pub use find::{Find, FindReport};
pub use line::{Line, LineMove, line};
pub use longest::{Example, Longest, LongestGames, longest_games};
pub use moves::{MoveTo, Moves, moves};
pub use oracle::{Opener, Oracle};
pub(crate) use probe::answer;
pub use probe::{Probe, ProbedMove, probe};
pub use puzzles::{Puzzle, puzzles};
pub use scan::{Scan, Wanted, positions_of_value, scan};
pub use stats::{AllPositions, ClassStats, Stats};
pub use tablebase::{ALL_POSITIONS, Tablebase};
pub use verify::{CensusCheck, Difference, Extent, Mismatch, Recount, Unchecked, Verification, verify};
