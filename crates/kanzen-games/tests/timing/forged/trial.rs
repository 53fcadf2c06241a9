//! Runs every query on a forged database and checks for refusals, time and memory.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use kanzen::catalogue::Solved;
use kanzen::progress::Silent;
use kanzen::{Error, ErrorKind};
use kanzen_query::{Extent, Probe};

use super::dice::Dice;
use super::sound::{LONGEST, Sound, budget};

/// The memory limit of a forgery, in addition to twice the size of its files.
pub const MEMORY: u64 = 64 << 20;
/// The time limit of all queries together: ten seconds. Debug builds run unoptimised code on a shared machine and get
/// more.
pub const TIMEOUT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 10 });

/// The outcome of a forgery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// Refused on opening.
    RefusedAtOnce,
    /// Some queries were refused, or `verify` failed.
    FoundOut,
    /// All answers equal those of the sound database.
    Harmless,
    /// Some answer differs, and no query could detect it.
    Believed,
}

/// The observations of a trial.
pub struct Seen {
    pub outcome: Outcome,
    /// All faults, as messages.
    pub faults: Vec<String>,
    /// The wrong or missing answer of a database that passed full verification.
    pub passed_wrongly: Option<String>,
    pub time: Duration,
    pub memory: u64,
}

/// Runs every query on a forged database in a data folder.
pub fn query_all(sound: &Sound, data: &Path, dice: &mut Dice) -> Seen {
    let bytes = allocated(&data.join(sound.id()));
    reset_peak();
    let before = kilobytes("VmRSS:");
    let start = Instant::now();
    let mut session = Session { refused: 0, faults: Vec::new(), differs: None, passed_full: false };
    let opened = session.answer("open", || sound.entry.open(data));
    let refused_at_once = opened.is_none();
    if let Some(solved) = opened {
        session.everything(sound, &solved, dice);
    }
    let time = start.elapsed();
    let memory = kilobytes("VmHWM:").saturating_sub(before);
    let Session { refused, mut faults, differs, passed_full } = session;
    if time > TIMEOUT {
        faults.push(format!("it took {:.1} s", time.as_secs_f64()));
    }
    if memory > MEMORY + 2 * bytes {
        faults.push(format!("it took {} MB, with files of {} kB", memory >> 20, bytes >> 10));
    }
    let outcome = match (refused_at_once, refused > 0, &differs) {
        (true, ..) => Outcome::RefusedAtOnce,
        (_, true, _) => Outcome::FoundOut,
        (.., None) => Outcome::Harmless,
        (.., Some(_)) => Outcome::Believed,
    };
    Seen { outcome, faults, passed_wrongly: differs.filter(|_| passed_full), time, memory }
}

struct Session {
    refused: u32,
    faults: Vec<String>,
    differs: Option<String>,
    passed_full: bool,
}

impl Session {
    /// Returns the answer of a query, if there is one. A panic is a fault, and so is an error that is not a clear
    /// refusal.
    fn answer<T>(&mut self, question: &str, run: impl FnOnce() -> Result<T, Error>) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => {
                let message = error.to_string();
                let refusal = matches!(
                    error.kind(),
                    ErrorKind::Damaged | ErrorKind::NotStored | ErrorKind::NotSolved | ErrorKind::System
                );
                if !refusal || message.len() > 2000 {
                    self.faults.push(format!("{question}: {:?}: {}", error.kind(), &message[..message.len().min(300)]));
                }
            }
            Err(_) => self.faults.push(format!("{question}: a panic")),
        }
        self.refused += 1;
        None
    }

    fn everything(&mut self, sound: &Sound, solved: &Solved, dice: &mut Dice) {
        for _ in 0..6 {
            let known = dice.pick(&sound.known);
            self.probe(solved, known);
            self.answer("line", || solved.at(Some(&known.position))?.line());
        }
        self.answer("line", || solved.at(None)?.line());
        self.answer("stats", || solved.stats());
        self.answer("csv", || solved.csv(&Silent));
        let longest = self.answer("longest", || solved.longest_games(LONGEST, &Silent));
        // A refusal is not a wrong answer.
        if longest.is_some() && longest != sound.longest && self.differs.is_none() {
            self.differs = Some("its longest games differ".to_owned());
        }
        let sample = self.answer("verify", || solved.verify(Extent::Sample(60), &budget(), &Silent));
        self.refused += u32::from(sample.is_some_and(|verification| !verification.passed));
        if sound.small || dice.one_in(20) {
            let full = self.answer("verify --full", || solved.verify(Extent::Full, &budget(), &Silent));
            let passed = full.as_ref().is_some_and(|verification| verification.passed && verification.full);
            self.refused += u32::from(full.is_some() && !passed);
            self.passed_full = passed;
        }
        if self.passed_full {
            // A database that passed must give all answers, and the right ones.
            sound.known.iter().for_each(|known| self.probe(solved, known));
        }
    }

    fn probe(&mut self, solved: &Solved, known: &Probe) {
        let probed = self.answer("probe", || solved.at(Some(&known.position))?.probe());
        if probed.as_ref() != Some(known) && self.differs.is_none() {
            let text = probed.map(|probe| format!("{} {:?} {:?}", probe.value, probe.distance, probe.score));
            self.differs = Some(format!("{}: {}", known.position, text.unwrap_or("no answer".to_owned())));
        }
    }
}

/// The allocated bytes of a folder's files, without holes.
fn allocated(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| fs::symlink_metadata(file.path()).ok())
        .map(|file| file.len().min(512 * file.blocks()))
        .sum()
}

/// A field of the process status, in bytes.
pub fn kilobytes(field: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Resets the system's memory high-water mark.
fn reset_peak() {
    fs::write("/proc/self/clear_refs", "5").ok();
}
