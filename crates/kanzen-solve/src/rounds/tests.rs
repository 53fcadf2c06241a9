//! Tests of the driver on a toy game: distances on a ring, in strides from its first point.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use super::*;
use crate::{Job, WorkFolder};
use kanzen_core::machine::Codes;
use kanzen_core::vocabulary::progress::{Event, Observer, Silent};
use kanzen_core::vocabulary::{Budget, Error, Value};

/// A ring of 8256 points: 129 words, so that a log has two chunks.
const POINTS: usize = 129 * 64;

/// Points that are reached in an even number of strides are one set, the others the other.
struct Ring {
    stride: usize,
    shapes: Vec<SetShape>,
    played: AtomicUsize,
}

impl Ring {
    fn new(stride: usize) -> Ring {
        let shape = |name: &str| SetShape {
            plane: format!("{name}.plane"),
            blocks: POINTS / 64,
            block_words: 1,
            plane_block_words: 1,
            page: 64,
            level: 1,
            rest: Value::DRAW,
        };
        Ring { stride, shapes: vec![shape("even"), shape("odd")], played: AtomicUsize::new(0) }
    }
}

type Words = Vec<u64>;

fn has(words: &Words, point: usize) -> bool {
    words[point / 64] >> (point % 64) & 1 == 1
}

impl Rounds for Ring {
    type Sets = [Words; 2];
    type Counts = u64;

    fn shapes(&self) -> &[SetShape] {
        &self.shapes
    }

    fn memory(&self) -> u64 {
        1 << 20
    }

    fn begin(&self) -> Result<[Words; 2], Error> {
        Ok([(); 2].map(|()| vec![0; POINTS / 64]))
    }

    fn grown_in(&self, round: usize) -> std::ops::Range<usize> {
        round % 2..round % 2 + 1
    }

    fn play(&self, sets: &mut [Words; 2], round: usize, log: &RoundWriter<'_>) -> Result<u64, Error> {
        self.played.fetch_add(1, Ordering::Relaxed);
        log.job().stage("stride", Some(2));
        let reached = |point: usize| sets.iter().any(|set| has(set, point % POINTS));
        let mut new = vec![0; POINTS / 64];
        let mut reach = |point: usize| {
            if !reached(point) {
                new[point % POINTS / 64] |= 1 << (point % POINTS % 64);
            }
        };
        if round == 0 {
            reach(0);
        }
        let last = &sets[1 - round % 2];
        let at_edge = |&point: &usize| has(last, point) && !(reached(point + 1) && reached(point + POINTS - 1));
        for point in (0..POINTS).filter(at_edge) {
            (1..=self.stride).for_each(|by| {
                reach(point + by);
                reach(point + POINTS - by);
            });
        }
        log.job().steps(1)?;
        let set = round % 2;
        log.put(set, &|chunk| {
            let mut some = SparseChunk::new(self.shapes[set].chunk_blocks(chunk));
            let words = new.chunks(SetShape::CHUNK).nth(chunk).unwrap();
            words.iter().enumerate().filter(|(_, word)| **word != 0).for_each(|(at, word)| some.add(at, &[*word]));
            some
        })?;
        sets[set].iter_mut().zip(&new).for_each(|(word, new)| *word |= new);
        // Stopping now would throw a whole round away.
        _ = log.job().steps(1);
        Ok(new.iter().map(|word| u64::from(word.count_ones())).sum())
    }

    fn replay(&self, sets: &mut [Words; 2], set: usize, log: &RoundLog<'_>) -> Result<(), Error> {
        for chunk in 0..self.shapes[set].chunks() {
            let first = chunk * SetShape::CHUNK;
            log.read(chunk, self.shapes[set].chunk_blocks(chunk), 1, |at, new| sets[set][first + at] |= new[0])?;
        }
        Ok(())
    }

    fn is_last(&self, round: usize, counts: &u64) -> bool {
        round > 0 && *counts == 0
    }

    fn found(&self, rounds: &[u64]) -> u64 {
        rounds[rounds.len() - 1]
    }

    fn value(&self, _: usize, round: usize) -> Value {
        Value::win(round as u16)
    }
}

/// Asks to stop after so many steps, or when a stage of this name begins; counts the notes.
struct Watcher {
    steps: AtomicI64,
    stage: &'static str,
    notes: AtomicUsize,
}

impl Watcher {
    fn stopping_after(steps: i64) -> Watcher {
        Watcher { steps: steps.into(), stage: "", notes: AtomicUsize::new(0) }
    }

    fn stopping_at(stage: &'static str) -> Watcher {
        Watcher { stage, ..Watcher::stopping_after(i64::MAX) }
    }

    fn patient() -> Watcher {
        Watcher::stopping_after(i64::MAX)
    }
}

impl Observer for Watcher {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Steps { steps } => _ = self.steps.fetch_sub(steps as i64, Ordering::Relaxed),
            Event::Stage { name, .. } if name == self.stage => self.steps.store(0, Ordering::Relaxed),
            Event::Note { .. } => _ = self.notes.fetch_add(1, Ordering::Relaxed),
            _ => {}
        }
    }

    fn stop(&self) -> bool {
        self.steps.load(Ordering::Relaxed) <= 0
    }
}

