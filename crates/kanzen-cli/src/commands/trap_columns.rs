//! The moves of a position with their traps.

use kanzen::Outcome;
use kanzen::query::Probe;

use crate::paint::Tone;
use crate::table::{Cell, Lean, Table};
use crate::words;

/// The moves, best first, each that keeps the value with the replies to it.
pub fn moves(probe: &Probe) -> Table {
    let mut table = Table::new([
        ("move", Lean::Left),
        ("value", Lean::Left),
        ("replies", Lean::Right),
        ("safe", Lean::Right),
        ("slips", Lean::Right),
        ("hidden", Lean::Right),
        ("position", Lean::Left),
    ]);
    for choice in &probe.moves {
        let value = words::value(choice.value, choice.distance, choice.score);
        let counts = choice.traps.map(|traps| [traps.replies, traps.safe, traps.slips, traps.hidden]);
        let [replies, safe, slips, hidden] = match counts {
            Some(counts) => counts.map(|count| words::count(count.into())),
            None => [(); 4].map(|()| String::new()),
        };
        table.row([
            Cell::toned(Tone::Bold, &choice.mv),
            Cell::toned(Tone::Of(choice.value), value),
            replies.into(),
            safe.into(),
            slips.into(),
            hidden.into(),
            choice.position.as_str().into(),
        ]);
    }
    table
}

/// What the columns mean, or why they are empty.
pub fn remark(probe: &Probe, reads: u16) -> String {
    if probe.moves.is_empty() {
        return String::new();
    }
    if probe.value == Outcome::Win && probe.score.is_none() {
        return "\n  Nothing to trap: the opponent has lost, and who has lost cannot slip.\n".to_owned();
    }
    format!("\n  A slip gets the opponent less than his due; hidden ones look fine if he reads {reads} plies.\n")
}
