//! How Ostle is solved: the boards with the fewest pieces first, each group in memory, each class to a file.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use kanzen::Error;
use kanzen::catalogue::{Run, Solver};
use kanzen::progress::Event;
use kanzen::query::Oracle;
use kanzen::store::{BlockCache, BlockFile, ClassEntry, Database, FileEntry, Manifest, WorkFolder};
use serde_json::{Map, Value as Json, json};

use super::census::HoleCount;
use super::database::{self, ClassFile, Entry, KIND};
use super::index::HOLES;
use super::oracle::Solution;
use super::processor::{Squeeze, Work, fastest};
use super::rules::Ostle;
use super::solve::{Below, Class, Engine, Group, Word, classes};

/// Solves Ostle board by board.
pub struct ByBoards;

/// The file of a class.
pub fn class_file(mover: u32, opponent: u32) -> String {
    format!("{mover}-{opponent}.boards")
}

fn counts_file(mover: u32, opponent: u32) -> String {
    format!("{mover}-{opponent}.counts")
}

fn checkpoint_file(pieces: u32) -> String {
    format!("{pieces}.checkpoint")
}

impl Solver<Ostle> for ByBoards {
    fn solve(&self, game: &Ostle, work: &WorkFolder, run: &Run<'_>) -> Result<Manifest, Error> {
        let pool = kanzen::machine::pool(run.budget.threads)?;
        let mut manifest = Manifest::new(work.game(), work.fingerprint());
        for pieces in 2 * game.army().least..=game.pieces() {
            let finished = |&(mover, opponent): &(u32, u32)| {
                work.has(&class_file(mover, opponent)) && work.has(&counts_file(mover, opponent))
            };
            if !classes(game, pieces).iter().all(finished) {
                pool.install(|| solve_group(game, pieces, work, run))?;
            }
            for (mover, opponent) in classes(game, pieces) {
                describe(work, mover, opponent, &mut manifest)?;
            }
        }
        Ok(manifest)
    }

    fn open(&self, game: &Ostle, database: Database) -> Result<Box<dyn Oracle<Ostle>>, Error> {
        Ok(Box::new(Solution::open(game, database)?))
    }

    fn published_csv(&self, _: &Ostle, oracle: &dyn Oracle<Ostle>) -> Option<Result<String, Error>> {
        Some(oracle.census().map(|census| super::published::tables(&census)))
    }
}

/// Adds a finished class to the manifest: a line for each square of the hole, as in the published table 1.
fn describe(work: &WorkFolder, mover: u32, opponent: u32, manifest: &mut Manifest) -> Result<(), Error> {
    let counts = work.get_bytes(&counts_file(mover, opponent))?.unwrap_or_default();
    let damaged = |_| Error::damaged(&work.file(&counts_file(mover, opponent)), "its list of counts");
    let counts: Vec<HoleCount> = serde_json::from_slice(&counts).map_err(damaged)?;
    for (hole, count) in HOLES.iter().zip(counts) {
        let mut label: Map<String, Json> = Map::new();
        for (name, number) in [("hole_row", hole / 5), ("hole_col", hole % 5)] {
            label.insert(name.into(), json!(number));
        }
        label.insert("mover".into(), json!(mover));
        label.insert("opponent".into(), json!(opponent));
        label.insert("boards".into(), json!(count.boards));
        label.insert("immediate_wins".into(), json!(count.immediate_wins));
        manifest.classes.push(ClassEntry { label, slots: count.boards, tally: count.tally() });
    }
    let name = class_file(mover, opponent);
    let file = BlockFile::open(&work.file(&name), KIND, work.fingerprint())?;
    manifest.files.push(FileEntry::of_file(name, &file));
    Ok(())
}

