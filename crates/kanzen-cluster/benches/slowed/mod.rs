//! A mesh with an artificially slow receiver.

use std::time::Duration;

use kanzen::Error;
use kanzen_core::mesh::{Mesh, Parcel};

/// A process that sleeps after each parcel it takes.
pub struct Slowed<'a> {
    pub mesh: &'a dyn Mesh,
    pub nap: Duration,
}

impl Mesh for Slowed<'_> {
    fn me(&self) -> usize {
        self.mesh.me()
    }
    fn peers(&self) -> usize {
        self.mesh.peers()
    }
    fn post(&self, to: usize, bytes: Vec<u8>) -> Result<(), Error> {
        self.mesh.post(to, bytes)
    }
    fn poll(&self) -> Result<Option<Parcel>, Error> {
        let parcel = self.mesh.poll()?;
        if parcel.is_some() {
            std::thread::sleep(self.nap);
        }
        Ok(parcel)
    }
    fn barrier_enter(&self) -> Result<(), Error> {
        self.mesh.barrier_enter()
    }
    fn barrier_done(&self) -> Result<bool, Error> {
        self.mesh.barrier_done()
    }
    fn next_round(&self) {
        self.mesh.next_round();
    }
    fn window_full(&self, to: usize) -> bool {
        self.mesh.window_full(to)
    }
    fn park(&self) {
        self.mesh.park();
    }
    fn posted_bytes(&self) -> u64 {
        self.mesh.posted_bytes()
    }
    fn block_bits(&self) -> u32 {
        self.mesh.block_bits()
    }
}
