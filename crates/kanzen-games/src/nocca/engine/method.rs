//! How NOCCA x NOCCA is solved into a folder.
//!
//! ```text
//! round-D         the bits of positions decided in D plies
//! counts-D        written after it: how many there are
//! losses.plane    the database: the distance of each lost position with white to move,
//! wins.plane      and of each won position with black to move
//! ```
//!
//! The logs of the rounds are the checkpoint: a solve that was killed takes them up again and goes on with the next
//! round. When a round has nothing new, the logs of an array are merged into its plane and removed.

use std::time::{Duration, Instant};

use kanzen::catalogue::{Run, Solver};
use kanzen::progress::Event;
use kanzen::query::Oracle;
use kanzen::store::{ClassEntry, Database, FileEntry, Manifest, RoundWriter, SparseChunk, WorkFolder, folder_bytes};
use kanzen::{Error, machine};
use serde_json::{Map, json};

use super::census::{NoccaCensus, census};
use super::layout::{Array, Layout};
use super::oracle::NoccaOracle;
use super::rounds::{Counts, Rounds, array_of, is_last, log_name};
use super::sweep::Sweeper;
use super::{forecast, planes};
use crate::nocca::rules::Nocca;

/// The setting that holds the census of all positions, mirror images and colours apart.
pub const ALL_POSITIONS: &str = "all positions";

/// How long rounds take before the disk is waited for.
const WORTH_WAITING: Duration = Duration::from_secs(5);

/// Solves the game set at a time.
#[derive(Clone, Copy, Default, Debug)]
pub struct Sweeps;

fn counts_name(distance: usize) -> String {
    format!("counts-{distance}")
}

impl Solver<Nocca> for Sweeps {
    fn solve(&self, game: &Nocca, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, Error> {
        run.budget.allows(work.game(), forecast::memory(game.rows, game.columns))?;
        room_on_disk(game, work)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(run.budget.threads).build();
        let pool = pool.map_err(|refusal| Error::Threads(refusal.to_string()))?;
        pool.install(|| {
            let layout = Layout::new(game.rows, game.columns);
            let rounds = all_rounds(&layout, work, run)?;
            write_planes(&layout, work, run, rounds.len() - 1)?;
            manifest(&layout, work, &rounds)
        })
    }

    fn open(&self, game: &Nocca, database: Database) -> Result<Box<dyn Oracle<Nocca>>, Error> {
        Ok(Box::new(NoccaOracle::open(Layout::new(game.rows, game.columns), database)?))
    }
}

/// Refuses a solve whose logs and planes would not fit, whatever an earlier run has left counted in.
fn room_on_disk(game: &Nocca, work: &WorkFolder) -> Result<(), Error> {
    let needed = forecast::disk(game.rows, game.columns);
    let there = folder_bytes(work.path())?;
    match machine::free_disk(work.path()) {
        Some(free) if free.saturating_add(there) < needed => {
            Err(Error::Disk { what: work.game().to_owned(), needed, folder: work.path().to_owned(), free })
        }
        _ => Ok(()),
    }
}

/// Plays all rounds that are not played yet; the last has nothing new.
fn all_rounds(layout: &Layout, work: &WorkFolder, run: &Run<'_>) -> Result<Vec<Counts>, Error> {
    let mut counts: Vec<Counts> = Vec::new();
    while let Some(bytes) = work.get_bytes(&counts_name(counts.len()))? {
        let Ok(of_round) = serde_json::from_slice(&bytes) else { break };
        counts.push(of_round);
    }
    let is_over = |counts: &[Counts]| counts.last().is_some_and(|last| is_last(counts.len() - 1, last));
    if is_over(&counts) {
        return Ok(counts);
    }
    run.observer.event(Event::Stage { name: "plan", total: None });
    let sweepers = [Array::Losses, Array::Wins].map(|array| Sweeper::new(layout, array));
    let mut rounds = Rounds::new(layout)?;
    match rounds.replay(work, counts.len(), run.observer) {
        Ok(()) => {}
        Err(lost @ (Error::Damaged { .. } | Error::Missing { .. })) => {
            run.observer.event(Event::Note { text: &format!("{lost}; starting again") });
            forget(work, counts.len())?;
            counts.clear();
            rounds = Rounds::new(layout)?;
        }
        Err(error) => return Err(error.into()),
    }
    let mut began = Instant::now();
    while !is_over(&counts) {
        if run.observer.stop() {
            work.sync()?;
            return Err(Error::Stopped);
        }
        let distance = counts.len();
        let mut log = RoundWriter::create(&work.file(&log_name(distance)), work.fingerprint())?;
        let mut write = |chunks: u64, make: &(dyn Fn(u64) -> SparseChunk + Sync)| log.push_many(chunks, make);
        let of_round = rounds.play(distance, &sweepers, &mut write, run.observer)?.counts;
        log.finish()?;
        // A quick round is quicker played again than waited for.
        if began.elapsed() >= WORTH_WAITING {
            work.sync()?;
            run.observer.event(Event::Checkpoint);
            began = Instant::now();
        }
        work.put_bytes(&counts_name(distance), &serde_json::to_vec(&of_round).expect("numbers are JSON"))?;
        run.observer.event(Event::Level { level: distance as u64, positions: of_round.up_to_mirror() });
        counts.push(of_round);
    }
    Ok(counts)
}

/// Writes the planes that are not written yet, and removes the logs they are made from.
fn write_planes(layout: &Layout, work: &WorkFolder, run: &Run<'_>, rounds: usize) -> Result<(), Error> {
    run.observer.event(Event::Stage { name: "database", total: Some(2) });
    for array in [Array::Losses, Array::Wins] {
        if run.observer.stop() {
            return Err(Error::Stopped);
        }
        if !work.has(planes::plane_name(array)) {
            match planes::write(layout, array, work, rounds) {
                // The next run has to begin again.
                Err(lost @ (Error::Damaged { .. } | Error::Missing { .. })) => {
                    forget(work, rounds + 1)?;
                    return Err(lost.into());
                }
                written => written?,
            }
        }
        for distance in (0..=rounds).filter(|&distance| array_of(distance) == array) {
            work.remove(&log_name(distance))?;
        }
        run.observer.event(Event::Steps { steps: 1 });
    }
    Ok(())
}

/// Forgets rounds and the planes made from them, so that they are played again.
fn forget(work: &WorkFolder, rounds: usize) -> Result<(), Error> {
    for array in [Array::Losses, Array::Wins] {
        work.remove(planes::plane_name(array))?;
    }
    (0..rounds).rev().try_for_each(|distance| work.remove(&counts_name(distance)))
}

fn manifest(layout: &Layout, work: &WorkFolder, rounds: &[Counts]) -> Result<Manifest, Error> {
    let NoccaCensus { up_to_symmetry: tally, all } = census(layout, rounds);
    let mut manifest = Manifest::new(work.game(), work.fingerprint());
    manifest.settings.insert(ALL_POSITIONS.into(), json!(all));
    let label: Map<_, _> = [("class".to_owned(), json!(0))].into_iter().collect();
    manifest.classes.push(ClassEntry { label, slots: tally.positions(), tally });
    for array in [Array::Losses, Array::Wins] {
        let plane = work.plane(planes::plane_name(array))?;
        manifest.files.push(FileEntry::of_file(planes::plane_name(array), plane.blocks()));
    }
    Ok(manifest)
}
