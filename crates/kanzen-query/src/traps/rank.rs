//! Ranks the moves that keep the value, by style.
//!
//! Each move gets a rank, a few numbers of which the first that differs decides; the least rank is played. What counts
//! depends on what there is to gain:
//!
//! | the mover | first of all | then by style |
//! |---|---|---|
//! | wins in so many plies | only the quickest wins | solid the first, the others at random |
//! | wins without a distance | the least class, fewest visits, fewest replies | the same |
//! | draws, or plays for points | | trap: visits, safe share, hidden slips; patient: material, visits |
//! | loses | only the slowest losses, unless trap need not delay | as in a draw, then the slowest |

use std::collections::HashMap;

use serde::Serialize;

use super::{Due, Player, READS, Style, Traps};
use crate::probe::{self, Choice};
use crate::{Oracle, ProbedMove, gather};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::random::Random;
use kanzen_core::vocabulary::{Error, Outcome, Value};

/// Positions of a game so far, mirror images as one, and how often each was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(HashMap<u128, u32>);

impl Seen {
    /// Notes a position.
    pub fn add(&mut self, game: &dyn AnyGame, position: u128) {
        *self.0.entry(game.canonical(position)).or_default() += 1;
    }

    fn visits(&self, game: &dyn AnyGame, position: u128) -> u32 {
        self.0.get(&game.canonical(position)).copied().unwrap_or(0)
    }
}

/// Which of the choices, best first, a style plays. There must be one.
pub(super) fn choose(
    (style, delay): (Style, bool),
    (game, oracle): (&dyn AnyGame, &dyn Oracle),
    choices: &[Choice],
    seen: &Seen,
    random: &mut Random,
) -> Result<usize, Error> {
    let best = choices[0].2.before();
    let kept = choices.iter().take_while(|choice| Due::of(choice.2.before()) == Due::of(best)).count();
    let equal = choices.iter().take_while(|choice| choice.2 == choices[0].2).count();
    let untimed_win = best.score.is_none() && best.value == Value::UNTIMED_WIN;
    if untimed_win {
        let (mut ranks, mut replies) = (Vec::with_capacity(kept), Vec::new());
        for (_, child, _) in &choices[..kept] {
            replies.clear();
            game.expand(*child, &mut replies);
            let visits = seen.visits(game, *child).into();
            ranks.push(Rank::of([game.class(*child).into(), visits, replies.len() as i64]));
        }
        return Ok(least(&ranks, style == Style::Solid, random));
    }
    let wins = best.score.is_none() && best.value.outcome() == Outcome::Win;
    match style {
        Style::Solid => Ok(0),
        Style::Uniform => Ok(random.below(equal)),
        Style::Trap | Style::Patient if wins => Ok(random.below(equal)),
        Style::Trap => {
            let candidates = if delay && best.value.outcome() == Outcome::Loss { equal } else { kept };
            let ranks = gather::all(choices[..candidates].iter().map(|(_, child, theirs)| {
                let traps = Traps::of(&probe::choices(game, oracle, *child)?, READS);
                let visits = seen.visits(game, *child).into();
                // Of two losses the slower is the better answer, and so the smaller code for the opponent.
                Ok(Rank::of([visits, safe_share(&traps), -i64::from(traps.hidden), theirs.value.code().into()]))
            }))?;
            Ok(least(&ranks, false, random))
        }
        Style::Patient => {
            let ranks = gather::all(choices[..equal].iter().map(|(_, child, _)| {
                let material = assured(game, oracle, *child)?;
                Ok(Rank::of([-i64::from(material), seen.visits(game, *child).into()]))
            }))?;
            Ok(least(&ranks, false, random))
        }
    }
}

/// Up to four numbers, the first of which weighs most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Rank([i64; 4]);

impl Rank {
    fn of<const N: usize>(numbers: [i64; N]) -> Rank {
        let mut rank = [0; 4];
        rank[..N].copy_from_slice(&numbers);
        Rank(rank)
    }
}

/// The least rank: the first that has it, or one of them at random.
fn least(ranks: &[Rank], first: bool, random: &mut Random) -> usize {
    let best = ranks.iter().min();
    let alike: Vec<usize> = (0..ranks.len()).filter(|&at| Some(&ranks[at]) == best).collect();
    alike[if first { 0 } else { random.below(alike.len()) }]
}

/// The share of replies that are safe, in units of 2^-32. An end of the game is the safest of all.
fn safe_share(traps: &Traps) -> i64 {
    match traps.replies {
        0 => i64::MAX,
        replies => (i64::from(traps.safe) << 32) / i64::from(replies),
    }
}

/// The material that we have at least after a safe reply of the opponent's: after his slips we have more than that.
fn assured(game: &dyn AnyGame, oracle: &dyn Oracle, child: u128) -> Result<i32, Error> {
    let replies = probe::choices(game, oracle, child)?;
    let Some((_, _, best)) = replies.first() else { return Ok(-game.material(child)) };
    let safe = replies.iter().take_while(|reply| Due::of(reply.2.before()) == Due::of(best.before()));
    Ok(safe.map(|(_, position, _)| game.material(*position)).min().unwrap_or(0))
}

/// What `reply` returns: the move that a player makes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reply {
    /// The name of the game, such as `nocca-4x4`.
    pub game: String,
    /// The position, as the game writes it.
    pub position: String,
    /// The style or model.
    pub style: String,
    /// His move, as in a probe; nothing if the game is over.
    pub reply: Option<ProbedMove>,
}

/// A player's move in a position, given the positions of the game before, this one among them or not. The
/// same seed gives the same move.
pub fn reply(
    id: &str,
    (game, oracle): (&dyn AnyGame, &dyn Oracle),
    position: u128,
    before: impl IntoIterator<Item = u128>,
    player: Player,
    seed: u64,
) -> Result<Reply, Error> {
    let mut seen = Seen::default();
    before.into_iter().for_each(|earlier| seen.add(game, earlier));
    let chosen = player.choose(game, oracle, position, &seen, &mut Random::new(seed))?;
    Ok(Reply {
        game: id.to_owned(),
        position: game.show(position),
        style: player.to_string(),
        reply: chosen.map(|choice| ProbedMove::of(game, &game.move_texts(position), choice)),
    })
}
