//! Values on the disk.

mod error;

pub use error::StoreError;
