//! The retrograde engine on more machines than were there.
//!
//! ```text
//!   computing = edges of a machine * ns an edge / cores
//!   network   = edges of a machine * share of them that goes to others * bytes / line
//!   levels    = levels * time of a level
//!   in all    = the longer of computing and network, which overlap, and the levels, which do not
//! ```
//!
//! Nanoseconds, bytes and the time of a level are those of four processes on one machine, all that travels included.

use anyhow::Result;
use serde_json::Value as Json;

use super::super::format::Format;
use super::{Read, markdown, number};

const MACHINES: [u32; 4] = [4, 16, 64, 256];
/// Bits a second.
const LINES: [f64; 2] = [10e9, 25e9];
/// Taken for granted of a machine, each as quick as those of the recorded one.
const CORES: f64 = 16.0;
/// What a process may hold: bytes a slot, bytes a slot of earlier classes, and besides (docs/cluster.md).
const BYTES_PER_SLOT: f64 = 4.3;
const BYTES_PER_EARLIER_SLOT: f64 = 2.0;
const BYTES_BESIDES: f64 = 320e6;

const TRAFFIC: &str = "results/cluster-traffic.json";
const TWELVE_MEN: &str = "results/morris-count-12.json";
const NINE_MEN: &str = "results/morris-9.json";

/// What one edge, and one level, cost.
#[derive(Clone, Copy)]
struct Costs {
    ns_per_edge: f64,
    bytes_per_remote_edge: f64,
}

/// A game to be solved.
struct Shape {
    name: &'static str,
    edges: f64,
    levels: f64,
    /// Slots that are in memory at a time: of a class, and of those before it.
    at_a_time: [f64; 2],
    costs: Costs,
}

/// How long a level takes, by the number of machines: along a straight line through what was measured.
struct Level {
    two: f64,
    four: f64,
}

impl Level {
    fn seconds(&self, machines: f64) -> f64 {
        let more = ((self.four - self.two) / 2.0).max(0.0);
        self.four + more * (machines - 4.0)
    }
}

/// What it would take.
struct Estimate {
    memory: f64,
    computing: f64,
    network: [f64; 2],
    levels: f64,
}

impl Estimate {
    fn of(shape: &Shape, level: &Level, machines: f64) -> Estimate {
        let [here, earlier] = shape.at_a_time.map(|slots| slots / machines);
        let edges = shape.edges / machines;
        let bits = 8.0 * shape.costs.bytes_per_remote_edge * edges * (machines - 1.0) / machines;
        Estimate {
            memory: BYTES_PER_SLOT * here + BYTES_PER_EARLIER_SLOT * earlier + BYTES_BESIDES,
            computing: edges * shape.costs.ns_per_edge * 1e-9 / CORES,
            network: LINES.map(|line| bits / line),
            levels: shape.levels * level.seconds(machines),
        }
    }

    fn in_all(&self, line: usize) -> f64 {
        self.computing.max(self.network[line]) + self.levels
    }

    /// What takes longest, by line.
    fn bound(&self, line: usize) -> &'static str {
        let longest = self.computing.max(self.network[line]).max(self.levels);
        match longest {
            time if time == self.levels => "levels",
            time if time == self.computing => "computing",
            _ => "network",
        }
    }
}

/// A row for each game and number of machines.
pub fn table(file: &str, read: &Read<'_>) -> Result<String> {
    let cost = read(file)?;
    let of = |pointer: &str| number(file, &cost, pointer);
    let level = Level {
        two: of("/output/ms_per_level_2_processes")? * 1e-3,
        four: of("/output/ms_per_level_4_processes")? * 1e-3,
    };
    let rows: Result<Vec<Vec<String>>> = shapes(file, &cost, read)?
        .iter()
        .flat_map(|shape| MACHINES.map(|machines| (shape, machines)))
        .map(|(shape, machines)| row(shape, machines, &Estimate::of(shape, &level, machines.into())))
        .collect();
    let head = [
        "game",
        "machines",
        "memory of each",
        "computing",
        "network, 10 Gb/s",
        "25 Gb/s",
        "levels",
        "in all, 10 Gb/s",
        "25 Gb/s",
        "bound by",
    ];
    Ok(markdown(1, &head, &rows?))
}

