//! The report of `count`: placements per subset, sizes of both ZDDs, and differences from the printed tables.

use kanzen::progress::Observer;
use kanzen::{Budget, Error};
use kanzen_core::machine;
use serde::Serialize;

use super::{Difference, Placements, differences, first_zdd, second_zdd};
use kanzen_games::morris::Morris;

/// The report of `count` for a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CountReport {
    /// The game.
    pub game: String,
    /// All unique and pseudo-reachable placements.
    pub total: u64,
    /// All unique placements, pseudo-reachable or not.
    pub total_without_exclusion: u64,
    /// All placements, mirror images apart.
    pub universe: u64,
    /// Placements by men on the board.
    pub subsets: Vec<Subset>,
    /// The sizes of both ZDDs.
    pub zdd: ZddSizes,
    /// Printed cells that differ from the computed ones.
    pub differences: Vec<Difference>,
}

/// One subset of placements; both colour assignments where the counts differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Subset {
    /// White's men.
    pub white: u32,
    /// Black's men.
    pub black: u32,
    /// Unique and pseudo-reachable placements.
    pub placements: u64,
}

/// Nodes of both ZDDs, including the leaf.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ZddSizes {
    /// Nodes of the first ZDD, over points.
    pub first_nodes: u64,
    /// Nodes of the second ZDD, over the bits of the first one's numbers. Built for nine or more men only on request.
    pub second_nodes: Option<u64>,
}

/// Whether the second ZDD is built by default: up to seven men it takes seconds.
pub fn second_zdd_is_small(game: &Morris) -> bool {
    game.men() <= 7
}

/// Counts the placements of a game and builds its ZDDs; the second one of a large game only if `large` is set.
///
/// ```
/// use kanzen::Budget;
/// use kanzen::progress::Silent;
/// use kanzen_games::morris::Morris;
/// use kanzen_papers::morris::count;
/// let report = count(&Morris::new(3).unwrap(), false, &Budget::new(1, 1 << 20), &Silent)?;
/// assert_eq!((report.total, report.universe), (183, 1680));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn count(game: &Morris, large: bool, budget: &Budget, observer: &dyn Observer) -> Result<CountReport, Error> {
    budget.allows("the table of placements", Placements::memory(game))?;
    machine::pool(budget.threads)?.install(|| report(game, large, budget, observer))
}

fn report(game: &Morris, large: bool, budget: &Budget, observer: &dyn Observer) -> Result<CountReport, Error> {
    let counted = Placements::new(game);
    let (cells, all) = (counted.pseudo_reachable(), counted.all());
    let (universe, total) = (counted.universe(), cells.values().sum());
    drop(counted);
    let second_nodes = match large || second_zdd_is_small(game) {
        true => Some(second_zdd(game, total, budget, observer)?.nodes()),
        false => None,
    };
    let subset = |(&(white, black), &placements): (&(u32, u32), &u64)| Subset { white, black, placements };
    Ok(CountReport {
        game: format!("morris-{}", game.men()),
        total,
        total_without_exclusion: all.values().sum(),
        universe,
        subsets: cells.iter().map(subset).collect(),
        zdd: ZddSizes { first_nodes: first_zdd(game).nodes(), second_nodes },
        differences: differences(game, &cells, &all),
    })
}
