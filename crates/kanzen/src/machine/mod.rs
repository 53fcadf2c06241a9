//! What this machine has: memory on huge pages, threads, instructions, free memory and disk.

pub mod cpu;
#[cfg(feature = "solve")]
mod limits;
mod memory;
#[cfg(feature = "solve")]
pub mod parallel;
mod prefetch;
#[cfg(feature = "solve")]
mod speed;
#[cfg(feature = "solve")]
mod system;
#[cfg(feature = "solve")]
mod threads;

#[cfg(feature = "solve")]
pub use limits::room_within_limits;
pub use memory::{Array, AtomicWords, Codes, Plain};
pub use prefetch::prefetch;
#[cfg(feature = "solve")]
pub use speed::slowness;
#[cfg(feature = "solve")]
pub use system::{available_memory, free_disk, keep_within, machine_budget, most_handles, peak_memory, whole_budget};
#[cfg(feature = "solve")]
pub use threads::{give_way, pool, start_workers};
