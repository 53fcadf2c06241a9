//! Whether positions that stand in several slots have one value.
//!
//! The check of values looks at one position of all its mirror images. Where a numbering keeps the images apart, a file
//! can hold the right value for that one and another for an image, which a question about the image would be told.

use super::check::Findings;
use super::{announce, run};
use crate::Search;
use kanzen_core::vocabulary::Error;

/// Compares each image in the files with the position that was checked.
pub(super) fn compare(search: &Search<'_>) -> Result<Findings, Error> {
    let Search { game, oracle, .. } = *search;
    if oracle.slots() == 0 {
        return Ok(Findings::default());
    }
    announce(oracle.slots(), &search.means, "mirror images");
    run(oracle.slots(), &search.means, |slot, found| {
        let Some(image) = oracle.image(slot)? else { return Ok(()) };
        if let (Some(stored), Some(expected)) =
            (oracle.stored(image)?, oracle.stored(game.canonical(image))?)
        {
            found.compare(game, image, stored, expected);
        }
        Ok(())
    })
}
