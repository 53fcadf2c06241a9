//! The published tables against the counts and against the recorded runs.

mod morris;
mod ostle;
