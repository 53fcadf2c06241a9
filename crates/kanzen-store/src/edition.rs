//! The identity of the database in a folder, without reading it.

use std::path::Path;

use super::{Manifest, platform};

/// Distinguishes a database from another one that has taken its place.
///
/// A database changes only as a whole, and its manifest with it: the file's number, time and length tell one from the
/// next. Asking costs one call of the system, so that a server can ask before each answer.
///
/// ```
/// use kanzen_store::{Edition, Manifest};
/// let data = tempfile::tempdir()?;
/// assert_eq!(Edition::of(data.path(), "stones"), None);
/// let folder = data.path().join("stones");
/// std::fs::create_dir(&folder)?;
/// Manifest::new("stones", 7).write(&folder)?;
/// let first = Edition::of(data.path(), "stones");
/// assert_eq!(first, Edition::of(data.path(), "stones"));
/// Manifest::new("stones", 8).write(&folder)?;
/// assert_ne!(first, Edition::of(data.path(), "stones"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edition {
    file: (u64, u64),
    /// When it was written and when its number or name last changed: a copy may keep the first of them.
    times: [(i64, i64); 2],
    bytes: u64,
}

impl Edition {
    /// The edition that a data folder holds of a game now; nothing if it holds none.
    pub fn of(data: &Path, game: &str) -> Option<Edition> {
        let manifest = std::fs::metadata(data.join(game).join(Manifest::FILE)).ok()?;
        Some(Edition { file: platform::identity(&manifest), times: platform::times(&manifest), bytes: manifest.len() })
    }
}
