//! A database as one file: tar, plain or compressed, with the manifest first and the same bytes each time.

mod names;
mod read;
mod write;

pub use read::move_in;
pub use write::{Format, Packer};
