//! Hashes of what each process contributes to a file.
//!
//! The first process joins the blocks of all. Each process hashes its own blocks as it packs them, the first one hashes
//! all as it writes them, and they compare before the last block is written, which completes the file.

use xxhash_rust::xxh3::Xxh3;

use super::{Mesh, garbled};
use kanzen_core::vocabulary::Error;

/// A running hash of the blocks of each process.
pub(crate) struct Contributions(Vec<Xxh3>);

impl Contributions {
    /// No blocks yet.
    pub fn new(mesh: &dyn Mesh) -> Contributions {
        Contributions((0..mesh.peers()).map(|_| Xxh3::new()).collect())
    }

    /// Adds the next block of a process.
    pub fn add(&mut self, process: usize, number: u64, block: &[u8]) {
        self.0[process].update(&number.to_le_bytes());
        self.0[process].update(block);
    }

    /// Compares what the first process has received with what the others have sent. All processes call this.
    pub fn compare(&self, mesh: &dyn Mesh) -> Result<(), Error> {
        let hashes: Vec<u8> = self.0.iter().flat_map(|hash| hash.digest().to_le_bytes()).collect();
        let all = mesh.all_gather(&hashes)?;
        let hash = |by: usize, of: usize| all[by].as_chunks::<8>().0.get(of);
        match (0..mesh.peers()).all(|process| hash(0, process).is_some() && hash(0, process) == hash(process, process))
        {
            true => Ok(()),
            false => Err(garbled("blocks with another hash than when they were packed")),
        }
    }
}
