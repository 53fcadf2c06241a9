//! Solves by two processes whose connection changes what it passes on, many times; prints a summary line.
//!
//!     cargo run --release -p kanzen-cluster --example faults -- 1000            one flipped bit in each run
//!     cargo run --release -p kanzen-cluster --example faults -- 1000 others     lost, repeated, reordered, late, ... bytes

#[path = "../tests/timing/storm.rs"]
mod storm;

use std::time::Duration;

use storm::{Outcome, Storm, Trouble, other_trouble};

fn main() {
    let mut words = std::env::args().skip(1);
    let runs: u64 = words.next().and_then(|runs| runs.parse().ok()).unwrap_or(1000);
    let others = words.next().is_some();
    let storm = Storm::new();
    let (mut same, mut refused, mut other, mut longest) = (0, 0, 0, Duration::ZERO);
    for seed in 0..runs {
        let trouble = if others { other_trouble(seed) } else { Trouble::Flip(seed as u8 % 8) };
        let (outcome, taken) = storm.run(seed, trouble);
        longest = longest.max(taken);
        match outcome {
            Outcome::Same => same += 1,
            Outcome::Refused(_) => refused += 1,
            Outcome::Other => {
                other += 1;
                println!("seed {seed}, {trouble:?}: another database");
            }
        }
    }
    println!("{runs} runs: {same} the same, {refused} refused, {other} other databases; at most {longest:.1?} each");
    std::process::exit(i32::from(other > 0));
}
