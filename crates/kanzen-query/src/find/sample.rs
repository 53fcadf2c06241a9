//! Positions drawn at random: uniformly among those that the census counts, each at most once.
//!
//! Numbers are shuffled, and with them which of the positions that share a number is meant; a draw that means none is
//! thrown away. So every position has the same chance, however many share a number.

use super::question::Cursor;
use super::rows::Rows;
use super::run::Looker;
use crate::Spread;
use kanzen_core::vocabulary::Error;
use kanzen_core::vocabulary::progress::{Event, Observer};
use kanzen_core::vocabulary::random::{Random, shuffled};

/// Draws that are looked at together.
const DRAWS: u64 = 1 << 16;

/// Looks at a sample; tells whether somebody asked to stop.
pub(super) fn run(
    looker: &Looker<'_>,
    pool: &rayon::ThreadPool,
    (count, seed): (u64, u64),
    rows: &mut Rows<'_>,
    observer: &dyn Observer,
) -> Result<bool, Error> {
    let oracle = looker.oracle;
    // Asked for its own sake: who cannot be searched refuses.
    oracle.quick_scan(&|_| false)?;
    let share = oracle.most_per_number();
    let range = oracle.positions().saturating_mul(share);
    let shift = if range == 0 { 0 } else { Random::new(seed).next() % range };
    observer.event(Event::Stage { name: "sample", total: Some(count) });
    let (mut drawn, mut draw) = (0, 0);
    while drawn < count && draw < range && !rows.is_full() {
        if observer.stop() {
            return Ok(true);
        }
        let most = DRAWS.min((count - drawn).saturating_mul(share)).min(range - draw);
        let mut accepted = Vec::new();
        for draw in draw..draw + most {
            let number = shuffled((draw + shift) % range, range);
            let (number, which) = (number / share, number % share);
            let (mut at, mut meant) = (0, None);
            oracle.each_position(number, &mut |position| {
                if oracle.is_row(position) {
                    meant = meant.or((at == which).then_some(position));
                    at += 1;
                }
                Ok(())
            })?;
            if let Some(position) = meant
                && drawn < count
            {
                drawn += 1;
                accepted.push((Cursor { stretch: number, done: which }, position));
            }
        }
        draw += most;
        // In the order of the database: what lies near each other is read once.
        accepted.sort_unstable_by_key(|(place, _)| *place);
        let positions: Vec<u128> = accepted.iter().map(|(_, position)| *position).collect();
        let answers = oracle.answers(&positions, Spread::Near)?;
        // What was thrown away is no step on the way to `count`.
        let steps = accepted.len() as u64;
        let drawn_now = accepted.into_iter().zip(answers);
        let candidates: Vec<_> =
            drawn_now.filter_map(|((place, position), answer)| looker.candidate(position, answer, place)).collect();
        observer.event(Event::Steps { steps });
        looker.look(pool, candidates, rows)?;
    }
    Ok(false)
}
