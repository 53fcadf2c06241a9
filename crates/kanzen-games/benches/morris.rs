//! Benchmarks men's morris: the index and the solve of seven men (ns per rank, unrank and edge), and one
//! placing class of nine men that exceeds the caches, with random (seeded) child values.
//!
//! `cargo bench -p kanzen-games --bench morris` prints one JSON object. Times are processor times, so that other load
//! on the machine disturbs them less.

#[path = "../src/morris/tests/single_class.rs"]
#[allow(dead_code, reason = "the tests look at slots in other ways too")]
mod single_class;

use std::hint::black_box;
use std::sync::Mutex;

use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Error, Game};
use kanzen_core::index::Index;
use kanzen_core::{ClassId, Slot};
use kanzen_games::morris::{Morris, MorrisGraph, MorrisIndex, Position};
use kanzen_solve::retrograde::{self, Graph};
use kanzen_solve::{Job, WorkFolder, plane_file};

use self::single_class::{Method, SingleClass, random_children};

const SAMPLES: u64 = 1 << 20;
/// The placements of seven men: the samples are spread over so many numbers.
const PLACEMENTS: u64 = 9_043_341;

fn main() -> Result<(), Error> {
    let game = Morris::new(7).expect("one of the games");
    let index = MorrisIndex::new(&game);
    let graph = MorrisGraph::new(&index);
    let budget = Budget::new(1, 4 << 30);
    let numbers: Vec<u64> = (0..SAMPLES).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % PLACEMENTS).collect();

    let moving: Vec<usize> = (0..graph.classes()).filter(|&class| graph.stays(class)).collect();
    let class = moving[moving.len() - 2];
    let slots: Vec<u64> = numbers.iter().map(|number| number % graph.slots(class)).collect();
    index.tables();
    let at = |class: usize, slot: u64| index.position(&game, ClassId::from(class), Slot(slot)).ok().flatten();
    let (positions, fast_unrank) =
        timed(|| slots.iter().filter_map(|&slot| at(class, slot)).collect::<Vec<Position>>());
    let (_, fast_rank) = timed(|| positions.iter().for_each(|&position| _ = black_box(index.slot(position))));

    let mut parents = Vec::new();
    let mut edges = 0;
    for &class in &moving {
        for slot in (0..graph.slots(class)).filter(|&slot| at(class, slot).is_some()) {
            parents.clear();
            graph.parents(class, slot, &mut parents);
            edges += parents.len() as u64;
        }
    }
    let slots: u64 = (0..graph.classes()).map(|class| graph.slots(class)).sum();
    let moving_slots: u64 = moving.iter().map(|&class| graph.slots(class)).sum();
    let store = WorkFolder::in_memory();
    let before = processor_seconds();
    let mut at_placing = before;
    let watch = Watch { graph: &graph, seconds: Mutex::new(None) };
    retrograde::solve(&graph, &Job::new(&store, budget, &watch)?)?;
    let after = processor_seconds();
    if let Some(seconds) = watch.seconds.into_inner().expect("no thread panicked") {
        at_placing = seconds;
    }
    let (start_class, start) = index.slot(game.initial()).expect("the game starts in a class");
    let per = |seconds: f64, count: u64| seconds * 1e9 / count as f64;
    let (large_slots, large_seconds) = placing_of_nine()?;
    println!(
        "{{\"game\": \"morris-7\", \"fast_rank_ns\": {:.1}, \"fast_unrank_ns\": {:.1}, \"moving_slots\": {moving_slots}, \"edges\": {edges}, \
         \"moving_seconds\": {:.2}, \"ns_per_edge\": {:.1}, \"ns_per_moving_slot\": {:.1}, \"placing_slots\": {}, \
         \"ns_per_placing_slot\": {:.1}, \"large_placing_slots\": {large_slots}, \"ns_per_large_placing_slot\": {:.1}, \
         \"initial\": \"{}\"}}",
        per(fast_rank, positions.len() as u64),
        per(fast_unrank, SAMPLES),
        at_placing - before,
        per(at_placing - before, edges),
        per(at_placing - before, moving_slots),
        slots - moving_slots,
        per(after - at_placing, slots - moving_slots),
        per(large_seconds, large_slots),
        store.plane(&plane_file(start_class))?.get(start)?,
    );
    Ok(())
}

/// Records when the first placing class starts.
struct Watch<'a> {
    graph: &'a MorrisGraph<'a>,
    seconds: Mutex<Option<f64>>,
}

impl Observer for Watch<'_> {
    fn event(&self, event: Event<'_>) {
        let first_placing = (0..self.graph.classes()).find(|&class| !self.graph.stays(class));
        if let Event::Stage { name, .. } = event
            && first_placing.is_some_and(|class| name.starts_with(&self.graph.name(class)))
        {
            *self.seconds.lock().expect("no thread panicked") = Some(processor_seconds());
        }
    }
}

/// Slots of a placing class of nine men (seven in hand, five men against six), and the seconds to evaluate their moves.
fn placing_of_nine() -> Result<(u64, f64), Error> {
    let game = Morris::new(9).expect("one of the games");
    let index = MorrisIndex::new(&game);
    let graph = MorrisGraph::new(&index);
    let name = "7 in hand, 5-6";
    let class = (0..graph.classes()).find(|&class| graph.name(class) == name).expect("a class of nine men");
    let store = random_children(&graph, class, 4)?;
    index.tables();
    let stages = Stages(Mutex::new(Vec::new()));
    let single_class = SingleClass { graph: &graph, class, method: Method::AtOnce };
    retrograde::solve(&single_class, &Job::new(&store, Budget::new(1, 8 << 30), &stages)?)?;
    let stages = stages.0.into_inner().expect("no thread panicked");
    let at = |part: &str| stages.iter().find(|(stage, _)| stage.ends_with(part)).map_or(0.0, |(_, seconds)| *seconds);
    Ok((graph.slots(class), at("writing") - at("moves")))
}

/// The start of each stage.
struct Stages(Mutex<Vec<(String, f64)>>);

impl Observer for Stages {
    fn event(&self, event: Event<'_>) {
        if let Event::Stage { name, .. } = event {
            self.0.lock().expect("no thread panicked").push((name.to_owned(), processor_seconds()));
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = processor_seconds();
    let done = work();
    (done, processor_seconds() - before)
}

/// User and system time of this process, or wall-clock time where the system does not report it.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok());
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => std::time::UNIX_EPOCH.elapsed().map_or(0.0, |elapsed| elapsed.as_secs_f64()),
    }
}
