//! Every question to a forged database: each must be answered or refused, in time and with little memory.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use kanzen::catalogue::Solved;
use kanzen::progress::Silent;
use kanzen::query::{Extent, Probe};
use kanzen::{Error, ErrorKind};

use super::dice::Dice;
use super::sound::{LONGEST, Sound, budget};

/// The most memory a forgery may take beside twice the size of its files.
pub const MEMORY: u64 = 64 << 20;
/// The longest that all questions together may take: ten seconds on a machine that has the time for them. What the tests
/// run is hardly optimised and shares its machine with a browser.
pub const TIMEOUT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 10 });

/// What became of a forgery.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// It was refused when it was opened.
    RefusedAtOnce,
    /// Some questions were refused, or `verify` found it out.
    FoundOut,
    /// Everything was answered as the sound database answers.
    Harmless,
    /// It was believed: something is answered otherwise, and nothing that was asked can know it.
    Believed,
}

/// What was seen.
pub struct Seen {
    pub outcome: Outcome,
    /// Everything that must not be, in sentences.
    pub faults: Vec<String>,
    /// Whether a verification of everything passed although an answer is wrong or lacking.
    pub passed_wrongly: Option<String>,
    pub time: Duration,
    pub memory: u64,
}

/// Asks a forged database of a game in a data folder everything.
pub fn ask(sound: &Sound, data: &Path, dice: &mut Dice) -> Seen {
    let bytes = allocated(&data.join(sound.id()));
    reset_peak();
    let before = kilobytes("VmRSS:");
    let start = Instant::now();
    let mut asked = Asked { refused: 0, faults: Vec::new(), differs: None, passed_full: false };
    let opened = asked.answer("open", || sound.entry.open(data));
    let refused_at_once = opened.is_none();
    if let Some(solved) = opened {
        asked.everything(sound, &solved, dice);
    }
    let time = start.elapsed();
    let memory = kilobytes("VmHWM:").saturating_sub(before);
    let Asked { refused, mut faults, differs, passed_full } = asked;
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

struct Asked {
    refused: u32,
    faults: Vec<String>,
    differs: Option<String>,
    passed_full: bool,
}

impl Asked {
    /// The answer to a question, if there is one. A panic is a fault, and so is an error that is no clear refusal.
    fn answer<T>(&mut self, question: &str, ask: impl FnOnce() -> Result<T, Error>) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(ask)) {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => {
                let told = error.to_string();
                let refusal = matches!(
                    error.kind(),
                    ErrorKind::Damaged | ErrorKind::NotStored | ErrorKind::NotSolved | ErrorKind::System
                );
                if !refusal || told.len() > 2000 {
                    self.faults.push(format!("{question}: {:?}: {}", error.kind(), &told[..told.len().min(300)]));
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
        self.answer("csv", || solved.csv());
        let longest = self.answer("longest", || solved.longest_games(LONGEST));
        // To refuse is not to tell something wrong.
        if longest.is_some() && longest != sound.longest && self.differs.is_none() {
            self.differs = Some("its longest games are others".to_owned());
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
            // Whoever has passed must answer all, and rightly.
            sound.known.iter().for_each(|known| self.probe(solved, known));
        }
    }

    fn probe(&mut self, solved: &Solved, known: &Probe) {
        let told = self.answer("probe", || solved.at(Some(&known.position))?.probe());
        if told.as_ref() != Some(known) && self.differs.is_none() {
            let told = told.map(|told| format!("{} {:?} {:?}", told.value, told.distance, told.score));
            self.differs = Some(format!("{}: {}", known.position, told.unwrap_or("no answer".to_owned())));
        }
    }
}

/// The bytes that the files of a folder have on the disk: holes do not count.
fn allocated(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| fs::symlink_metadata(file.path()).ok())
        .map(|what| what.len().min(512 * what.blocks()))
        .sum()
}

/// A line of what the system says of this process, in bytes.
pub fn kilobytes(field: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// From here on the system notes the most memory anew.
fn reset_peak() {
    fs::write("/proc/self/clear_refs", "5").ok();
}
