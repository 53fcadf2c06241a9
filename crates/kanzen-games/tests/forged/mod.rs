//! Forges databases in the documented format, with valid checksums.
//!
//! ```text
//! sound        a database of each engine, with its answers for some positions
//! kinds        the modifications
//! block_file   the parts of a block file; contents: of planes, keys and values with exceptions; manifest: of that
//! trial        every query, with limits on time, memory and panics
//! ```

#![allow(dead_code)] // a test and an example use their parts

mod block_file;
mod contents;
mod dice;
mod forgery;
mod kinds;
mod manifest;
mod sound;
mod trial;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub use dice::Dice;
pub use sound::{Sound, databases};
pub use trial::Outcome;

use forgery::Forgery;
use kinds::KINDS;
use trial::{Seen, query_all};

/// The results of many forgeries.
#[derive(Default)]
pub struct Summary {
    pub forgeries: u64,
    /// By kind of forgery and outcome.
    pub outcomes: BTreeMap<(&'static str, Outcome), u64>,
    /// By game.
    pub games: BTreeMap<String, u64>,
    /// Faults: panics, hangs, excessive memory, unclear errors.
    pub faults: Vec<String>,
    pub panics: u64,
    /// Databases that passed a full verification with a wrong or missing answer.
    pub passed_wrongly: Vec<String>,
    pub slowest: Duration,
    pub peak: u64,
}

/// Makes the forgery with a number and runs every query on it.
pub fn try_forgery(all: &[Sound], seed: u64, number: u64, summary: &mut Summary) {
    let mut dice = Dice::new(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    let (sound, kind, forgery) = loop {
        let sound = dice.pick(all);
        let (kind, forge) = *dice.pick(&KINDS);
        let mut forgery = Forgery::of(sound);
        if forge(&mut forgery, &mut dice) {
            break (sound, kind, forgery);
        }
    };
    let data = tempfile::tempdir().unwrap();
    forgery.write(&data.path().join(sound.id()));
    let name = format!("seed {seed} number {number}: {kind} of {}", sound.id());
    let _watch = Watch::begin(name.clone());
    let Seen { outcome, faults, passed_wrongly, time, memory } = query_all(sound, data.path(), &mut dice);
    summary.forgeries += 1;
    *summary.outcomes.entry((kind, outcome)).or_default() += 1;
    *summary.games.entry(sound.id().to_owned()).or_default() += 1;
    summary.panics += faults.iter().filter(|fault| fault.ends_with("a panic")).count() as u64;
    summary.faults.extend(faults.into_iter().map(|fault| format!("{name}: {fault}")));
    summary.passed_wrongly.extend(passed_wrongly.map(|wrong| format!("{name}: {wrong}")));
    summary.slowest = summary.slowest.max(time);
    summary.peak = summary.peak.max(memory);
}

/// Writes a database with wrong occurrence entries; returns whether it has any.
pub fn forge_occurrences(sound: &Sound, dice: &mut Dice, data: &std::path::Path) -> bool {
    let mut forgery = Forgery::of(sound);
    let forged = kinds::occurrences(&mut forgery, dice);
    if forged {
        forgery.write(&data.join(sound.id()));
    }
    forged
}

/// Aborts the process with a message if a forgery hangs.
struct Watch;

static WATCHED: Mutex<Option<(Instant, String)>> = Mutex::new(None);
const NEVER: Duration = Duration::from_secs(120);

impl Watch {
    fn begin(name: String) -> Watch {
        static STARTED: std::sync::Once = std::sync::Once::new();
        STARTED.call_once(|| {
            std::thread::spawn(|| {
                loop {
                    std::thread::sleep(Duration::from_secs(1));
                    let watched = WATCHED.lock().unwrap();
                    if let Some((since, name)) = &*watched
                        && since.elapsed() > NEVER
                    {
                        eprintln!("{name}: it hangs");
                        std::process::abort();
                    }
                }
            });
        });
        *WATCHED.lock().unwrap() = Some((Instant::now(), name));
        Watch
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        *WATCHED.lock().unwrap() = None;
    }
}
