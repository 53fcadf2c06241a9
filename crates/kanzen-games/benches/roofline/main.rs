//! Compares each engine with the roofline of the machine's memory.
//!
//! `cargo bench -p kanzen-games --bench roofline` measures in one run the copy bandwidth, the rate of random cache
//! lines read and updated, and each engine on a game that exceeds the caches. It counts the least bytes or lines that
//! an engine needs and reports the share of the machine's rate. If the share is small, another resource is the
//! bottleneck: see docs/speed.md. Prints one JSON object.

#[path = "../measure/copy.rs"]
mod copy;
#[path = "../measure/musashi.rs"]
#[allow(dead_code, reason = "its own bench uses more of it")]
mod halves;
mod machine;
#[path = "../../../kanzen/benches/scattered/mod.rs"]
#[allow(dead_code, reason = "its own bench uses more of it")]
mod scattered;
#[path = "../measure/nocca.rs"]
#[allow(dead_code, reason = "its own bench uses more of it")]
mod sweeps;

use std::time::Instant;

use kanzen::progress::Silent;
use kanzen::{Budget, Error};
use kanzen_core::machine::cpu::Isa;
use kanzen_games::morris::{Morris, MorrisGraph, MorrisIndex};
use kanzen_games::musashi::Musashi;
use kanzen_games::nocca::{Nocca, NoccaIndex, NoccaRounds};
use kanzen_games::ostle::{Army, Engine, Group, Ko, Ostle, Values};
use kanzen_solve::retrograde::{self, Graph};
use kanzen_solve::rounds::Rounds;
use kanzen_solve::{Job, WorkFolder};
use serde_json::{Value as Json, json};

use self::machine::LINE;

const THREADS: usize = 2;

/// The work and time of an engine.
struct Measured {
    engine: &'static str,
    game: &'static str,
    /// The unit of `count`.
    unit: &'static str,
    count: u64,
    seconds: f64,
    /// The least memory traffic of this work.
    least: Least,
}

enum Least {
    /// Sequential bytes.
    Bytes(u64),
    /// Random cache lines, read and written.
    Lines(u64),
}

/// The machine's rates per second, on all threads.
struct Roofline {
    copy_gigabytes: f64,
    million_updates: f64,
}

impl Measured {
    fn report(&self, roofline: &Roofline) -> Json {
        let per_unit = |all: u64| all as f64 / self.count as f64;
        let (kind, least, rate, bound) = match self.least {
            Least::Bytes(bytes) => ("bytes", per_unit(bytes), bytes as f64, roofline.copy_gigabytes * 1e9),
            Least::Lines(lines) => ("lines", per_unit(lines), lines as f64, roofline.million_updates * 1e6),
        };
        json!({
            "engine": self.engine, "game": self.game, "unit": self.unit, "count": self.count,
            "ns_per_unit_2_threads": self.seconds * 1e9 / self.count as f64,
            format!("{kind}_per_unit"): least,
            "of_bound": rate / self.seconds / bound,
        })
    }
}

fn main() -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().expect("threads");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let [copy_1, copy_2] = [&one, &pool].map(|pool| pool.install(copy::copy_bandwidth));
    let [reads_1, reads_2] = [&one, &pool].map(|pool| pool.install(|| machine::random_lines(false)));
    let [updates_1, updates_2] = [&one, &pool].map(|pool| pool.install(|| machine::random_lines(true)));
    let roofline = Roofline { copy_gigabytes: copy_2, million_updates: updates_2 };
    let mut measured = vec![scattered()?, morris()?];
    pool.install(|| -> Result<(), Error> {
        measured.extend(ostle()?);
        measured.extend(musashi()?);
        measured.extend(nocca()?);
        Ok(())
    })?;
    let report = json!({
        "threads": THREADS,
        "line_bytes": LINE,
        "copy_gigabytes_per_second": [copy_1, copy_2],
        "million_random_lines_read_per_second": [reads_1, reads_2],
        "million_random_lines_updated_per_second": [updates_1, updates_2],
        "engines": measured.iter().map(|engine| engine.report(&roofline)).collect::<Vec<_>>(),
    });
    println!("{report:#}");
    Ok(())
}

/// The scalar engine on a synthetic game without locality: each edge updates the word of a random parent.
fn scattered() -> Result<Measured, Error> {
    let game = scattered::Scattered::new(100_000_000);
    let edges: u64 = (0..game.prime).map(|slot| game.degree(slot)).sum();
    let seconds = solve(&game)?;
    Ok(Measured {
        engine: "retrograde",
        game: "synthetic",
        unit: "edge",
        count: edges,
        seconds,
        least: Least::Lines(edges),
    })
}

