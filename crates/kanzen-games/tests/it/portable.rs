//! The C library and the pure Rust decoder of the browser decode every block alike.

use std::time::Duration;

use kanzen::Budget;
use kanzen::catalogue::Run;
use kanzen::progress::Silent;
use kanzen_games::catalogue;
use kanzen_store::{BlockFile, Manifest, VfsPath};

#[test]
fn every_block_of_every_kind_of_database_is_unpacked_alike() {
    let data = tempfile::tempdir().unwrap();
    let run = Run { budget: Budget::new(2, 1 << 30), checkpoint_every: Duration::MAX, observer: &Silent };
    let mut blocks = 0;
    for id in ["tictactoe", "nocca-3x3", "nocca-3x4", "morris-5", "othello-4x4", "musashi-25"] {
        catalogue::find(id).unwrap().solve(data.path(), &run).unwrap();
        let folder = data.path().join(id);
        let manifest = Manifest::read(&folder).unwrap();
        for file in &manifest.files {
            let path = VfsPath::from(&folder).join(&file.name);
            let file = BlockFile::from_source(&path, path.open().unwrap(), None, manifest.fingerprint).unwrap();
            for block in 0..file.blocks() {
                assert_eq!(file.read_portable(block).unwrap(), file.read(block).unwrap(), "{id}, block {block}");
                blocks += 1;
            }
        }
    }
    assert!(blocks > 300, "{blocks} blocks were compared");
}
