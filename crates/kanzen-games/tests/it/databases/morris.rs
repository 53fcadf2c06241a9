//! Men's morris: complete databases, and solves killed at every checkpoint.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::catalogue::Run;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Outcome};
use kanzen_games::catalogue;
use kanzen_query::Extent;

use super::solve::{BUDGET, solve};

#[test]
fn a_database_answers_every_position_and_is_proven_in_full() {
    let data = tempfile::tempdir().unwrap();
    for (id, outcome) in [("morris-3", Outcome::Win), ("morris-5", Outcome::Draw)] {
        let entry = catalogue::find(id).unwrap();
        let report = solve(&entry, data.path());
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
    /// Stops after some polls: with too few, a solve would never reach its next checkpoint.
    struct StopAfter(AtomicU32);
    impl Observer for StopAfter {
        fn event(&self, _: Event<'_>) {}
        fn stop(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |looks| looks.checked_sub(1)).is_err()
        }
    }
    let broken = tempfile::tempdir().unwrap();
    let mut stops = 0;
    while solve(broken.path(), &StopAfter(AtomicU32::new(1 + stops))).is_err() {
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(bytes(broken.path()), bytes(whole.path()));
}

/// The files of a database, by name.
fn files(data: &Path, id: &str) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let files = std::fs::read_dir(data.join(id)).unwrap().map(|file| file.unwrap());
    let mut files: Vec<_> = files.map(|file| (file.file_name(), std::fs::read(file.path()).unwrap())).collect();
    files.sort();
    files
}

/// Records the notes of the log.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn event(&self, event: Event<'_>) {
        if let Event::Note { text } = event {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }
}

#[test]
fn six_men_take_over_what_five_have_solved_and_the_other_way_round_with_the_same_bytes() {
    let solve_noted = |id: &str, data: &Path| {
        let notes = Notes::default();
        let run = Run { budget: BUDGET, checkpoint_every: Duration::from_secs(60), observer: &notes };
        catalogue::find(id).unwrap().solve(data, &run).unwrap();
        notes.0.into_inner().unwrap()
    };
    for [first, then] in [["morris-5", "morris-6"], ["morris-6", "morris-5"]] {
        let (alone, both, broken) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert_eq!(solve_noted(then, alone.path()), [""; 0], "nothing to take over from");
        solve_noted(first, both.path());
        let notes = solve_noted(then, both.path());
        assert!(matches!(&notes[..], [note] if note.starts_with("6 moving classes")), "{notes:?}");
        assert!(files(both.path(), then) == files(alone.path(), then), "{then} after {first}");

        // One damaged class is worked out again, the others are taken over.
        solve_noted(first, broken.path());
        let plane = broken.path().join(first).join("class-2.plane");
        let mut bytes = std::fs::read(&plane).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&plane, bytes).unwrap();
        let notes = solve_noted(then, broken.path());
        assert!(notes.iter().any(|note| note.starts_with("5 moving classes")), "{notes:?}");
        assert!(notes.iter().any(|note| note.contains("class-2.plane")), "{notes:?}");
        assert!(files(broken.path(), then) == files(alone.path(), then), "{then} after a damaged {first}");
    }
}