fn run(ring: &Ring, store: &WorkFolder, observer: &dyn Observer) -> Result<Vec<u64>, Error> {
    solve(ring, &Job::new(store, Budget::new(2, 1 << 30), observer)?)
}

fn planes(store: &WorkFolder) -> [Codes; 2] {
    ["even.plane", "odd.plane"].map(|name| store.get_plane(name).unwrap())
}

/// Twelve rounds: eleven strides reach every point.
const STRIDE: usize = 400;

fn is_right(store: &WorkFolder) -> bool {
    let planes = planes(store);
    (0..POINTS).all(|point| {
        let strides = point.min(POINTS - point).div_ceil(STRIDE);
        planes[strides % 2][point] == Value::win(strides as u16).code()
            && planes[1 - strides % 2][point] == Value::DRAW.code()
    })
}

fn damage(store: &WorkFolder, log: &str) {
    assert!(store.has(log), "{log}");
    store.put_log(log, 2, &|_| vec![0xff; 99]).unwrap();
}

#[test]
fn each_point_has_the_round_that_reached_it() {
    let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
    let counts = run(&ring, &store, &Silent).unwrap();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (13, POINTS as u64));
    assert_eq!((counts[0], counts[1], counts[11], counts[12]), (1, 800, 255, 0));
    assert!(is_right(&store));
    assert!((0..13).all(|round| !store.has(&format!("round-{round}-{}", round % 2))), "logs are removed");
    assert_eq!(run(&ring, &store, &Silent).unwrap(), counts);
    assert_eq!(ring.played.into_inner(), 13, "nothing is played twice");
}

#[test]
fn stopped_after_any_step_it_goes_on_to_the_same_planes() {
    let whole = WorkFolder::in_memory();
    let counts = run(&Ring::new(STRIDE), &whole, &Silent).unwrap();
    for steps in 1..=27 {
        let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
        assert!(matches!(run(&ring, &store, &Watcher::stopping_after(steps)), Err(Error::Stopped)), "{steps}");
        assert_eq!(run(&ring, &store, &Silent).unwrap(), counts);
        assert!(is_right(&store));
        assert!(ring.played.into_inner() <= 14, "at most one round is played twice");
    }
}

#[test]
fn a_damaged_tail_costs_the_rounds_that_are_damaged() {
    type Harm = fn(&WorkFolder);
    let harms: [(Harm, usize); 5] = [
        (|store| damage(store, "round-7-1"), 1),
        (|store| store.remove("round-7-1").unwrap(), 1),
        (|store| store.remove("counts-7").unwrap(), 1),
        (|store| store.put("counts-7", b"{").unwrap(), 1),
        (|store| damage(store, "round-5-1"), 3),
    ];
    for (number, (harm, cost)) in harms.into_iter().enumerate() {
        let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
        run(&ring, &store, &Watcher::stopping_after(16)).unwrap_err();
        assert!(store.has("counts-7") && !store.has("counts-8"));
        harm(&store);
        let watcher = Watcher::patient();
        run(&ring, &store, &watcher).unwrap();
        assert!(is_right(&store));
        // Missing counts of the last round are the same as a round that was never complete.
        assert_eq!(watcher.notes.into_inner(), if number == 2 { 0 } else { 1 }, "{number}");
        assert_eq!(ring.played.into_inner(), 13 + cost, "{number}");
    }
}

#[test]
fn a_log_that_is_damaged_when_the_planes_are_made_costs_the_rounds_from_it_on() {
    let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
    assert!(matches!(run(&ring, &store, &Watcher::stopping_at("database")), Err(Error::Stopped)));
    damage(&store, "round-9-1");
    let watcher = Watcher::patient();
    // The plane of the even rounds is made, and their logs are gone, when the damage of the odd one is seen.
    run(&ring, &store, &watcher).unwrap();
    assert!(is_right(&store));
    assert_eq!((ring.played.into_inner(), watcher.notes.into_inner()), (13 + 13, 2));

    let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
    run(&ring, &store, &Watcher::stopping_at("database")).unwrap_err();
    damage(&store, "round-8-0");
    run(&ring, &store, &Silent).unwrap();
    assert!(is_right(&store));
    assert_eq!(ring.played.into_inner(), 13 + 5);
}

#[test]
fn more_rounds_than_a_plane_can_tell_apart_are_refused_when_they_come() {
    let (ring, store) = (Ring::new(8), WorkFolder::in_memory());
    let refusal = run(&ring, &store, &Silent).unwrap_err();
    assert_eq!(refusal.to_string(), "even.plane would hold 257 different values, at most 256 fit");
    assert_eq!(ring.played.into_inner(), 511);
    assert!(!store.has("even.plane"));
}

#[test]
fn what_the_sets_take_is_reserved_before_anything_is_played() {
    let (ring, store) = (Ring::new(STRIDE), WorkFolder::in_memory());
    let job = Job::new(&store, Budget::new(1, 1 << 19), &Silent).unwrap();
    assert!(matches!(solve(&ring, &job), Err(Error::Memory { .. })));
    let job = Job::new(&store, Budget::new(1, 1 << 20), &Silent).unwrap();
    solve(&ring, &job).unwrap();
    assert_eq!((job.ledger().most(), job.ledger().held()), (1 << 20, 0));
}
