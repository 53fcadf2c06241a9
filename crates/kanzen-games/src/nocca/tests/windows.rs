//! Arrays in several windows against arrays in one.

use std::ops::Range;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::solve::rounds::{Rounds, SparseChunk};
use kanzen::solve::{Job, MemoryStore, Solver};
use kanzen::{Budget, Error};

use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::padded;
use crate::nocca::opener::Sweeps;
use crate::nocca::rules::Nocca;
use crate::nocca::solve::set::{CHUNK, Counts};
use crate::nocca::solve::windows::{most_words, windows};
use crate::nocca::solve::{Arrays, NoccaRounds};

#[test]
fn windows_have_every_group_and_every_chunk_once() {
    for (rows, columns) in [(3, 2), (4, 3), (6, 3), (3, 4), (4, 4), (6, 4), (4, 5)] {
        let layout = Layout::new(rows, columns);
        for array in Array::BOTH {
            let (groups, words) = (layout.groups(array), layout.words(array));
            let largest = groups.iter().map(|group| group.words.len()).max().unwrap();
            for most in [1, largest, CHUNK, words / 4 * 3, words - 1, words, usize::MAX] {
                let windows = windows(&layout, array, most);
                assert!(windows.iter().flat_map(|window| window.groups.clone()).eq(0..groups.len()));
                assert!(windows.iter().flat_map(|window| window.words.clone()).eq(0..words));
                assert!(windows.iter().flat_map(|window| window.chunks.clone()).eq(0..padded(words).div_ceil(CHUNK)));
                for window in &windows {
                    assert!(window.words.len() <= most.max(largest));
                    assert!(window.len < window.words.len() + CHUNK + padded(1), "no more than a chunk is carried");
                    assert!(window.first() <= window.words.start && window.words.end <= window.first() + window.len);
                }
                assert_eq!(windows.len() == 1, most >= words, "{rows}x{columns}, {most} words");
            }
        }
    }
}

#[test]
fn a_goal_row_is_in_the_window_of_its_slabs() {
    let layout = Layout::new(4, 4);
    for array in Array::BOTH {
        let windows = windows(&layout, array, layout.words(array) / 8);
        assert!(windows.len() > 3);
        for (slab, start) in layout.slabs(array) {
            let row = layout.goal_row(array, slab.top, slab.bottom);
            windows.iter().for_each(|window| assert_eq!(window.has_goal_row(row), window.words.contains(&start)));
        }
    }
}

#[test]
fn only_the_largest_board_has_more_than_one_window_and_what_is_found_in_it_is_as_small_as_the_forecast_says() {
    for (rows, expected) in [(5, 1), (6, 2)] {
        let layout = Layout::new(rows, 5);
        for array in Array::BOTH {
            let words = layout.words(array);
            let windows = windows(&layout, array, most_words(words));
            assert_eq!(windows.len(), expected, "{rows}x5");
            let found = windows.iter().map(|window| window.len).max().unwrap();
            assert!(found <= most_words(words) + CHUNK, "{found} words of {words}");
            if rows == 6 {
                // What docs/nocca.md says of them.
                assert_eq!(words / 1_000_000, 672);
                let largest = layout.groups(array).iter().map(|group| group.words.len()).max().unwrap();
                assert_eq!((largest as f64 / words as f64 * 100.0).round(), 44.0);
            }
        }
    }
}

/// Plays a round, and keeps what is logged: chunks in order, one after the other.
fn play(arrays: &mut Arrays<'_>, distance: usize, chunks_of_all: usize) -> (Counts, Vec<Vec<u8>>) {
    let mut logged = Vec::new();
    let mut log = |chunks: Range<usize>, make: &(dyn Fn(usize) -> SparseChunk + Sync)| {
        assert_eq!(chunks.start, logged.len());
        logged.extend(chunks.map(|chunk| make(chunk).into_bytes()));
        Ok(())
    };
    let counts = arrays.play(distance, &mut log, &Silent).unwrap().counts;
    assert_eq!(logged.len(), chunks_of_all);
    (counts, logged)
}

/// Plays all rounds of a board with one window and with several.
fn windows_find_the_same(rows: usize, columns: usize, few: [usize; 2], parts: &[usize]) {
    let layout = Layout::new(rows, columns);
    let rounds = NoccaRounds::new(&layout);
    let mut whole = Arrays::with(&layout, few, [usize::MAX; 2]).unwrap();
    let in_parts = |part: &usize| Arrays::with(&layout, few, Array::BOTH.map(|array| layout.words(array) / part));
    let mut several: Vec<Arrays<'_>> = parts.iter().map(|part| in_parts(part).unwrap()).collect();
    for distance in 0.. {
        let chunks = rounds.shapes()[rounds.grown_in(distance).start].chunks();
        let expected = play(&mut whole, distance, chunks);
        for (arrays, part) in several.iter_mut().zip(parts) {
            let which = || format!("{rows}x{columns}, {distance} plies, {few:?} are few, {part} parts");
            assert!(play(arrays, distance, chunks) == expected, "{}", which());
            for (set, same) in arrays.sets.iter().zip(&whole.sets) {
                assert!(set.words[..] == same.words[..], "{}", which());
                assert_eq!(set.news.as_ref().map(|news| news.count()), same.news.as_ref().map(|news| news.count()));
            }
        }
        if rounds.is_last(distance, &expected.0) {
            break;
        }
    }
}

#[test]
fn rounds_in_windows_find_and_log_what_rounds_at_once_do() {
    for (rows, columns) in [(4, 3), (3, 4)] {
        for few in [[0, 0], [1000, 3000], [usize::MAX; 2]] {
            windows_find_the_same(rows, columns, few, &[2, 7, usize::MAX]);
        }
    }
}

/// Four chunks, and a group that is larger than one.
#[test]
fn chunks_that_a_window_leaves_unfinished_are_carried_over() {
    windows_find_the_same(4, 4, [0, 0], &[2, usize::MAX]);
    windows_find_the_same(4, 4, [100_000, 300_000], &[3]);
}

/// Asks to stop at a step.
struct StopAt(std::sync::atomic::AtomicUsize);

impl Observer for StopAt {
    fn event(&self, _: Event<'_>) {}

    fn stop(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1
    }
}

#[test]
fn a_round_that_is_stopped_leaves_no_log() {
    let game = Nocca::new(3, 3).unwrap();
    let store = MemoryStore::default();
    let observer = StopAt(300.into());
    let job = Job::new(&store, Budget::new(1, 1 << 30), &observer).unwrap();
    assert!(matches!(Sweeps.solve(&game, &job), Err(Error::Stopped)));
    let names = kanzen::solve::SolveStore::names(&store).unwrap();
    let [logs, counts] = ["round-", "counts-"].map(|kind| names.iter().filter(|name| name.starts_with(kind)).count());
    assert_eq!(logs, counts, "{names:?}");
}
