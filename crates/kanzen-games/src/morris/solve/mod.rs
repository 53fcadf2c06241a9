//! Solves morris by retrograde analysis, class by class: the moving classes first, then placing by pieces in hand.
//!
//! A database stores every moving class, and as many placing layers as fit: see [`choose_layers`]. Solved moving
//! classes are shared between games:
//!
//! ```text
//!   six men    3-3 ... 5-5 | 6-3 ... 6-6 | placing        once all men are placed, the number of men in the game does not
//!   five men   3-3 ... 5-5 |       placing                matter: on the same board five against four is one class
//! ```
//!
//! So six men reuse the planes of five, and twelve those of eleven, or the reverse: eleven twelfths of twelve men's
//! moving positions. Reused planes are byte for byte those that the solve would write. This file holds the solver, the
//! reuse and the cost forecast.

mod graph;
mod grid;
mod initial_pass;
mod pairs;
mod parents;
mod placing;
mod row_gather;

pub use graph::MorrisGraph;

use kanzen::{Error, Tally, Value};
use kanzen_core::rules::fingerprint;
use kanzen_query::Opener;
use kanzen_solve::retrograde::{Graph, forecast_class};
use kanzen_solve::{Forecast, Job, Solution, SolvedClass, SolvedGame, Solver, plane_file, retrograde};

use super::Morris;
use super::index::{Counted, MorrisIndex, MorrisSolver, Phase, Tables, choose_layers, kept_bytes, label};

impl MorrisSolver {
    fn graph<'a>(&self, index: &'a MorrisIndex) -> MorrisGraph<'a> {
        let graph = MorrisGraph::new(index);
        if self.moving_only { graph.moving_only() } else { graph }
    }
}

impl Solver<Morris> for MorrisSolver {
    fn forecast(&self, game: &Morris) -> Forecast {
        forecast(&self.graph(&MorrisIndex::new(game)), game)
    }

    fn shares(&self) -> bool {
        true
    }

    fn solve(&self, game: &Morris, job: &Job<'_>) -> Result<Solution, Error> {
        let index = MorrisIndex::new(game);
        let graph = self.graph(&index);
        if job.mesh().is_none() {
            reuse_planes(game, &graph, job)?;
        }
        {
            let _tables = job.reserve("the tables of the numbering", Tables::bytes(game))?;
            retrograde::solve(&graph, job)?;
        }
        if job.mesh().is_some_and(|mesh| mesh.me() > 0) {
            return Ok(Solution::default());
        }
        let mut bytes = vec![0; 2 * game.men() as usize + 1];
        for class in 0..graph.classes() {
            bytes[graph.phase(class).in_hand() as usize] += job.store.bytes(&plane_file(class))?;
        }
        let keeps = choose_layers(&bytes);
        let mut solution = Solution::default();
        for class in 0..graph.classes() {
            let phase = graph.phase(class);
            if phase.in_hand() == 0 || keeps(phase.in_hand()) {
                solution.files.push(plane_file(class));
            }
            if let Phase::Moving { halves: [half, _] } = phase {
                let tally = job.install(|| job.store.tally(&plane_file(class)))?;
                let label = label(half);
                let (slots, holes) = (phase.slots(), phase.slots() - Counted::of_class(game, phase));
                solution.classes.push(SolvedClass { label, slots, tally: without_holes(&tally, holes) });
            }
        }
        Ok(solution)
    }
}

/// Subtracts the holes, which are stored as draws.
fn without_holes(tally: &Tally, holes: u64) -> Tally {
    let mut counted = Tally::default();
    for (value, positions) in tally.iter() {
        counted.add(value, if value == Value::DRAW { positions - holes } else { positions });
    }
    counted
}

/// Seconds per slot on two threads, for the moving and the placing classes: measured on morris-9.
const MOVING_SECONDS: f64 = 85e-9;
const PLACING_SECONDS: f64 = 13e-9;
/// Bytes of the planes per slot: measured on morris-9, where most slots are.
const BYTES_PER_SLOT: f64 = 0.404;
/// The memory of a class relative to what it reserves: measured on morris-9.
const MEMORY_FACTOR: f64 = 1.19;

