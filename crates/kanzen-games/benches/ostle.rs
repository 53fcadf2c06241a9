//! Benchmarks Ostle's engine and index, in nanoseconds per edge and per board.
//!
//! `cargo bench -p kanzen-games --bench ostle` solves the game with three pieces a side, lost with two: 8.4 million
//! boards with the code of the real game. An edge is a move to a decided board; each causes one update.

use std::hint::black_box;
use std::time::Instant;

use kanzen_games::ostle::{Army, Engine, Group, Ko, Ostle, Values};

fn main() {
    for ko in [Ko::Literal, Ko::Symmetric] {
        let game = Ostle::with_army(Army { least: 3, most: 3 }, 6, ko).expect("an army of three");
        let group = Group::new(&game, 6).expect("few boards");
        numbering(&group);
        let mut engine = Engine::new(&game, &group, &[]).expect("little memory");
        let start = Instant::now();
        engine.initial_pass(&|_| Ok(())).expect("never stopped");
        let initial = start.elapsed();
        let start = Instant::now();
        let mut level = 0;
        while let Some(next) = engine.next_level(level) {
            level = next;
            engine.run_level(level, &|| false, &|_| {});
        }
        let propagated = start.elapsed();
        let boards = f64::from(group.slots());
        let edges = edges(&group, &engine);
        println!(
            "{ko:?}: {boards:.0} boards, {edges} edges, {level} levels; initial pass {:.1} ns a board, levels {:.1} ns an edge",
            initial.as_nanos() as f64 / boards,
            propagated.as_nanos() as f64 / edges as f64,
        );
    }
}

fn numbering(group: &Group) {
    let boards: Vec<_> =
        (0..1_000_000u32).map(|n| group.board((u64::from(n) * 7919 % u64::from(group.slots())) as u32)).collect();
    let start = Instant::now();
    for (n, board) in boards.iter().enumerate() {
        black_box(group.place(&board.under(n as u8 & 7)));
    }
    println!("place: {:.1} ns a board", start.elapsed().as_nanos() as f64 / boards.len() as f64);
}

/// The number of moves that lead to decided boards.
fn edges(group: &Group, engine: &Engine<'_>) -> u64 {
    let mut edges = 0;
    for slot in 0..group.slots() {
        if engine.values(slot) != Values::default() {
            group.board(slot).each_quiet_parent(|_, _, _| edges += 1);
        }
    }
    edges
}
