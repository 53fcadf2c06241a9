//! Questions to a solved game: value, moves, best line, census, verification.

mod answer;
mod furthest;
mod line;
mod moves;
mod oracle;
mod probe;
mod stats;
mod verify;

pub use answer::Answer;
pub use furthest::{Example, Far, Furthest, furthest};
pub use line::{Line, LineMove, line};
pub use moves::{MoveTo, Moves, moves};
pub use oracle::{Oracle, QueryError, Step};
pub(crate) use probe::answer;
pub use probe::{Probe, ProbedMove, probe};
pub use stats::{AllPositions, ClassStats, Stats};
pub use verify::{Extent, Mismatch, Verification, verify};
