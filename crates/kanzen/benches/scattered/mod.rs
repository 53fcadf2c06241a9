//! A synthetic loopy game, spread all over memory.

use kanzen::Value;
use kanzen_solve::retrograde::{Earlier, Graph, Node};

/// Slot x has one to eight moves, to `x * FACTORS[k] + k` modulo a prime: spread all over memory, inverted exactly.
pub struct Scattered {
    pub prime: u64,
    inverses: [u64; 8],
}

const FACTORS: [u64; 8] = [3, 7, 1_000_003, 65_537, 19, 2_147_483_647, 31, 777_767_777];

impl Scattered {
    /// About so many positions.
    pub fn new(positions: u64) -> Scattered {
        let prime = (2..=positions).rev().find(|&n| is_prime(n)).expect("at least two positions");
        Scattered { prime, inverses: FACTORS.map(|factor| power(factor % prime, prime - 2, prime)) }
    }

    /// How many moves a slot has.
    pub fn degree(&self, slot: u64) -> u64 {
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
pub fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has /proc/self/stat");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("a name in brackets").split_whitespace().collect();
    let ticks: f64 = fields[11..13].iter().map(|ticks| ticks.parse::<f64>().expect("a number of ticks")).sum();
    ticks / 100.0
}
