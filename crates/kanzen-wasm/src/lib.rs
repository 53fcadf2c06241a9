//! Kanzen in a browser: the rules, and look-ups in databases that are fetched by ranges.
//!
//! ```text
//! page --question--> worker --call--> session --> catalogue, query --> store: what is there of the files
//!                      |  ^                                              |
//!                      |  '--------- answer, or what is lacking <--------'
//!                      '--fetch what is lacking, keep it, ask again
//! ```
//!
//! [`Session`] is all of it, and knows nothing of browsers: questions and answers are JSON. `exports` is how JavaScript
//! calls it.

mod exports;
#[cfg(unix)]
pub mod fetching;
mod games;
mod question;
mod session;

pub use question::{Answered, Ask, Question};
pub use session::Session;