fn solve_group(game: &Ostle, pieces: u32, work: &WorkFolder, run: &Run<'_>) -> Result<(), Error> {
    let group = Group::new(game, pieces)?;
    let below = below(game, pieces, work)?;
    let memory = 4 * u64::from(group.slots()) + below.iter().map(|class| class.levels.len() as u64).sum::<u64>();
    run.budget.allows(&format!("{} with {pieces} pieces", work.game()), memory)?;
    let mut engine = Engine::new(game, &group, &below)?;
    run.observer.event(Event::Stage { name: &format!("{pieces} pieces"), total: Some(group.slots().into()) });
    let mut level = match resume(work, pieces, &mut engine)? {
        Some(level) => level,
        None => {
            engine.first_look(&|_| run.observer.stop())?;
            0
        }
    };
    let mut saved = Instant::now();
    while let Some(next) = engine.next_level(level) {
        if next == u8::MAX - 1 {
            return Err(Error::Rules(format!("{pieces} pieces have distances above {next}")));
        }
        level = next;
        let settled = engine.run_level(level);
        run.observer.event(Event::Level { level: level.into(), positions: settled });
        run.observer.event(Event::Steps { steps: settled });
        let stop = run.observer.stop();
        if stop || saved.elapsed() >= run.checkpoint_every {
            work.write_checkpoint(&checkpoint_file(pieces), &json!({ "level": level }), &[engine.bytes()])?;
            run.observer.event(Event::Checkpoint);
            saved = Instant::now();
        }
        if stop {
            return Err(Error::Stopped);
        }
    }
    run.observer.event(Event::Stage { name: &format!("{pieces} pieces, writing"), total: Some(group.slots().into()) });
    for class in &group.classes {
        write_class(game, class, &engine, work, run)?;
    }
    work.remove(&checkpoint_file(pieces))?;
    Ok(())
}

/// The finished classes that a move of this group can lead to.
fn below(game: &Ostle, pieces: u32, work: &WorkFolder) -> Result<Vec<Below>, Error> {
    let mut below = Vec::new();
    for (mover, opponent) in classes(game, pieces - 1) {
        let index = super::index::ClassIndex::new(mover, opponent);
        let file = BlockFile::open(&work.file(&class_file(mover, opponent)), KIND, work.fingerprint())?;
        let levels = ClassFile::new(file, index.slots(), BlockCache::new(0))?.best_levels()?;
        below.push(Below { index, levels });
    }
    Ok(below)
}

/// Reads the last checkpoint of a group, if there is one.
fn resume(work: &WorkFolder, pieces: u32, engine: &mut Engine<'_>) -> Result<Option<u8>, Error> {
    let Some(checkpoint) = work.open_checkpoint(&checkpoint_file(pieces))? else { return Ok(None) };
    let level = checkpoint.header()["level"].as_u64().and_then(|level| u8::try_from(level).ok());
    let Some(level) = level.filter(|_| checkpoint.lengths() == [engine.bytes().len() as u64]) else { return Ok(None) };
    match checkpoint.read_into(0, engine.bytes_mut()) {
        Ok(()) => engine.resume(level),
        // A damaged checkpoint is no checkpoint: the group starts again.
        Err(Error::Damaged { .. }) => {
            engine.bytes_mut().fill(0);
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Some(level))
}

/// Writes a class and counts its positions.
fn write_class(
    game: &Ostle,
    class: &Class,
    engine: &Engine<'_>,
    work: &WorkFolder,
    run: &Run<'_>,
) -> Result<(), Error> {
    let (mover, opponent) = class.index.pieces();
    let counts = Mutex::new(vec![HoleCount::empty(); HOLES.len()]);
    let slots = class.index.slots();
    database::write(&work.file(&class_file(mover, opponent)), work.fingerprint(), slots, |first, entries| {
        let mut own = vec![HoleCount::empty(); HOLES.len()];
        fastest(Chunk { game, class, engine, first, entries, counts: &mut own });
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.iter_mut().zip(&own).for_each(|(all, more)| all.merge(more));
        run.observer.event(Event::Steps { steps: entries.len() as u64 });
    })?;
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    work.put_bytes(&counts_file(mover, opponent), json!(counts).to_string().as_bytes())?;
    Ok(())
}

/// The entries of a chunk, and its positions counted.
struct Chunk<'c, 'a> {
    game: &'c Ostle,
    class: &'c Class,
    engine: &'c Engine<'a>,
    first: u32,
    entries: &'c mut Vec<Entry>,
    counts: &'c mut [HoleCount],
}

impl Work for Chunk<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Squeeze>(self, _: S) {
        let Chunk { game, class, engine, first, entries, counts } = self;
        let mut number = class.index.strip_of(first);
        for slot in first..class.index.slots().min(first + database::CHUNK) {
            let mut strip = &class.index.strips()[number];
            while slot >= strip.first + strip.len {
                number += 1;
                strip = &class.index.strips()[number];
            }
            let board = class.index.board_in(strip, slot);
            let word = Word(engine.words()[(class.base + slot) as usize].load(Relaxed));
            let values = word.values();
            counts[usize::from(strip.hole_number)].add(game, &board, word.is_irregular(), values);
            entries.push(Entry::new(&board, values));
        }
    }
}
