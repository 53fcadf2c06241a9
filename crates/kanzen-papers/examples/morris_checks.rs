//! Long checks of N men's morris that have no command of their own.
//!
//! ```text
//! cargo run --release -p kanzen-papers --example morris_checks -- hash 9 10000000
//! cargo run --release -p kanzen-papers --example morris_checks -- moving 11 DATA
//! cargo run --release -p kanzen-papers --example morris_checks -- classes 11 DATA
//! ```
//!
//! `hash` builds both ZDDs in 12 GB and checks that rank inverts unrank: for all numbers, or for an even sample of the
//! given size. `moving` solves the positions without men in hand into the data folder, verifies a million of them and
//! counts all; it resumes after an interruption. `classes` prints the census of such a database in the format of
//! `kanzen stats --csv`.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kanzen::progress::{Event, Observer};
use kanzen::{Budget, Error};
use kanzen_core::machine::whole_budget;
use kanzen_core::rules::fingerprint;
use kanzen_games::morris::{Morris, MorrisSolver, class_table};
use kanzen_papers::morris::{PlacementHash, printed_second_nodes};
use kanzen_query::{Extent, Means, Opener, Search, verify};
use kanzen_solve::{Job, Solver};
use kanzen_store::{Database, Manifest, WorkFolder};
use rayon::prelude::*;
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["hash", men, samples] => hash(men.parse()?, samples.parse()?),
        ["moving", men, data] => moving(men.parse()?, Path::new(data)),
        ["classes", men, data] => classes(men.parse()?, Path::new(data)),
        _ => Err("expected: hash MEN SAMPLES, moving MEN DATA, or classes MEN DATA".into()),
    }
}

fn game_with(men: u32) -> Result<Morris, Failure> {
    Ok(Morris::new(men).ok_or("men are 3, 5, 6, 7, 9, 11 or 12")?)
}

fn moving(men: u32, data: &Path) -> Result<(), Failure> {
    let game = game_with(men)?;
    let (id, rules) = moving_part(&game)?;
    let start = Instant::now();
    let budget = whole_budget();
    let database = match WorkFolder::open_or_create(data, &id, rules) {
        Ok(work) => {
            let job = Job::new(&work, budget, &Stages)?.checkpoint_every(Duration::from_secs(120));
            let solution = MorrisSolver::MOVING.solve(&game, &job)?;
            drop(job);
            let manifest = Manifest::of(&work, solution)?;
            work.finish(&manifest)?
        }
        Err(Error::AlreadySolved { .. }) => Database::open(data, &id, rules)?,
        Err(error) => return Err(error.into()),
    };
    let solved = start.elapsed().as_secs_f64();
    let bytes: u64 = database.manifest().files.iter().map(|file| file.bytes).sum();
    let oracle = MorrisSolver::MOVING.open(&std::sync::Arc::new(game.clone()), database)?;
    let means = Means::alone(&budget, &Stages);
    let search = Search { id: &id, game: &game, oracle: &*oracle, means };
    let verified = verify(&search, Extent::Sample(1_000_000))?;
    let tally = oracle.contents()?.census.total();
    let answer = json!({
        "game": format!("morris-{men}"), "phase": "moving", "positions": tally.positions(), "wins": tally.wins(),
        "losses": tally.losses(), "draws": tally.draws(),
        "longest": tally.histogram().last().map(|bar| bar.distance), "solve_seconds": solved, "data_bytes": bytes,
        "verified": verified.checked, "mismatches": verified.mismatches,
    });
    println!("{answer}");
    Ok(())
}

fn classes(men: u32, data: &Path) -> Result<(), Failure> {
    let game = game_with(men)?;
    let (id, rules) = moving_part(&game)?;
    print!("{}", class_table(&Database::open(data, &id, rules)?.manifest().census()));
    Ok(())
}

/// The name and the fingerprint of the database of the moving phase.
fn moving_part(game: &Morris) -> Result<(String, u64), Error> {
    let id = format!("morris-{}-moving", game.men());
    let rules = fingerprint(&id, game, MorrisSolver::MOVING.layout(game)?);
    Ok((id, rules))
}

fn hash(men: u32, samples: u64) -> Result<(), Failure> {
    let game = game_with(men)?;
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
        "second_nodes": hash.second().nodes(), "printed_second_nodes": printed_second_nodes(men),
        "build_seconds": built, "checked": checked, "different": different,
    });
    println!("{answer}");
    Ok(())
}

/// Prints the current class.
struct Stages;

impl Observer for Stages {
    fn event(&self, event: Event<'_>) {
        if let Event::Stage { name, .. } = event {
            eprintln!("{name}");
        }
    }
}

/// Prints the progress of the enumeration.
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
