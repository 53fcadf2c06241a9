//! How Sixteen Musashi is solved into a folder.
//!
//! ```text
//! round-R-P     the bits that round R has set in the won set of black's P-th stored point
//! round-R       written last: the round is whole; how many positions are won and lost so far
//! black-P.plane the distance of each position with brown to move and black on the P-th stored point: the database
//! ```
//!
//! The logs of whole rounds are the checkpoint: a solve that was killed takes them up again and goes on with the next
//! round. When no round adds anything, the logs of a point are merged into its plane and removed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use kanzen::catalogue::{Run, Solver};
use kanzen::progress::Event;
use kanzen::query::Oracle;
use kanzen::solve::rounds::{BLOCK_BITS, Isa};
use kanzen::store::{Database, FileEntry, Manifest, RoundFile, RoundWriter, WorkFolder, folder_bytes};
use kanzen::{Error, Value, machine};
use serde::{Deserialize, Serialize};

use super::census;
use super::engine::{CHUNK, Engine};
use super::forecast;
use super::layout::Layout;
use super::oracle::MusashiOracle;
use super::orbits::ByBrown;
use super::planes;
use super::rules::Musashi;
use super::schedule::Step;

/// How long rounds take before the disk is waited for.
const WORTH_WAITING: Duration = Duration::from_secs(5);

/// Solves the game set at a time.
#[derive(Clone, Copy, Debug)]
pub struct SetAtATime {
    isa: Isa,
    block_bits: u32,
}

impl Default for SetAtATime {
    fn default() -> SetAtATime {
        SetAtATime { isa: Isa::best(), block_bits: BLOCK_BITS }
    }
}

impl SetAtATime {
    /// With these instructions rather than the best there are, and with blocks of so many index bits, from 6 to
    /// [`BLOCK_BITS`]: small ones let small boards have many blocks, for tests.
    pub fn with(isa: Isa, block_bits: u32) -> SetAtATime {
        SetAtATime { isa, block_bits: block_bits.clamp(6, BLOCK_BITS) }
    }

    fn layout(&self, game: &Musashi) -> Layout {
        Layout::cut(game.board(), self.block_bits)
    }
}

/// What is known when a round is whole: positions up to symmetry, by number of brown pieces.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Round {
    /// Lost with black to move, in this round or before.
    pub lost: ByBrown,
    /// Won with brown to move, in this round or before.
    pub won: ByBrown,
    /// Whether brown won anything new.
    pub new: bool,
}

pub fn plane_name(point: usize) -> String {
    format!("black-{point}.plane")
}

fn marker_name(round: usize) -> String {
    format!("round-{round}")
}

pub fn log_path(work: &WorkFolder, round: usize, point: usize) -> PathBuf {
    work.file(&log_name(round, point))
}

fn log_name(round: usize, point: usize) -> String {
    format!("round-{round}-{point}")
}

impl Solver<Musashi> for SetAtATime {
    fn solve(&self, game: &Musashi, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, Error> {
        run.budget.allows(work.game(), forecast::memory(game.board()))?;
        room_on_disk(game, work)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(run.budget.threads).build();
        let pool = pool.expect("the system starts threads");
        pool.install(|| {
            let rounds = self.rounds(game, work, run)?;
            let layout = self.layout(game);
            self.planes(&layout, work, run, &rounds)?;
            manifest(game, &layout, work, &rounds)
        })
    }

    fn open(&self, game: &Musashi, database: Database) -> Result<Box<dyn Oracle<Musashi>>, Error> {
        Ok(Box::new(MusashiOracle::open(self.layout(game), database)?))
    }

    fn published_csv(&self, game: &Musashi, oracle: &dyn Oracle<Musashi>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| census::csv(game.board(), &census)))
    }
}

/// Refuses a solve whose logs and planes would not fit, whatever an earlier run has left counted in.
fn room_on_disk(game: &Musashi, work: &WorkFolder) -> Result<(), Error> {
    let needed = forecast::disk(game.board());
    let there = folder_bytes(work.path())?;
    match machine::free_disk(work.path()) {
        Some(free) if free.saturating_add(there) < needed => {
            Err(Error::Disk { what: work.game().to_owned(), needed, folder: work.path().to_owned(), free })
        }
        _ => Ok(()),
    }
}

