//! Several processes at one solve: who has which slots, and how notices travel.
//!
//! What carries them is a [`Mesh`]; here is what the engines put on it: shares of blocks that are dealt in turn, short
//! records gathered into parcels, and rounds in which all threads take part.

mod outbox;
mod round;
mod share;

pub(crate) use kanzen_core::vocabulary::mesh::{Alone, Mesh, Parcel, garbled};
pub(crate) use outbox::Outboxes;
pub(crate) use round::Round;
pub(crate) use share::{Dealt, Share, Whole};
