//! The solver of Ostle: solves groups of boards by ascending number of pieces in memory and writes a file per class.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use kanzen::Error;
use kanzen::progress::Event;
use kanzen_core::machine::cpu::{self, Gather, dispatch};
use kanzen_solve::{Exception, Forecast, Job, Solution, SolvedClass, Solver};
use serde_json::json;

use super::{Below, Engine, Group, GroupClass, HoleCount, Word};
use crate::ostle::index::{ClassIndex, HOLES};
use crate::ostle::ko::Ko;
use crate::ostle::rules::Ostle;
use crate::ostle::stored::{ByBoards, census_label, class_file, classes, entry_of};

fn counts_file(mover: u32, opponent: u32) -> String {
    format!("{mover}-{opponent}.counts")
}

fn state_file(pieces: u32) -> String {
    format!("{pieces}.checkpoint")
}

impl Solver<Ostle> for ByBoards {
    fn forecast(&self, game: &Ostle) -> Forecast {
        forecast(game)
    }

    fn solve(&self, game: &Ostle, job: &Job<'_>) -> Result<Solution, Error> {
        let mut solution = Solution::default();
        let groups = 2 * game.army().least..=game.pieces();
        job.ahead(groups.clone().map(|pieces| Work::of(game, pieces).all()).sum());
        for pieces in groups {
            if is_finished(game, pieces, job)? {
                job.kept(Work::of(game, pieces).all());
            } else {
                job.install(|| solve_group(game, pieces, job))?;
            }
            for (mover, opponent) in classes(game, pieces) {
                solution.classes.extend(census(job, mover, opponent)?);
                solution.files.push(class_file(mover, opponent));
            }
        }
        Ok(solution)
    }
}

/// The relative costs of the parts of a group, for the progress bar.
struct Work {
    initial: u64,
    levels: u64,
    write: u64,
}

impl Work {
    fn of(game: &Ostle, pieces: u32) -> Work {
        let slots = |(mover, opponent)| u64::from(ClassIndex::new(mover, opponent).slots());
        let slots: u64 = classes(game, pieces).into_iter().map(slots).sum();
        Work { initial: 2 * slots, levels: 20 * slots, write: 2 * slots }
    }

    fn all(&self) -> u64 {
        self.initial + self.levels + self.write
    }
}

