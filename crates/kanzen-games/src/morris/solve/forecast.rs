//! What solving a game will cost, from the sizes of its classes.

use kanzen::solve::Forecast;
use kanzen::solve::retrograde::{Graph, forecast_class};

use super::graph::MorrisGraph;
use crate::morris::Morris;
use crate::morris::index::{Counted, Phase, Tables};
use crate::morris::layers::{choose, kept_bytes};

/// Time for each slot on two threads, in the moving classes and in the placing ones: measured on morris-9.
const MOVING_SECONDS: f64 = 85e-9;
const PLACING_SECONDS: f64 = 13e-9;
/// What the planes take for each slot: measured on morris-9, where most slots are.
const BYTES_PER_SLOT: f64 = 0.404;
/// What a class takes in fact, beside what is reserved for it: measured on morris-9.
const MEMORY_IN_FACT: f64 = 1.19;

/// Bytes that the quick way through a class takes beside what the engine holds: see `Pairs` and `Takes`. Where they are
/// not to be had the slower way does without.
fn beside(game: &Morris, phase: Phase) -> u64 {
    match phase {
        // The takes of one half at a time.
        Phase::Moving { halves } => halves.map(|half| half.slots).into_iter().max().unwrap_or(0),
        // Two bytes for each child, and for each slot two instead of four.
        Phase::Placing { half, .. } => {
            let empty = game.board().points - half.opponent - half.mover;
            (2 * half.slots * u64::from(empty) / u64::from(half.mover + 1)).saturating_sub(2 * half.slots)
        }
    }
}

/// What solving the classes of a graph will cost.
pub fn forecast(graph: &MorrisGraph<'_>, game: &Morris) -> Forecast {
    let mut slots = vec![0; 2 * game.men() as usize + 1];
    let (mut positions, mut largest_class) = (0, 0);
    for class in 0..graph.classes() {
        let phase = graph.phase(class);
        slots[phase.in_hand() as usize] += phase.slots();
        positions += if phase.in_hand() == 0 { Counted::of_class(game, phase) } else { 0 };
        largest_class = largest_class.max(forecast_class(graph, class) + beside(game, phase));
    }
    let (moving, placing) = (slots[0], slots[1..].iter().sum::<u64>());
    let bytes: Vec<u64> = slots.iter().map(|&slots: &u64| (slots as f64 * BYTES_PER_SLOT) as u64).collect();
    Forecast {
        positions: Some(positions),
        seconds: 0.1 + moving as f64 * MOVING_SECONDS + placing as f64 * PLACING_SECONDS,
        memory_bytes: (11 << 20) + Tables::bytes(game) + (largest_class as f64 * MEMORY_IN_FACT) as u64,
        data_bytes: (64 << 10) + kept_bytes(&bytes, choose(&bytes)),
        // All layers are there before some are left out.
        disk_bytes: (64 << 10) + bytes.iter().sum::<u64>(),
    }
}
