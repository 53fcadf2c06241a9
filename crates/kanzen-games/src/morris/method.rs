//! How morris is solved, and its database read.
//!
//! All classes go through the scalar engine, the moving ones first, then placing by pieces in hand. A database keeps
//! every moving class, and of the placing layers as many as fit into [`MOST_BYTES`]: what lies between them is a search
//! of one or two plies.

use kanzen::catalogue::{Run, Solver};
use kanzen::query::{Answer, Oracle};
use kanzen::solve::{Graph, Retrograde};
use kanzen::store::{ClassEntry, Database, FileEntry, FolderStore, Manifest, PlaneFile, WorkFolder};
use kanzen::{Census, Error, Game, Tally, Value};
use serde_json::{Map, json};

use super::classes::Class;
use super::graph::MorrisGraph;
use super::positions::Counted;
use super::{Morris, Position};

/// Solves morris with its own numbering.
pub struct MorrisMethod {
    moving_only: bool,
}

impl MorrisMethod {
    /// Both phases.
    pub const WHOLE: MorrisMethod = MorrisMethod { moving_only: false };
    /// The positions without pieces in hand, for games whose placing phase takes too long.
    pub const MOVING: MorrisMethod = MorrisMethod { moving_only: true };
}

/// A database stays below this.
const MOST_BYTES: u64 = 9_000_000_000;

/// Which placing layers may be kept, by pieces in hand, the richest choice first. Nearly all positions have few pieces
/// in hand: the layers of one and two are the largest, and one or two plies from the moving classes.
const CHOICES: [fn(u32) -> bool; 4] = [
    |_| true,
    |in_hand| in_hand > 1,
    |in_hand| in_hand == 2 || in_hand > 2 && in_hand % 2 == 1,
    |in_hand| in_hand > 2 && in_hand % 2 == 1,
];

/// The first choice that fits, given the bytes of each layer, the moving classes being layer 0; else the last.
fn choose(layers: &[u64]) -> fn(u32) -> bool {
    let bytes = |keeps: fn(u32) -> bool| -> u64 {
        let kept = (0..).zip(layers).filter(|(in_hand, _)| *in_hand == 0 || keeps(*in_hand));
        kept.map(|(_, bytes)| bytes).sum()
    };
    let fits = CHOICES.iter().find(|keeps| bytes(**keeps) <= MOST_BYTES);
    *fits.unwrap_or(&CHOICES[CHOICES.len() - 1])
}

impl Solver<Morris> for MorrisMethod {
    fn solve(&self, game: &Morris, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, Error> {
        let graph = match self.moving_only {
            true => MorrisGraph::new(game).moving_only(),
            false => MorrisGraph::new(game),
        };
        let mut shelf = FolderStore::new(work);
        Retrograde::new(run.budget).checkpoint_every(run.checkpoint_every).solve(&graph, &mut shelf, run.observer)?;
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        let mut layers = vec![0; 2 * game.men() as usize + 1];
        let mut files = Vec::new();
        for (number, &class) in graph.list().list().iter().enumerate().take(graph.classes()) {
            let name = FolderStore::plane_file(number);
            let file = FileEntry::of_file(name.clone(), work.plane(&name)?.blocks());
            layers[class.in_hand() as usize] += file.bytes;
            files.push((number, class, file));
        }
        let keeps = choose(&layers);
        for (number, class, file) in files {
            if class.in_hand() == 0 || keeps(class.in_hand()) {
                manifest.files.push(file);
            }
            if let Class::Moving { halves: [half, _] } = class {
                let (_, tally) = shelf.summary(number)?;
                let tally = without_holes(&tally, class.slots() - Counted::of_class(game, class));
                let mut label = Map::new();
                label.insert("white".into(), json!(half.mover));
                label.insert("black".into(), json!(half.opponent));
                manifest.classes.push(ClassEntry { label, slots: class.slots(), tally });
            }
        }
        Ok(manifest)
    }

    fn open(&self, game: &Morris, database: Database) -> Result<Box<dyn Oracle<Morris>>, Error> {
        Ok(Box::new(Solved::open(game, database)?))
    }

    fn published_csv(&self, _: &Morris, oracle: &dyn Oracle<Morris>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| class_table(&census)))
    }
}

