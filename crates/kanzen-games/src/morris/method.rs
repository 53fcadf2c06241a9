//! How morris is solved, and its database read.
//!
//! All classes go through the scalar engine, the moving ones first, then placing by pieces in hand. A database keeps
//! every moving class, and of the placing classes as many as are needed to answer quickly: what lies between them is a
//! search of one or two plies ([`Kept`]).

use kanzen::catalogue::{Method, Run};
use kanzen::query::{Answer, Oracle, QueryError};
use kanzen::solve::{Retrograde, SolveError};
use kanzen::store::{ClassEntry, Database, FolderShelf, Manifest, PlaneFile, StoreError, WorkFolder};
use kanzen::{Census, Game, Tally, Value};
use serde_json::{Map, json};

use super::classes::Class;
use super::graph::MorrisGraph;
use super::positions::Counted;
use super::{Morris, Position};

/// Solves morris with its own numbering.
pub struct MorrisMethod;

/// Which placing classes a database keeps, by pieces in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// All of them.
    All,
    /// Those with an odd number of pieces in hand, from three on: one ply of search leads from the even ones to them,
    /// and from one or two pieces in hand one or two plies lead to the moving classes, which are by far the largest.
    OddFromThree,
}

impl Kept {
    /// What the database of a game keeps.
    pub fn of(game: &Morris) -> Kept {
        if game.men() <= 7 { Kept::All } else { Kept::OddFromThree }
    }

    /// Whether classes with so many pieces in hand are kept.
    pub fn keeps(self, in_hand: u32) -> bool {
        match self {
            Kept::All => true,
            Kept::OddFromThree => in_hand == 0 || in_hand >= 3 && in_hand % 2 == 1,
        }
    }
}

impl Method<Morris> for MorrisMethod {
    fn solve(&self, game: &Morris, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, SolveError> {
        let graph = MorrisGraph::new(game);
        let mut shelf = FolderShelf::new(work);
        Retrograde::new(run.budget).checkpoint_every(run.checkpoint_every).solve(&graph, &mut shelf, run.observer)?;
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        let kept = Kept::of(game);
        for (number, &class) in graph.list().list().iter().enumerate().filter(|(_, class)| kept.keeps(class.in_hand()))
        {
            let (plane, tally) = shelf.summary(number)?;
            manifest.files.push(plane);
            if let Class::Moving { halves: [half, _] } = class {
                let positions = Counted::of_class(game, class);
                let tally = without_holes(&tally, class.slots() - positions);
                let mut label = Map::new();
                label.insert("white".into(), json!(half.mover));
                label.insert("black".into(), json!(half.opponent));
                manifest.classes.push(ClassEntry { label, slots: class.slots(), tally });
            }
        }
        Ok(manifest)
    }

    fn open(&self, game: &Morris, database: Database) -> Result<Box<dyn Oracle<Morris>>, QueryError> {
        Ok(Box::new(Solved::open(game, database)?))
    }

    fn published_csv(&self, _: &Morris, oracle: &dyn Oracle<Morris>) -> Option<Result<String, QueryError>> {
        Some(oracle.census().map(|census| class_table(&census)))
    }
}

/// A row for each class: how many are won, lost and drawn, and the longest of each.
fn class_table(census: &Census) -> String {
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
    counted: Counted,
}

impl Solved {
    fn open(game: &Morris, database: Database) -> Result<Solved, StoreError> {
        let graph = MorrisGraph::owning(game.clone());
        let kept = Kept::of(game);
        let classes = graph.list().list();
        let open = |(number, class): (usize, &Class)| -> Result<Option<PlaneFile>, StoreError> {
            if !kept.keeps(class.in_hand()) {
                return Ok(None);
            }
            let plane = database.plane(&FolderShelf::plane_file(number))?;
            if plane.len() != class.slots() {
                let place = format!("class {number}: {} values for {} slots", plane.len(), class.slots());
                return Err(StoreError::damaged(&database.path(Manifest::FILE), place));
            }
            Ok(Some(plane))
        };
        let planes: Vec<Option<PlaneFile>> = classes.iter().enumerate().map(open).collect::<Result<_, _>>()?;
        let stored = classes.iter().zip(&planes).enumerate().filter(|(_, (_, plane))| plane.is_some());
        let counted = Counted::new(game, stored.map(|(number, (class, _))| (number, *class)));
        Ok(Solved { database, graph, planes, counted })
    }

    fn value(&self, game: &Morris, position: Position) -> Result<Value, QueryError> {
        if let Some(value) = game.ended(position) {
            return Ok(value);
        }
        let stored = self.graph.slot(position).and_then(|(class, slot)| Some((self.planes[class].as_ref()?, slot)));
        if let Some((plane, slot)) = stored {
            return Ok(plane.get(slot)?);
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
    fn answer(&self, game: &Morris, position: Position) -> Result<Answer, QueryError> {
        Ok(self.value(game, position)?.into())
    }

    fn positions(&self) -> u64 {
        self.counted.positions()
    }

    fn position(&self, game: &Morris, number: u64) -> Result<Position, QueryError> {
        self.counted.position(self.graph.numbering(), number).ok_or_else(|| QueryError::NotStored {
            game: format!("morris-{}", game.men()),
            position: format!("position number {number}"),
        })
    }

    fn census(&self) -> Result<Census, QueryError> {
        Ok(self.database.manifest().census())
    }
}
