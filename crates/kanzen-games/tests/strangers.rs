//! Databases from strangers: whatever is in them, a question is answered or refused, soon and with little memory.

mod forged;

use forged::{Outcome, Summary, databases, try_forgery};

/// All in one test: it watches the memory of the whole process.
#[test]
fn a_thousand_forged_databases_are_answered_or_refused() {
    let all = databases();
    // Panics are caught and counted: their words would only fill the log.
    std::panic::set_hook(Box::new(|_| {}));
    let mut summary = Summary::default();
    for number in 0..1000 {
        try_forgery(&all, 20_261_116, number, &mut summary);
    }
    drop(std::panic::take_hook());
    assert!(summary.faults.is_empty(), "{} faults:\n{}", summary.faults.len(), summary.faults.join("\n"));
    assert!(summary.passed_wrongly.is_empty(), "{}", summary.passed_wrongly.join("\n"));
    let of = |outcome| summary.outcomes.iter().filter(|((_, other), _)| *other == outcome).map(|(_, n)| n).sum::<u64>();
    assert!(of(Outcome::RefusedAtOnce) > 100 && of(Outcome::FoundOut) > 100, "{:?}", summary.outcomes);
    assert!(of(Outcome::Harmless) > 10, "some forgeries change nothing that is asked for");
}
