//! Numbers in, values out: the engines.

mod error;

pub use error::SolveError;
