//! Which games there are.

use kanzen::Error;
use kanzen::catalogue::Readable;

/// The game of a name.
pub fn find(id: &str) -> Result<Box<dyn Readable>, Error> {
    kanzen_games::catalogue::reader(id)
}
