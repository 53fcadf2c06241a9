//! Perfect play that is hard to play against, and models of fallible opponents.
//!
//! A side's *due* is what it gets by best play: win, draw or loss, and the score in games that have one. A move keeps
//! the value if the mover's due is the same after it; it *slips* if it is less. A style of ours never slips, and among
//! the moves that do not, `trap` takes one after which most replies do.
//!
//! ```text
//! position ─ a move that keeps the value ─ child ─┬─ safe reply: the opponent still has his due
//!                                                 ├─ slip
//!                                                 └─ slip that a player who reads h plies cannot see
//! ```
//!
//! The database needs no extra data: it takes one probe for each move that keeps the value.

mod duel;
mod player;
mod rank;

use serde::Serialize;

use crate::probe::{Choice, choices, probe_with_choices};
use crate::{Oracle, Probe, gather};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Answer, Error, Outcome, Value};

pub use duel::{Duel, DuelReport, SlipsByTurn, TURNS, duel, wilson};
pub use player::{Level, Model, Player, Style};
pub use rank::{Reply, reply};

/// A side's due: the score where the game has one, and the value (WDL). The distance is no part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Due {
    score: Option<i16>,
    outcome: Outcome,
}

impl Due {
    /// The mover's due.
    pub fn of(answer: Answer) -> Due {
        Due { score: answer.score, outcome: answer.value.outcome() }
    }

    /// Whether there is less to get. A lost side cannot slip; a side that plays for points can always get fewer.
    pub fn can_slip(self) -> bool {
        self.score.is_some() || self.outcome != Outcome::Loss
    }
}

/// How many plies a player reads to whom slips are hidden, by default: two moves of each side.
pub const READS: u16 = 4;

/// The replies to a move: how many there are, and how many get the opponent less than his due.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Traps {
    /// How many legal replies there are.
    pub replies: u32,
    /// Those that keep the opponent's due.
    pub safe: u32,
    /// Those that do not.
    pub slips: u32,
    /// Slips that look as good as his best reply to an opponent who reads so many plies.
    pub hidden: u32,
}

impl Traps {
    /// Counts the replies to a move: the choices of the position after it, best first.
    pub(super) fn of(replies: &[Choice], reads: u16) -> Traps {
        let Some((_, _, best)) = replies.first() else { return Traps::default() };
        let due = Due::of(best.before());
        let looks = |reply: &Choice| Look::of(reply.2.before(), reads);
        let best_look = replies.iter().map(looks).max();
        let mut traps = Traps { replies: replies.len() as u32, ..Traps::default() };
        for reply in replies {
            if Due::of(reply.2.before()) == due {
                traps.safe += 1;
            } else {
                traps.slips += 1;
                traps.hidden += u32::from(Some(looks(reply)) == best_look);
            }
        }
        traps
    }
}

/// What a move looks like to a player who reads so many plies: an end further away looks like a draw, and so does one
/// without a distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Look(Value);

impl Look {
    /// The look of what a mover gets by a move, the move being the first ply.
    pub fn of(mine: Answer, reads: u16) -> Look {
        match mine.value.distance() {
            Some(plies) if plies <= reads => Look(mine.value),
            _ => Look(Value::DRAW),
        }
    }
}

/// Looks up a position and each of its moves, and the replies to each move that keeps the value.
///
/// Where the mover wins every reply is safe: a lost side cannot slip.
pub fn probe_traps(
    id: &str,
    game: &dyn AnyGame,
    oracle: &dyn Oracle,
    position: u128,
    reads: u16,
) -> Result<Probe, Error> {
    let (mut probe, moves) = probe_with_choices(id, game, oracle, position)?;
    let Some(due) = moves.first().map(|(_, _, best)| Due::of(best.before())) else { return Ok(probe) };
    let keeping = probe.moves.iter_mut().zip(moves).filter(|(_, (_, _, theirs))| Due::of(theirs.before()) == due);
    gather::all(keeping.map(|(probed, (_, child, _))| {
        probed.traps = Some(Traps::of(&choices(game, oracle, child)?, reads));
        Ok(())
    }))?;
    Ok(probe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kanzen_core::vocabulary::Value;

    #[test]
    fn a_slower_win_is_the_same_due_and_a_smaller_one_is_not() {
        let due = |value: Value| Due::of(value.into());
        assert_eq!(due(Value::win(3)), due(Value::win(9)));
        assert!(due(Value::DRAW) < due(Value::UNTIMED_WIN));
        assert!(Due::of(Answer::of_score(2)) < Due::of(Answer::of_score(4)));
        assert!(!due(Value::loss(4)).can_slip() && due(Value::DRAW).can_slip());
        assert!(Due::of(Answer::of_score(-6)).can_slip());
    }
}