/// Whether all classes with `pieces` pieces are finished.
fn is_finished(game: &Ostle, pieces: u32, job: &Job<'_>) -> Result<bool, Error> {
    for (mover, opponent) in classes(game, pieces) {
        if counted(job, mover, opponent)?.is_none() || !job.store.has(&class_file(mover, opponent)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the census of a finished class.
fn counted(job: &Job<'_>, mover: u32, opponent: u32) -> Result<Option<Vec<HoleCount>>, Error> {
    let bytes = job.store.get(&counts_file(mover, opponent))?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}

/// The census rows of a finished class, one for each square of the hole, like the published table 1.
fn census(job: &Job<'_>, mover: u32, opponent: u32) -> Result<Vec<SolvedClass>, Error> {
    let name = counts_file(mover, opponent);
    let counts = counted(job, mover, opponent)?.ok_or_else(|| Error::Missing { path: name.into() })?;
    let line = |(hole, count): (&u8, HoleCount)| {
        let label = census_label(*hole, mover, opponent, count.boards, count.immediate_wins);
        SolvedClass { label, slots: count.boards, tally: count.tally() }
    };
    Ok(HOLES.iter().zip(counts).map(line).collect())
}

fn solve_group(game: &Ostle, pieces: u32, job: &Job<'_>) -> Result<(), Error> {
    let group = Group::new(game, pieces)?;
    let name = format!("{} with {pieces} pieces", job.store.game());
    let finished: u64 = classes(game, pieces - 1)
        .into_iter()
        .map(|(mover, opponent)| u64::from(ClassIndex::new(mover, opponent).slots()))
        .sum();
    let bytes = Engine::bytes_for(group.slots()) + finished;
    let mut memory = job.reserve(&name, bytes)?;
    let below = below(game, pieces, job)?;
    let mut engine = Engine::new(game, &group, &below)?;
    let resumed =
        job.store.get_state(&state_file(pieces), engine.state_mut())?.and_then(|level| u8::try_from(level).ok());
    let work = Work::of(game, pieces);
    match resumed {
        Some(_) => {
            engine.resume();
            job.kept(work.initial);
        }
        // The pass overwrites all words, so a partial read of a checkpoint does no harm.
        None => {
            job.part(work.initial, group.slots().into());
            job.stage(&format!("{pieces} pieces, moves"), Some(group.slots().into()));
            engine.initial_pass(&|boards| job.steps(boards))?;
        }
    }
    memory.resize(&name, bytes + engine.irregular_bytes())?;
    let mut level = resumed.unwrap_or(0);
    let boards = u64::from(group.slots());
    // Before the first level nothing has been propagated, although words are decided.
    let decided = resumed.map_or(0, |level| engine.done_by(level));
    let kept = (u128::from(work.levels) * u128::from(decided) / u128::from(boards.max(1))) as u64;
    job.kept(kept);
    job.part(work.levels - kept, boards - decided);
    job.stage(&format!("{pieces} pieces"), Some(group.slots().into()));
    while let Some(next) = engine.next_level(level) {
        if next == u8::MAX - 1 {
            return Err(Error::Rules(format!("{pieces} pieces have distances above {next}")));
        }
        let observer = job.observer();
        let processed = |boards| observer.event(Event::Steps { steps: boards });
        let Some(settled) = engine.run_level(next, &|| observer.stop(), &processed) else {
            return stopped(job, pieces, level, &mut engine);
        };
        level = next;
        job.level_done(level.into(), settled, |store| {
            store.put_state(&state_file(pieces), level.into(), engine.state())
        })?;
    }
    job.part(work.write, boards);
    job.stage(&format!("{pieces} pieces, writing"), Some(group.slots().into()));
    for class in &group.classes {
        match write_class(game, class, &engine, job) {
            Err(Error::Stopped) => return stopped(job, pieces, level, &mut engine),
            written => written?,
        }
    }
    job.store.remove(&state_file(pieces))
}

/// Writes a checkpoint within the level after `level`, or after the last.
fn stopped(job: &Job<'_>, pieces: u32, level: u8, engine: &mut Engine<'_>) -> Result<(), Error> {
    job.store.put_state(&state_file(pieces), level.into(), engine.state())?;
    job.checkpoint_written();
    Err(Error::Stopped)
}

/// The finished classes that a move of this group can lead to.
fn below(game: &Ostle, pieces: u32, job: &Job<'_>) -> Result<Vec<Below>, Error> {
    let mut below = Vec::new();
    for (mover, opponent) in classes(game, pieces - 1) {
        let index = ClassIndex::new(mover, opponent);
        let levels = job.store.get_values(&class_file(mover, opponent), index.slots())?;
        below.push(Below { index, levels });
    }
    Ok(below)
}

/// Writes the entries of a class and counts its positions.
fn write_class(game: &Ostle, class: &GroupClass, engine: &Engine<'_>, job: &Job<'_>) -> Result<(), Error> {
    let (mover, opponent) = class.index.pieces();
    let counts = Mutex::new(vec![HoleCount::empty(); HOLES.len()]);
    job.store.put_exceptions(&class_file(mover, opponent), class.index.slots(), &|first, entries| {
        let mut own = vec![HoleCount::empty(); HOLES.len()];
        dispatch(Chunk { game, class, engine, first, entries, counts: &mut own });
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter_mut().zip(&own).for_each(|(all, more)| all.merge(more));
        job.steps(entries.len() as u64)
    })?;
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    job.store.put(&counts_file(mover, opponent), json!(counts).to_string().as_bytes())
}

/// Encodes the boards of a chunk and counts their positions.
struct Chunk<'c, 'a> {
    game: &'c Ostle,
    class: &'c GroupClass,
    engine: &'c Engine<'a>,
    first: u32,
    entries: &'c mut Vec<Exception>,
    counts: &'c mut [HoleCount],
}

impl cpu::Work for Chunk<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Gather>(self, bits: B) {
        let Chunk { game, class, engine, first, entries, counts } = self;
        let mut number = class.index.strip_of(first);
        let mut strip = class.index.strip(number);
        for slot in first..class.index.slots().min(first + Exception::STRETCH) {
            while slot >= strip.first + strip.len {
                number += 1;
                strip = class.index.strip(number);
            }
            let board = class.index.board_in(bits, &strip, slot);
            let word = Word(engine.words()[(class.base + slot) as usize].load(Relaxed));
            let values = word.values();
            counts[usize::from(strip.hole_number)].add(game, &board, word.is_irregular(), values);
            entries.push(entry_of(&board, values));
        }
    }
}

/// Boards with 8, 9 and 10 pieces up to symmetry, rounded up.
const BOARDS: [u64; 3] = [161_100_000, 1_030_000_000, 1_544_500_000];

/// The cost of a game, fitted to the runs in `results/`, and its number of positions as counted.
pub fn forecast(game: &Ostle) -> Forecast {
    let groups = &BOARDS[..(game.pieces().clamp(8, 10) - 7) as usize];
    let (boards, below) = (groups[groups.len() - 1], groups.iter().rev().nth(1).copied().unwrap_or(0));
    let all: u64 = groups.iter().sum();
    let with_more = all - groups[0];
    // Boards with more pieces have longer distances, take more time and compress less.
    let nanoseconds = match game.ko() {
        Ko::Literal => 230 * groups[0] + 570 * with_more,
        Ko::Symmetric => 290 * groups[0] + 840 * with_more,
    };
    let data_bytes = groups[0] / 2 + with_more * 18 / 25;
    let positions = match (game.pieces(), game.ko()) {
        (10, Ko::Literal) => Some(11_148_698_197),
        (10, Ko::Symmetric) => Some(11_148_725_918),
        _ => None,
    };
    Forecast {
        positions,
        seconds: nanoseconds as f64 / 1e9,
        // A word per board, the due levels of the blocks, and the levels of the finished classes.
        memory_bytes: boards * 413 / 100 + below + (11 << 20),
        data_bytes,
        // The checkpoint of the current group lies beside the finished classes.
        disk_bytes: data_bytes + boards * 17 / 10,
    }
}
