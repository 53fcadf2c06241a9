//! Tests of whole solves.

use std::path::Path;
use std::time::Duration;

use kanzen::catalogue::{Catalogued, Entry, GameInfo, Run, Solver};
use kanzen::progress::{Event, Observer, Silent};
use kanzen::query::{Answer, Extent};
use kanzen::solve::rounds::Isa;
use kanzen::store::{Database, WorkFolder};
use kanzen::{Budget, Error, Game, Key, Outcome, Value, conformance};

use super::tests::parts;
use super::*;

const FINGERPRINT: u64 = 7;

fn run(observer: &dyn Observer) -> Run<'_> {
    Run { budget: Budget::new(2, 4 << 30), checkpoint_every: Duration::from_secs(60), observer }
}

/// Blocks so small that a small board has many.
const SMALL: u32 = 6;

fn solve(game: &Musashi, isa: Isa, data: &Path, observer: &dyn Observer) -> Result<Database, Error> {
    let work = WorkFolder::open_or_create(data, "part", FINGERPRINT)?;
    let manifest = SetAtATime::with(isa, SMALL).solve(game, &work, &run(observer))?;
    Ok(work.finish(&manifest)?)
}

#[test]
fn the_engine_agrees_with_the_plain_solver_on_every_position_of_small_boards() {
    for game in parts() {
        let data = tempfile::tempdir().unwrap();
        let database = solve(&game, Isa::best(), data.path(), &Silent).unwrap();
        let oracle = SetAtATime::with(Isa::best(), SMALL).open(&game, database).unwrap();
        let reference = conformance::reference::solve(&game);
        let mut counted = kanzen::Tally::default();
        for (key, expected) in &reference {
            let position = game.unpack(Key::from_wide(*key));
            assert_eq!(oracle.answer(&game, position).unwrap(), Answer::from(*expected), "{}", game.show(position));
            if game.canonical(position) == position {
                counted.add(*expected, 1);
            }
        }
        assert_eq!(oracle.census().unwrap().total(), counted);
        assert!(counted.longest().unwrap().0 >= 4, "a board on which something happens");
        for bar in counted.histogram().iter().rev().take(2) {
            let value = if bar.wins > 0 { Value::win(bar.distance) } else { Value::loss(bar.distance) };
            let found = oracle.examples(&game, value, 1000).unwrap();
            assert!(found.iter().all(|&position| oracle.answer(&game, position).unwrap().value == value));
            // All of brown's; of black's those that are a step before one of brown's.
            assert!(if bar.wins > 0 { found.len() as u64 == bar.wins.min(1000) } else { !found.is_empty() }, "{bar:?}");
        }
        let named = (0..oracle.positions()).map(|number| game.pack(oracle.position(&game, number).unwrap()));
        let named: std::collections::BTreeSet<u64> = named.collect();
        assert_eq!(named.len() as u64, oracle.positions());
        assert!(reference.keys().all(|&key| {
            let position: Position = game.unpack(Key::from_wide(key));
            let flipped = Position {
                black: game.board().flip()[usize::from(position.black)],
                brown: board::image(position.brown, game.board().flip()),
                ..position
            };
            named.contains(&game.pack(position)) || named.contains(&game.pack(flipped))
        }));
    }
}

/// Asks to stop after so many steps.
struct StopAfter(std::sync::atomic::AtomicI64);

impl Observer for StopAfter {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            self.0.fetch_sub(steps as i64, std::sync::atomic::Ordering::Relaxed);
        }
    }
    fn stop(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed) <= 0
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
fn a_damaged_log_starts_the_solve_again() {
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
fn too_little_memory_is_said_before_the_work_starts() {
    let game = Musashi::new(33).unwrap();
    let data = tempfile::tempdir().unwrap();
    let work = WorkFolder::open_or_create(data.path(), "musashi-33", FINGERPRINT).unwrap();
    let run = Run { budget: Budget::new(2, 8 << 30), ..run(&Silent) };
    let refusal = SetAtATime::default().solve(&game, &work, &run).unwrap_err();
    assert!(matches!(refusal, Error::Memory { needed: 11_000_000_000..=14_000_000_000, .. }), "{refusal}");
}

#[test]
fn twenty_five_points_equal_the_published_table() {
    let game = Musashi::new(25).unwrap();
    let card = GameInfo {
        id: "musashi-25".into(),
        title: String::new(),
        rules: String::new(),
        positions: None,
        forecast: forecast(game.board()),
    };
    let data = tempfile::tempdir().unwrap();
    let entry = Catalogued::new(card, game, SetAtATime::default());
    let report = entry.solve(data.path(), &run(&Silent)).unwrap();
    assert_eq!((report.positions, report.draws), (104_940_576, 0));
    assert_eq!((report.initial.value, report.initial.distance), (Outcome::Win, Some(31)));
    let solved = entry.open(data.path()).unwrap();
    let table = include_str!("../../tests/data/musashi_25.csv");
    let published: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let csv = solved.csv().unwrap();
    assert_eq!(csv.lines().collect::<Vec<_>>(), published);

    let stats = solved.stats().unwrap();
    let brown_to_move = stats.classes.iter().filter(|class| class.class["to_move"] == "brown");
    let longest = brown_to_move.filter_map(|class| {
        let bar = class.histogram.iter().find(|bar| bar.distance == 37)?;
        Some((class.class["brown"].as_u64().unwrap(), bar.wins))
    });
    assert_eq!(longest.collect::<Vec<_>>(), [(5, 31)]);
    assert!(stats.histogram.iter().all(|bar| bar.distance <= 38));

    let verified = solved.verify(Extent::Sample(500), &Budget::new(2, 1 << 30), &Silent).unwrap();
    assert_eq!((verified.checked, verified.mismatches), (500, 0));
    let line = solved.line(None).unwrap();
    assert_eq!((line.value, line.line.len()), (Outcome::Win, 31));
    assert_eq!(Value::loss(0).distance(), line.line.last().unwrap().distance);
}
