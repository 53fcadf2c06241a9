//! How morris is solved.
//!
//! All classes go through the scalar engine, the moving ones first, then placing by pieces in hand. A database keeps
//! every moving class, and of the placing layers as many as fit: see [`layers`].

mod crossing;
mod first_look;
mod forecast;
mod graph;
mod grid;
mod pairs;
mod parents;
mod placing;
mod placing_blocks;
mod take_rows;
mod taken_block;
mod taken_over;
mod target;
mod turned;
mod worth;

pub use graph::MorrisGraph;

use kanzen::solve::retrograde::{self, Graph};
use kanzen::solve::{Forecast, Job, Solution, SolvedClass, Solver, plane_file};
use kanzen::{Error, Tally, Value};

use super::index::{Counted, MorrisIndex, Phase, Tables};
use super::opener::{MorrisSolver, label};
use super::{Morris, layers};

impl MorrisSolver {
    fn graph<'a>(&self, index: &'a MorrisIndex) -> MorrisGraph<'a> {
        let graph = MorrisGraph::new(index);
        if self.moving_only { graph.moving_only() } else { graph }
    }
}

impl Solver<Morris> for MorrisSolver {
    fn forecast(&self, game: &Morris) -> Forecast {
        forecast::forecast(&self.graph(&MorrisIndex::new(game)), game)
    }

    fn shares(&self) -> bool {
        true
    }

    fn solve(&self, game: &Morris, job: &Job<'_>) -> Result<Solution, Error> {
        let index = MorrisIndex::new(game);
        let graph = self.graph(&index);
        if job.mesh().is_none() {
            taken_over::take_over(game, &graph, job)?;
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

/// Holes are stored as draws.
fn without_holes(tally: &Tally, holes: u64) -> Tally {
    let mut counted = Tally::default();
    for (value, positions) in tally.iter() {
        counted.add(value, if value == Value::DRAW { positions - holes } else { positions });
    }
    counted
}
