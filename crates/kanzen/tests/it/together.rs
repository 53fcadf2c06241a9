//! Distributed queries: several processes give the answer of one, in whatever order parcels arrive, and a partial one when
//! the first is stopped.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kanzen::catalogue::{Entry, GameInfo, Rows, Run, Solved};
use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Error};
use kanzen_query::find::Row;
use kanzen_query::{Extent, Find, FindReport, Means};
use kanzen_solve::RulesOnly;

use crate::simulated::{Network, Node};
use crate::toy::Skirmish;

fn budget() -> Budget {
    Budget::new(1, 1 << 28)
}

/// The toy game, solved.
fn solved() -> (tempfile::TempDir, Solved) {
    let info = GameInfo { id: "skirmish".into(), title: "Skirmish".into(), rules: String::new() };
    let entry = Entry::new(info, Skirmish, RulesOnly::counting());
    let data = tempfile::tempdir().unwrap();
    let run = Run { budget: budget(), checkpoint_every: std::time::Duration::ZERO, observer: &Silent };
    entry.solve(data.path(), &run).unwrap();
    let solved = entry.open(data.path()).unwrap();
    (data, solved)
}

fn question(condition: &str) -> Find {
    Find { condition: condition.to_owned(), ..Find::default() }
}

/// The rows of an answer as text, and its report.
fn answer(solved: &Solved, find: &Find, means: &Means<'_>) -> Result<(Vec<String>, FindReport), Error> {
    let mut rows = Vec::new();
    let mut row = |row: Row| {
        rows.push(row.cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        Ok(())
    };
    let report = solved.find_together(find, means, &mut Rows { heading: &mut |_| Ok(()), row: &mut row })?;
    Ok((rows, report))
}

fn alone(solved: &Solved, find: &Find) -> (Vec<String>, FindReport) {
    answer(solved, find, &Means::alone(&budget(), &Silent)).unwrap()
}

/// Asks the same of every node.
fn together(solved: &Solved, find: &Find, nodes: &[Node]) -> Vec<(Vec<String>, FindReport)> {
    let ask = |node| answer(solved, find, &Means { budget: budget(), observer: &Silent, mesh: node }).unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = nodes.iter().map(|node| scope.spawn(move || ask(node))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn rows_that_overtake_each_other_come_in_the_order_of_one() {
    let (_data, solved) = solved();
    // Wide rows: each process has more of them than one parcel takes.
    let columns = Some(["position"; 40].join(","));
    let wide = alone(&solved, &Find { columns: columns.clone(), ..question("moves > 0") }).0;
    assert!(wide.iter().map(String::len).sum::<usize>() > 4 << 16, "{} rows", wide.len());
    for find in [
        Find { columns: columns.clone(), ..question("moves > 0") },
        Find { columns, limit: Some(900), order: Some("-distance".into()), ..question("moves > 0") },
        Find { limit: Some(5), ..question("moves > 2") },
        Find { count: true, ..question("moves > 2") },
        question("distance > 9000"),
    ] {
        let expected = alone(&solved, &find);
        for peers in [2, 3] {
            let found = together(&solved, &find, &Network::nodes(peers, 4, peers as u64));
            let [(rows, report), others @ ..] = &found[..] else { unreachable!("there are some") };
            assert_eq!(*rows, expected.0, "{find:?} by {peers}");
            assert_eq!((report.count, report.complete), (expected.1.count, expected.1.complete), "{find:?}");
            assert!(others.iter().all(|(rows, _)| rows.is_empty()), "only the first has rows");
        }
    }
}

/// Asks to stop after so many stretches.
struct Impatient(AtomicU64);

impl Observer for Impatient {
    fn event(&self, event: Event<'_>) {
        if let Event::Steps { steps } = event {
            self.0.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(steps))).ok();
        }
    }

    fn stop(&self) -> bool {
        self.0.load(Relaxed) == 0
    }
}

#[test]
fn stopping_the_first_process_returns_the_rows_it_has_scanned() {
    let (_data, solved) = solved();
    for find in [
        question("distance < 9000"),
        Find { order: Some("-distance".into()), ..question("distance < 9000") },
        Find { count: true, ..question("moves > 0") },
    ] {
        let part = alone(&solved, &Find { part: Some((1, 2)), ..find.clone() });
        // The second process never answers. Asked to stop while it waits for it, the first has its whole part.
        let stretches = solved.explain(&find, &budget()).unwrap().stretches;
        let stopped_after = |stretches: u64| {
            let nodes = Network::nodes(2, 4, 7);
            let impatient = Impatient(AtomicU64::new(stretches));
            answer(&solved, &find, &Means { budget: budget(), observer: &impatient, mesh: &nodes[0] }).unwrap()
        };
        let (rows, report) = stopped_after(stretches / 2);
        assert_eq!((&rows, report.count), (&part.0, part.1.count), "{find:?}");
        assert!(report.stopped && !report.complete);
        // Asked before, it has the beginning.
        let (rows, report) = stopped_after(1);
        assert!(report.stopped && report.count < part.1.count, "{report:?}");
        assert!(find.order.is_some() || part.0.starts_with(&rows), "{find:?}");
    }
}

#[test]
fn a_process_that_is_lost_ends_the_question_of_all() {
    let (_data, solved) = solved();
    let nodes = Network::nodes(2, 4, 7);
    nodes[1].lose();
    let means = Means { budget: budget(), observer: &Silent, mesh: &nodes[0] };
    let error = answer(&solved, &question("moves > 0"), &means).unwrap_err();
    assert!(matches!(error, Error::PeerLost { .. }), "{error}");
    assert!(matches!(solved.verify_together(Extent::Full, &means), Err(Error::PeerLost { .. })));
}
