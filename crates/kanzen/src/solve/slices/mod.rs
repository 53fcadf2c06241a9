//! Sets of positions as bit-vectors, moves as operations on their bits.

mod lift;

#[cfg(target_arch = "x86_64")]
pub use lift::Bmi2;
pub use lift::{Lift, Portable};
