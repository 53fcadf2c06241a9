//! The description of a game that needs no query: its name, its line in the list, its own page.

use std::path::Path;

use serde::Serialize;

use super::{Entry, Reader};
use crate::machine;
use crate::query::{Answer, MoveTo, Weak};
use crate::rules::view::View;
use crate::solve::{Counting, Forecast};
use crate::vocabulary::{Error, Outcome};

/// What a game is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
}

/// A value as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The value (WDL), for the side to move.
    pub value: Outcome,
    /// Plies to the end, where defined.
    pub distance: Option<u16>,
    /// The mover's score, in games that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i16>,
}

impl From<Answer> for Verdict {
    fn from(answer: Answer) -> Verdict {
        Verdict { value: answer.value.outcome(), distance: answer.value.distance(), score: answer.score }
    }
}

/// What a page needs of a game before any query.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// The name in commands and files.
    pub game: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// The position it starts from.
    pub initial: String,
    /// What its board looks like.
    pub view: View,
}

impl GameView {
    /// The description of a game.
    pub fn of(game: &Reader) -> GameView {
        let GameInfo { id, title, rules } = game.info().clone();
        GameView { game: id, title, rules, initial: game.initial(), view: game.view() }
    }
}

/// What a data folder has of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Neither a database nor the beginning of one.
    Unsolved,
    /// A solve that has stopped, or is at work.
    Unfinished,
    /// A database, whole and of these rules.
    Solved,
    /// A database that cannot be trusted: damaged, or of other rules.
    Refused,
}

/// A database in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    /// The value of the initial position.
    pub initial: Verdict,
    /// The size of its files.
    pub data_bytes: u64,
    /// What is known where not every position is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak: Option<Weak>,
}

/// A line of the catalogue, as `games` has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listing {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// How many positions it has, where known.
    pub positions: Option<u64>,
    /// Whether the data folder holds its database.
    pub solved: bool,
    /// What the data folder has of it.
    pub state: State,
    /// What its database has, where it was asked.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub summary: Option<Summary>,
    /// What solving it is expected to cost on this machine.
    pub forecast: Forecast,
}

impl Listing {
    /// Describes a game; opens no file.
    pub fn of(entry: &Entry, data: &Path) -> Listing {
        let GameInfo { id, title, rules } = entry.info().clone();
        let (forecast, state) = (entry.forecast().here(machine::whole_budget().threads), entry.state(data));
        let (positions, solved) = (forecast.positions, state == State::Solved);
        Listing { id, title, rules, positions, solved, state, summary: None, forecast }
    }

    /// The same with what its database has, if there is one.
    pub fn with_summary(entry: &Entry, data: &Path) -> Listing {
        let mut listing = Listing::of(entry, data);
        if listing.solved {
            match entry.summary(data) {
                Ok(summary) => listing.summary = Some(summary),
                // Whole by its manifest, but not to be read.
                Err(_) => (listing.solved, listing.state) = (false, State::Refused),
            }
        }
        listing
    }
}

/// What `info` returns for a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Description {
    /// The name in commands and files.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// The rules in a few sentences.
    pub rules: String,
    /// How positions and moves are written.
    pub notation: NotationInfo,
    /// How many positions it has, where known.
    pub positions: Option<u64>,
    /// Which positions that number counts.
    pub counting: Counting,
    /// What the data folder has of it.
    pub state: State,
    /// What its database has, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Stored>,
    /// What solving it is expected to cost on this machine.
    pub forecast: Forecast,
}

/// How positions and moves are written, by words and by example.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NotationInfo {
    /// In words; empty if the game has no description.
    pub words: String,
    /// The initial position.
    pub position: String,
    /// A move there, and where it leads; nothing if there is none.
    pub example: Option<MoveTo>,
}

/// What a database holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stored {
    /// Its value and its size.
    #[serde(flatten)]
    pub summary: Summary,
    /// Positions up to the symmetries of the published table.
    pub positions: u64,
    /// All positions, mirror images and colours apart, where they were counted.
    pub all_positions: Option<u64>,
    /// Slots of its files: some stay empty, and some positions share one or need none.
    pub slots: u64,
}

impl Description {
    /// Describes a game. A database that cannot be read is an error.
    pub fn of(entry: &Entry, data: &Path) -> Result<Description, Error> {
        let Listing { id, title, rules, positions, state, forecast, .. } = Listing::of(entry, data);
        let start = entry.moves(None)?;
        let words = entry.notation();
        let notation = NotationInfo { words, position: start.position, example: start.moves.into_iter().next() };
        let stored = match state {
            State::Solved => Some(Stored::of(entry, data)?),
            _ => None,
        };
        let counting = entry.counting();
        Ok(Description { id, title, rules, notation, positions, counting, state, stored, forecast })
    }
}

impl Stored {
    fn of(entry: &Entry, data: &Path) -> Result<Stored, Error> {
        let stats = entry.open(data)?.stats()?;
        let all_positions = stats.all_positions.map(|all| all.positions);
        let summary = entry.summary(data)?;
        Ok(Stored { summary, positions: stats.positions, all_positions, slots: stats.stored })
    }
}
