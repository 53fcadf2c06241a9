//! Lists, checks, imports and removes databases and unfinished solves of a data folder.

mod import;

use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;

use super::{Catalogue, Verdict};
use crate::store::{self, Holding};
use crate::vocabulary::progress::{Event, Observer};
use crate::vocabulary::{Budget, Error};

pub use import::{Import, Imported, MANIFEST, MOST_MANIFEST_BYTES};

/// A database, or a solve that is at work or was stopped.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// Whether it is a finished database.
    pub finished: bool,
    /// Whether a solve is at work on it.
    pub at_work: bool,
    /// The size of its files.
    pub bytes: u64,
    /// How many files it has, without those that only say what it is.
    pub files: u64,
    /// Seconds since a file of it was written, where the system has that.
    pub age_seconds: Option<u64>,
    /// Positions of a finished database, as its census counts them.
    pub positions: Option<u64>,
    /// The value of the initial position in a finished database.
    pub initial: Option<Verdict>,
    /// Of an unfinished solve: rounds that are kept, in games that are solved in rounds.
    pub rounds: u64,
    /// Of an unfinished solve: classes whose values are all known.
    pub classes: u64,
    /// Why a finished database cannot be used.
    pub problem: Option<String>,
}

/// What came of checking one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DataCheck {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// Whether it is a finished database.
    pub finished: bool,
    /// The size of its files.
    pub bytes: u64,
    /// Files that were read.
    pub files: u64,
    /// Those of them whose SHA-256 was compared, besides the checksums that all have.
    pub with_sha256: u64,
    /// Whether it was left alone, since a solve is at work on it.
    pub at_work: bool,
    /// What is wrong with it, a sentence each.
    pub damage: Vec<String>,
}

/// The databases and unfinished solves of a data folder.
pub fn held(games: &dyn Catalogue, data: &Path) -> Result<Vec<Held>, Error> {
    store::holdings(data)?.into_iter().map(|holding| describe(games, data, holding)).collect()
}

fn describe(games: &dyn Catalogue, data: &Path, holding: Holding) -> Result<Held, Error> {
    let files = holding.files()?;
    let counted = |is_one: fn(&str) -> bool| files.iter().filter(|file| is_one(file)).count() as u64;
    let age = holding.modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
    let mut held = Held {
        finished: holding.finished,
        at_work: holding.is_busy(),
        bytes: holding.bytes,
        files: files.len() as u64,
        age_seconds: age.map(|age| age.as_secs()),
        positions: None,
        initial: None,
        rounds: if holding.finished { 0 } else { counted(|file| file.starts_with("counts-")) },
        classes: if holding.finished {
            0
        } else {
            counted(|file| file.ends_with(".plane") || file.ends_with(".boards"))
        },
        problem: None,
        game: holding.game,
    };
    if held.finished {
        let read = || {
            let solved = games.find(&held.game)?.open(data)?;
            Ok::<_, Error>((solved.stats()?.positions, solved.verdict()?))
        };
        match read() {
            Ok((positions, initial)) => (held.positions, held.initial) = (Some(positions), Some(initial)),
            Err(error) => held.problem = Some(error.to_string()),
        }
    }
    Ok(held)
}

/// Reads every byte of what a data folder holds, or of what it holds of one game, and compares all checksums.
pub fn check(
    data: &Path,
    game: Option<&str>,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Vec<DataCheck>, Error> {
    let mut holdings = store::holdings(data)?;
    if let Some(game) = game {
        holdings.retain(|holding| holding.game == game);
        if holdings.is_empty() {
            return Err(Error::NotSolved { game: game.to_owned(), folder: data.to_owned() });
        }
    }
    let pool = crate::machine::pool(budget.threads)?;
    let mut checks = Vec::new();
    for holding in holdings {
        if observer.stop() {
            return Err(Error::Stopped);
        }
        observer.event(Event::Stage { name: &holding.game, total: Some(holding.bytes) });
        let at_work = holding.is_busy();
        let check = match at_work {
            true => store::HoldingCheck::default(),
            false => pool.install(|| holding.check(&mut |bytes| observer.event(Event::Steps { steps: bytes }))),
        };
        checks.push(DataCheck {
            finished: holding.finished,
            bytes: holding.bytes,
            files: check.files,
            with_sha256: check.with_sha256,
            at_work,
            damage: check.wrong.iter().map(ToString::to_string).collect(),
            game: holding.game,
        });
    }
    Ok(checks)
}

/// The size of what a data folder holds of a game, finished or not; nothing if there is none.
pub fn size_of(games: &dyn Catalogue, data: &Path, game: &str) -> Result<Option<u64>, Error> {
    let holdings = of_game(games, data, game)?;
    Ok((!holdings.is_empty()).then(|| holdings.iter().map(|holding| holding.bytes).sum()))
}

/// Removes what a data folder holds of a game, finished or not, and returns how many bytes that were.
pub fn remove(games: &dyn Catalogue, data: &Path, game: &str) -> Result<u64, Error> {
    let holdings = of_game(games, data, game)?;
    if holdings.is_empty() {
        return Err(Error::NotSolved { game: game.to_owned(), folder: data.to_owned() });
    }
    // A solve that is at work is refused before anything is gone.
    if let Some(busy) = holdings.iter().find(|holding| holding.is_busy()) {
        return Err(Error::Busy { folder: busy.folder.to_path_buf() });
    }
    holdings.iter().try_for_each(Holding::remove)?;
    Ok(holdings.iter().map(|holding| holding.bytes).sum())
}

/// What there is of a game. A folder that lacks its manifest is still its database, if it has the name of a game
/// of the catalogue: such a one is to be removed as well.
fn of_game(games: &dyn Catalogue, data: &Path, game: &str) -> Result<Vec<Holding>, Error> {
    let known = games.find(game).is_ok();
    let mut found = Vec::new();
    for finished in [true, false] {
        found.extend(store::holding(data, game, finished)?.filter(|holding| known || holding.is_marked()));
    }
    Ok(found)
}
