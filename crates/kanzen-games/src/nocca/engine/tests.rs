//! Whole solves against the rules.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kanzen::catalogue::{Run, Solver};
use kanzen::progress::{Event, Observer, Silent};
use kanzen::query::Answer;
use kanzen::store::{Database, WorkFolder};
use kanzen::{Budget, Error, Game};

use super::kernel::Sweep;
use super::layout::{Array, Layout};
use super::plan::Plan;
use super::{Sweeps, planes};
use crate::nocca::tests::{RulesOnlySolution, published};
use crate::nocca::{Nocca, Side, placements};

const FINGERPRINT: u64 = 7;

fn solve(game: &Nocca, data: &Path, threads: usize, observer: &dyn Observer) -> Result<Database, Error> {
    let run = Run { budget: Budget::new(threads, 4 << 30), checkpoint_every: Duration::from_secs(60), observer };
    let work = WorkFolder::open_or_create(data, "nocca", FINGERPRINT)?;
    let manifest = Sweeps.solve(game, &work, &run)?;
    Ok(work.finish(&manifest)?)
}

#[test]
fn every_position_of_small_boards_has_the_value_the_rules_give_it() {
    for (rows, columns) in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let data = tempfile::tempdir().unwrap();
        let oracle = Sweeps.open(&game, solve(&game, data.path(), 2, &Silent).unwrap()).unwrap();
        let rules_only = RulesOnlySolution::of(&game);
        let mut all = kanzen::Tally::default();
        for side in [Side::White, Side::Black] {
            game.placements(side, &mut |board| {
                let expected = rules_only.value(board);
                assert_eq!(oracle.answer(&game, board).unwrap(), Answer::from(expected), "{}", game.show(board));
                all.add(expected, 1);
            });
        }
        assert_eq!(oracle.all_positions(), Some(all));
        assert_eq!(oracle.census().unwrap().total(), rules_only.tally(), "{rows}x{columns}");
    }
}

#[test]
fn every_position_has_one_number_up_to_mirror_images_and_colours() {
    for (rows, columns) in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let layout = Layout::new(rows, columns);
        let numbering = super::numbering::Numbering::new(&layout);
        let position = |number| game.pack(game.canonical(numbering.position(&layout, number).unwrap()));
        let numbered: BTreeSet<u128> = (0..numbering.len()).map(position).collect();
        assert_eq!(numbered.len() as u64, numbering.len());
        let mut expected = BTreeSet::new();
        game.placements(Side::White, &mut |board| {
            expected.insert(game.pack(game.canonical(board)));
        });
        assert!(numbered == expected);
        assert!(numbering.position(&layout, numbering.len()).is_none());
    }
}

#[test]
fn a_slot_and_its_position_are_inverse() {
    for (rows, columns) in [(3, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let layout = Layout::new(rows, columns);
        for side in [Side::White, Side::Black] {
            let mut slots = 0;
            game.placements(side, &mut |board| {
                let Some(slot) = layout.slot(&board) else { return };
                let slab = layout.slab(slot.rows[0], slot.rows[1]).unwrap();
                let back = layout.position(Array::of(side), slab, slot.board, slot.colouring);
                assert_eq!(layout.slot(&back), Some(slot));
                assert_eq!(game.canonical(back), game.canonical(board));
                slots += 1;
            });
            assert!(slots > placements(rows, columns) / 8);
        }
    }
}

#[test]
fn a_sweep_without_special_instructions_finds_the_same() {
    for (rows, columns) in [(3, 2), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        for target in [Array::Losses, Array::Wins] {
            let mut state = 1u64;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state ^ state >> 33
            };
            let source: Vec<u64> = (0..layout.words(target.other())).map(|_| random() & random() & random()).collect();
            let sweep = Sweep { layout: &layout, source: &source, flip: 0 };
            let [mut found, mut portable] = [(); 2].map(|()| vec![0; layout.words(target)]);
            for (slab, _) in layout.slabs(target).filter(|(slab, _)| slab.middle > 0) {
                let plan = Plan::new(&layout, target, [slab.top, slab.bottom], slab.middle - 1);
                sweep.slab(&plan, &mut found, 0);
                sweep.slab_portable(&plan, &mut portable, 0);
            }
            assert!(found == portable);
            assert!(found.iter().any(|&word| word != 0));
        }
    }
}

