//! Levels of play, from one who knows only the rules to one who never slips.

use std::str::FromStr;

use super::{Model, Player, Style};
use kanzen_core::vocabulary::Error;

/// A level from 1 to 8. Each is a player: the first know nothing or look a few plies ahead, then come those who know
/// everything and err now and then, and the last is perfect and sets traps.
///
/// ```
/// use kanzen_query::{Level, Model, Player, Style};
/// assert_eq!("1".parse::<Level>()?.player(), Player::Model(Model::Random));
/// assert_eq!("8".parse::<Level>()?.player(), Player::of(Style::Trap));
/// let refused = "9".parse::<Level>().unwrap_err();
/// assert_eq!(refused.to_string(), "\"9\" is no level: levels go from 1 to 8");
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

const PLAYERS: [Player; 8] = [
    Player::Model(Model::Random),
    Player::Model(Model::Reads(1)),
    Player::Model(Model::Reads(2)),
    Player::Model(Model::Reads(4)),
    Player::Model(Model::Errs(0.2)),
    Player::Model(Model::Errs(0.1)),
    Player::Model(Model::Errs(0.03)),
    Player::of(Style::Trap),
];

impl Level {
    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=PLAYERS.len() as u8).map(Level)
    }

    /// The number by which people ask for it, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Who plays at this level.
    pub const fn player(self) -> Player {
        PLAYERS[self.0 as usize - 1]
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(text: &str) -> Result<Level, Error> {
        let level = text.parse().ok().filter(|level| (1..=PLAYERS.len() as u8).contains(level));
        let refused = || Error::BadPlayer { text: text.to_owned(), what: "level", reason: "levels go from 1 to 8" };
        level.map(Level).ok_or_else(refused)
    }
}
