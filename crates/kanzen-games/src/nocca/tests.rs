//! Tests of NOCCA: the rules against published counts, the engine against the rules.

mod index;
mod rounds;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Colour, Error, Game, Key, Notation, Outcome, Tally, Value, conformance};
use kanzen_core::index::{Index, Listed, Place};
use kanzen_core::machine::Codes;
use kanzen_core::machine::cpu::Isa;
use kanzen_core::{ClassId, Slot};
use kanzen_query::{Answer, Opener, positions_of_value};
use kanzen_solve::retrograde::RulesGraph;
use kanzen_solve::{Job, Solver, WorkFolder, retrograde};
use kanzen_store::{Database, Manifest};

use super::index::layout::{Array, Layout};
use super::index::numbering::Numbering;
use super::solve::kernel::Sweep;
use super::solve::plan::Plan;
use super::solve::steps::Lifts;
use super::*;

struct Row {
    rows: usize,
    columns: usize,
    positions: u64,
    initial: Option<(Outcome, Option<u16>)>,
}

/// Reads the published table, `tests/data/nocca.csv`.
fn published() -> Vec<Row> {
    let number = |text: &str| text.parse().unwrap();
    let lines = include_str!("../../tests/data/nocca.csv").lines().filter(|line| !line.starts_with(['#', 'r']));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let initial = match cells[3] {
                "win" => Some((Outcome::Win, Some(cells[4].parse().unwrap()))),
                "draw" => Some((Outcome::Draw, None)),
                _ => None,
            };
            Row {
                rows: number(cells[0]) as usize,
                columns: number(cells[1]) as usize,
                positions: number(cells[2]),
                initial,
            }
        })
        .collect()
}

/// The naive twin of the engine: the game solved from its rules alone.
struct RulesOnlySolution<'a> {
    game: &'a Nocca,
    index: Listed<u128>,
    store: WorkFolder,
    values: Codes,
}

