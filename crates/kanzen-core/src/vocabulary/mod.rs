//! The shared types: values and their counts, keys, classes and slots, budgets, progress, errors, and the messages between
//! processes.

mod answer;
mod budget;
mod bytes;
mod census;
mod class;
mod deadline;
mod error;
mod error_kind;
mod key;
pub mod mesh;
pub mod progress;
pub mod random;
mod tally;
mod value;

pub use answer::Answer;
pub use budget::{Budget, Ledger, Reservation};
pub use bytes::human_bytes;
pub use census::Census;
pub use class::{ClassId, Slot};
pub use deadline::Deadline;
pub use error::{BadPosition, Error};
pub use error_kind::{Advice, ErrorKind};
pub use key::Key;
pub use tally::{Bar, Tally};
pub use value::{Outcome, Value};
