//! Numbers in, values out: the engines.
//!
//! An engine sees a game as a [`Graph`] of numbered positions, keeps its work on a [`Shelf`] and tells an
//! [`Observer`](crate::progress::Observer) how it goes. It knows neither file formats nor terminals.

mod agenda;
mod array;
mod edges;
mod error;
mod graph;
mod induction;
mod job;
mod pages;
mod parents;
mod prefetch;
pub mod reach;
mod retrograde;
mod rules_graph;
pub mod search;
mod shelf;
pub mod slices;
mod state;
mod words;

pub use array::{Array, Codes, Number};
pub use error::SolveError;
pub use graph::{Earlier, Graph, Node, Prospects, Sight};
pub use induction::scores_of_class;
pub use prefetch::prefetch;
pub use retrograde::{Retrograde, forecast_class};
pub use rules_graph::RulesGraph;
pub use shelf::{MemoryShelf, Shelf};
pub use words::Words;

/// A pool of worker threads for one solve.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, SolveError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|refusal| SolveError::Threads(refusal.to_string()))
}
