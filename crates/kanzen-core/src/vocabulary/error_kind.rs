//! Properties of errors: the kind, the advice, and the file concerned.
//!
//! All three are data. An interface has one `match` on the kind and puts the advice into its own words.

use std::path::{Path, PathBuf};

use super::Error;

/// The kind of an error: all that an interface needs to choose an exit status or an HTTP status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// There is no such game.
    UnknownGame,
    /// An invalid request: a text that is no position, an illegal move, a name that cannot be one.
    BadInput,
    /// A valid request whose answer is not stored.
    NotStored,
    /// The game is not solved here.
    NotSolved,
    /// The game is solved already.
    AlreadySolved,
    /// Another process is at work on it.
    Busy,
    /// It does not fit: memory, disk, or what a format can hold.
    TooLarge,
    /// The caller asked the work to stop.
    Stopped,
    /// A time limit was reached.
    TooLong,
    /// A file that cannot be trusted: damaged, missing, or for other rules.
    Damaged,
    /// Bytes that were not fetched yet: once fetched, the same query can be run again.
    NotFetched,
    /// The system refused: a file, a thread.
    System,
    /// A bug: in the rules of a game or in an engine.
    Bug,
}

/// What could be done about an [`Error`]. An interface puts it into its own words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Look at the list of games.
    ListGames,
    /// Solve this game.
    Solve(String),
    /// Allow more memory: at least so many bytes.
    MoreMemory(u64),
    /// Ask for fewer threads.
    FewerThreads,
    /// Do the same again: the work goes on where it stopped.
    GoOn,
    /// Ask for a position nearer to the end of the game.
    NearerTheEnd,
    /// Restore the database, or remove its folder and solve again.
    RestoreOrSolveAgain,
    /// Remove the folder of the database and solve again, or use another data folder.
    SolveAgain {
        /// The folder.
        folder: PathBuf,
    },
    /// Ask for a sample, for a part, or explicitly for all of it.
    SampleOrAll,
}

impl Error {
    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::UnknownGame { .. } | Error::UnknownMember { .. } => ErrorKind::UnknownGame,
            Error::BadPosition { .. }
            | Error::NoSuchMove { .. }
            | Error::BadName { .. }
            | Error::BadPlayer { .. }
            | Error::NothingToTrap { .. }
            | Error::BadQuestion { .. }
            | Error::BadRequest(_) => ErrorKind::BadInput,
            Error::NotStored { .. } | Error::NotSearchable { .. } => ErrorKind::NotStored,
            Error::NotSolved { .. } => ErrorKind::NotSolved,
            Error::AlreadySolved { .. } => ErrorKind::AlreadySolved,
            Error::Busy { .. } => ErrorKind::Busy,
            Error::Memory { .. }
            | Error::Disk { .. }
            | Error::Palette { .. }
            | Error::TooLarge { .. }
            | Error::TooMuchWork { .. } => ErrorKind::TooLarge,
            Error::Stopped => ErrorKind::Stopped,
            Error::TooLong => ErrorKind::TooLong,
            Error::Damaged { .. }
            | Error::Missing { .. }
            | Error::NotAFile { .. }
            | Error::BadArchive { .. }
            | Error::Contradiction { .. }
            | Error::OtherKind { .. }
            | Error::OtherFormat { .. }
            | Error::OtherRules { .. }
            | Error::OutOfRange { .. } => ErrorKind::Damaged,
            Error::NotFetched { .. } => ErrorKind::NotFetched,
            Error::Io { .. } | Error::Threads(_) | Error::PeerLost { .. } => ErrorKind::System,
            Error::Rules(_) | Error::NotInPalette { .. } | Error::NotAscending { .. } => ErrorKind::Bug,
        }
    }

    /// What could be done about it.
    pub fn advice(&self) -> Option<Advice> {
        Some(match self {
            Error::UnknownGame { .. } => Advice::ListGames,
            Error::NotSolved { game, .. } => Advice::Solve(game.clone()),
            Error::Memory { needed, .. } => Advice::MoreMemory(*needed),
            Error::Threads(_) => Advice::FewerThreads,
            Error::Stopped | Error::PeerLost { .. } => Advice::GoOn,
            Error::TooLong => Advice::NearerTheEnd,
            Error::Damaged { .. } | Error::Missing { .. } | Error::NotAFile { .. } | Error::Contradiction { .. } => {
                Advice::RestoreOrSolveAgain
            }
            Error::OtherRules { path, .. } | Error::OtherFormat { path, .. } => {
                Advice::SolveAgain { folder: database_folder(path) }
            }
            Error::TooMuchWork { .. } => Advice::SampleOrAll,
            _ => return None,
        })
    }

    /// The file or folder concerned, for an interface that must not reveal where that is.
    ///
    /// ```
    /// # use kanzen_core as kanzen;
    /// use kanzen::Error;
    /// let mut error = Error::Missing { path: "/home/ada/data/stones/keys".into() };
    /// *error.path_mut().unwrap() = "stones/keys".into();
    /// assert_eq!(error.to_string(), "stones/keys is missing");
    /// ```
    pub fn path_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Error::Io { path, .. }
            | Error::Damaged { path, .. }
            | Error::Missing { path }
            | Error::NotFetched { path }
            | Error::NotAFile { path }
            | Error::BadArchive { path, .. }
            | Error::OtherKind { path, .. }
            | Error::OtherFormat { path, .. }
            | Error::OtherRules { path, .. }
            | Error::OutOfRange { path, .. }
            | Error::NotInPalette { path, .. }
            | Error::NotAscending { path, .. }
            | Error::TooLarge { path, .. } => Some(path),
            Error::Disk { folder, .. }
            | Error::NotSolved { folder, .. }
            | Error::AlreadySolved { folder, .. }
            | Error::Busy { folder } => Some(folder),
            Error::UnknownGame { .. }
            | Error::UnknownMember { .. }
            | Error::BadPosition { .. }
            | Error::NotStored { .. }
            | Error::NoSuchMove { .. }
            | Error::BadPlayer { .. }
            | Error::NothingToTrap { .. }
            | Error::BadQuestion { .. }
            | Error::BadRequest(_)
            | Error::NotSearchable { .. }
            | Error::TooMuchWork { .. }
            | Error::Contradiction { .. }
            | Error::Memory { .. }
            | Error::Stopped
            | Error::PeerLost { .. }
            | Error::Threads(_)
            | Error::TooLong
            | Error::Rules(_)
            | Error::Palette { .. }
            | Error::BadName { .. } => None,
        }
    }
}

/// The folder of the database that a file belongs to; a folder is its own.
fn database_folder(path: &Path) -> PathBuf {
    let file = path.is_file() || path.extension().is_some_and(|end| end != "part");
    path.parent().filter(|_| file).unwrap_or(path).to_owned()
}
