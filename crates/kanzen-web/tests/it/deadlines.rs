//! Whatever goes through many positions ends at the deadline of its request.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{Running, options, solve};
use kanzen_games::catalogue::Games;

#[test]
fn puzzles_longest_games_and_tables_end_at_the_deadline() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "nocca-3x2");
    solve(data.path(), "othello-4x4");
    let mut options = options(data.path(), false);
    options.limits.work_time = Duration::ZERO;
    let server = Running::with(Arc::new(Games), options);
    for asked in
        ["nocca-3x2/puzzle", "nocca-3x2/longest", "othello-4x4/stats.csv?layout=published", "othello-4x4/stats"]
    {
        let answer = server.get(&format!("/api/{asked}"));
        let text = "this takes longer than 0 s: use the command line";
        assert_eq!(answer.error(), (503, text.to_owned()), "{asked}");
        assert_eq!((answer.header("retry-after"), answer.json()["code"].as_str()), (Some("10"), Some("too_long")));
    }
    assert_eq!(server.get("/api/nocca-3x2/probe").status, 200, "a look-up takes no time to speak of");
}

#[test]
fn a_long_hunt_for_puzzles_ends_soon() {
    let data = tempfile::tempdir().unwrap();
    solve(data.path(), "stones-10000");
    let mut options = options(data.path(), false);
    options.limits.work_time = Duration::from_millis(50);
    let server = Running::with(Arc::new(Games), options);
    let start = std::time::Instant::now();
    for seed in 0..4 {
        let answer = server.get(&format!("/api/stones-10000/puzzle?seed={seed}"));
        assert!([200, 503].contains(&answer.status), "{answer:?}");
    }
    // Without the deadline each takes some seconds of an idle core.
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}
