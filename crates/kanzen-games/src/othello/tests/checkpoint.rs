//! Checkpoints of a search, and resuming from them.

use crate::othello::{Bounds, Table};
use kanzen::Budget;
use kanzen::progress::Silent;
use kanzen_solve::{Job, WorkFolder};

use crate::othello::solve::checkpoint::{NAME, checkpoints, resume};

#[test]
fn a_checkpoint_restores_the_proofs_and_a_damaged_one_is_ignored() {
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(1, 1 << 20), &Silent).unwrap();
    let (root, bounds) = (Bounds { lower: -7, upper: 300 }, Bounds { lower: -3, upper: 25 });
    let table = Table::new(1 << 12).unwrap();
    table.put(u128::MAX - 1, bounds, 200, 1 << 40);
    checkpoints(&job, 1 << 10).unwrap().keep(root, &table).unwrap();

    let resumed = Table::new(1 << 12).unwrap();
    assert_eq!(resume(&store, &resumed).unwrap(), Some(root));
    assert_eq!(resumed.get(u128::MAX - 1), table.get(u128::MAX - 1));

    let kept = store.get(NAME).unwrap().unwrap();
    for broken in [&kept[..kept.len() - 1], &kept[..7], &[]] {
        store.put(NAME, broken).unwrap();
        assert_eq!(resume(&store, &resumed).unwrap(), None);
    }
}

#[test]
fn with_little_memory_the_most_expensive_proofs_are_kept() {
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(1, 1 << 20), &Silent).unwrap();
    let table = Table::new(1 << 12).unwrap();
    for key in 1..=20 {
        table.put(key, Bounds { lower: 0, upper: 1 }, 0, 1 << key);
    }
    let kept = |memory: u64| {
        checkpoints(&job, memory).unwrap().keep(Bounds { lower: 0, upper: 0 }, &table).unwrap();
        let resumed = Table::new(1 << 12).unwrap();
        resume(&store, &resumed).unwrap();
        resumed.entries(0).map(|proven| proven.key).min()
    };
    assert_eq!((kept(400), kept(100), kept(10)), (Some(1), Some(16), None));
}
