//! How many replies to a move slip, and how many of these slips are hidden.

use serde::Serialize;

use super::due::Due;
use crate::probe::{Choice, choices, probe_with_choices};
use crate::{Answer, Oracle, Probe, gather};
use kanzen_core::rules::AnyGame;
use kanzen_core::vocabulary::{Error, Value};

/// How far somebody reads to whom slips are hidden, unless said otherwise: two moves of each side.
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

/// What a move looks like to somebody who reads so many plies: an end further away looks like a draw, and so does one
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

/// Asks for a position and each of its moves, and for the replies to each move that keeps the value.
///
/// Where the mover wins every reply is safe: who has lost cannot slip.
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
    gather::all(keeping.map(|(told, (_, child, _))| {
        told.traps = Some(Traps::of(&choices(game, oracle, child)?, reads));
        Ok(())
    }))?;
    Ok(probe)
}