impl<'a> RulesOnlySolution<'a> {
    fn of(game: &'a Nocca) -> RulesOnlySolution<'a> {
        let store = WorkFolder::in_memory();
        let job = Job::new(&store, Budget::new(2, 4 << 30), &Silent).unwrap();
        let index = Listed::list(game, job.ledger(), &Silent).unwrap();
        retrograde::solve(&RulesGraph::new(game, &index), &job).unwrap();
        drop(job);
        let values = store.get_plane("class-0.plane").unwrap();
        RulesOnlySolution { game, index, store, values }
    }

    fn value(&self, board: Position) -> Value {
        let slot = self.index.rank(0, self.game.pack(self.game.canonical(board))).unwrap();
        Value::from_code(self.values[slot as usize]).unwrap()
    }

    fn tally(&self) -> Tally {
        self.store.tally("class-0.plane").unwrap()
    }
}

#[test]
fn all_sixteen_boards_have_the_published_number_of_positions() {
    assert_eq!(published().len(), 16);
    for row in published() {
        assert_eq!(placements(row.rows, row.columns), row.positions, "{}x{}", row.rows, row.columns);
    }
}

#[test]
fn small_boards_have_the_published_values() {
    let mut solved = 0;
    for row in published().into_iter().filter(|row| row.positions < 2_000_000) {
        let Some(initial) = row.initial else { continue };
        let game = Nocca::new(row.rows, row.columns).unwrap();
        let found = RulesOnlySolution::of(&game).value(game.initial());
        assert_eq!((found.outcome(), found.distance()), initial, "{}x{}", row.rows, row.columns);
        solved += 1;
    }
    assert_eq!(solved, 6);
}

#[test]
fn the_engine_agrees_with_the_plain_solver_on_every_position() {
    for (rows, columns) in [(3, 2), (4, 2), (6, 2), (3, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let solved = RulesOnlySolution::of(&game);
        let reference = conformance::reference::solve(&game);
        let mut white_to_move = 0;
        for (key, expected) in reference {
            let board = game.unpack(Key::from_wide(key));
            assert_eq!(solved.value(board), expected);
            white_to_move += u64::from(board.to_move == Colour::White);
        }
        assert_eq!(white_to_move, placements(rows, columns) / 2);
    }
}

#[test]
fn the_rules_are_consistent() {
    for (rows, columns) in [(3, 2), (5, 2), (3, 3), (4, 4), (6, 5)] {
        conformance::check(&Nocca::new(rows, columns).unwrap(), 6_000).unwrap();
    }
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let game = Nocca::new(3, 2).unwrap();
    for (text, reason) in [
        ("b,b/.,./w,w", "expected rows joined by '/', a space and b or w to move"),
        ("b,b/.,./w,w x", "expected b or w to move, found \"x\""),
        ("b,b/w,w w", "expected 3 rows, found 2"),
        ("b,b,./.,./w,w w", "row 1 has 3 cells, expected 2"),
        ("b,b/bwbw,./.,. w", "a stack of 4, at most 3 are allowed, at a2 (row 2, cell 1)"),
        ("b,b/x,./w,w w", "unknown letter 'x' at a2 (row 2, cell 1)"),
        ("b,b/,./w,w w", "empty text, expected '.' or a stack, at a2 (row 2, cell 1)"),
        ("b,b/w,./w,w w", "3 pieces w, expected 2"),
        ("b,b/b,./w,w w", "3 pieces b, expected 2"),
        ("b,b/.,./w,. w", "1 pieces w, expected 2"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason);
    }
}

const FINGERPRINT: u64 = 7;

fn solve(game: &Nocca, data: &Path, threads: usize, observer: &dyn Observer) -> Result<Database, Error> {
    let work = WorkFolder::open_or_create(data, "nocca", FINGERPRINT)?;
    let solution = Sweeps.solve(game, &Job::new(&work, Budget::new(threads, 4 << 30), observer)?)?;
    let manifest = Manifest::of(&work, solution)?;
    work.finish(&manifest)
}

#[test]
fn every_position_of_small_boards_has_the_value_the_rules_give_it() {
    for (rows, columns) in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let data = tempfile::tempdir().unwrap();
        let oracle = Sweeps.open(&std::sync::Arc::new(game), solve(&game, data.path(), 2, &Silent).unwrap()).unwrap();
        let rules_only = RulesOnlySolution::of(&game);
        let mut all = Tally::default();
        for side in [Colour::White, Colour::Black] {
            game.placements(side, &mut |board| {
                let expected = rules_only.value(board);
                assert_eq!(
                    oracle.answer(kanzen_core::rules::key(&game, board)).unwrap(),
                    Answer::from(expected),
                    "{}",
                    game.show(board)
                );
                all.add(expected, 1);
            });
        }
        assert_eq!(oracle.contents().unwrap().all_positions, Some(all));
        assert_eq!(oracle.contents().unwrap().census.total(), rules_only.tally(), "{rows}x{columns}");
    }
}

#[test]
fn every_position_has_one_number_up_to_mirror_images_and_colours() {
    for (rows, columns) in [(3, 2), (4, 2), (5, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let layout = Layout::new(rows, columns);
        let numbering = Numbering::new(&layout);
        let position = |number| game.pack(game.canonical(numbering.position(&layout, number).unwrap()));
        let numbered: BTreeSet<u128> = (0..numbering.len()).map(position).collect();
        assert_eq!(numbered.len() as u64, numbering.len());
        let mut expected = BTreeSet::new();
        game.placements(Colour::White, &mut |board| {
            expected.insert(game.pack(game.canonical(board)));
        });
        assert!(numbered == expected);
        assert!(numbering.position(&layout, numbering.len()).is_none());
    }
}

#[test]
fn every_used_bit_maps_to_a_position_and_back() {
    for (rows, columns) in [(3, 2), (6, 2), (3, 3), (4, 3)] {
        let game = Nocca::new(rows, columns).unwrap();
        let index = NoccaIndex::new(&game);
        for (number, class) in index.classes().iter().enumerate() {
            let class_id = ClassId::from(number);
            let mut met = BTreeSet::new();
            for slot in (0..class.slots + 64).map(Slot) {
                let Some(board) = index.position(&game, class_id, slot).unwrap() else { continue };
                let Place::Apart { lost, won } = index.place(&game, board).unwrap() else { panic!("{slot}") };
                assert_eq!([lost, won][number], (class_id, slot));
                met.insert(game.pack(game.canonical(board)));
            }
            let mut with_bits = BTreeSet::new();
            game.placements(Colour::White, &mut |board| match index.place(&game, board).unwrap() {
                Place::Known(value) => assert_eq!(value, Value::win(1)),
                _ => _ = with_bits.insert(game.pack(game.canonical(board))),
            });
            assert!(met == with_bits, "{rows}x{columns} {}", class.name);
        }
    }
}

#[test]
fn the_index_counts_as_many_positions_as_it_numbers() {
    for (rows, columns) in [(3, 2), (5, 2), (3, 3), (4, 3)] {
        let index = NoccaIndex::new(&Nocca::new(rows, columns).unwrap());
        assert_eq!(index.positions(), Numbering::new(index.layout()).len());
    }
}

#[test]
fn the_positions_of_the_longest_games_are_found() {
    let game = Nocca::new(4, 3).unwrap();
    let data = tempfile::tempdir().unwrap();
    let oracle = Sweeps.open(&std::sync::Arc::new(game), solve(&game, data.path(), 2, &Silent).unwrap()).unwrap();
    for bar in oracle.contents().unwrap().census.total().histogram().iter().rev().take(4) {
        let (value, count) =
            if bar.wins > 0 { (Value::win(bar.distance), bar.wins) } else { (Value::loss(bar.distance), bar.losses) };
        let found = positions_of_value(&*oracle, value, count, 5, &Silent).unwrap();
        assert_eq!(found.len() as u64, count.min(5), "{value}");
        assert!(found.iter().all(|&board| oracle.answer(board).unwrap().value == value));
    }
    assert_eq!(positions_of_value(&*oracle, Value::DRAW, 3, 3, &Silent).unwrap().len(), 3);
}

#[test]
fn a_sweep_without_special_instructions_finds_the_same() {
    for (rows, columns) in [(3, 2), (4, 3), (5, 3), (3, 4)] {
        let layout = Layout::new(rows, columns);
        let lifts = Lifts::new(&layout);
        for target in Array::BOTH {
            let mut state = 1u64;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state ^ state >> 33
            };
            let source: Vec<u64> = (0..layout.words(target.other())).map(|_| random() & random() & random()).collect();
            let sweep = Sweep { layout: &layout, lifts: &lifts, source: &source, flip: 0 };
            let [mut found, mut portable] = [(); 2].map(|()| vec![0; layout.words(target)]);
            for (slab, _) in layout.slabs(target).filter(|(slab, _)| slab.middle > 0) {
                let plan = Plan::new(&layout, target, [slab.top, slab.bottom], slab.middle - 1);
                sweep.slab(Isa::best(), &plan, &mut found, 0);
                sweep.slab(Isa::PORTABLE, &plan, &mut portable, 0);
            }
            assert!(found == portable);
            assert!(found.iter().any(|&word| word != 0));
        }
    }
}

/// Stops the solve after a number of rounds.
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
    let names = ["losses.plane", "wins.plane", Manifest::FILE].into_iter();
    names.map(|name| std::fs::read(&*database.path(name)).unwrap()).collect()
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
fn a_damaged_log_costs_the_rounds_from_it_on() {
    let game = Nocca::new(3, 2).unwrap();
    let data = tempfile::tempdir().unwrap();
    let stop = StopAfter { rounds: 5, played: AtomicU64::new(0) };
    assert!(matches!(solve(&game, data.path(), 1, &stop), Err(Error::Stopped)));
    let log = data.path().join("nocca.part").join("round-3-1");
    let mut bytes = std::fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&log, bytes).unwrap();
    let resumed = StopAfter { rounds: u64::MAX, played: AtomicU64::new(0) };
    let database = solve(&game, data.path(), 1, &resumed).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let whole = StopAfter { rounds: u64::MAX, played: AtomicU64::new(0) };
    assert!(files(&database) == files(&solve(&game, fresh.path(), 1, &whole).unwrap()));
    assert_eq!(resumed.played.into_inner() + 3, whole.played.into_inner());
}

