//! The tests of the command that depend neither on time nor on being alone: one program, run in parallel.

#[path = "../support/common/mod.rs"]
mod common;
#[path = "../support/rig/mod.rs"]
mod rig;
#[path = "../../../kanzen-web/tests/schema/mod.rs"]
mod schema;

mod card;
mod damage;
mod data;
mod disk;
mod faults;
mod formats;
mod interfaces;
mod moving;
mod new;
mod power_cuts;
mod proofs;
mod schemas;
mod sessions;
mod strangers;
mod traps;
