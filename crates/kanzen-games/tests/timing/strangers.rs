//! Forged databases: every query is answered or refused, quickly and with little memory.

use std::collections::BTreeSet;

use crate::forged::{Dice, Outcome, Summary, databases, forge_occurrences, try_forgery};
use kanzen::Budget;
use kanzen::progress::Silent;
use kanzen_query::Extent;

/// A single test, because it measures the memory of the whole process.
#[test]
fn a_thousand_forged_databases_are_answered_or_refused() {
    let _exclusive = crate::exclusive();
    let all = databases();
    // Panics are caught and counted; their messages would fill the log.
    std::panic::set_hook(Box::new(|_| {}));
    let mut summary = Summary::default();
    for number in 0..1000 {
        try_forgery(&all, 20_261_116, number, &mut summary);
    }
    drop(std::panic::take_hook());
    let affected = occurrences_are_verified(&all);
    assert!(affected.len() >= 2, "planes and values with exceptions: {affected:?}");
    assert!(summary.faults.is_empty(), "{} faults:\n{}", summary.faults.len(), summary.faults.join("\n"));
    assert!(summary.passed_wrongly.is_empty(), "{}", summary.passed_wrongly.join("\n"));
    let of = |outcome| summary.outcomes.iter().filter(|((_, other), _)| *other == outcome).map(|(_, n)| n).sum::<u64>();
    assert!(of(Outcome::RefusedAtOnce) > 100 && of(Outcome::FoundOut) > 100, "{:?}", summary.outcomes);
    assert!(of(Outcome::Harmless) > 10, "some forgeries change no answer");
}

/// Full verification detects every wrong occurrence entry, and only it does: a search trusts them. Returns the affected
/// games.
fn occurrences_are_verified(all: &[crate::forged::Sound]) -> BTreeSet<String> {
    let (mut dice, mut affected) = (Dice::new(7), BTreeSet::new());
    for sound in all {
        let budget = Budget::new(2, 1 << 30);
        for _ in 0..3 {
            let data = tempfile::tempdir().unwrap();
            if !forge_occurrences(sound, &mut dice, data.path()) {
                continue;
            }
            affected.insert(sound.id().to_owned());
            let solved = sound.entry.open(data.path()).unwrap();
            let verified = solved.verify(Extent::Full, &budget, &Silent).unwrap();
            assert!(!verified.passed && verified.wrong_blocks > 0, "{}", sound.id());
            assert_eq!((verified.mismatches, verified.missing), (0, 0), "{}: every value is right", sound.id());
        }
    }
    affected
}
