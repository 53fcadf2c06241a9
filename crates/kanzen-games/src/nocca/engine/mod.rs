//! The engine for all boards: sets of positions as bits, a sweep over lifted boards for each ply.

mod colouring;
mod heights;
mod kernel;
mod layout;
mod locate;
mod plan;
mod run;
mod stuck;
mod sweep;
#[cfg(test)]
mod tests;
