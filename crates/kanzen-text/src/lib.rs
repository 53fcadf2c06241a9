//! Board games written as text.
//!
//! ```text
//! text -> core -> interpreter                     the reference
//!              -> operators -> numbering -> values
//! ```
//!
//! [`core`] is the inside: a game as a regular expression over eight actions. Languages that people type are read down
//! to it.

mod automaton;
pub mod core;
pub mod ground;
pub mod interpreter;
pub mod lang;
pub mod number;
pub mod operators;
pub mod rbg;
pub mod solve;
pub mod symmetry;
