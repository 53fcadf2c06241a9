//! Many positions of a solved game at once, without its types.

use crate::query::{Answer, Asked, WithMoves};
use crate::vocabulary::progress::Observer;
use crate::vocabulary::{Budget, Error};

/// Questions to many positions at once: by their numbers, or by their texts. See [`query::Search`](crate::query::Search).
pub trait Many: Send + Sync {
    /// How many positions have numbers: all below this.
    fn positions(&self) -> u64;

    /// Tells the answers for all that is asked for, chunk by chunk and in order; the moves are not looked at.
    fn values(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        observer: &dyn Observer,
        sink: &mut dyn FnMut(&[Answer]),
    ) -> Result<(), Error>;

    /// Tells all that is asked for with the values of all moves, chunk by chunk and in order.
    fn moves(
        &self,
        asked: Asked<'_>,
        budget: &Budget,
        observer: &dyn Observer,
        sink: &mut dyn FnMut(Vec<WithMoves>) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// The numbers of texts.
    fn numbers(&self, texts: &[String], budget: &Budget) -> Result<Vec<u64>, Error>;

    /// The texts of all that is asked for, as the game writes them.
    fn texts(&self, asked: Asked<'_>, budget: &Budget) -> Result<Vec<String>, Error>;

    /// Numbers drawn at random, uniformly among the positions that the census counts, each at most once.
    fn sample(&self, count: usize, seed: u64, budget: &Budget, observer: &dyn Observer) -> Result<Vec<u64>, Error>;
}
