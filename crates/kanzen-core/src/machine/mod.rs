//! What this machine has: memory on huge pages, threads, instructions, free memory and disk.

pub mod cpu;
#[cfg(not(target_family = "wasm"))]
mod limits;
mod memory;
pub mod parallel;
mod prefetch;
mod speed;
mod system;
mod threads;

pub use memory::{Array, AtomicWords, Codes, Plain};
pub use prefetch::prefetch;
pub use speed::slowness;
pub use system::{
    available_memory, free_disk, keep_within, machine_budget, most_handles, peak_memory, room_within_limits,
    whole_budget,
};
pub use threads::{give_way, pool, start_workers};
