//! Tests of Sixteen Musashi: the rules, the index, and whole solves against the rules.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Error, Game, Key, Notation, Outcome, Tally, Value, conformance};
use kanzen_core::index::{Index, Place};
use kanzen_core::machine::cpu::Isa;
use kanzen_core::{ClassId, Slot};
use kanzen_query::{Answer, Extent, Opener, positions_of_value};
use kanzen_solve::{Job, Solver, WorkFolder};
use kanzen_store::{Database, Manifest};

use super::index::{smaller, smaller_at, smaller_rank};
use super::*;

/// Parts of the smallest board, each closed under the flip: 3 rows of 3, 3 rows of 4, 3 rows of 5 without two points,
/// and a cross.
fn parts() -> Vec<Musashi> {
    let board = Board::of_points(25).unwrap();
    let within = |keep: &dyn Fn(u8, u8) -> bool| {
        let points: Vec<u8> = (0..25).filter(|&p| keep(board.xy(p).0, board.xy(p).1)).collect();
        Musashi::on(board.part(&points))
    };
    vec![
        within(&|x, y| x < 3 && (1..4).contains(&y)),
        within(&|x, y| (1..4).contains(&y) && x < 4),
        within(&|x, y| (1..4).contains(&y) && (x, y) != (2, 1) && (x, y) != (2, 3)),
        within(&|x, y| x == 2 || y == 2 || (x, y) == (3, 1) || (x, y) == (3, 3)),
    ]
}

#[test]
fn the_rules_are_consistent() {
    for points in [25, 31, 33] {
        conformance::check(&Musashi::new(points).unwrap(), 5_000).unwrap();
    }
    for part in parts() {
        conformance::check(&part, 100_000).unwrap();
    }
}

#[test]
fn the_boards_are_drawn_as_published() {
    for (points, initial, symmetries) in [
        (25, "ooooo/o...o/o.X.o/o...o/ooooo o", 8),
        (31, "ooooo./o...o./o.X.o../o...o./ooooo. o", 2),
        (33, "ooooo./o...o../o.X.o../o...o../ooooo. o", 2),
    ] {
        let game = Musashi::new(points).unwrap();
        assert_eq!(game.show(game.initial()), initial);
        assert_eq!(game.board().symmetries().len(), symmetries);
        assert!(game.board().symmetries().contains(game.board().flip()));
        assert_eq!(game.initial().brown.count_ones(), 16);
    }
}

#[test]
fn black_takes_every_pair_at_once() {
    let game = Musashi::new(25).unwrap();
    let position = game.read("..o../.o.o./o.Xo./.o.o./..o.. X").unwrap();
    let mut children = Vec::new();
    game.moves(position, &mut |step, child| children.push((game.show_move(position, step), game.show(child))));
    assert_eq!(
        children,
        [
            ("c3-b3".into(), "..o../...o./oX.o./...o./..o.. o".to_owned()),
            ("c3-c4".into(), "..o../..X../o..o./.o.o./..o.. o".to_owned()),
            ("c3-c2".into(), "..o../.o.o./o..o./..X../..o.. o".to_owned()),
        ]
    );
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let game = Musashi::new(31).unwrap();
    for (text, reason) in [
        ("ooooo./o...o./o.X.o../o...o./ooooo.", "expected rows joined by '/', a space and o or X to move"),
        ("ooooo./o...o./o.X.o../o...o./ooooo. x", "expected o or X to move, found \"x\""),
        ("ooooo./o...o./o.X.o../o...o./ooooo. o ", "expected o or X to move, found \"o \""),
        ("ooooo./o...o./o.X.o../o...o. o", "expected 5 rows, found 4"),
        ("ooooo./o...o./o.X.o../o...o../ooooo. o", "row 4 has 7 points, expected 6"),
        ("ooooo./o...o./o.X.o../o...oX/ooooo. o", "a second black piece at f2 (row 4), expected one"),
        ("ooooo./o...o./o...o../o...o./ooooo. o", "no black piece, expected one X"),
        ("ooooo./o...o./o.X.b../o...o./ooooo. o", "unknown letter 'b' at e3 (row 3)"),
        ("", "expected rows joined by '/', a space and o or X to move"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason, "{text}");
    }
}

const FINGERPRINT: u64 = 7;

/// Blocks so small that a small board has many.
const SMALL: u32 = 6;

fn solve(game: &Musashi, isa: Isa, data: &Path, observer: &dyn Observer) -> Result<Database, Error> {
    let work = WorkFolder::open_or_create(data, "part", FINGERPRINT)?;
    let solution = SetAtATime::with(isa, SMALL).solve(game, &Job::new(&work, Budget::new(2, 4 << 30), observer)?)?;
    let manifest = Manifest::of(&work, solution)?;
    work.finish(&manifest)
}

