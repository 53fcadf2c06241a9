//! Models of a fallible player.

use std::fmt;
use std::str::FromStr;

use super::counts::Look;
use crate::Answer;
use crate::probe::Choice;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::random::Random;

/// How a player chooses who may go wrong. Where moves are alike to him, he draws lots.
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
