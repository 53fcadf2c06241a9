//! The search, checked against plain recursion and published scores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::othello::{Checkpointer, Table};
use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Colour, Error, Game};
use kanzen_core::machine::cpu::Isa;
use kanzen_query as query;
use kanzen_solve::{Job, Solver, WorkFolder};

use super::{Random, every_shape};
use crate::othello::{BySearch, Engine, Othello, Position, Start};

fn plain_score(game: &Othello, board: Position) -> i32 {
    if let Some(score) = game.final_score(board) {
        return score.into();
    }
    let mut best = i32::MIN;
    game.moves(board, &mut |_, child| best = best.max(-plain_score(game, child)));
    best
}

fn score(game: &Othello, board: Position, isa: Isa, learned: bool, threads: usize) -> i32 {
    let table = Table::new(1 << 20).unwrap();
    let engine = Engine { game, table: &table, threads, isa, learned, deadline: None };
    engine.score(board, None, Checkpointer::none(), &Silent).unwrap().score
}

#[test]
fn scores_of_random_positions_are_those_of_plain_recursion() {
    let mut random = Random(3);
    for shape in every_shape() {
        let game = Othello::new(shape.rows, shape.columns, Start::Cross).unwrap();
        for empties in 0..=7 {
            let mut discs = shape.all;
            while shape.squares() - discs.count_ones() < empties {
                discs &= !(1 << (random.next() % 64));
            }
            let own = discs & random.next();
            let board = Position { own, others: discs & !own, to_move: Colour::Black };
            let expected = plain_score(&game, board);
            for isa in Isa::available() {
                let found = score(&game, board, isa, empties % 2 == 0, 1);
                assert_eq!(found, expected, "{}", game.show(board));
            }
        }
    }
}

#[test]
fn small_boards_have_their_published_scores_on_one_thread_and_on_two() {
    for line in include_str!("../../../tests/data/othello_scores.csv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let (rows, columns) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        let start = if fields[2] == "parallel" { Start::Parallel } else { Start::Cross };
        let game = Othello::new(rows, columns, start).unwrap();
        for (threads, learned) in [(1, true), (2, false)] {
            let found = score(&game, game.initial(), Isa::best(), learned, threads);
            assert_eq!(found.to_string(), fields[3], "{line} on {threads} threads");
        }
    }
}

#[test]
fn learned_order_and_counted_order_prove_the_same() {
    let game = Othello::new(6, 6, Start::Cross).unwrap();
    let mut board = game.initial();
    let mut random = Random(11);
    while game.class(board) > 15 {
        let mut next = Vec::new();
        game.moves(board, &mut |_, child| next.push(child));
        board = next[random.next() as usize % next.len()];
    }
    let scores = [true, false].map(|learned| score(&game, board, Isa::best(), learned, 2));
    assert_eq!(scores[0], scores[1]);
    assert_eq!(score(&game, board, Isa::PORTABLE, true, 1), scores[0]);
}

/// Stops after the first bound is proven.
#[derive(Default)]
struct StopAtFirstNote {
    stages: Mutex<Vec<String>>,
    notes: AtomicU64,
}

impl Observer for StopAtFirstNote {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Stage { name, .. } => self.stages.lock().unwrap().push(name.to_owned()),
            Event::Note { .. } => _ = self.notes.fetch_add(1, Ordering::Relaxed),
            _ => {}
        }
    }

    fn stop(&self) -> bool {
        self.notes.load(Ordering::Relaxed) >= 1
    }
}

#[test]
fn an_interrupted_search_resumes_from_its_proven_bounds() {
    let game = Othello::new(5, 5, Start::Cross).unwrap();
    let store = WorkFolder::in_memory();
    let budget = Budget::new(2, 256 << 20);
    let stop = StopAtFirstNote::default();
    let stopped = BySearch.solve(&game, &Job::new(&store, budget, &stop).unwrap());
    assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
    let kept = store.get("proofs.checkpoint").unwrap().expect("an interrupted search writes its proofs");
    let bound = |at: usize| i32::from_le_bytes(kept[at..at + 4].try_into().unwrap());
    assert!(bound(0) > -25 || bound(4) < 25, "the first question was first_stage");
    assert!(kept.len() > 8);
    let first_stage = stop.stages.lock().unwrap()[0].clone();

    // The search resumes: stages that were completed are not repeated.
    let stages = Stages(Mutex::default());
    let solution = BySearch.solve(&game, &Job::new(&store, budget, &stages).unwrap()).unwrap();
    assert_eq!(solution.settings["score"], 13);
    assert!(!stages.0.lock().unwrap().contains(&first_stage), "{first_stage}");

    // The result equals that of an uninterrupted search on one thread with a smaller table.
    let other = WorkFolder::in_memory();
    let undisturbed = BySearch.solve(&game, &Job::new(&other, Budget::new(1, 64 << 20), &Silent).unwrap()).unwrap();
    assert_eq!(undisturbed, solution);
}

#[test]
fn a_search_reserves_the_memory_it_uses() {
    let game = Othello::new(4, 5, Start::Cross).unwrap();
    for memory in [1 << 20, 24 << 20, 1 << 30] {
        let store = WorkFolder::in_memory();
        let job = Job::new(&store, Budget::new(1, memory), &Silent).unwrap();
        BySearch.solve(&game, &job).unwrap();
        let most = job.ledger().most();
        assert!(most <= memory && most >= memory.min(32 << 20) / 4 * 3, "{most} of {memory}");
        assert_eq!(job.ledger().held(), 0);
    }
}

/// Records the stages of a search.
struct Stages(Mutex<Vec<String>>);

impl Observer for Stages {
    fn event(&self, event: Event<'_>) {
        if let Event::Stage { name, .. } = event {
            self.0.lock().unwrap().push(name.to_owned());
        }
    }
}
