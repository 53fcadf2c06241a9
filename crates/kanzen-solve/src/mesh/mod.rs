//! Several processes in one solve: which process owns which slots, and how notices are sent.
//!
//! A [`Mesh`] is the transport. The engines add: shares of blocks that are assigned round robin, short
//! records gathered into parcels, and rounds in which all threads take part.

mod contributions;
mod outbox;
mod round;
mod share;

pub(crate) use contributions::Contributions;
pub(crate) use kanzen_core::vocabulary::mesh::{Alone, Mesh, Parcel, garbled};
pub(crate) use outbox::Outboxes;
pub(crate) use round::Round;
pub(crate) use share::{RoundRobin, Share, Whole};
