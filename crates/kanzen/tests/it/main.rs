//! The tests of the library as a whole: engines, processes that share work, verification, fingerprints.

mod drawn;
mod simulated;
mod toy;

mod conformance;
mod fingerprint;
mod loom;
mod mesh;
mod mesh_classes;
mod retrograde;
mod table;
mod together;
mod verify;
