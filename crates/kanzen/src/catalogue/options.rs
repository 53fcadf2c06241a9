//! Options that only some games understand, declared by the games and offered by every program that has them.

use crate::vocabulary::Error;

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
