//! The provenance of a recorded solve, for citations.

use kanzen::catalogue::RecordedRun;
use kanzen::solve::Recorded;

use crate::recorded;

/// Returns the recorded run that solved a game. All runs in the table used two threads.
pub(super) fn run(game: &str) -> Option<RecordedRun> {
    let Recorded { seconds, memory_bytes, .. } = recorded::of(game)?;
    let fields = recorded::row(game)?;
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
