//! Message passing between processes that solve a game together: a [`Mesh`](kanzen::mesh::Mesh) over TCP.
//!
//! ```text
//!   engine ──post──────────parcels────────────inbox──> engine
//!   timely worker ──parcel counts by round──> timely worker
//!                   a round is a timestamp, the frontier ends it
//!   watch  ────────────heartbeats, errors─────> watch
//! ```
//!
//! [`Hosts`] lists the processes, and [`join`] connects this process to the others. A handshake authenticates peers by a
//! shared secret and compares the jobs. Two processes share three connections: for parcels, for timely, and for
//! heartbeats, since neither TCP nor timely detects a peer that is suspended or cut off. The loss of one process ends the
//! work of all others with an error that names it.
//!
//! Traffic is plain TCP without encryption: use it on private networks only.

mod carrier;
mod faults;
mod handshake;
mod heartbeat;
mod hosts;
mod inbox;
mod link;
mod post;
mod timely_mesh;

pub use handshake::Terms;
pub use heartbeat::{Pulse, Pulses};
pub use hosts::{BadHosts, Hosts};
pub use timely_mesh::{TimelyMesh, join};
