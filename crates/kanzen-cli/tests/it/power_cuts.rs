//! The power goes at any moment of a solve, and takes with it what was not safe: the same command goes on and ends with
//! the same bytes, and no round that was reported complete is played again.

use crate::rig::crash::{Loss, leave};
use crate::rig::recorder::{Act, DATA, Recorded, record};
use crate::rig::{BY_ROUNDS, Dice, ENGINES, entry, files, solve_undisturbed};

/// What a solve goes on from after a cut, and how it ends.
fn cut(id: &str, recorded: &Recorded, acts: usize, loss: Loss) {
    let top = tempfile::tempdir().unwrap();
    leave(&recorded.acts[..acts], loss, top.path());
    let case = || format!("{id} cut after {acts} of {} acts, {loss:?} lost", recorded.acts.len());
    let played = solve_undisturbed(&entry(id), &top.path().join(DATA));
    let played = played.unwrap_or_else(|error| panic!("{}: {error}", case()));
    assert!(files(top.path()) == recorded.files, "{}: other bytes", case());
    if BY_ROUNDS.contains(&id) {
        let left = recorded.played.levels - recorded.rounds_kept(acts);
        assert!(played.levels <= left, "{}: {} rounds played, {left} were left", case(), played.levels);
    }
}

/// Cuts at every point of a solve, or at so many of them.
fn cut_everywhere(id: &str, most: usize) {
    let recorded = record(&entry(id));
    assert!(recorded.acts.len() > 20, "{id} did not use the disk");
    let points = recorded.acts.len() + 1;
    let mut dice = Dice(id.len() as u64);
    let every = points.div_ceil(most);
    for point in (0..points).filter(|point| point % every == 0 || *point + 12 > points) {
        for loss in [Loss::Nothing, Loss::All, Loss::Bytes, Loss::ByLot(dice.below(1 << 30))] {
            cut(id, &recorded, point, loss);
        }
    }
}

#[test]
fn rounds_are_safe_when_they_are_said_to_be_whole() {
    cut_everywhere("nocca-3x2", 120);
}

#[test]
fn planes_made_of_many_logs_are_safe() {
    cut_everywhere("musashi-part", 40);
}

#[test]
fn every_other_engine_goes_on_as_well() {
    for id in ENGINES.iter().filter(|id| !BY_ROUNDS.contains(id)) {
        cut_everywhere(id, 12);
    }
}

/// An earlier version did not wait for its logs, and what it left may be any of them, in the middle of the planes too:
/// such a solve goes on, but whole rounds are lost, which the tests above would notice.
#[test]
fn logs_that_were_never_synced_are_played_again() {
    for id in BY_ROUNDS {
        let mut lost = 0;
        let mut recorded = record(&entry(id));
        let is_log = |act: &Act| matches!(act, Act::Sync(path) if path.to_string_lossy().contains("/round-"));
        let acts = recorded.acts.len();
        recorded.acts.retain(|act| !is_log(act));
        assert!(recorded.acts.len() < acts, "{id} syncs no log");
        let mut dice = Dice(5);
        for _ in 0..20 {
            let point = recorded.acts.len() - 1 - dice.below(recorded.acts.len() as u64 / 2) as usize;
            let loss = if dice.below(2) == 0 { Loss::Bytes } else { Loss::ByLot(dice.below(1 << 30)) };
            let top = tempfile::tempdir().unwrap();
            leave(&recorded.acts[..point], loss, top.path());
            let case = format!("{id} cut after {point} of {} acts, {loss:?} lost", recorded.acts.len());
            let played = solve_undisturbed(&entry(id), &top.path().join(DATA));
            let played = played.unwrap_or_else(|error| panic!("{case}: {error}"));
            assert!(files(top.path()) == recorded.files, "{case}: other bytes");
            lost += played.levels.saturating_sub(recorded.played.levels - recorded.rounds_kept(point));
        }
        assert!(lost > 0, "{id} loses nothing without its syncs: the other tests prove nothing");
    }
}

/// The model itself: what was never synced is not there.
#[test]
fn a_disk_that_loses_everything_is_empty_before_the_first_sync() {
    let recorded = record(&entry("stones-30"));
    let top = tempfile::tempdir().unwrap();
    leave(&recorded.acts[..1], Loss::All, top.path());
    assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 0);
    leave(&recorded.acts, Loss::All, top.path());
    assert!(files(top.path()) == recorded.files, "a finished solve is safe");
}