impl SetAtATime {
    /// Plays all rounds that are not played yet.
    fn rounds(&self, game: &Musashi, work: &WorkFolder, run: &Run<'_>) -> Result<Vec<Round>, Error> {
        let mut rounds: Vec<Round> = Vec::new();
        while let Some(bytes) = work.get_bytes(&marker_name(rounds.len()))? {
            let Ok(round) = serde_json::from_slice(&bytes) else { break };
            rounds.push(round);
        }
        if rounds.last().is_some_and(|round| !round.new) {
            return Ok(rounds);
        }
        let mut engine = Engine::new(game.board(), self.layout(game), self.isa)?;
        if !rounds.is_empty() {
            match replay(&mut engine, work, rounds.len(), run) {
                Ok(()) => {}
                Err(lost @ (Error::Damaged { .. } | Error::Missing { .. })) => {
                    run.observer.event(Event::Note { text: &format!("{lost}; starting again") });
                    forget(work, rounds.len())?;
                    rounds.clear();
                    engine = Engine::new(game.board(), self.layout(game), self.isa)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let mut began = Instant::now();
        while rounds.last().is_none_or(|round| round.new) {
            let round = self.round(&mut engine, work, rounds.len(), run)?;
            let bytes = serde_json::to_vec(&round).expect("numbers are JSON");
            // A quick round is quicker played again than waited for.
            if began.elapsed() >= WORTH_WAITING {
                work.sync()?;
                run.observer.event(Event::Checkpoint);
                began = Instant::now();
            }
            work.put_bytes(&marker_name(rounds.len()), &bytes)?;
            let positions = round.won.iter().sum::<u64>() - rounds.last().map_or(0, |last| last.won.iter().sum());
            run.observer.event(Event::Level { level: 2 * rounds.len() as u64 + 1, positions });
            rounds.push(round);
        }
        Ok(rounds)
    }

    fn round(&self, engine: &mut Engine, work: &WorkFolder, number: usize, run: &Run<'_>) -> Result<Round, Error> {
        let steps = engine.schedule.steps.clone();
        let name = format!("round {number}");
        run.observer.event(Event::Stage { name: &name, total: Some(steps.len() as u64) });
        let (mut lost, mut won) = (Orbits::default(), Orbits::default());
        let mut new = 0;
        for step in steps {
            if run.observer.stop() {
                return Err(Error::Stopped);
            }
            match step {
                Step::Lose { point, room } => {
                    engine.lose(point, room);
                    lost.add(engine.lost_by_brown(point, room));
                }
                Step::Win { point, room } => {
                    let mut log = RoundWriter::create(&log_path(work, number, point), work.fingerprint())?;
                    let chunks = engine.chunks();
                    new += engine.win(point, room, |make| Ok(log.push_many(chunks, make)?))?;
                    log.finish()?;
                    won.add(engine.won_by_brown(point));
                }
            }
            run.observer.event(Event::Steps { steps: 1 });
        }
        engine.end_round();
        Ok(Round { lost: lost.0, won: won.0, new: new > 0 })
    }

    /// Writes the planes that are not written yet, and removes the logs they are made from.
    fn planes(&self, layout: &Layout, work: &WorkFolder, run: &Run<'_>, rounds: &[Round]) -> Result<(), Error> {
        let points = layout.stored().len();
        run.observer.event(Event::Stage { name: "database", total: Some(points as u64) });
        for point in 0..points {
            if run.observer.stop() {
                return Err(Error::Stopped);
            }
            if !work.has(&plane_name(point)) {
                match planes::write(layout, work, point, rounds.len() - 1) {
                    // The next run has to begin again.
                    Err(lost @ (Error::Damaged { .. } | Error::Missing { .. })) => {
                        forget(work, rounds.len())?;
                        return Err(lost.into());
                    }
                    written => written?,
                };
            }
            for round in 0..rounds.len() {
                work.remove(&log_name(round, point))?;
            }
            run.observer.event(Event::Steps { steps: 1 });
        }
        Ok(())
    }
}

/// Forgets rounds, so that they are played again. Planes that are written stay: they would come out the same.
fn forget(work: &WorkFolder, rounds: usize) -> Result<(), Error> {
    (0..rounds).rev().try_for_each(|round| work.remove(&marker_name(round)))
}

/// Takes up the logs of finished rounds.
fn replay(engine: &mut Engine, work: &WorkFolder, rounds: usize, run: &Run<'_>) -> Result<(), Error> {
    let points = engine.layout.stored().len();
    run.observer.event(Event::Stage { name: "resume", total: Some((rounds * points) as u64) });
    let words = engine.won(0).block_words();
    for round in 0..rounds {
        for point in 0..points {
            let log = RoundFile::open(&log_path(work, round, point), work.fingerprint())?;
            for chunk in (0..engine.chunks()).filter(|&chunk| !log.is_empty(chunk)) {
                let first = chunk as usize * CHUNK;
                let blocks = CHUNK.min(engine.block_count() - first);
                log.read(chunk, blocks, words, |block, new| engine.replay(point, first + block, new))?;
            }
            run.observer.event(Event::Steps { steps: 1 });
        }
    }
    Ok(())
}

/// Orbits of positions, summed over black's points.
#[derive(Default)]
struct Orbits(ByBrown);

impl Orbits {
    fn add(&mut self, counted: Option<(ByBrown, u64)>) {
        let Some((counts, symmetries)) = counted else { return };
        self.0.resize(counts.len(), 0);
        self.0.iter_mut().zip(counts).for_each(|(all, count)| *all += count / symmetries);
    }
}

/// The values of a plane, worst first: not won, then the slowest win. Round r has index `rounds - r`.
pub fn palette(rounds: usize) -> Vec<Value> {
    let wins = (0..rounds).rev().map(|round| Value::win(2 * round as u16 + 1));
    [Value::UNTIMED_LOSS].into_iter().chain(wins).collect()
}

fn manifest(game: &Musashi, layout: &Layout, work: &WorkFolder, rounds: &[Round]) -> Result<Manifest, Error> {
    let mut manifest = Manifest::new(work.game(), work.fingerprint());
    manifest.classes = census::classes(game.board(), rounds);
    for point in 0..layout.stored().len() {
        let plane = work.plane(&plane_name(point))?;
        manifest.files.push(FileEntry::of_file(plane_name(point), plane.blocks()));
    }
    Ok(manifest)
}
