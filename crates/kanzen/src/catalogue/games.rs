//! The trait of a catalogue, and the options that only some games have.

use super::{Entry, State};
use crate::vocabulary::Error;
use std::path::Path;
use std::sync::Arc;

/// The games that a program offers, by name.
///
/// ```
/// use std::sync::Arc;
/// use kanzen::catalogue::{Catalogue, Entry};
///
/// /// No game at all.
/// struct Nothing;
///
/// impl Catalogue for Nothing {
///     fn all(&self) -> Vec<Arc<Entry>> {
///         Vec::new()
///     }
/// }
///
/// let unknown = Nothing.find("chess").err().unwrap();
/// assert_eq!(unknown.to_string(), r#"unknown game "chess""#);
/// ```
pub trait Catalogue: Send + Sync {
    /// The games to show in a list; of a family without end, a member or two.
    fn all(&self) -> Vec<Arc<Entry>>;

    /// The game of a name: one of the list, unless the catalogue has families without end.
    fn find(&self, id: &str) -> Result<Arc<Entry>, Error> {
        let found = self.all().into_iter().find(|entry| entry.info().id == id);
        found.ok_or_else(|| Error::UnknownGame { id: id.to_owned() })
    }

    /// The options that its games declare, each once.
    fn options(&self) -> Vec<&'static GameOption> {
        let mut options: Vec<&'static GameOption> = Vec::new();
        for option in self.all().iter().flat_map(|entry| entry.options()) {
            if !options.iter().any(|known| known.name == option.name) {
                options.push(option);
            }
        }
        options
    }

    /// The variant of a game that options select. An option that the game does not declare is refused.
    fn variant(&self, id: &str, given: &Given) -> Result<Arc<Entry>, Error> {
        let mut entry = self.find(id)?;
        for (name, value) in &given.0 {
            if !entry.options().any(|option| option.name == name) {
                let known = self.options().into_iter().find(|option| option.name == name);
                let unknown = || Error::BadRequest(format!("there is no option --{name}"));
                return Err(known.map_or_else(unknown, |option| option.refused(&entry.info().id)));
            }
            if let Some(variant) = entry.variant(name, value)? {
                entry = self.find(&variant)?;
            }
        }
        Ok(entry)
    }
}

/// The games of a catalogue, and those members of its endless families that a data folder holds solved or unfinished.
pub fn listed(games: &dyn Catalogue, data: &Path) -> Vec<Arc<Entry>> {
    let mut all = games.all();
    let ids: Vec<&str> = all.iter().map(|game| game.info().id.as_str()).collect();
    let mut more = solved_besides(games, &ids, data);
    more.extend(besides(games, &ids, data, ".part").into_iter().filter(|game| game.state(data) == State::Unfinished));
    more.sort_by(|one, other| one.info().id.cmp(&other.info().id));
    all.extend(more);
    all
}

/// Solved games of a data folder that are not among these.
pub fn solved_besides(games: &dyn Catalogue, ids: &[&str], data: &Path) -> Vec<Arc<Entry>> {
    besides(games, ids, data, "").into_iter().filter(|game| game.is_solved(data)).collect()
}

/// Games that are not among these, after which something in a data folder is named, with this at its end.
fn besides(games: &dyn Catalogue, ids: &[&str], data: &Path, end: &str) -> Vec<Arc<Entry>> {
    let mut names: Vec<String> = match std::fs::read_dir(data) {
        Ok(folders) => folders.flatten().filter_map(|folder| folder.file_name().into_string().ok()).collect(),
        Err(_) => Vec::new(), // no data folder yet: nothing is solved
    };
    names.sort();
    let names = names.iter().filter_map(|name| name.strip_suffix(end)).filter(|name| !ids.contains(name));
    names.filter_map(|name| games.find(name).ok()).collect()
}

/// An option of the command line that a game declares.
#[derive(Debug)]
pub struct GameOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// Which commands take it.
    pub scope: Scope,
    /// What stands for its value in help, and the values there are; nothing for a flag.
    pub values: Option<(&'static str, &'static [&'static str])>,
    /// What it does, for help.
    pub help: &'static str,
    /// Whose it is, such as `is a rule of ostle`, and what other games lack, such as `has none`.
    pub refusal: [&'static str; 2],
}

/// The commands that take a [`GameOption`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All that name a game: it selects a variant of the game.
    Variant,
    /// `count` alone.
    Count,
    /// `reach` alone.
    Reach,
}

/// The options that were given, by name, each with its value; that of a flag is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given(pub Vec<(String, String)>);

impl Given {
    /// The value of an option, if it was given.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}

/// The variants of a game: an option, and for each of its values the name of the game that it selects.
#[derive(Debug)]
pub struct Variants {
    /// The option that selects one.
    pub option: &'static GameOption,
    /// Values with names in the catalogue. A value that contradicts the name of the game is missing.
    pub names: Vec<(&'static str, String)>,
}

impl Variants {
    /// The name of the variant that a value selects.
    pub(super) fn name(&self, id: &str, value: &str) -> Result<&str, Error> {
        let found = self.names.iter().find(|(known, _)| *known == value);
        found.map(|(_, name)| name.as_str()).ok_or_else(|| {
            let (option, own) = (self.option.name, self.names.first().map_or("", |(own, _)| own));
            Error::BadRequest(format!("{id} has --{option} {own} by its name"))
        })
    }
}

impl GameOption {
    /// The refusal of the option for a game that does not declare it.
    pub(super) fn refused(&self, id: &str) -> Error {
        let [whose, lacks] = self.refusal;
        Error::BadRequest(format!("--{} {whose}: {id} {lacks}", self.name))
    }
}
