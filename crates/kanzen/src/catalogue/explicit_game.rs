//! Games given as a table, position by position, instead of rules.

use std::sync::Arc;

use super::{Entry, GameInfo};
use crate::rules::conformance;
use crate::solve::{Forecast, RulesOnly};
use crate::vocabulary::Error;

pub use crate::rules::{ExplicitGame, GridBoard, PositionRecord};

/// What the conformance kit met in an explicit game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conformance {
    /// Positions visited.
    pub positions: usize,
    /// Moves played.
    pub moves: usize,
    /// Finished games.
    pub ends: usize,
    /// Positions without a move.
    pub stuck: usize,
    /// Whether mirror images were compared by their values, which takes all positions.
    pub values_compared: bool,
}

/// Runs the conformance kit on a game, up to so many positions; what does not hold is an error.
pub fn check(game: &ExplicitGame, limit: usize) -> Result<Conformance, Error> {
    let report = conformance::check(game, limit).map_err(|fault| Error::Rules(fault.to_string()))?;
    let conformance::Report { positions, moves, ends, stuck, values_compared, .. } = report;
    Ok(Conformance { positions, moves, ends, stuck, values_compared })
}

/// An entry for an explicit game: it is solved from its list.
///
/// ```
/// use kanzen::catalogue::{GameInfo, PositionRecord, ExplicitGame, explicit_game};
/// let mut game = ExplicitGame::builder("1");
/// game.push(PositionRecord { moves: vec![("take".into(), "0".into())], ..PositionRecord::default() })?;
/// game.push(PositionRecord::default())?;
/// let info = GameInfo { id: "one-stone".into(), title: "One stone".into(), rules: "Take it.".into() };
/// let entry = explicit_game(info, game.build(None)?);
/// assert_eq!((entry.initial().as_str(), entry.forecast().positions), ("1", Some(2)));
/// # Ok::<(), kanzen::Error>(())
/// ```
pub fn explicit_game(info: GameInfo, game: ExplicitGame) -> Arc<Entry> {
    let positions = game.positions() as u64;
    // The list itself is in memory already; the rest is small beside it.
    let (memory_bytes, data_bytes) = ((32 << 20) + 64 * positions, (64 << 10) + 8 * positions);
    let seconds = 0.1 + positions as f64 * 2e-6;
    let forecast =
        Forecast { positions: Some(positions), seconds, memory_bytes, data_bytes, disk_bytes: 4 * data_bytes };
    Arc::new(Entry::new(info, game, RulesOnly::new(forecast)))
}
