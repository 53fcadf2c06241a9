//! What complete solves were recorded to cost, and what a citation says of them.
//!
//! The table is written by `cargo xtask figures` from the records under results/ and checked with the figures of the
//! pages: a solve that is recorded again is forecast anew.

use kanzen::solve::Recorded;

const TABLE: &str = include_str!("recorded.csv");

/// What a solve of a game took, if one was recorded.
///
/// ```
/// use kanzen_games::recorded;
/// assert!(recorded::of("nocca-6x5").unwrap().seconds > 60.0);
/// assert_eq!(recorded::of("chess"), None);
/// ```
pub fn of(game: &str) -> Option<Recorded> {
    all().find(|(recorded, _)| *recorded == game).map(|(_, recorded)| recorded)
}

/// The fields of a game's row.
pub(crate) fn row(game: &str) -> Option<Vec<&'static str>> {
    TABLE.lines().map(|line| line.split(',').collect::<Vec<_>>()).find(|fields| fields[0] == game)
}

/// The longest distance that a recorded solve of a game has found: so many rounds it takes.
pub fn longest(game: &str) -> Option<u32> {
    row(game)?.get(5)?.parse().ok()
}

/// All games of which a solve was recorded, and what it took.
pub fn all() -> impl Iterator<Item = (&'static str, Recorded)> {
    TABLE.lines().filter_map(|line| {
        let mut fields = line.split(',');
        let (game, seconds) = (fields.next()?, fields.next()?.parse().ok()?);
        let mut bytes = || fields.next()?.parse().ok();
        Some((game, Recorded { seconds, memory_bytes: bytes()?, data_bytes: bytes()?, disk_bytes: bytes()? }))
    })
}
