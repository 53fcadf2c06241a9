//! `verify --full` passes sound databases of every engine, and rejects forged ones with valid checksums.

use std::path::{Path, PathBuf};

use crate::rig::{ENGINES, entry, solve_undisturbed};
use kanzen::progress::Silent;
use kanzen::{Budget, Tally, Value};
use kanzen_games::nocca::Nocca;
use kanzen_query::{Extent, Unchecked, Verification};
use kanzen_store::{BlockCache, BlockSummary, FileEntry, Manifest, PlaneFile, write_plane};
use serde_json::json;

/// A solved game whose database a test tampers with.
struct Forged {
    id: &'static str,
    data: tempfile::TempDir,
}

impl Forged {
    fn new(id: &'static str) -> Forged {
        let data = tempfile::tempdir().unwrap();
        solve_undisturbed(&entry(id), data.path()).unwrap();
        Forged { id, data }
    }

    fn folder(&self) -> PathBuf {
        self.data.path().join(self.id)
    }

    fn verified(&self, extent: Extent) -> Result<Verification, kanzen::Error> {
        entry(self.id).open(self.data.path())?.verify(extent, &Budget::new(2, 1 << 30), &Silent)
    }

    fn manifest(&self, change: impl FnOnce(&mut Manifest)) {
        let mut manifest = Manifest::read(&self.folder()).unwrap();
        change(&mut manifest);
        manifest.write(&self.folder()).unwrap();
    }

    /// Changes the values of a plane, and all that vouches for it.
    fn plane(&self, file: &str, change: impl Fn(u64, Value) -> Value + Sync) {
        self.manifest(|manifest| {
            let path = self.folder().join(file);
            let values = values(&path, manifest.fingerprint);
            let changed = |slot: u64| change(slot, values[slot as usize]);
            let summary = write_plane(&path, manifest.fingerprint, values.len() as u64, changed).unwrap();
            vouch(manifest, file, &summary.file);
            // Which values occur where was written anew as well: a database may do without it.
            manifest.files.retain(|file| !file.name.ends_with(".occurs"));
        });
    }
}

fn values(path: &Path, fingerprint: u64) -> Vec<Value> {
    let plane = PlaneFile::open(path, fingerprint, &BlockCache::new(1 << 20)).unwrap();
    (0..plane.len()).map(|slot| plane.get(slot).unwrap()).collect()
}

fn vouch(manifest: &mut Manifest, file: &str, summary: &BlockSummary) {
    let entry = manifest.files.iter_mut().find(|entry| entry.name == file).unwrap();
    *entry = FileEntry::new(file, summary);
}

#[test]
fn a_sound_database_of_every_engine_is_proven_and_its_census_fits() {
    for id in ENGINES {
        let found = Forged::new(id).verified(Extent::Full).unwrap();
        assert!(found.passed && found.full, "{id}: {found:?}");
        assert_eq!(found.not_checked, [], "{id}");
        let census = found.census.unwrap();
        assert!(census.positions > 0 && census.differences == 0, "{id}: {census:?}");
    }
}

#[test]
fn a_sample_lists_what_it_leaves_out() {
    let found = Forged::new("tictactoe").verified(Extent::Sample(100)).unwrap();
    assert!(found.passed && !found.full && found.census.is_none());
    assert_eq!(found.not_checked, [Unchecked::OtherPositions, Unchecked::List, Unchecked::Census]);
    let found = Forged::new("nocca-3x2").verified(Extent::Sample(100)).unwrap();
    let left_out = [Unchecked::OtherPositions, Unchecked::Images, Unchecked::Census, Unchecked::AllPositions];
    assert_eq!(found.not_checked, left_out);
}

/// Every position a draw, and a manifest of only one: this passed once.
#[test]
fn a_database_of_draws_with_one_position_in_its_manifest_is_found() {
    let forged = Forged::new("nocca-3x2");
    let files: Vec<String> =
        Manifest::read(&forged.folder()).unwrap().files.into_iter().map(|file| file.name).collect();
    for file in files {
        forged.plane(&file, |_, _| Value::DRAW);
    }
    let draws = |count: u64| {
        let mut tally = Tally::default();
        tally.add(Value::DRAW, count);
        tally
    };
    forged.manifest(|manifest| (manifest.classes[0].slots, manifest.classes[0].tally) = (1, draws(1)));
    let refused = forged.verified(Extent::Full).unwrap_err();
    assert!(refused.to_string().contains("its class 0"), "{refused}");
    // With as many positions as the board has it can be opened, and verify finds it.
    forged.manifest(|manifest| (manifest.classes[0].slots, manifest.classes[0].tally) = (366, draws(366)));
    let found = forged.verified(Extent::Full).unwrap();
    assert_eq!(found.positions, 366, "the count is that of the rules");
    assert!(found.mismatches > 0 && !found.passed, "{found:?}");
    assert!(found.census.unwrap().differences > 0);
}

