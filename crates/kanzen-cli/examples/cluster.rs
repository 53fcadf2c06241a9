//! Several processes give the bytes of one, and what travels between them; prints one JSON object for
//! `cargo xtask record`.
//!
//!     cargo run --release -p kanzen-cli --example cluster -- equal tictactoe morris-6 morris-7 nocca-3x4
//!     cargo run --release -p kanzen-cli --example cluster -- traffic 6 7
//!
//! `equal` solves games by one process and by two, three and four, and compares the databases byte for byte; NOCCA from
//! its rules alone. `traffic` solves the moving classes of morris with so many men twice: each parent of a settled slot
//! sent to its owner, and the slot sent to the owners of its parents. The processes are threads of this one, each with
//! sockets, memory and a data folder of its own.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kanzen::catalogue::{Catalogue, Entry, GameInfo, Run};
use kanzen::progress::Silent;
use kanzen::{Budget, Error, Value};
use kanzen_cluster::{Hosts, TcpMesh, Terms, join};
use kanzen_core::mesh::Mesh;
use kanzen_games::catalogue::Games;
use kanzen_games::morris::{Morris, MorrisGraph, MorrisIndex};
use kanzen_games::nocca::Nocca;
use kanzen_solve::retrograde::{self, Earlier, Graph, Node, SlotInit};
use kanzen_solve::{Forecast, Job, RulesOnly, WorkFolder, plane_file};
use serde_json::{Value as Json, json};

const MEMORY: u64 = 4 << 30;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let results: Vec<Json> = match words.split_first() {
        Some((what, games)) if what == "equal" => games.iter().map(|game| equal(game)).collect(),
        Some((what, men)) if what == "traffic" => {
            men.iter().flat_map(|men| traffic(men.parse().expect("a number of men"))).collect()
        }
        _ => panic!("equal GAME... or traffic MEN..."),
    };
    println!("{}", json!(results));
}

/// Runs the same in several connected threads. Returns the result of each with the bytes that it wrote.
fn together<T: Send>(many: usize, run: impl Fn(&TcpMesh) -> Result<T, Error> + Sync) -> Vec<(T, u64)> {
    let listeners: Vec<TcpListener> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
    let addresses: Vec<String> = listeners.iter().map(|one| one.local_addr().expect("bound").to_string()).collect();
    drop(listeners);
    let hosts = Hosts::read(&addresses.join("\n")).expect("addresses");
    let one = |me: usize| {
        let mesh = join(&hosts, me, b"", &Terms::new([]), Duration::from_secs(60)).expect("the others are there");
        let outcome = run(&mesh).expect("it is solved");
        let written = mesh.written_bytes();
        mesh.leave().expect("all are done");
        (outcome, written)
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..many).map(|me| scope.spawn(move || one(me))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}

/// The game of the catalogue, or NOCCA by its rules.
fn entry(id: &str) -> Arc<Entry> {
    let Some((rows, columns)) = id.strip_prefix("nocca-").and_then(|size| size.split_once('x')) else {
        return Games.find(id).expect("a game of the catalogue");
    };
    let game = Nocca::new(rows.parse().expect("rows"), columns.parse().expect("columns")).expect("a board");
    let info = GameInfo { id: id.to_owned(), title: id.to_owned(), rules: String::new() };
    let forecast = Forecast { positions: None, seconds: 0.0, memory_bytes: 0, data_bytes: 0, disk_bytes: 0 };
    Arc::new(Entry::new(info, game, RulesOnly::new(forecast)))
}

fn equal(id: &str) -> Json {
    let run = Run { budget: Budget::new(1, MEMORY), checkpoint_every: Duration::from_secs(300), observer: &Silent };
    let alone = tempfile::tempdir().expect("a folder");
    entry(id).solve(alone.path(), &run).expect("it is solved");
    let expected = files(alone.path());
    let rows: Vec<Json> = (1..=4)
        .map(|many| {
            let folders: Vec<_> = (0..many).map(|_| tempfile::tempdir().expect("a folder")).collect();
            let start = Instant::now();
            let results = together(many, |mesh| entry(id).solve_together(folders[mesh.me()].path(), &run, mesh));
            let written: u64 = results.iter().map(|(_, written)| written).sum();
            let same = files(folders[0].path()) == expected;
            assert!(same, "{id} by {many} processes has other bytes");
            json!({"processes": many, "same_bytes": same, "wire_bytes": written,
                "seconds": start.elapsed().as_secs_f64()})
        })
        .collect();
    let bytes: usize = expected.values().map(Vec::len).sum();
    json!({"game": id, "files": expected.len(), "bytes": bytes, "by_processes": rows})
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in std::fs::read_dir(next).expect("a folder").flatten() {
            if file.path().is_dir() {
                folders.push(file.path());
            } else {
                let name = file.path().strip_prefix(folder).expect("it is below").display().to_string();
                all.insert(name, std::fs::read(file.path()).expect("a file"));
            }
        }
    }
    all
}