/// Asks the work to stop when so many rounds are played.
struct StopAfter {
    rounds: u64,
    played: AtomicU64,
}

impl Observer for StopAfter {
    fn event(&self, event: Event<'_>) {
        if let Event::Level { .. } = event {
            self.played.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn stop(&self) -> bool {
        self.played.load(Ordering::Relaxed) >= self.rounds
    }
}

fn files(database: &Database) -> Vec<Vec<u8>> {
    let names = [Array::Losses, Array::Wins].map(planes::plane_name);
    let names = names.into_iter().chain(["manifest.json"]);
    names.map(|name| std::fs::read(database.path(name)).unwrap()).collect()
}

#[test]
fn stopped_after_any_round_it_goes_on_to_the_same_bytes() {
    let game = Nocca::new(3, 3).unwrap();
    let data = tempfile::tempdir().unwrap();
    let whole = files(&solve(&game, data.path(), 1, &Silent).unwrap());
    for step in [1, 3] {
        let data = tempfile::tempdir().unwrap();
        let mut stops = 0;
        let database = loop {
            let stop = StopAfter { rounds: step, played: AtomicU64::new(0) };
            match solve(&game, data.path(), 2, &stop) {
                Err(Error::Stopped) => stops += 1,
                database => break database.unwrap(),
            }
        };
        assert!(stops >= 12 / step);
        assert!(files(&database) == whole);
    }
}

#[test]
fn a_damaged_log_starts_the_solve_again() {
    let game = Nocca::new(3, 2).unwrap();
    let data = tempfile::tempdir().unwrap();
    let stop = StopAfter { rounds: 5, played: AtomicU64::new(0) };
    assert!(matches!(solve(&game, data.path(), 1, &stop), Err(Error::Stopped)));
    let log = data.path().join("nocca.part").join(super::rounds::log_name(3));
    let mut bytes = std::fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&log, bytes).unwrap();
    let database = solve(&game, data.path(), 1, &Silent).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    assert!(files(&database) == files(&solve(&game, fresh.path(), 1, &Silent).unwrap()));
}

#[test]
fn too_small_a_budget_is_refused_before_the_work_starts() {
    let data = tempfile::tempdir().unwrap();
    let game = Nocca::new(6, 5).unwrap();
    let work = WorkFolder::open_or_create(data.path(), "nocca", FINGERPRINT).unwrap();
    let run = Run { budget: Budget::new(1, 1 << 30), checkpoint_every: Duration::from_secs(60), observer: &Silent };
    let refusal = Sweeps.solve(&game, &work, &run).unwrap_err().to_string();
    assert!(refusal.contains("of memory, the budget is 1.1 GB: raise --memory"), "{refusal}");
}

#[test]
fn the_layout_has_a_bit_for_each_position_that_does_not_win_at_once() {
    for row in published().into_iter().filter(|row| row.positions < 100_000_000) {
        let layout = Layout::new(row.rows, row.columns);
        let mut bits = 0;
        for (slab, _) in layout.slabs(Array::Losses) {
            let images = if slab.symmetric { 1 } else { 2 };
            bits += images * slab.boards * layout.space(Array::Losses, slab.top, slab.bottom).words().len();
        }
        // With white to move: all positions, without those in which some stack of the top row has a white top.
        let expected = not_at_once(row.rows, row.columns);
        assert_eq!(bits as u64, expected, "{}x{}", row.rows, row.columns);
    }
}

/// Placements of all pieces in which no stack of the top row has a white top, counted cell by cell.
fn not_at_once(rows: usize, columns: usize) -> u64 {
    let mut ways = vec![vec![0u64; columns + 1]; columns + 1];
    ways[0][0] = 1;
    for cell in 0..rows * columns {
        let mut next = vec![vec![0; columns + 1]; columns + 1];
        for stack in (1..16u8).map(crate::nocca::Stack::from_code) {
            if cell < columns && stack.top() == Some(Side::White) {
                continue;
            }
            let white = stack.pieces().filter(|side| *side == Side::White).count();
            let black = stack.height() as usize - white;
            for (b, w) in (black..=columns).flat_map(|b| (white..=columns).map(move |w| (b, w))) {
                next[b][w] += ways[b - black][w - white];
            }
        }
        ways = next;
    }
    ways[columns][columns]
}
