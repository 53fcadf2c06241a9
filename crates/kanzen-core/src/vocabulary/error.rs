//! The error type.
//!
//! All modules report failure with one type. The message states what happened and where; the kind of error
//! ([`Error::kind`]) and what could be done about it ([`Error::advice`]) are data, which each interface puts into its own
//! words: the command names its options, the page shows a button.

use std::io;
use std::path::{Path, PathBuf};

use super::{Value, human_bytes};

/// Why something could not be done.
///
/// ```
/// # use kanzen_core as kanzen;
/// use kanzen::{Advice, Error, ErrorKind};
/// let absent = Error::NotSolved { game: "stones-21".into(), folder: "data".into() };
/// assert_eq!(absent.to_string(), "stones-21 is not solved in data");
/// assert_eq!(absent.kind(), ErrorKind::NotSolved);
/// assert_eq!(absent.advice(), Some(Advice::Solve("stones-21".into())));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no game of this name.
    #[error("unknown game {id:?}")]
    UnknownGame {
        /// The name asked for.
        id: String,
    },
    /// There is a family of this name, without this member.
    #[error("unknown game {id:?}: {family}")]
    UnknownMember {
        /// The name asked for.
        id: String,
        /// Which members the family has.
        family: &'static str,
    },
    /// The text is no position.
    #[error("not a position of {game}: {reason}")]
    BadPosition {
        /// The name of the game.
        game: String,
        /// What is wrong with the text.
        reason: BadPosition,
    },
    /// A legal position that the database does not hold.
    #[error("{position} cannot arise in {game}: only positions that can are stored")]
    NotStored {
        /// The name of the game.
        game: String,
        /// The position, as the game writes it.
        position: String,
    },
    /// No such move.
    #[error("{text} is not a move in {position}")]
    NoSuchMove {
        /// What was asked for.
        text: String,
        /// The position, as the game writes it.
        position: String,
    },
    /// A question to the whole database that cannot be understood.
    #[error("{}, at character {at}: {}", one_line(.reason), marked(.text, *.at))]
    BadQuestion {
        /// The question, as it was asked.
        text: String,
        /// The character it fails at, from 1.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// Something else that a question asks for and cannot have.
    #[error("{0}")]
    BadRequest(String),
    /// A game of which only some positions are known: there is nothing to search.
    #[error(
        "{game} is solved by search, and only a line of best play is stored: there are no positions to look through"
    )]
    NotSearchable {
        /// The name of the game.
        game: String,
    },
    /// A question that would take too long to answer without being asked to.
    #[error("to look through {what} would take about {}", human_hours(*.seconds))]
    TooMuchWork {
        /// What would be looked through.
        what: String,
        /// How long it would take.
        seconds: f64,
    },
    /// The text is no player, style, model or level.
    #[error("{text:?} is no {what}: {reason}")]
    BadPlayer {
        /// What was asked for.
        text: String,
        /// What it should have been.
        what: &'static str,
        /// What there is.
        reason: &'static str,
    },
    /// The game is over: no move can be a mistake any more.
    #[error("there is nothing to trap in {position} of {game}: the game is over")]
    NothingToTrap {
        /// The name of the game.
        game: String,
        /// The position, as the game writes it.
        position: String,
    },
    /// The budget is too small, or the system has no memory left.
    #[error("{what} needs {} of memory, {} may be used", human_bytes(*.needed), human_bytes(*.budget))]
    Memory {
        /// What would need it.
        what: String,
        /// Bytes needed, with all that is held already.
        needed: u64,
        /// Bytes that may be used.
        budget: u64,
    },
    /// The disk is too small; reported before the work starts.
    #[error("{what} needs {} of disk, {} has {} free", human_bytes(*.needed), .folder.display(), human_bytes(*.free))]
    Disk {
        /// What would need it.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// The folder that it would be made in.
        folder: PathBuf,
        /// Bytes that its disk has left.
        free: u64,
    },
    /// Asked to stop; the checkpoint is written.
    #[error("stopped")]
    Stopped,
    /// The system starts no more threads.
    #[error("no worker threads: {0}")]
    Threads(String),
    /// A search with a time limit has reached it.
    #[error("the search for this score takes too long")]
    TooLong,
    /// One of the processes that solve a game together is lost, so that the others end too.
    #[error("{peer} {reason}")]
    PeerLost {
        /// Which one, with its host.
        peer: String,
        /// What became of it.
        reason: String,
    },
    /// The rules contradict themselves: a bug in the game.
    #[error("inconsistent game rules: {0}")]
    Rules(String),
    /// The system refused.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried: `read`, `write`, ...
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A checksum does not fit.
    #[error("{} is damaged at {place}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it: `block 17`, `the index`, ...
        place: String,
    },
    /// A file that the manifest lists is not there.
    #[error("{} is missing", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// What should become a database here does not hold one, or more than one.
    #[error("{} holds no database that can be moved in: {reason}", .path.display())]
    BadArchive {
        /// The archive or folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Bytes of a remote file that were not fetched yet: they are recorded, and the same query is run again.
    #[error("{} is not fetched yet", .path.display())]
    NotFetched {
        /// The file.
        path: PathBuf,
    },
    /// A link, a folder, a pipe or a device where a file should be.
    #[error("{} is not a regular file", .path.display())]
    NotAFile {
        /// What is there.
        path: PathBuf,
    },
    /// Stored values that cannot all be right, although each was read as it was written.
    #[error("the values of {game} contradict each other: {position} is a {stored}, by its moves a {follows}")]
    Contradiction {
        /// The name of the game.
        game: String,
        /// The position, as the game writes it.
        position: String,
        /// What is stored of it.
        stored: String,
        /// What follows from its moves, or from the rules if there are none.
        follows: String,
    },
    /// A sound file, but of another kind.
    #[error("{} holds `{found}`, not `{expected}`", .path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind in the file's header.
        found: String,
        /// The kind asked for.
        expected: String,
    },
    /// Written by another version of the format.
    #[error("{} has format {found}, this version reads {expected}", .path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The format that the file has.
        found: u32,
        /// The format that this version reads.
        expected: u32,
    },
    /// Written for other rules.
    #[error("{} was written for other rules ({found}) than this version's ({expected})", .path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The fingerprint of the rules that it was written for.
        found: String,
        /// The fingerprint of the rules at hand.
        expected: String,
    },
    /// No finished database there.
    #[error("{game} is not solved in {}", .folder.display())]
    NotSolved {
        /// The name of the game.
        game: String,
        /// The data folder.
        folder: PathBuf,
    },
    /// A finished database is there already.
    #[error("{game} is solved already: remove {} to solve it again", .folder.display())]
    AlreadySolved {
        /// The name of the game.
        game: String,
        /// The finished folder.
        folder: PathBuf,
    },
    /// Another process works on it.
    #[error("another solve is at work in {}", .folder.display())]
    Busy {
        /// The unfinished folder.
        folder: PathBuf,
    },
    /// Asked for something the file does not have.
    #[error("{} has {len} slots, there is no slot {slot}", .path.display())]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The slot asked for.
        slot: u64,
        /// How many there are.
        len: u64,
    },
    /// A plane was given a value that its palette lacks.
    #[error("{}: the value `{value}` of slot {slot} is not in the palette", .path.display())]
    NotInPalette {
        /// The file being written.
        path: PathBuf,
        /// The slot that the value was meant for.
        slot: u64,
        /// The value that is not there.
        value: Value,
    },
    /// A plane would hold more different values than its slots can tell apart.
    #[error("{what} would hold {values} different values, at most {limit} fit")]
    Palette {
        /// What would hold them.
        what: String,
        /// How many different values there are.
        values: usize,
        /// The most there may be.
        limit: usize,
    },
    /// Keys to be written were not strictly ascending.
    #[error("{}: key {slot} is not above the key before it", .path.display())]
    NotAscending {
        /// The file being written.
        path: PathBuf,
        /// The number of the key.
        slot: u64,
    },
    /// A name that cannot be that of a file or folder in the data folder.
    #[error("`{name}` cannot be the name of a file or folder in a database")]
    BadName {
        /// The name that was given.
        name: String,
    },
    /// A block that is too large to be read back.
    #[error("{}: a block has at most {limit} bytes, not {bytes}", .path.display())]
    TooLarge {
        /// The file being written.
        path: PathBuf,
        /// The bytes of the block.
        bytes: u64,
        /// The most it may have.
        limit: u64,
    },
}

