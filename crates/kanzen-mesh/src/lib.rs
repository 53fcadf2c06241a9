//! Several processes that solve a game together: a [`Mesh`](kanzen::mesh::Mesh) over TCP.
//!
//! ```text
//!   engine ──post──────────parcels─────────────────inbox──> engine
//!   worker of timely ──how many, in which round──> worker of timely
//!                      rounds are its timestamps, the frontier ends a round
//!   watch  ────────────heartbeats, last words────> watch
//! ```
//!
//! [`Hosts`] says where the processes are, [`join`] connects this one with the others. The sockets are ours: the
//! handshake compares what the processes are about to do, and a secret; strays are turned away. Between any two
//! processes there are three connections: for parcels, for timely, and for heartbeats, since neither TCP nor timely tells
//! that a peer was stopped or cut off. A process that is lost, for whatever reason, ends the work of all others with a
//! sentence that names it.
//!
//! Plain TCP: for private networks only.

mod carrier;
mod faults;
mod handshake;
mod hosts;
mod inbox;
mod link;
mod post;
mod pulse;
mod timely_mesh;
mod watch;

pub use handshake::Terms;
pub use hosts::{BadHosts, Hosts};
pub use pulse::{Pulse, Pulses};
pub use timely_mesh::{TimelyMesh, join};
