//! The engine for all boards: sets of positions as bits, a sweep over lifted boards for each ply.

mod census;
mod colouring;
mod forecast;
mod heights;
mod kernel;
mod layout;
mod locate;
mod method;
mod numbering;
mod oracle;
mod own_mirror;
mod plan;
mod planes;
mod rounds;
mod run;
mod stuck;
mod sweep;
#[cfg(test)]
mod tests;

pub use forecast::of as forecast;
pub use method::Sweeps;
