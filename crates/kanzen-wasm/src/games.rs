//! Which games there are.

use std::sync::Arc;

use kanzen::Error;
use kanzen::catalogue::Reader;

/// The game of a name.
pub fn find(id: &str) -> Result<Arc<Reader>, Error> {
    kanzen_games::catalogue::reader(id)
}
