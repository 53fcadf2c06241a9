//! Duels: plays a style against a model of a fallible opponent many times, and counts by which turn he has slipped.

use serde::Serialize;

use super::rank::Seen;
use super::{Due, Model, Player, Style};
use crate::Oracle;
use kanzen_core::machine::parallel;
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::random::Random;
use kanzen_core::vocabulary::{Budget, Error};

/// The turns by which slips are counted. A game goes on to the last of them at most.
pub const TURNS: [u32; 5] = [5, 10, 20, 40, 80];

/// The players of a duel, and the number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Duel {
    /// How our side chooses among moves of equal value.
    pub style: Style,
    /// Whether it delays where it has lost.
    pub delay: bool,
    /// How the opponent errs.
    pub against: Model,
    /// Games to play.
    pub games: u64,
    /// The seed.
    pub seed: u64,
}

/// What `duel` returns.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DuelReport {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// How our side chooses among moves of equal value.
    pub style: String,
    /// How the opponent errs.
    pub against: String,
    /// How many games were played.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// In how many games the opponent had slipped by which of his turns.
    pub slips: Vec<SlipsByTurn>,
    /// The turn by which he had slipped in half of the games; nothing if he did not within the last turn counted.
    pub median_turn: Option<u32>,
    /// Moves of ours that gave value away, by the database. There are none.
    pub lost_value: u64,
}

/// Slips by a turn of the opponent's.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SlipsByTurn {
    /// The turn, the opponent's first being 1.
    pub turn: u32,
    /// Games in which he had slipped by then.
    pub games: u64,
    /// Where the share of such games lies at least, at 95 %.
    pub low: f64,
    /// And at most.
    pub high: f64,
}

/// Plays a duel from a position. The style has either side in turn, but only sides whose opponent has something to
/// lose; each game has its own random numbers from the seed and its number, so that any number of threads gives the same.
pub fn duel(
    id: &str,
    (game, oracle): (&dyn AnyGame, &dyn Oracle),
    start: u128,
    duel: &Duel,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<DuelReport, Error> {
    let sides = sides(id, game, oracle, start)?;
    observer.event(Event::Stage { name: "duel", total: Some(duel.games) });
    let play = |number: usize| {
        let number = number as u64;
        let style_begins = sides[(number % sides.len() as u64) as usize];
        let ended = play_game(game, oracle, start, duel, style_begins, number);
        observer.event(Event::Steps { steps: 1 });
        ended
    };
    let pool = kanzen_core::machine::pool(budget.threads)?;
    let ended: Vec<Ended> = parallel::install(&pool, || parallel::try_map(duel.games as usize, &play))?;
    let by = |turn: u32| ended.iter().filter(|game| game.slip.is_some_and(|slip| slip <= turn)).count() as u64;
    let slips = TURNS.map(|turn| {
        let (low, high) = wilson(by(turn), duel.games);
        SlipsByTurn { turn, games: by(turn), low, high }
    });
    let median_turn = (1..=TURNS[TURNS.len() - 1]).find(|&turn| duel.games > 0 && 2 * by(turn) >= duel.games);
    Ok(DuelReport {
        game: id.to_owned(),
        style: duel.style.to_string(),
        against: duel.against.to_string(),
        games: duel.games,
        seed: duel.seed,
        slips: slips.into(),
        median_turn,
        lost_value: ended.iter().map(|game| game.lost_value).sum(),
    })
}

/// Whether the style begins, for each side whose opponent can slip.
fn sides(id: &str, game: &dyn AnyGame, oracle: &dyn Oracle, start: u128) -> Result<Vec<bool>, Error> {
    let mut children = Vec::new();
    game.expand(start, &mut children);
    if children.is_empty() {
        return Err(Error::NothingToTrap { game: id.to_owned(), position: game.show(start) });
    }
    let mover = oracle.answer(start)?;
    let can_slip = |style_begins: &bool| Due::of(if *style_begins { mover.before() } else { mover }).can_slip();
    Ok([true, false].into_iter().filter(can_slip).collect())
}

/// How a game ended for the count.
struct Ended {
    /// The opponent's turn at which he slipped.
    slip: Option<u32>,
    lost_value: u64,
}

fn play_game(
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    start: u128,
    duel: &Duel,
    style_begins: bool,
    number: u64,
) -> Result<Ended, Error> {
    let ours = Player::Style { style: duel.style, delay: duel.delay };
    let theirs = Player::Model(duel.against);
    // Two draws apart: neighbouring games have nothing in common.
    let mut random = Random::new(Random::new(duel.seed).next() ^ Random::new(number).next());
    let (mut seen, mut position, mut ended) = (Seen::default(), start, Ended { slip: None, lost_value: 0 });
    let (mut our_turn, mut turn) = (style_begins, 0);
    seen.add(game, start);
    while turn < TURNS[TURNS.len() - 1] {
        let player = if our_turn { ours } else { theirs };
        let Some((_, child, _)) = player.choose(game, oracle, position, &seen, &mut random)? else { break };
        // Looked up again, independently of the player: this verifies that he never slips.
        let due = Due::of(oracle.answer(position)?);
        let kept = Due::of(oracle.answer(child)?.before()) >= due;
        if our_turn {
            ended.lost_value += u64::from(!kept);
        } else {
            turn += 1;
            if !kept {
                ended.slip = Some(turn);
                break;
            }
        }
        seen.add(game, child);
        (position, our_turn) = (child, !our_turn);
    }
    Ok(ended)
}

/// Wilson's interval of a share, at 95 %: where the true share lies if `part` of `whole` trials had it.
///
/// ```
/// let (low, high) = kanzen_query::wilson(5, 10);
/// assert!((low - 0.2366).abs() < 1e-4 && (high - 0.7634).abs() < 1e-4);
/// assert_eq!(kanzen_query::wilson(0, 0), (0.0, 1.0));
/// ```
pub fn wilson(part: u64, whole: u64) -> (f64, f64) {
    /// The normal quantile of 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    if whole == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (whole as f64, part as f64 / whole as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_share_and_narrows() {
        for (part, whole) in [(0, 20), (1, 20), (10, 20), (20, 20), (480, 1000)] {
            let (low, high) = wilson(part, whole);
            let share = part as f64 / whole as f64;
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{part} of {whole}: {low} {high}");
            let (lower, higher) = wilson(100 * part, 100 * whole);
            assert!(higher - lower < (high - low) / 2.0);
        }
    }
}
