//! Whom a question to many positions is put to, and the means to answer it.

use super::Oracle;
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Budget;
use kanzen_core::vocabulary::mesh::{Alone, Mesh};
use kanzen_core::vocabulary::progress::Observer;

/// What a question to many positions may use, who listens, and who shares the work.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Threads and memory.
    pub budget: Budget,
    /// Who listens, and may ask to stop.
    pub observer: &'a dyn Observer,
    /// The processes that have the same database and are asked the same; [`Alone`] if there are no others.
    pub mesh: &'a dyn Mesh,
}

impl<'a> Means<'a> {
    /// Those of a process that has no others beside it.
    pub fn alone(budget: &Budget, observer: &'a dyn Observer) -> Means<'a> {
        Means { budget: *budget, observer, mesh: &Alone }
    }
}

/// A solved game and the means to look through it: what all questions to many positions share.
///
/// [`find`](super::find::find) and [`verify`](super::verify()) look through the whole database; the methods are for
/// positions that are named one by one.
pub struct Search<'a> {
    /// The game's name.
    pub id: &'a str,
    /// The rules that moves are made by.
    pub game: &'a dyn AnyGame,
    /// What knows the values of positions.
    pub oracle: &'a dyn Oracle,
    /// With what, for whom and with whom.
    pub means: Means<'a>,
}
