//! What only the comparison with published papers needs: their methods of counting, and their printed tables.
//!
//! [`Papers`] is the catalogue of `kanzen-games` with these counts, for the commands `count` and `reach`.

mod catalogue;
pub mod morris;
pub mod ostle;
pub mod zdd;

pub use catalogue::Papers;
