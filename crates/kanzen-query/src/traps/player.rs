//! Somebody who plays: a perfect player with a style, or a fallible one.

use std::fmt;
use std::str::FromStr;

use super::rank::{self, Seen};
use super::{Level, Model, Style};
use crate::Oracle;
use crate::probe::{Choice, choices};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::random::Random;

/// A player of solved games.
///
/// ```
/// use kanzen_query::{Model, Player, Style};
/// assert_eq!("trap".parse::<Player>()?, Player::of(Style::Trap));
/// assert_eq!("reads:2".parse::<Player>()?, Player::Model(Model::Reads(2)));
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Player {
    /// One who never gives value away.
    Style {
        /// How he chooses.
        style: Style,
        /// Whether he takes only the slowest losses where he has lost, and not any move that sets a trap.
        delay: bool,
    },
    /// One who may go wrong.
    Model(Model),
}

impl Player {
    /// A perfect player of this style, who in lost positions rather sets traps than delays.
    pub const fn of(style: Style) -> Player {
        Player::Style { style, delay: false }
    }

    /// The player that somebody asks for: by a style or a model, or by a level; nobody in particular plays the first of
    /// the best moves.
    ///
    /// ```
    /// use kanzen_query::{Player, Style};
    /// assert_eq!(Player::asked(None, None)?, Player::of(Style::Solid));
    /// assert!(Player::asked(Some("trap"), Some("3")).is_err());
    /// # Ok::<(), kanzen_core::Error>(())
    /// ```
    pub fn asked(style: Option<&str>, level: Option<&str>) -> Result<Player, Error> {
        match (style, level) {
            (Some(style), None) => style.parse(),
            (Some(style), Some(_)) => {
                let (what, reason) = ("style beside a level", "ask for one of the two");
                Err(Error::BadPlayer { text: style.to_owned(), what, reason })
            }
            (None, Some(level)) => level.parse::<Level>().map(Level::player),
            (None, None) => Ok(Player::of(Style::Solid)),
        }
    }

    /// His move and where it leads; nothing if the game is over.
    pub(super) fn choose(
        self,
        game: &dyn AnyGame,
        oracle: &dyn Oracle,
        position: u128,
        seen: &Seen,
        random: &mut Random,
    ) -> Result<Option<Choice>, Error> {
        let choices = choices(game, oracle, position)?;
        if choices.is_empty() {
            return Ok(None);
        }
        let chosen = match self {
            Player::Style { style, delay } => rank::choose((style, delay), (game, oracle), &choices, seen, random)?,
            Player::Model(model) => model.choose(&choices, random),
        };
        Ok(Some(choices[chosen]))
    }
}

impl From<Level> for Player {
    fn from(level: Level) -> Player {
        level.player()
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Style { style, .. } => style.fmt(f),
            Player::Model(model) => model.fmt(f),
        }
    }
}

impl FromStr for Player {
    type Err = Error;

    fn from_str(text: &str) -> Result<Player, Error> {
        match (text.parse::<Style>(), text.parse::<Model>()) {
            (Ok(style), _) => Ok(Player::of(style)),
            (_, Ok(model)) => Ok(Player::Model(model)),
            // What has a number is a model with a wrong one.
            (_, Err(refused)) if text.contains(':') => Err(refused),
            (Err(refused), _) => Err(refused),
        }
    }
}