#[test]
fn a_wrong_count_of_any_kind_is_found() {
    for id in ENGINES {
        let forged = Forged::new(id);
        forged.manifest(|manifest| {
            let class = manifest.classes.iter_mut().rfind(|class| class.tally.positions() > 0).unwrap();
            let (value, count) = class.tally.iter().next().unwrap();
            let mut tally = Tally::default();
            class.tally.iter().skip(1).for_each(|(value, count)| tally.add(value, count));
            tally.add(value, count - 1);
            tally.add(Value::win(999), 1);
            class.tally = tally;
        });
        let found = forged.verified(Extent::Full).unwrap();
        assert_eq!((found.mismatches, found.passed), (0, false), "{id}: {found:?}");
        assert_eq!(found.census.unwrap().differences, 2, "{id}");
    }
}

#[test]
fn a_wrong_count_of_all_positions_is_found() {
    let forged = Forged::new("nocca-3x2");
    forged.manifest(|manifest| {
        let all = manifest.settings.get_mut("all positions").unwrap();
        let first = all[0][1].as_u64().unwrap();
        all[0][1] = json!(first + 2);
    });
    let found = forged.verified(Extent::Full).unwrap();
    assert_eq!((found.census.unwrap().differences, found.passed), (1, false));
}

/// Mirror images of a board may have bits of their own. The one that is asked for by number is right, the other is not.
#[test]
fn a_wrong_value_of_a_mirror_image_alone_is_found() {
    use kanzen::Game;
    use kanzen_core::index::{Index, Place};
    use kanzen_core::{ClassId, Slot};
    use kanzen_games::nocca::NoccaIndex;

    let game = Nocca::new(3, 3).unwrap();
    let index = NoccaIndex::new(&game);
    let lost = Index::<Nocca>::classes(&index)[0].clone();
    let apart = (0..lost.slots).find(|&slot| {
        let Some(board) = index.position(&game, ClassId::from(0usize), Slot(slot)).unwrap() else { return false };
        let canonical = game.canonical(board);
        let places = [board, canonical].map(|board| index.place(&game, board).unwrap());
        let here = (ClassId::from(0usize), Slot(slot));
        matches!(places[0], Place::Apart { lost, .. } if lost == here) && places[0] != places[1]
    });
    let Some(slot) = apart else { panic!("no board of three by three has mirror images apart") };
    let forged = Forged::new("nocca-3x3");
    forged.plane(&lost.plane_file(), |at, value| {
        let other = if value == Value::win(4) { Value::win(6) } else { Value::win(4) };
        if at == slot { other } else { value }
    });
    let found = forged.verified(Extent::Full).unwrap();
    assert!(found.mismatches > 0 && !found.passed, "{found:?}");
}

#[test]
fn a_list_of_fewer_positions_is_found() {
    let forged = Forged::new("stones-30");
    let keys = "class-0.keys";
    forged.manifest(|manifest| {
        // All piles but the largest: closed under moves, and consistent in itself.
        let short: Vec<u32> = (0..30).collect();
        let summary = kanzen_store::write_keys(&forged.folder().join(keys), manifest.fingerprint, &short).unwrap();
        vouch(manifest, keys, &summary);
        let plane = "class-0.plane";
        let path = forged.folder().join(plane);
        let values = values(&path, manifest.fingerprint);
        let summary = write_plane(&path, manifest.fingerprint, 30, |slot| values[slot as usize]).unwrap();
        vouch(manifest, plane, &summary.file);
        (manifest.classes[0].slots, manifest.classes[0].tally) = (30, summary.tally);
    });
    let found = forged.verified(Extent::Full).unwrap();
    assert_eq!((found.mismatches, found.missing, found.passed), (0, 1, false), "{found:?}");
}

/// A line with the stated end that is made of blunders.
#[test]
fn a_line_of_best_play_that_was_made_up_is_found() {
    use kanzen::Game;
    use kanzen_games::othello::{Othello, Start};

    let forged = Forged::new("othello-4x5");
    let game = Othello::new(4, 5, Start::Cross).unwrap();
    let (mut board, mut line) = (game.initial(), Vec::new());
    while game.ended(board).is_none() {
        let mut moves = Vec::new();
        game.moves(board, &mut |turn, child| moves.push((turn, child)));
        let (turn, child) = moves[0];
        line.push(game.show_move(board, turn));
        board = child;
    }
    let last = game.final_score(board).unwrap();
    let score = if line.len().is_multiple_of(2) { last } else { -last };
    let mut tally = Tally::default();
    for ply in 0..=line.len() {
        tally.add(Value::of_score(if ply.is_multiple_of(2) { score } else { -score }), 1);
    }
    let honest = Manifest::read(&forged.folder()).unwrap().settings["score"].clone();
    assert_ne!(honest, json!(score), "the first moves happen to be best");
    forged.manifest(|manifest| {
        manifest.settings.insert("score".into(), json!(score));
        manifest.settings.insert("line".into(), json!(line));
        (manifest.classes[0].slots, manifest.classes[0].tally) = (tally.positions(), tally);
    });
    let found = forged.verified(Extent::Full).unwrap();
    assert!(found.mismatches > 0 && !found.passed && found.searched > 0, "{found:?}");
    assert_eq!(found.census.unwrap().differences, 0, "it is consistent in itself");
    // What would take a search is not called checked in a sample.
    let found = forged.verified(Extent::Sample(1000)).unwrap();
    assert!(found.searched == 0 && found.not_checked.contains(&Unchecked::OutOfReach), "{found:?}");
}
