//! Kanzen as WebAssembly: game rules and database look-ups in a browser, through HTTP range requests.
//!
//! ```text
//! page --question--> worker --call--> session --> catalogue, query --> store: cached ranges
//!                      |  ^                                              |
//!                      |  '------- answer, or missing ranges <-----------'
//!                      '--fetch missing ranges, store them, ask again
//! ```
//!
//! [`Session`] is independent of browsers: questions and answers are JSON. `exports` has the functions for JavaScript.

mod exports;
#[cfg(unix)]
pub mod fetching;
mod session;

pub use session::{Answered, Ask, Question, Session};