/// A graph without parent ranges.
struct Silently<'a>(&'a MorrisGraph<'a>);

impl Graph for Silently<'_> {
    fn classes(&self) -> usize {
        self.0.classes()
    }
    fn name(&self, class: usize) -> String {
        self.0.name(class)
    }
    fn slots(&self, class: usize) -> u64 {
        self.0.slots(class)
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        self.0.needs(class)
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        self.0.expand(class, slot, earlier, node);
    }
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.0.parents(class, slot, parents)
    }
    fn parents_of(&self, class: usize, slots: &[u64], visit: impl FnMut(u64)) {
        self.0.parents_of(class, slots, visit);
    }
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.0.endless(class, slot)
    }
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        self.0.init_slots(class, slots, earlier, inits)
    }
    fn together(&self, class: usize) -> u64 {
        self.0.together(class)
    }
    fn stays(&self, class: usize) -> bool {
        self.0.stays(class)
    }
}

fn traffic(men: u32) -> Vec<Json> {
    let game = Morris::new(men).expect("a board");
    let index = MorrisIndex::new(&game);
    let graph = MorrisGraph::new(&index).moving_only();
    let (slots, parents) = edges(&graph);
    [2, 3, 4]
        .into_iter()
        .map(|many| {
            let (each, each_bytes) = solved(&Silently(&graph), many);
            let (once, once_bytes) = solved(&graph, many);
            assert!(each == once, "other values");
            // What else travels, questions about earlier classes and the values themselves, is the same.
            let saved = each_bytes - once_bytes;
            json!({
                "game": format!("morris-{men}"), "processes": many, "slots": slots, "parents": parents,
                "wire_bytes_parents_sent": each_bytes, "wire_bytes_child_sent": once_bytes,
                "saved_bytes": saved, "saved_percent": 100.0 * saved as f64 / each_bytes as f64,
            })
        })
        .collect()
}

/// Slots of all classes, and the parents of all of them.
fn edges(graph: &impl Graph) -> (u64, u64) {
    let (mut slots, mut parents) = (0, 0);
    for class in 0..graph.classes() {
        slots += graph.slots(class);
        for first in (0..graph.slots(class)).step_by(1024) {
            let some: Vec<u64> = (first..(first + 1024).min(graph.slots(class))).collect();
            graph.parents_of(class, &some, |_| parents += 1);
        }
    }
    (slots, parents)
}

/// The values that some processes find, and the bytes that they write to each other.
fn solved(graph: &impl Graph, many: usize) -> (Vec<Vec<i16>>, u64) {
    let stores: Vec<WorkFolder> = (0..many).map(|_| WorkFolder::in_memory()).collect();
    let results = together(many, |mesh| {
        let job = Job::new(&stores[mesh.me()], Budget::new(1, MEMORY), &Silent)?.with_mesh(Some(mesh));
        retrograde::solve(graph, &job)
    });
    let values = (0..graph.classes()).map(|class| stores[0].get_plane(&plane_file(class)).expect("solved").to_vec());
    (values.collect(), results.iter().map(|(_, written)| written).sum())
}
