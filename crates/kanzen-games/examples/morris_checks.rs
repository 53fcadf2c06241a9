//! A long check of the paper's hash of N men's morris that needs no command of its own.
//!
//! ```text
//! cargo run --release -p kanzen-games --example morris_checks -- hash 9 10000000
//! ```
//!
//! `hash` builds both ZDDs in 12 GB and goes from numbers to placements and back: all numbers if there are no more than
//! asked for, else a sample spread over them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use kanzen::Budget;
use kanzen::progress::{Event, Observer};
use kanzen_games::morris::{Morris, PlacementHash};
use rayon::prelude::*;
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["hash", men, samples] => hash(men.parse()?, samples.parse()?),
        _ => Err("expected: hash MEN SAMPLES".into()),
    }
}

fn hash(men: u32, samples: u64) -> Result<(), Failure> {
    let game = Morris::new(men).ok_or("men are 3, 5, 6, 7, 9, 11 or 12")?;
    let start = Instant::now();
    let hash = PlacementHash::new(&game, &Budget::new(1, 12 << 30), &Members(AtomicU64::new(0)))?;
    let built = start.elapsed().as_secs_f64();
    let all = hash.second().len();
    let checked = samples.min(all);
    let number = |sample: u64| (u128::from(sample) * u128::from(all) / u128::from(checked)) as u64;
    let different = (0..checked)
        .into_par_iter()
        .map(number)
        .filter(|&number| {
            let back = hash.unrank(number).and_then(|(white, black)| hash.rank(white, black));
            back != Some(number)
        })
        .count();
    let answer = json!({
        "game": format!("morris-{men}"), "placements": all, "first_nodes": hash.first().nodes(),
        "second_nodes": hash.second().nodes(), "build_seconds": built, "checked": checked, "different": different,
    });
    println!("{answer}");
    Ok(())
}

/// Says now and then how far the listing is.
struct Members(AtomicU64);

impl Observer for Members {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            let before = self.0.fetch_add(steps, Ordering::Relaxed);
            if before >> 28 != (before + steps) >> 28 {
                eprintln!("{} placements", before + steps);
            }
        }
    }
}