impl Error {
    /// For `map_err`: the system refused `action` on `path`.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }

    /// `path` is damaged at `place`.
    pub fn damaged(path: &Path, place: impl Into<String>) -> Error {
        Error::Damaged { path: path.to_owned(), place: place.into() }
    }

    /// `path` holds no database that can be moved in, because of `reason`.
    pub fn bad_archive(path: &Path, reason: impl Into<String>) -> Error {
        Error::BadArchive { path: path.to_owned(), reason: reason.into() }
    }

    /// Whether all that is amiss is that bytes were [not fetched](Error::NotFetched) yet.
    pub fn is_not_fetched(&self) -> bool {
        matches!(self, Error::NotFetched { .. })
    }

    /// Whether a file was damaged or missing: its content can be computed again.
    pub fn is_loss(&self) -> bool {
        matches!(self, Error::Damaged { .. } | Error::Missing { .. })
    }
}

/// A text with a mark before its `at`-th character, in one line.
fn marked(text: &str, at: usize) -> String {
    let before: String = text.chars().take(at.saturating_sub(1)).collect();
    format!("{}[here]{}", one_line(&before), one_line(&text[before.len()..]))
}

/// Untrusted text in one line: line breaks become spaces.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn human_hours(seconds: f64) -> String {
    match seconds / 3600.0 {
        hours if hours < 48.0 => format!("{hours:.1} hours"),
        hours => format!("{:.0} days", hours / 24.0),
    }
}

/// What is wrong with a text that should have been a position: one sentence for its author.
///
/// ```
/// # use kanzen_core as kanzen;
/// let wrong = kanzen::BadPosition::new("row 2 has 4 cells, expected 3");
/// assert_eq!(wrong.to_string(), "row 2 has 4 cells, expected 3");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadPosition(String);

impl BadPosition {
    /// A text is no position because of this.
    pub fn new(reason: impl Into<String>) -> BadPosition {
        BadPosition(reason.into())
    }
}
