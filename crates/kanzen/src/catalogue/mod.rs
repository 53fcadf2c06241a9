//! A game as the faces see it: by name, without its types.
//!
//! An [`Entry`] can be described, solved into a data folder and opened; an open one ([`Solved`]) answers questions in
//! text. [`Catalogued`] makes an entry of any [`Game`] and a [`Method`] that solves it; [`RulesOnly`] is the method of
//! games that bring nothing but rules.

mod catalogued;
mod entry;
mod fingerprint;
mod rules_only;
mod scored;

pub use catalogued::{Catalogued, Method};
pub use entry::{Card, CatalogueError, Entry, Forecast, Listing, Longest, Run, SolveReport, Solved, Verdict};
pub use fingerprint::fingerprint;
pub use rules_only::RulesOnly;
pub use scored::{Scored, answer_of_score};