#[test]
fn the_engine_agrees_with_the_plain_solver_on_every_position_of_small_boards() {
    for game in parts() {
        let data = tempfile::tempdir().unwrap();
        let database = solve(&game, Isa::best(), data.path(), &Silent).unwrap();
        let oracle = SetAtATime::with(Isa::best(), SMALL).open(&std::sync::Arc::new(game.clone()), database).unwrap();
        let reference = conformance::reference::solve(&game);
        let mut counted = Tally::default();
        for (key, expected) in &reference {
            let position = game.unpack(Key::from_wide(*key));
            assert_eq!(
                oracle.answer(kanzen_core::rules::key(&game, position)).unwrap(),
                Answer::from(*expected),
                "{}",
                game.show(position)
            );
            if game.canonical(position) == position {
                counted.add(*expected, 1);
            }
        }
        assert_eq!(oracle.contents().unwrap().census.total(), counted);
        assert!(counted.longest().unwrap().0 >= 4, "a board with long games");
        // Stored or not, each position is found once among those of its value.
        for (value, count) in counted.iter() {
            let found = positions_of_value(&*oracle, value, u64::MAX, usize::MAX, &Silent).unwrap();
            assert!(found.iter().all(|&position| oracle.answer(position).unwrap().value == value));
            let keys: BTreeSet<u64> =
                found.iter().map(|&key| game.pack(game.canonical(game.unpack(key as u64)))).collect();
            assert_eq!((found.len() as u64, keys.len() as u64), (count, count), "{value}");
        }
        let named = (0..oracle.positions()).map(|number| oracle.position(number).unwrap() as u64);
        let named: BTreeSet<u64> = named.collect();
        assert_eq!(named.len() as u64, oracle.positions());
        assert!(reference.keys().all(|&key| {
            let position: Position = game.unpack(Key::from_wide(key));
            let flipped = Position {
                black: game.board().flip()[usize::from(position.black)],
                brown: rules::image(position.brown, game.board().flip()),
                ..position
            };
            named.contains(&game.pack(position)) || named.contains(&game.pack(flipped))
        }));
    }
}

/// Stops after a number of steps.
struct StopAfter(AtomicI64);

impl Observer for StopAfter {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            self.0.fetch_sub(steps as i64, Ordering::Relaxed);
        }
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) <= 0
    }
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn stopped_anywhere_it_resumes_to_the_same_bytes_whatever_the_instructions() {
    let game = parts().remove(1);
    let whole = tempfile::tempdir().unwrap();
    solve(&game, Isa::PORTABLE, whole.path(), &Silent).unwrap();
    for (steps, isa) in [1, 7, 40, 60, 100, 150].into_iter().zip(Isa::available().into_iter().cycle()) {
        let data = tempfile::tempdir().unwrap();
        let mut stops = 0;
        while let Err(error) = solve(&game, isa, data.path(), &StopAfter((steps * (stops + 1)).into())) {
            assert!(matches!(error, Error::Stopped), "{error}");
            stops += 1;
        }
        assert!(stops > 0);
        assert_eq!(files(&data.path().join("part")), files(&whole.path().join("part")), "{steps} {isa:?}");
    }
}

#[test]
fn a_damaged_log_costs_rounds_but_changes_nothing() {
    let game = parts().remove(1);
    let (whole, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    solve(&game, Isa::best(), whole.path(), &Silent).unwrap();
    solve(&game, Isa::best(), data.path(), &StopAfter(60.into())).unwrap_err();
    let log = data.path().join("part.part/round-1-2");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&log, bytes).unwrap();
    solve(&game, Isa::best(), data.path(), &Silent).unwrap();
    assert_eq!(files(&data.path().join("part")), files(&whole.path().join("part")));
}

#[test]
fn too_small_a_budget_is_refused_before_the_work_starts() {
    let game = Musashi::new(33).unwrap();
    let store = WorkFolder::in_memory();
    let job = Job::new(&store, Budget::new(2, 8 << 30), &Silent).unwrap();
    let refusal = SetAtATime::default().solve(&game, &job).unwrap_err();
    assert!(matches!(refusal, Error::Memory { needed: 11_000_000_000..=14_000_000_000, .. }), "{refusal}");
}

#[test]
fn every_slot_has_a_position_that_has_this_slot() {
    for game in parts() {
        let index = MusashiIndex::cut(&game, SMALL);
        for (number, class) in index.classes().iter().enumerate() {
            let class_id = ClassId::from(number);
            for slot in (0..class.slots).map(Slot) {
                let position = index.position(&game, class_id, slot).unwrap().unwrap();
                assert_eq!(index.place(&game, position).unwrap(), Place::At(class_id, slot));
            }
            assert_eq!(index.position(&game, class_id, Slot(class.slots)).unwrap(), None);
        }
    }
}

#[test]
fn the_smaller_mirror_images_are_numbered_in_order() {
    for (bits, pairs) in [(8, 0b0100_0001u64), (9, 0b1_0101), (6, 0), (10, 0b1_0100_1001)] {
        let swap = |n: u64| {
            let differ = (n ^ n >> 1) & pairs;
            n ^ differ ^ differ << 1
        };
        let expected: Vec<u64> = (0..1 << bits).filter(|&n| n <= swap(n)).collect();
        assert_eq!(smaller(bits, pairs), expected.len() as u64);
        let found: Vec<u64> = (0..expected.len() as u64).map(|rank| smaller_at(bits, pairs, rank)).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn the_boards_have_the_published_number_of_positions() {
    for (points, positions) in [(25, 104_940_576), (31, 33_287_831_552), (33, 141_737_590_784u64)] {
        let board = Board::of_points(points).unwrap();
        assert_eq!(crate::musashi::positions(&board), positions);
    }
}
