//! How morris is solved, and its database read.
//!
//! All classes go through the scalar engine, the moving ones first, then placing by pieces in hand. A database keeps
//! every moving class, and of the placing layers as many as fit: see [`layers`].

mod first_look;
mod forecast;
mod graph;
pub(super) mod layers;
mod parents;
mod placing;
mod target;

pub use graph::MorrisGraph;

use kanzen::index::Index;
use kanzen::query::{Opener, Oracle, Tablebase};
use kanzen::solve::retrograde::{self, Graph};
use kanzen::solve::{Forecast, Job, Solution, SolvedClass, Solver, plane_file};
use kanzen::store::Database;
use kanzen::{Error, Tally, Value};
use serde_json::{Map, Value as Json};

use super::Morris;
use super::index::{Counted, Half, MorrisIndex, Phase, Tables};
use super::paper::class_table;

/// Solves morris with its own numbering.
pub struct MorrisSolver {
    moving_only: bool,
}

impl MorrisSolver {
    /// Both phases.
    pub const WHOLE: MorrisSolver = MorrisSolver { moving_only: false };
    /// The positions without pieces in hand, for games whose placing phase takes too long.
    pub const MOVING: MorrisSolver = MorrisSolver { moving_only: true };

    fn graph<'a>(&self, index: &'a MorrisIndex) -> MorrisGraph<'a> {
        let graph = MorrisGraph::new(index);
        if self.moving_only { graph.moving_only() } else { graph }
    }

    /// Refuses a database that does not count the moving classes, or leaves out so many planes that its answers would
    /// have to be searched for.
    fn check(&self, index: &MorrisIndex, database: &Database) -> Result<(), Error> {
        let phases = index.phases().list();
        let moving: Vec<(Half, u64)> = phases
            .iter()
            .filter_map(|phase| match phase {
                Phase::Moving { halves: [half, _] } => Some((*half, phase.slots())),
                Phase::Placing { .. } => None,
            })
            .collect();
        database.check_classes(moving.len(), |number, class| {
            let (half, slots) = moving[number];
            class.label == label(half) && class.slots == slots && class.tally.positions() <= slots
        })?;
        if self.moving_only {
            return Ok(());
        }
        let layers: Vec<(u32, bool)> = phases.iter().map(|phase| phase.in_hand()).zip(index.stored()).collect();
        match layers::first_lacking(&layers) {
            Some(class) => Err(Error::Missing { path: database.path(&index.classes()[class].plane_file()) }),
            None => Ok(()),
        }
    }
}

impl Solver<Morris> for MorrisSolver {
    fn forecast(&self, game: &Morris) -> Forecast {
        forecast::forecast(&self.graph(&MorrisIndex::new(game)), game)
    }

    fn solve(&self, game: &Morris, job: &Job<'_>) -> Result<Solution, Error> {
        let index = MorrisIndex::new(game);
        let graph = self.graph(&index);
        {
            let _tables = job.reserve("the tables of the numbering", Tables::bytes(game))?;
            retrograde::solve(&graph, job)?;
        }
        let mut bytes = vec![0; 2 * game.men() as usize + 1];
        for class in 0..graph.classes() {
            bytes[graph.phase(class).in_hand() as usize] += job.store.bytes(&plane_file(class))?;
        }
        let keeps = layers::choose(&bytes);
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

/// What a moving class is called.
fn label(half: Half) -> Map<String, Json> {
    SolvedClass::label([("white", half.mover.into()), ("black", half.opponent.into())])
}

/// Holes are stored as draws.
fn without_holes(tally: &Tally, holes: u64) -> Tally {
    let mut counted = Tally::default();
    for (value, positions) in tally.iter() {
        counted.add(value, if value == Value::DRAW { positions - holes } else { positions });
    }
    counted
}

impl Opener<Morris> for MorrisSolver {
    fn open(&self, game: &Morris, database: Database) -> Result<Box<dyn Oracle<Morris>>, Error> {
        let index = MorrisIndex::new(game).holding(|class| database.manifest().file(&class.plane_file()).is_some());
        self.check(&index, &database)?;
        Ok(Box::new(Tablebase::open::<Morris>(index, database)?))
    }

    fn layout(&self, game: &Morris) -> Result<u64, Error> {
        MorrisIndex::new(game).layout(game)
    }

    fn published_csv(&self, _: &Morris, oracle: &dyn Oracle<Morris>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| class_table(&census)))
    }
}
