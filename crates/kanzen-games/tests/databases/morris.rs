//! Men's morris: databases with placing and moving, whole and killed on the way.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::catalogue::Run;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::query::Extent;
use kanzen::{Budget, Outcome};
use kanzen_games::catalogue;

use crate::{BUDGET, solve};

#[test]
fn a_database_answers_every_position_and_is_proven_in_full() {
    let data = tempfile::tempdir().unwrap();
    for (id, outcome) in [("morris-3", Outcome::Win), ("morris-5", Outcome::Draw)] {
        let entry = catalogue::find(id).unwrap();
        let report = solve(&*entry, data.path());
        assert_eq!((report.initial.value, Some(report.positions)), (outcome, entry.forecast().positions));
        let solved = entry.open(data.path()).unwrap();
        let verified = solved.verify(Extent::Full, &BUDGET, &Silent).unwrap();
        assert!(verified.passed && verified.census.is_some(), "{verified:?}");
        assert!(verified.checked > report.positions, "placing positions are checked too");
    }
}

#[test]
fn a_solve_killed_at_any_checkpoint_ends_with_the_same_bytes() {
    let bytes = |data: &Path| {
        let mut files: Vec<_> =
            std::fs::read_dir(data.join("morris-3")).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files
            .into_iter()
            .map(|file| (file.file_name().unwrap().to_owned(), std::fs::read(file).unwrap()))
            .collect::<Vec<_>>()
    };
    let entry = catalogue::find("morris-3").unwrap();
    let budget = Budget::new(1, 1 << 30);
    let solve = |data: &Path, observer: &dyn Observer| {
        entry.solve(data, &Run { budget, checkpoint_every: Duration::ZERO, observer })
    };
    let whole = tempfile::tempdir().unwrap();
    solve(whole.path(), &Silent).unwrap();
    /// Asks to stop after so many looks: with too few, a solve would never come to its next checkpoint.
    struct Impatient(AtomicU32);
    impl Observer for Impatient {
        fn event(&self, _: Event<'_>) {}
        fn stop(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |looks| looks.checked_sub(1)).is_err()
        }
    }
    let broken = tempfile::tempdir().unwrap();
    let mut stops = 0;
    while solve(broken.path(), &Impatient(AtomicU32::new(1 + stops))).is_err() {
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(bytes(broken.path()), bytes(whole.path()));
}
