//! The catalogue of a program that solves.

pub use kanzen::catalogue::Entry;
use kanzen::catalogue::{Catalogue, Catalogued, GameInfo};
use kanzen::query::Opener;
use kanzen::solve::Solver;
use kanzen::{Error, Game};

use crate::othello::{BySearch, Othello};
use crate::recorded;

/// All of them, for a face to offer.
pub struct Games;

impl Catalogue for Games {
    fn all(&self) -> Vec<Box<dyn Entry>> {
        super::all()
    }

    fn find(&self, id: &str) -> Result<Box<dyn Entry>, Error> {
        super::find(id)
    }
}

/// An entry of a game, with what a complete run of it was recorded to cost.
pub fn entry<G, S>(info: GameInfo, game: G, solver: S) -> Box<dyn Entry>
where
    G: Game + 'static,
    S: Solver<G> + Opener<G> + 'static,
{
    let (cost, run) = (recorded::of(&info.id), super::recorded_run::run(&info.id));
    Box::new(Catalogued::new(info, game, solver).recorded(cost).recorded_run(run))
}

/// A board that is too large to list.
pub fn by_search(info: GameInfo, game: Othello) -> Option<Box<dyn Entry>> {
    Some(entry(info, game, BySearch))
}
