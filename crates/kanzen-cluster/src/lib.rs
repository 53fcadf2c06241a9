//! Message passing between processes that solve a game together: a [`Mesh`](kanzen_core::mesh::Mesh) over TCP.
//!
//! ```text
//!   engine ──post──> one connection to each other process ──inbox──> engine
//!                    parcels, ends of rounds, heartbeats, errors: frames in sealed records
//! ```
//!
//! [`Hosts`] lists the processes, and [`join`] connects this process to the others. A handshake (Noise with a shared
//! secret) authenticates peers and compares the jobs. All that follows is encrypted and authenticated: a changed, lost
//! or repeated byte is an error. Heartbeats detect a peer that is suspended or cut off, and processes that all wait for
//! each other. The loss of one process ends the work of all others with an error that names it.

mod faults;
mod handshake;
mod heartbeat;
mod hosts;
mod inbox;
mod post;
mod primitives;
mod record;
mod tcp_mesh;

pub use handshake::{Terms, random_secret};
pub use heartbeat::{Pulse, Pulses};
pub use hosts::{BadHosts, Hosts};
pub use tcp_mesh::{TcpMesh, join};