/// The same on seven men's morris, whose edges are more local: one line per edge is an overestimate.
fn morris() -> Result<Measured, Error> {
    let game = Morris::new(7).expect("one of the games");
    let index = MorrisIndex::new(&game);
    let graph = MorrisGraph::new(&index);
    index.tables();
    let slots: u64 = (0..graph.classes()).map(|class| graph.slots(class)).sum();
    let moving = (0..graph.classes()).filter(|&class| graph.stays(class));
    let mut edges = 0;
    let mut parents = Vec::new();
    for class in moving {
        // A sample suffices to count edges.
        for slot in (0..graph.slots(class)).step_by(SOME) {
            parents.clear();
            graph.parents(class, slot, &mut parents);
            edges += (SOME * parents.len()) as u64;
        }
    }
    let seconds = solve(&graph)?;
    // One word per edge in the levels, and the value of one child per placing slot.
    let least = Least::Lines(edges + slots);
    Ok(Measured { engine: "retrograde", game: "morris-7", unit: "slot", count: slots, seconds, least })
}

const SOME: usize = 97;

/// The seconds of a solve in memory.
fn solve<G: Graph>(graph: &G) -> Result<f64, Error> {
    let store = WorkFolder::in_memory();
    let start = Instant::now();
    retrograde::solve(graph, &Job::new(&store, Budget::new(THREADS, 8 << 30), &Silent)?)?;
    Ok(start.elapsed().as_secs_f64())
}

/// Ostle with three pieces a side: the initial pass reads a line per move, a level updates one per edge.
fn ostle() -> Result<[Measured; 2], Error> {
    let game = Ostle::with_army(Army { least: 3, most: 3 }, 6, Ko::Literal).expect("an army of three");
    let group = Group::new(&game, 6)?;
    let mut engine = Engine::new(&game, &group, &[])?;
    let start = Instant::now();
    engine.initial_pass(&|_| Ok(()))?;
    let initial = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut level = 0;
    while let Some(next) = engine.next_level(level) {
        level = next;
        engine.run_level(level, &|| false, &|_| {});
    }
    let propagated = start.elapsed().as_secs_f64();
    let boards = u64::from(group.slots());
    let mut edges = 0;
    for slot in (0..group.slots()).filter(|&slot| engine.values(slot) != Values::default()) {
        group.board(slot).each_quiet_parent(|_, _, _| edges += 1);
    }
    let measured = |unit, count, seconds, least| Measured {
        engine: "Ostle's",
        game: "three pieces a side",
        unit,
        count,
        seconds,
        least,
    };
    Ok([
        measured("board looked at", boards, initial, Least::Bytes(4 * boards)),
        measured("edge", edges, propagated, Least::Lines(edges)),
    ])
}

/// Sixteen Musashi on 31 points: each phase of a round reads or writes its sets at least once.
fn musashi() -> Result<[Measured; 2], Error> {
    let game = Musashi::new(31).expect("one of the boards");
    let phases = halves::first_rounds(&game, Isa::best(), 4)?;
    Ok(["lose", "win"].map(|half| {
        let of_half = || phases.iter().filter(|phase| phase.name == half);
        let bytes = of_half().map(|phase| phase.bytes).sum();
        Measured {
            engine: if half == "lose" { "sets, lost" } else { "sets, won" },
            game: "musashi-31",
            unit: "byte of a set",
            count: bytes,
            seconds: of_half().map(|phase| phase.seconds).sum(),
            least: Least::Bytes(bytes),
        }
    }))
}

/// The first rounds of NOCCA on five rows and four columns: a sweep reads one array and updates the other.
fn nocca() -> Result<[Measured; 1], Error> {
    const ROUNDS: usize = 8;
    let game = Nocca::new(5, 4).expect("a valid board");
    let index = NoccaIndex::new(&game);
    let words: usize =
        NoccaRounds::new(index.layout()).shapes().iter().map(|shape| shape.blocks * shape.block_words).sum();
    let rounds = sweeps::measure(&game, ROUNDS)?;
    let swept = || rounds.iter().filter(|round| round.lifted > 0);
    let lifted = swept().map(|round| round.lifted).sum();
    Ok([Measured {
        engine: "sets, swept",
        game: "nocca-5x4",
        unit: "lifted board",
        count: lifted,
        seconds: swept().map(|round| round.sweep.as_secs_f64()).sum(),
        least: Least::Bytes(swept().map(|_| 3 * 8 * words as u64 / 2).sum()),
    }])
}
