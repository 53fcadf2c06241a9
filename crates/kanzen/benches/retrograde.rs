//! The scalar engine on a synthetic loopy game: ns per edge, bytes per position, one thread against two.
//!
//! `cargo bench -p kanzen --bench retrograde [-- POSITIONS]` (100 million by default) prints one JSON object.

use std::time::Instant;

use kanzen::progress::Silent;
use kanzen::solve::retrograde::{self, Earlier, Graph, Node};
use kanzen::solve::{Job, MemoryStore, SolveStore, plane_file};
use kanzen::{Budget, Error, Value};

/// Slot x has one to eight moves, to `x * FACTORS[k] + k` modulo a prime: spread all over memory, inverted exactly.
struct Scattered {
    prime: u64,
    inverses: [u64; 8],
}

const FACTORS: [u64; 8] = [3, 7, 1_000_003, 65_537, 19, 2_147_483_647, 31, 777_767_777];

impl Scattered {
    fn new(positions: u64) -> Scattered {
        let prime = (2..=positions).rev().find(|&n| is_prime(n)).expect("at least two positions");
        Scattered { prime, inverses: FACTORS.map(|factor| power(factor % prime, prime - 2, prime)) }
    }

    fn degree(&self, slot: u64) -> u64 {
        let mixed = (slot ^ 0x9e37_79b9).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 40;
        if mixed.is_multiple_of(16) { 0 } else { 1 + mixed / 16 % 8 }
    }
}

impl Graph for Scattered {
    fn classes(&self) -> usize {
        1
    }
    fn name(&self, _: usize) -> String {
        "scattered".into()
    }
    fn slots(&self, _: usize) -> u64 {
        self.prime
    }
    fn needs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }
    fn expand(&self, _: usize, slot: u64, _: &Earlier, node: &mut Node) {
        let degree = self.degree(slot);
        if degree == 0 {
            return node.end(Value::loss(0));
        }
        for k in 0..degree {
            node.here((slot * (FACTORS[k as usize] % self.prime) + k) % self.prime);
        }
    }
    fn parents(&self, _: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        let start = parents.len();
        for k in 0..8 {
            let parent = (slot + self.prime - k) % self.prime * self.inverses[k as usize] % self.prime;
            if k < self.degree(parent) && !parents[start..].contains(&parent) {
                parents.push(parent);
            }
        }
        true
    }
    fn endless(&self, _: usize, _: u64) -> Value {
        Value::DRAW
    }
}

fn power(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    result
}

fn is_prime(n: u64) -> bool {
    (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Processor time of this process so far: unlike the clock on the wall, it does not count what others take.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux tells the time of a process");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("a name in brackets").split_whitespace().collect();
    let ticks: f64 = fields[11..13].iter().map(|ticks| ticks.parse::<f64>().expect("a number of ticks")).sum();
    ticks / 100.0
}

fn main() -> Result<(), Error> {
    let positions = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(100_000_000);
    let game = Scattered::new(positions);
    let edges: u64 = (0..game.prime).map(|slot| game.degree(slot)).sum();
    let mut seconds = Vec::new();
    let mut cpu_time = Vec::new();
    let mut tallies = Vec::new();
    for threads in [1, 2] {
        let store = MemoryStore::default();
        let (start, cpu) = (Instant::now(), cpu_seconds());
        retrograde::solve(&game, &Job::new(&store, Budget::new(threads, 8 << 30), &Silent)?)?;
        seconds.push(start.elapsed().as_secs_f64());
        cpu_time.push(cpu_seconds() - cpu);
        tallies.push(store.tally(&plane_file(0))?);
    }
    assert_eq!(tallies[0], tallies[1]);
    let ns_per_edge = |run: usize| cpu_time[run] * 1e9 / edges as f64;
    println!(
        "{{\"positions\": {}, \"edges\": {edges}, \"seconds_1_thread\": {:.2}, \"seconds_2_threads\": {:.2}, \
         \"cpu_ns_per_edge_1_thread\": {:.1}, \"cpu_ns_per_edge_2_threads\": {:.1}, \"speed_up\": {:.2}, \
         \"bytes_per_position\": 4, \"wins\": {}, \"losses\": {}, \"draws\": {}}}",
        game.prime,
        seconds[0],
        seconds[1],
        ns_per_edge(0),
        ns_per_edge(1),
        seconds[0] / seconds[1],
        tallies[0].wins(),
        tallies[0].losses(),
        tallies[0].draws(),
    );
    Ok(())
}
