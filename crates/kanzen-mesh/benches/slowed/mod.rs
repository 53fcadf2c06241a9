//! A receiver that is slowed down on purpose.

use std::time::Duration;

use kanzen::Error;
use kanzen::mesh::{Mesh, Parcel};

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
    fn close(&self) -> Result<(), Error> {
        self.mesh.close()
    }
    fn is_over(&self) -> Result<bool, Error> {
        self.mesh.is_over()
    }
    fn next(&self) {
        self.mesh.next();
    }
    fn is_crowded(&self, to: usize) -> bool {
        self.mesh.is_crowded(to)
    }
    fn rest(&self) {
        self.mesh.rest();
    }
    fn posted_bytes(&self) -> u64 {
        self.mesh.posted_bytes()
    }
    fn block_bits(&self) -> u32 {
        self.mesh.block_bits()
    }
}
