//! Moving classes that the database of another game has already.
//!
//! ```text
//!   six men    3-3 ... 5-5 | 6-3 ... 6-6 | placing        once all men are placed it does not matter how many there
//!   five men   3-3 ... 5-5 |       placing                were: on the same board five against four are one class
//! ```
//!
//! So six men take over what five have solved, and twelve what eleven have, or the other way round: of twelve men's
//! moving positions eleven twelfths. The planes are those that the solve would have made itself, byte for byte.

use kanzen::rules::fingerprint;
use kanzen::solve::retrograde::Graph;
use kanzen::solve::{Job, SolvedGame, plane_file};
use kanzen::{Error, query::Opener};

use super::MorrisGraph;
use crate::morris::Morris;
use crate::morris::index::{MorrisIndex, Phase};
use crate::morris::opener::MorrisSolver;

/// Puts the planes of moving classes into the job's store that it does not have and a finished database of another game
/// has.
pub fn take_over(game: &Morris, graph: &MorrisGraph<'_>, job: &Job<'_>) -> Result<(), Error> {
    for men in Morris::MEN.into_iter().filter(|&men| men != game.men()) {
        let other = Morris::new(men).filter(|other| other.moves_like(game));
        let Some(other) = other else { continue };
        take_over_from(&other, graph, job)?;
    }
    Ok(())
}

fn take_over_from(other: &Morris, graph: &MorrisGraph<'_>, job: &Job<'_>) -> Result<(), Error> {
    let index = MorrisIndex::new(other);
    let name = format!("morris-{}", other.men());
    let solved = SolvedGame { game: &name, fingerprint: fingerprint(&name, other, MorrisSolver::WHOLE.layout(other)?) };
    let mut taken = 0;
    for class in 0..graph.classes() {
        let (phase, file) = (graph.phase(class), plane_file(class));
        let same = index.phases().list().iter().position(|theirs| *theirs == phase);
        let Some(theirs) = same.filter(|_| matches!(phase, Phase::Moving { .. }) && !job.store.has(&file)) else {
            continue;
        };
        let slots = phase.slots();
        let _memory = job.reserve(&graph.name(class), 2 * slots)?;
        let codes = job.install(|| job.store.plane_of(&solved, &plane_file(theirs), slots))?;
        let Some(codes) = codes else { continue };
        job.stage(&format!("{} from {name}", graph.name(class)), Some(slots));
        let fill = |first: u64, to: &mut [i16]| to.copy_from_slice(&codes[first as usize..][..to.len()]);
        job.install(|| job.store.put_plane(&file, slots, &fill, &|slots| job.steps(slots)))?;
        taken += 1;
    }
    if taken > 0 {
        job.note(&format!("{taken} moving classes are those of {name}, taken over from its database"));
    }
    Ok(())
}
