//! Tests of NOCCA's rounds: single positions against sweeps, several windows against one.

use std::ops::Range;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Error};
use kanzen_core::machine::cpu::{Gather, Portable, Work, dispatch};
use kanzen_solve::rounds::{Rounds, SparseChunk};
use kanzen_solve::{Job, Solver, WorkFolder};

use crate::nocca::index::layout::{Array, Layout};
use crate::nocca::index::{Sweeps, padded};
use crate::nocca::rules::Nocca;
use crate::nocca::solve::set::{CHUNK, Counts, most_words, windows};
use crate::nocca::solve::steps::{Lifts, Steps};
use crate::nocca::solve::{Arrays, NoccaRounds};

#[test]
fn rounds_position_by_position_find_what_sweeps_find() {
    for (rows, columns) in [(3, 2), (4, 2), (6, 2), (3, 3), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let rounds = NoccaRounds::new(&layout);
        // Sweeps only, single positions as early as possible, and mixed: wins by sweeps, losses by single positions.
        let mut played =
            [[0, 0], [usize::MAX; 2], [0, usize::MAX]].map(|few| Arrays::with(&layout, few, [usize::MAX; 2]).unwrap());
        for distance in 0.. {
            let counts = played.each_mut().map(|arrays| {
                let mut log = |chunks: Range<usize>, make: &(dyn Fn(usize) -> _ + Sync)| {
                    chunks.for_each(|chunk| _ = make(chunk));
                    Ok(())
                };
                arrays.play(distance, &mut log, &Silent).unwrap().counts
            });
            let [sweeps, others @ ..] = &played;
            for (arrays, found) in others.iter().zip(&counts[1..]) {
                assert_eq!(*found, counts[0], "{rows}x{columns}, {distance} plies");
                let same = |array: usize| arrays.sets[array].words[..] == sweeps.sets[array].words[..];
                assert!(same(0) && same(1), "{rows}x{columns}, {distance} plies");
            }
            if rounds.is_last(distance, &counts[0]) {
                break;
            }
        }
    }
}

/// Counts the bits in use, and checks that each position maps back to its bit.
struct RoundTripBits<'a>(&'a Steps<'a>, Array, u64);

impl Work for RoundTripBits<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Gather>(self, cpu: C) -> u64 {
        let RoundTripBits(steps, array, bits) = self;
        let mut cached = None;
        let mut positions = 0;
        for bit in 0..bits {
            if let Some(placed) = steps.at(cpu, array, bit, &mut cached) {
                let found = steps.locate(cpu, array, &placed).expect("a bit in use");
                assert_eq!(found.bit, bit);
                if let Some(twin) = found.twin {
                    let twin = steps.at(cpu, array, twin, &mut None).expect("a mirror image is a position");
                    assert_eq!(steps.locate(cpu, array, &twin).and_then(|located| located.twin), Some(bit));
                }
                positions += 1;
            }
        }
        positions
    }
}

#[test]
fn a_position_has_the_bit_it_was_made_from() {
    for (rows, columns) in [(3, 2), (6, 2), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let lifts = Lifts::new(&layout);
        let steps = Steps::new(&layout, &lifts);
        for array in Array::BOTH {
            let bits = 64 * layout.words(array) as u64;
            let colourings =
                layout.slabs(array).map(|(slab, _)| slab.boards * layout.space(array, slab.top, slab.bottom).len());
            assert_eq!(dispatch(RoundTripBits(&steps, array, bits)), colourings.sum::<usize>() as u64);
            let few = bits.min(1 << 16);
            assert_eq!(RoundTripBits(&steps, array, few).run(Portable), dispatch(RoundTripBits(&steps, array, few)));
        }
    }
}

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
                    assert!(window.len < window.words.len() + CHUNK + padded(1), "at most one chunk is carried over");
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
fn only_the_largest_board_has_more_than_one_window_and_its_windows_fit_the_forecast() {
    for (rows, expected) in [(5, 1), (6, 2)] {
        let layout = Layout::new(rows, 5);
        for array in Array::BOTH {
            let words = layout.words(array);
            let windows = windows(&layout, array, most_words(words));
            assert_eq!(windows.len(), expected, "{rows}x5");
            let found = windows.iter().map(|window| window.len).max().unwrap();
            assert!(found <= most_words(words) + CHUNK, "{found} words of {words}");
            if rows == 6 {
                // As docs/nocca.md states.
                assert_eq!(words / 1_000_000, 672);
                let largest = layout.groups(array).iter().map(|group| group.words.len()).max().unwrap();
                assert_eq!((largest as f64 / words as f64 * 100.0).round(), 44.0);
            }
        }
    }
}

/// Plays a round and keeps the log: chunks in order.
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
                assert_eq!(
                    set.new_positions.as_ref().map(|new_positions| new_positions.count()),
                    same.new_positions.as_ref().map(|new_positions| new_positions.count())
                );
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

/// A board with four chunks and a group larger than one.
#[test]
fn chunks_that_a_window_leaves_unfinished_are_carried_over() {
    windows_find_the_same(4, 4, [0, 0], &[2, usize::MAX]);
    windows_find_the_same(4, 4, [100_000, 300_000], &[3]);
}

/// Stops at a step.
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
    let store = WorkFolder::in_memory();
    let observer = StopAt(300.into());
    let job = Job::new(&store, Budget::new(1, 1 << 30), &observer).unwrap();
    assert!(matches!(Sweeps.solve(&game, &job), Err(Error::Stopped)));
    let names = store.names().unwrap();
    let [logs, counts] = ["round-", "counts-"].map(|kind| names.iter().filter(|name| name.starts_with(kind)).count());
    assert_eq!(logs, counts, "{names:?}");
}