#[test]
fn too_small_a_budget_is_refused_before_the_work_starts() {
    let store = WorkFolder::in_memory();
    let game = Nocca::new(6, 5).unwrap();
    let refusal = Sweeps.solve(&game, &Job::new(&store, Budget::new(1, 1 << 30), &Silent).unwrap()).unwrap_err();
    assert!(matches!(refusal, Error::Memory { needed: 15_000_000_000..=20_000_000_000, .. }), "{refusal}");
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
        // White to move: all positions without a white top in the top row.
        let expected = not_at_once(row.rows, row.columns);
        assert_eq!(bits as u64, expected, "{}x{}", row.rows, row.columns);
    }
}

/// Counts, cell by cell, the placements of all pieces without a white top in the top row.
fn not_at_once(rows: usize, columns: usize) -> u64 {
    let mut ways = vec![vec![0u64; columns + 1]; columns + 1];
    ways[0][0] = 1;
    for cell in 0..rows * columns {
        let mut next = vec![vec![0; columns + 1]; columns + 1];
        for stack in (1..16u8).map(crate::nocca::Stack::from_code) {
            if cell < columns && stack.top() == Some(Colour::White) {
                continue;
            }
            let white = stack.pieces().filter(|side| *side == Colour::White).count();
            let black = stack.height() as usize - white;
            for (b, w) in (black..=columns).flat_map(|b| (white..=columns).map(move |w| (b, w))) {
                next[b][w] += ways[b - black][w - white];
            }
        }
        ways = next;
    }
    ways[columns][columns]
}