/// A row for each class: how many are won, lost and drawn, and the longest of each.
pub fn class_table(census: &Census) -> String {
    let mut csv = String::from("class,positions,wins,losses,draws,longest_win,longest_loss\n");
    for (label, tally) in &census.classes {
        let bars = tally.histogram();
        let longest = |count: fn(&kanzen::Bar) -> u64| {
            bars.iter().rev().find(|bar| count(bar) > 0).map_or(String::new(), |bar| bar.distance.to_string())
        };
        csv += &format!(
            "{}-{},{},{},{},{},{},{}\n",
            label["white"],
            label["black"],
            tally.positions(),
            tally.wins(),
            tally.losses(),
            tally.draws(),
            longest(|bar| bar.wins),
            longest(|bar| bar.losses),
        );
    }
    csv
}

/// Holes are stored as draws.
fn without_holes(tally: &Tally, holes: u64) -> Tally {
    let mut counted = Tally::default();
    for (value, positions) in tally.iter() {
        counted.add(value, if value == Value::DRAW { positions - holes } else { positions });
    }
    counted
}

/// A morris database.
struct Solved {
    database: Database,
    graph: MorrisGraph<'static>,
    /// By class; none where the class is searched.
    planes: Vec<Option<PlaneFile>>,
    /// Without any placing layer the search would be one of the whole game.
    knows_placing: bool,
    counted: Counted,
}

fn not_stored(game: &Morris, position: String) -> Error {
    Error::NotStored { game: format!("morris-{}", game.men()), position }
}

impl Solved {
    fn open(game: &Morris, database: Database) -> Result<Solved, Error> {
        let graph = MorrisGraph::owning(game.clone());
        let classes = graph.list().list();
        let open = |(number, class): (usize, &Class)| -> Result<Option<PlaneFile>, Error> {
            let name = FolderStore::plane_file(number);
            if class.in_hand() > 0 && database.manifest().file(&name).is_none() {
                return Ok(None);
            }
            let plane = database.plane(&name)?;
            if plane.len() != class.slots() {
                let place = format!("class {number}: {} values for {} slots", plane.len(), class.slots());
                return Err(Error::damaged(&database.path(Manifest::FILE), place));
            }
            Ok(Some(plane))
        };
        let planes: Vec<Option<PlaneFile>> = classes.iter().enumerate().map(open).collect::<Result<_, _>>()?;
        let knows_placing = classes.iter().zip(&planes).any(|(class, plane)| class.in_hand() > 0 && plane.is_some());
        let stored = classes.iter().zip(&planes).enumerate().filter(|(_, (_, plane))| plane.is_some());
        let counted = Counted::new(game, stored.map(|(number, (class, _))| (number, *class)));
        Ok(Solved { database, graph, planes, knows_placing, counted })
    }

    fn value(&self, game: &Morris, position: Position) -> Result<Value, Error> {
        if let Some(value) = game.ended(position) {
            return Ok(value);
        }
        let stored = self.graph.slot(position).and_then(|(class, slot)| Some((self.planes[class].as_ref()?, slot)));
        if let Some((plane, slot)) = stored {
            return Ok(plane.get(slot)?);
        }
        if position.in_hand() > 2 && !self.knows_placing {
            return Err(not_stored(game, game.show(position)));
        }
        let mut children = Vec::new();
        game.moves(position, &mut |_, child| children.push(child));
        let mut best = game.stuck(position);
        for child in children {
            best = best.max(self.value(game, child)?.before());
        }
        Ok(best)
    }
}

impl Oracle<Morris> for Solved {
    fn answer(&self, game: &Morris, position: Position) -> Result<Answer, Error> {
        Ok(self.value(game, position)?.into())
    }

    fn positions(&self) -> u64 {
        self.counted.positions()
    }

    fn position(&self, game: &Morris, number: u64) -> Result<Position, Error> {
        let position = self.counted.position(self.graph.numbering(), number);
        position.ok_or_else(|| not_stored(game, format!("position number {number}")))
    }

    fn census(&self) -> Result<Census, Error> {
        Ok(self.database.manifest().census())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_layers_are_kept_as_fit() {
        let kept = |layers: &[u64]| {
            let keeps = choose(layers);
            (1..layers.len() as u32).filter(|&in_hand| keeps(in_hand)).collect::<Vec<_>>()
        };
        let giga = |sizes: [u64; 6]| sizes.map(|size| size * 1_000_000_000);
        assert_eq!(kept(&giga([1, 1, 1, 1, 1, 1])), [1, 2, 3, 4, 5]);
        assert_eq!(kept(&giga([3, 3, 2, 1, 1, 1])), [2, 3, 4, 5]);
        assert_eq!(kept(&giga([3, 4, 3, 2, 1, 1])), [2, 3, 5]);
        assert_eq!(kept(&giga([5, 4, 3, 2, 1, 1])), [3, 5]);
        assert_eq!(kept(&giga([10, 4, 3, 2, 1, 1])), [3, 5], "it is a wish, not a refusal");
    }
}
