//! Players of solved games: perfect ones with a style, and models of fallible ones.

use std::fmt;
use std::str::FromStr;

use super::Look;
use super::rank::{self, Seen};
use crate::Oracle;
use crate::probe::{Choice, choices};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::random::Random;
use kanzen_core::vocabulary::{Answer, Error};

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
    /// A player that never gives value away.
    Style {
        /// How he chooses.
        style: Style,
        /// Whether he takes only the slowest losses where he has lost, and not any move that sets a trap.
        delay: bool,
    },
    /// A fallible player.
    Model(Model),
}

impl Player {
    /// A perfect player of this style, who in lost positions rather sets traps than delays.
    pub const fn of(style: Style) -> Player {
        Player::Style { style, delay: false }
    }

    /// The player of a style, a model or a level; by default one that plays the first of
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

/// How a perfect player chooses among the moves that keep the value.
///
/// ```
/// use kanzen_query::Style;
/// assert_eq!("trap".parse::<Style>()?, Style::Trap);
/// let refused = "sly".parse::<Style>().unwrap_err();
/// assert_eq!(refused.to_string(), "\"sly\" is no style: there are solid, uniform, trap and patient");
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The first of the best.
    Solid,
    /// Any of the best, at random.
    Uniform,
    /// One after which the largest share of the replies slips.
    Trap,
    /// One after which the opponent cannot help that we have most material.
    Patient,
}

impl Style {
    /// All styles, in the order in which they are offered.
    pub const ALL: [Style; 4] = [Style::Solid, Style::Uniform, Style::Trap, Style::Patient];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Style::Solid => "solid",
            Style::Uniform => "uniform",
            Style::Trap => "trap",
            Style::Patient => "patient",
        }
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Style {
    type Err = Error;

    fn from_str(text: &str) -> Result<Style, Error> {
        let reason = "there are solid, uniform, trap and patient";
        let found = Style::ALL.into_iter().find(|style| style.name() == text);
        found.ok_or_else(|| Error::BadPlayer { text: text.to_owned(), what: "style", reason })
    }
}

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

    /// Its number, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The player of this level.
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

/// A model of a fallible player. Where moves are alike to him, he chooses at random.
///
/// ```
/// use kanzen_query::Model;
/// let model: Model = "errs:0.1".parse()?;
/// assert_eq!(model, Model::Errs(0.1));
/// assert_eq!(model.to_string(), "errs:0.1");
/// let refused = "errs:2".parse::<Model>().unwrap_err();
/// assert_eq!(refused.to_string(), "\"errs:2\" is no model of a player: E of errs:E is a share from 0 to 1");
/// # Ok::<(), kanzen_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Model {
    /// Keeps his due; wins quickly and loses slowly.
    Perfect,
    /// Plays any move.
    Random,
    /// In this share of his turns plays any move, else perfectly.
    Errs(f64),
    /// Sees ends that are at most so many plies away; beyond, all looks like a draw.
    Reads(u16),
    /// Prefers better moves by so much: the weight of a move falls with this power of how far away a win is
    /// (Haworth's reference fallible player).
    Haworth(f64),
}

/// The depth that a draw is worth to [`Model::Haworth`]: further away than ends are seen.
const DRAWN_DEPTH: f64 = 1024.0;

impl Model {
    /// Which of the choices, best first, is played. There must be one.
    pub(super) fn choose(self, choices: &[Choice], random: &mut Random) -> usize {
        match self {
            Model::Perfect => perfect(choices, random),
            Model::Random => random.below(choices.len()),
            Model::Errs(share) if random.unit() < share => random.below(choices.len()),
            Model::Errs(_) => perfect(choices, random),
            Model::Reads(plies) => {
                let look = |choice: &Choice| Look::of(choice.2.before(), plies);
                let best = choices.iter().map(look).max();
                let alike: Vec<usize> = (0..choices.len()).filter(|&at| Some(look(&choices[at])) == best).collect();
                alike[random.below(alike.len())]
            }
            Model::Haworth(competence) => {
                let best = choices[0].2.before();
                let depths: Vec<f64> = choices.iter().map(|choice| depth(choice.2.before(), best)).collect();
                let least = depths.iter().copied().fold(f64::INFINITY, f64::min);
                // Divided by the best first: large competences do not make every weight zero.
                let weights: Vec<f64> = depths.iter().map(|depth| (depth / least).powf(-competence)).collect();
                let mut left = random.unit() * weights.iter().sum::<f64>();
                let drawn = weights.iter().position(|weight| {
                    left -= weight;
                    left < 0.0
                });
                drawn.unwrap_or(0)
            }
        }
    }
}

/// One of the moves that are as good as the best, distance and all. The first choice is a best one.
fn perfect(choices: &[Choice], random: &mut Random) -> usize {
    random.below(choices.iter().take_while(|choice| choice.2 == choices[0].2).count())
}

/// How far away a win is after a move, at least 1. A draw is at [`DRAWN_DEPTH`], a loss beyond it: as much further as
/// the win of its distance is nearer, as a factor. In games with scores it is the points that the move gives away.
fn depth(mine: Answer, best: Answer) -> f64 {
    if let (Some(score), Some(most)) = (mine.score, best.score) {
        return 1.0 + f64::from(most - score).max(0.0);
    }
    let Some(plies) = mine.value.distance() else { return DRAWN_DEPTH };
    let plies = (1.0 + f64::from(plies)).min(DRAWN_DEPTH);
    match mine.value > kanzen_core::vocabulary::Value::DRAW {
        true => plies,
        false => DRAWN_DEPTH * DRAWN_DEPTH / plies,
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Model::Perfect => f.write_str("perfect"),
            Model::Random => f.write_str("random"),
            Model::Errs(share) => write!(f, "errs:{share}"),
            Model::Reads(plies) => write!(f, "reads:{plies}"),
            Model::Haworth(competence) => write!(f, "haworth:{competence}"),
        }
    }
}

impl FromStr for Model {
    type Err = Error;

    fn from_str(text: &str) -> Result<Model, Error> {
        let refused = |reason| Error::BadPlayer { text: text.to_owned(), what: "model of a player", reason };
        let number = |digits: &str| digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
        match text.split_once(':') {
            None if text == "perfect" => Ok(Model::Perfect),
            None if text == "random" => Ok(Model::Random),
            Some(("errs", share)) => number(share)
                .filter(|share| *share <= 1.0)
                .map(Model::Errs)
                .ok_or_else(|| refused("E of errs:E is a share from 0 to 1")),
            Some(("reads", plies)) => plies
                .parse()
                .map(Model::Reads)
                .map_err(|_| refused("H of reads:H is a number of plies, from 0 to 65535")),
            Some(("haworth", competence)) => {
                number(competence).map(Model::Haworth).ok_or_else(|| refused("C of haworth:C is a number from 0 on"))
            }
            _ => Err(refused("there are perfect, random, errs:E, reads:H and haworth:C")),
        }
    }
}
