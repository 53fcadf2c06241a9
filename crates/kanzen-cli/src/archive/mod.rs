//! Packs a database as one file: tar, plain or compressed, manifest first, the same bytes each time.

mod names;
mod read;
mod write;

pub use read::import;
pub use write::{Format, Packer};
