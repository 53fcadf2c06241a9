//! Othello for the alpha-beta engine, by the number of empty squares.
//!
//! ```text
//!   empties   11 and more       tree.rs      nodes of the engine: table, threads; children ranked by order.rs
//!             5 to 10           middle.rs    mobility first, then parity; no shared table
//!             1 to 4            last.rs      square by square
//! ```

mod compiled;
mod last;
pub mod learned;
mod middle;
mod order;
mod tree;

pub use compiled::Compiled;
pub use order::Order;
pub use tree::{OthelloTree, Pair};
