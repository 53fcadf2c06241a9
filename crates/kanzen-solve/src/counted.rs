//! Forecasts the cost of solving a game by its rules, from a count of its positions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::Forecast;
use kanzen_core::index::{KeyTable, Listed};
use kanzen_core::rules::Game;
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::{Budget, Ledger};

/// The most positions that are counted for a forecast: this bounds its time to some seconds.
const COUNTED: u64 = 1 << 18;
/// Memory that counting them may take.
const MEMORY: u64 = 256 << 20;
/// Positions whose moves are counted.
const LOOKED_AT: u64 = 1 << 12;
/// Solving takes this many times as long as listing: moves are made again to count and to store edges, and once more
/// for every position that is notified.
const SOLVING: f64 = 5.0;
/// Headers, indices and a manifest.
const FILES: u64 = 16 << 10;

/// Stops a listing that finds too many positions.
struct Deadline {
    found: AtomicU64,
}

impl Observer for Deadline {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            self.found.fetch_add(steps, Relaxed);
        }
    }

    fn stop(&self) -> bool {
        self.found.load(Relaxed) > COUNTED
    }
}

/// Forecasts a solve from a count of the game's positions. The forecast is unknown if there are more than can be counted
/// within the limits.
pub fn counted_forecast<G: Game>(game: &G) -> Forecast {
    let began = Instant::now();
    let ledger = Ledger::new(Budget::new(1, MEMORY));
    let Ok(index) = Listed::list(game, &ledger, &Deadline { found: AtomicU64::new(0) }) else {
        return Forecast::UNKNOWN;
    };
    let positions = index.positions();
    let edges = edges(game, &index);
    // The packed keys, at most as large as they are, a state a position, and the edges turned round; and what tables take.
    let tables: u64 = index.classes().iter().filter_map(|(_, keys)| KeyTable::bytes_for(keys)).sum();
    let solving = positions * (size_of::<G::Key>() as u64 + 9) + 4 * edges + tables;
    let data_bytes = positions * (size_of::<G::Key>() as u64 + 1) + FILES;
    Forecast {
        positions: Some(positions),
        seconds: 0.1 + SOLVING * began.elapsed().as_secs_f64(),
        memory_bytes: ledger.most().max(solving),
        data_bytes,
        disk_bytes: 2 * data_bytes + 4 * positions,
    }
}

/// About how many moves all positions have.
pub(super) fn edges<G: Game>(game: &G, index: &Listed<G::Key>) -> u64 {
    let (mut looked_at, mut moves) = (0u64, 0u64);
    for (_, keys) in index.classes() {
        let step = keys.len().div_ceil(LOOKED_AT).max(1);
        for place in (0..keys.len()).step_by(step as usize) {
            let position = game.unpack(keys.key(place));
            looked_at += 1;
            if game.ended(position).is_none() {
                game.moves(position, &mut |_, _| moves += 1);
            }
        }
    }
    (index.positions() * moves).div_ceil(looked_at.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers below a limit; each leads to two others, until there are no more.
    struct Tree {
        nodes: u32,
    }

    impl Game for Tree {
        type Position = u32;
        type Move = u32;
        type Key = u32;

        fn initial(&self) -> u32 {
            0
        }

        fn moves(&self, node: u32, play: &mut impl FnMut(u32, u32)) {
            [2 * node + 1, 2 * node + 2]
                .into_iter()
                .filter(|next| *next < self.nodes)
                .for_each(|next| play(next, next));
        }

        fn pack(&self, node: u32) -> u32 {
            node
        }

        fn unpack(&self, key: u32) -> u32 {
            key
        }
    }

    #[test]
    fn positions_are_counted_before_anything_is_forecast() {
        let forecast = counted_forecast(&Tree { nodes: 5000 });
        assert_eq!(forecast.positions, Some(5000));
        assert!(forecast.is_known() && forecast.is_small() && forecast.memory_bytes > 0, "{forecast:?}");
    }

    #[test]
    fn what_cannot_be_counted_in_passing_is_not_guessed() {
        let forecast = counted_forecast(&Tree { nodes: 1 << 23 });
        assert_eq!(forecast, Forecast::UNKNOWN);
        assert!(!forecast.is_known() && !forecast.is_small());
    }
}
