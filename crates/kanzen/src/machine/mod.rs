//! What this machine has: memory on huge pages, threads, instructions, free memory and disk.

pub mod cpu;
mod memory;
mod prefetch;
mod system;
mod threads;

pub use memory::{Array, AtomicWords, Codes, Plain};
pub use prefetch::prefetch;
pub use system::{available_memory, free_disk, most_handles, peak_memory, whole_budget};
pub use threads::{give_way, pool};
