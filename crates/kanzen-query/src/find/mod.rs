//! Queries over the database: all positions that match a condition.
//!
//! The condition is the WHERE clause of SQL, over columns that every game has (value, distance, how many moves win) and
//! some of its own (the pieces of a side). Three ways lead to an answer, the cheapest that does is taken:
//!
//! ```text
//! census   a count of what the census counts by                      nothing is read
//! stored   what stands in the database, page after page              blocks without a wanted value are skipped
//! moves    what the moves lead to, of what the other two let through  children looked up together, in order
//! ```
//!
//! Rows come in the order of the database, for any number of threads.

mod column;
mod evaluator;
mod expression;
mod forecast;
mod parse;
mod question;
mod run;
#[cfg(test)]
mod tests;
mod together;
mod token;

pub use column::{Cell, Column, Cost, Kind, Moves, Schema};
pub use forecast::Explanation;
pub use question::{Cursor, Find, schema};
pub use run::{FindReport, Heading, Row, RowSink, explain};
pub use together::find;
