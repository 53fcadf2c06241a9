//! The recorded costs of complete solves: forecasts and citations read them.
//!
//! `cargo xtask figures` writes the table from the records under results/ and checks it, so that a new record changes the
//! forecast too.

use kanzen::catalogue::RecordedRun;
use kanzen_solve::Recorded;

const TABLE: &str = include_str!("recorded.csv");

/// Returns the recorded cost of solving a game, or `None` if there is no record.
///
/// ```
/// use kanzen_games::recorded;
/// assert!(recorded::of("nocca-6x5").unwrap().seconds > 60.0);
/// assert_eq!(recorded::of("chess"), None);
/// ```
pub fn of(game: &str) -> Option<Recorded> {
    all().find(|(recorded, _)| *recorded == game).map(|(_, recorded)| recorded)
}

/// Returns the fields of a game's row.
fn row(game: &str) -> Option<Vec<&'static str>> {
    TABLE.lines().map(|line| line.split(',').collect::<Vec<_>>()).find(|fields| fields[0] == game)
}

/// Returns the longest distance to the end that a recorded solve found, which is the number of rounds it takes.
pub fn longest(game: &str) -> Option<u32> {
    row(game)?.get(5)?.parse().ok()
}

/// Iterates over all recorded games with their costs.
pub fn all() -> impl Iterator<Item = (&'static str, Recorded)> {
    TABLE.lines().filter_map(|line| {
        let mut fields = line.split(',');
        let (game, seconds) = (fields.next()?, fields.next()?.parse().ok()?);
        let mut bytes = || fields.next()?.parse().ok();
        Some((game, Recorded { seconds, memory_bytes: bytes()?, data_bytes: bytes()?, disk_bytes: bytes()? }))
    })
}

/// Returns the recorded run that solved a game. All runs in the table used two threads.
pub(crate) fn run(game: &str) -> Option<RecordedRun> {
    let Recorded { seconds, memory_bytes, .. } = of(game)?;
    let fields = row(game)?;
    let [record, date, commit, cpu, cores, counts @ ..] = fields.get(6..)? else { return None };
    let counts: Vec<u64> = counts.iter().map_while(|count| count.parse().ok()).collect();
    Some(RecordedRun {
        record: format!("results/{record}.json"),
        date: (*date).to_owned(),
        commit: (*commit).to_owned(),
        machine: format!("{cpu}, {cores} cores"),
        threads: 2,
        seconds,
        memory_bytes,
        counts: counts.try_into().ok()?,
    })
}