fn shapes(file: &str, cost: &Json, read: &Read<'_>) -> Result<Vec<Shape>> {
    let of = |pointer: &str| number(file, cost, pointer);
    let scattered = Costs {
        ns_per_edge: of("/output/best_of_turns/2/cpu_ns_per_edge")?,
        bytes_per_remote_edge: of("/output/best_of_turns/2/bytes_per_remote_edge")?,
    };
    let edges_per_slot = of("/output/edges")? / of("/output/positions")?;
    let (traffic, twelve, nine) = (read(TRAFFIC)?, read(TWELVE_MEN)?, read(NINE_MEN)?);
    // The last row: the largest of the games that were tried, by four processes.
    let last = traffic.pointer("/output").and_then(Json::as_array).map_or(0, |rows| rows.len().saturating_sub(1));
    let moved = |field: &str| number(TRAFFIC, &traffic, &format!("/output/{last}/{field}"));
    let (slots, parents, processes) = (moved("slots")?, moved("parents")?, moved("processes")?);
    let remote = parents * (processes - 1.0) / processes;
    let morris =
        Costs { ns_per_edge: scattered.ns_per_edge, bytes_per_remote_edge: moved("wire_bytes_child_sent")? / remote };
    let longest = number(NINE_MEN, &nine, "/output/longest/distance")?;
    let placements = number(TWELVE_MEN, &twelve, "/output/total")?;
    let subsets = twelve.pointer("/output/subsets").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let classes = subsets.iter().filter(|subset| subset["white"].as_u64() >= subset["black"].as_u64()).count() as f64;
    // A class has both ways round, and needs two that are about as large.
    let largest = subsets.iter().filter_map(|subset| subset["placements"].as_f64()).fold(0.0, f64::max);
    let one_class = |name: &'static str, slots: f64| Shape {
        name,
        edges: slots * edges_per_slot,
        levels: longest,
        at_a_time: [slots, 0.0],
        costs: scattered,
    };
    Ok(vec![
        Shape {
            name: "12 men, moving",
            edges: placements * parents / slots,
            levels: classes * longest,
            at_a_time: [2.0 * largest, 4.0 * largest],
            costs: morris,
        },
        one_class("32 G slots", 32e9),
        one_class("1.5 T slots", 1.5e12),
    ])
}

fn row(shape: &Shape, machines: u32, estimate: &Estimate) -> Result<Vec<String>> {
    let time = |seconds: f64| Format::Seconds.show(&seconds.to_string());
    let bounds = [0, 1].map(|line| estimate.bound(line));
    Ok(vec![
        shape.name.to_owned(),
        machines.to_string(),
        Format::Bytes.show(&estimate.memory.to_string())?,
        time(estimate.computing)?,
        time(estimate.network[0])?,
        time(estimate.network[1])?,
        time(estimate.levels)?,
        time(estimate.in_all(0))?,
        time(estimate.in_all(1))?,
        if bounds[0] == bounds[1] { bounds[0].to_owned() } else { format!("{}, then {}", bounds[0], bounds[1]) },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(bytes: f64) -> Shape {
        let costs = Costs { ns_per_edge: 80.0, bytes_per_remote_edge: bytes };
        Shape { name: "go", edges: 4e9, levels: 100.0, at_a_time: [1e9, 0.0], costs }
    }

    #[test]
    fn a_machine_computes_its_share_and_sends_what_others_have() {
        let estimate = Estimate::of(&shape(5.0), &Level { two: 1e-4, four: 2e-4 }, 4.0);
        assert!((estimate.computing - 1e9 * 80e-9 / 16.0).abs() < 1e-9);
        // Three of four edges go elsewhere: 3.75 GB.
        assert!((estimate.network[0] - 3.0).abs() < 1e-9 && (estimate.network[1] - 1.2).abs() < 1e-9);
        assert!((estimate.levels - 0.02).abs() < 1e-9);
        assert_eq!([estimate.bound(0), estimate.bound(1)], ["computing", "computing"]);
        assert!((estimate.memory - (4.3 * 2.5e8 + 320e6)).abs() < 1.0);
        assert_eq!(Estimate::of(&shape(50.0), &Level { two: 1e-4, four: 2e-4 }, 4.0).bound(0), "network");
    }

    #[test]
    fn a_level_takes_longer_with_more_machines_and_never_less() {
        assert!((Level { two: 1.0, four: 2.0 }.seconds(16.0) - 8.0).abs() < 1e-9);
        assert!((Level { two: 2.0, four: 1.0 }.seconds(16.0) - 1.0).abs() < 1e-9);
    }
}