/// Returns the bytes that the fast method for a class takes beside the engine: see `Pairs` and `Takes`. Without that
/// memory a slower method is used.
fn scratch_bytes(game: &Morris, phase: Phase) -> u64 {
    match phase {
        // The takes of one half at a time.
        Phase::Moving { halves } => halves.map(|half| half.slots).into_iter().max().unwrap_or(0),
        // Two bytes per child, and two instead of four bytes per slot.
        Phase::Placing { half, .. } => {
            let empty = game.board().points - half.opponent - half.mover;
            (2 * half.slots * u64::from(empty) / u64::from(half.mover + 1)).saturating_sub(2 * half.slots)
        }
    }
}

/// Estimates the cost of solving the classes of a graph.
fn forecast(graph: &MorrisGraph<'_>, game: &Morris) -> Forecast {
    let mut slots = vec![0; 2 * game.men() as usize + 1];
    let (mut positions, mut largest_class) = (0, 0);
    for class in 0..graph.classes() {
        let phase = graph.phase(class);
        slots[phase.in_hand() as usize] += phase.slots();
        positions += if phase.in_hand() == 0 { Counted::of_class(game, phase) } else { 0 };
        largest_class = largest_class.max(forecast_class(graph, class) + scratch_bytes(game, phase));
    }
    let (moving, placing) = (slots[0], slots[1..].iter().sum::<u64>());
    let bytes: Vec<u64> = slots.iter().map(|&slots: &u64| (slots as f64 * BYTES_PER_SLOT) as u64).collect();
    Forecast {
        positions: Some(positions),
        seconds: 0.1 + moving as f64 * MOVING_SECONDS + placing as f64 * PLACING_SECONDS,
        memory_bytes: (11 << 20) + Tables::bytes(game) + (largest_class as f64 * MEMORY_FACTOR) as u64,
        data_bytes: (64 << 10) + kept_bytes(&bytes, choose_layers(&bytes)),
        // All layers exist before some are dropped.
        disk_bytes: (64 << 10) + bytes.iter().sum::<u64>(),
    }
}

/// Copies planes of moving classes that the job's store lacks from finished databases of other games.
fn reuse_planes(game: &Morris, graph: &MorrisGraph<'_>, job: &Job<'_>) -> Result<(), Error> {
    for men in Morris::MEN.into_iter().filter(|&men| men != game.men()) {
        let other = Morris::new(men).filter(|other| other.moves_like(game));
        let Some(other) = other else { continue };
        reuse_planes_of(&other, graph, job)?;
    }
    Ok(())
}

fn reuse_planes_of(other: &Morris, graph: &MorrisGraph<'_>, job: &Job<'_>) -> Result<(), Error> {
    let index = MorrisIndex::new(other);
    let name = format!("morris-{}", other.men());
    let solved = SolvedGame { game: &name, fingerprint: fingerprint(&name, other, MorrisSolver::WHOLE.layout(other)?) };
    let mut reused = 0;
    for class in 0..graph.classes() {
        let (phase, file) = (graph.phase(class), plane_file(class));
        let same = index.phases().list().iter().position(|theirs| *theirs == phase);
        let Some(theirs) = same.filter(|_| matches!(phase, Phase::Moving { .. }) && !job.store.has(&file)) else {
            continue;
        };
        let slots = phase.slots();
        let _memory = job.reserve(&graph.name(class), 2 * slots)?;
        let codes = job.install(|| job.store.plane_of(&solved, &plane_file(theirs), slots))?;
        let Some(codes) = codes else { continue };
        job.stage(&format!("{} from {name}", graph.name(class)), Some(slots));
        let fill = |first: u64, to: &mut [i16]| to.copy_from_slice(&codes[first as usize..][..to.len()]);
        job.install(|| job.store.put_plane(&file, slots, &fill, &|slots| job.steps(slots)))?;
        reused += 1;
    }
    if reused > 0 {
        job.note(&format!("{reused} moving classes reused from the database of {name}"));
    }
    Ok(())
}
