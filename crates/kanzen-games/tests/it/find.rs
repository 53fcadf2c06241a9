//! `find` on whole databases agrees with a naive program that evaluates each position by itself.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kanzen::catalogue::{Catalogue, Entry, Rows, Run, Solved};
use kanzen::progress::{Silent, StopFlag};
use kanzen::{Budget, Colour, Error, Game, Key, Outcome};
use kanzen_core::rules;
use kanzen_games::catalogue;
use kanzen_games::morris::{Men, Morris, MorrisSolver, Position};
use kanzen_games::nocca::{Nocca, Sweeps};
use kanzen_games::tictactoe::TicTacToe;
use kanzen_query::find::{Cell, Kind, Row};
use kanzen_query::{Answer, Find, FindReport, Opener, Oracle};
use kanzen_store::Database;
use rayon::prelude::*;

const BUDGET: Budget = Budget { threads: 2, memory: 1 << 30 };

fn solved(id: &str, data: &Path) -> Solved {
    let entry: Arc<Entry> = catalogue::find(id).unwrap();
    entry.solve(data, &Run { budget: BUDGET, checkpoint_every: Duration::MAX, observer: &Silent }).unwrap();
    entry.open(data).unwrap()
}

/// All rows of a query as text, and the report.
fn run(solved: &Solved, find: &Find, threads: usize) -> Result<(Vec<String>, FindReport), Error> {
    let mut rows = Vec::new();
    let mut heading = |_: &[(String, Kind)]| Ok(());
    let mut row = |row: Row| {
        rows.push(row.cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(";"));
        Ok(())
    };
    let budget = Budget::new(threads, 1 << 30);
    let report = solved.find(find, &budget, &Silent, &mut Rows { heading: &mut heading, row: &mut row })?;
    Ok((rows, report))
}

fn query(condition: &str) -> Find {
    Find { condition: condition.to_owned(), ..Find::default() }
}

fn count(solved: &Solved, condition: &str) -> u64 {
    let find = Find { count: true, ..query(condition) };
    run(solved, &find, 2).unwrap().1.count
}

/// The text of a number in a row.
fn cell(number: Option<i64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// Every column of a position, by its definition.
fn by_hand<G: Game>(game: &G, oracle: &dyn Oracle, position: G::Position) -> BTreeMap<String, String> {
    let answer = |position: G::Position| match game.ended(position) {
        Some(value) => Answer { value, score: game.final_score(position) },
        None => oracle.answer(rules::key(game, position)).unwrap(),
    };
    let own = answer(position);
    let mut moves = Vec::new();
    if game.ended(position).is_none() {
        game.moves(position, &mut |mv, child| {
            moves.push((game.tags(position, mv, child), answer(child).before()));
        });
    }
    let mut columns = BTreeMap::new();
    let mut put = |name: String, cell: String| columns.insert(name, cell);
    put("value".into(), own.value.outcome().to_string());
    put("distance".into(), cell(own.value.distance().map(i64::from)));
    put("to_move".into(), game.to_move(position).to_owned());
    let kinds = [None, Some(Outcome::Win), Some(Outcome::Draw), Some(Outcome::Loss)];
    for (name, kind) in ["moves", "wins", "draws", "losses"].into_iter().zip(kinds) {
        let of_kind = |mine: &Answer| kind.is_none_or(|kind| mine.value.outcome() == kind);
        let all = moves.iter().filter(|(_, mine)| of_kind(mine)).count();
        put(name.into(), all.to_string());
        for tag in game.known_tags().iter() {
            let tagged = moves.iter().filter(|(tags, mine)| tags.has(tag) && of_kind(mine)).count();
            put(format!("{name}('{tag}')"), tagged.to_string());
        }
    }
    let keeping: Vec<Answer> =
        moves.iter().map(|(_, mine)| *mine).filter(|mine| mine.value.outcome() == own.value.outcome()).collect();
    put("best".into(), keeping.iter().filter(|mine| **mine == own).count().to_string());
    put("only_move".into(), (keeping.len() == 1).to_string());
    // The second best: with one best move taken away, how far is the best of the others?
    let mut others = keeping.clone();
    if let Some(first) = others.iter().position(|mine| *mine == own) {
        others.remove(first);
    }
    let gap = others
        .iter()
        .max()
        .and_then(|second| Some(i64::from(own.value.distance()?.abs_diff(second.value.distance()?))));
    put("gap".into(), cell(gap));
    if game.has_passing() {
        let passed = match game.ended(position) {
            Some(_) => None,
            None => game.passed(position).map(|other| answer(other).before()),
        };
        let zugzwang = passed.map(|passed| passed.value.outcome() > own.value.outcome());
        put("zugzwang".into(), zugzwang.map_or(String::new(), |holds| holds.to_string()));
    }
    columns
}

/// Compares every column of every position with its definition; `positions` are all that the census counts.
fn every_column<G: Game + Clone, S: Opener<G>>(id: &str, game: &G, solver: &S, positions: Vec<G::Position>) {
    let data = tempfile::tempdir().unwrap();
    let solved = solved(id, data.path());
    let fingerprint = rules::fingerprint(id, game, solver.layout(game).unwrap());
    let shared = Arc::new(game.clone());
    let oracle = solver.open(&shared, Database::open(data.path(), id, fingerprint).unwrap()).unwrap();
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    let mut names = Vec::new();
    let expected_rows = positions.par_iter().map(|&position| (position, by_hand(game, &*oracle, position)));
    for (position, columns) in expected_rows.collect::<Vec<_>>() {
        names = columns.keys().cloned().collect();
        let cells: Vec<String> = columns.into_values().collect();
        expected.insert(game.show(position), cells.join(";"));
    }
    let find = Find { columns: Some(format!("position, {}", names.join(", "))), ..query("") };
    let (rows, report) = run(&solved, &find, 2).unwrap();
    assert_eq!(report.count, solved.stats().unwrap().positions);
    assert_eq!(rows.len(), expected.len(), "{id}: as many rows as positions");
    for row in &rows {
        let (position, cells) = row.split_once(';').unwrap();
        assert_eq!(expected.get(position).map(String::as_str), Some(cells), "{id}: {position}, {names:?}");
    }
    let texts: HashSet<&str> = rows.iter().filter_map(|row| row.split(';').next()).collect();
    assert_eq!(texts.len(), rows.len(), "{id}: each position once");

    // The same bytes on one thread and on two, whole or in parts, at once or page by page.
    assert!(run(&solved, &find, 1).unwrap().0 == rows);
    let parts = (1..=5).flat_map(|part| run(&solved, &Find { part: Some((part, 5)), ..find.clone() }, 2).unwrap().0);
    assert!(parts.collect::<Vec<_>>() == rows, "{id}: the parts are the whole");
    let condition = Find { condition: "moves > 2 AND NOT only_move".into(), ..find.clone() };
    let whole = run(&solved, &condition, 2).unwrap().0;
    let step = (whole.len() as u64 / 7).max(1);
    let (mut pages, mut after) = (Vec::new(), None);
    loop {
        let (page, report) = run(&solved, &Find { limit: Some(step), after, ..condition.clone() }, 2).unwrap();
        pages.extend(page);
        after = report.next;
        if after.is_none() {
            break;
        }
    }
    assert!(pages == whole, "{id}: the pages are the whole");

    // What the census counts is what is found.
    for bar in solved.stats().unwrap().histogram {
        for (value, positions) in [("win", bar.wins), ("loss", bar.losses)] {
            let condition = format!("value = '{value}' AND distance = {}", bar.distance);
            assert_eq!(count(&solved, &condition), positions, "{id}: {condition}, by the census");
            assert_eq!(run(&solved, &query(&condition), 2).unwrap().0.len() as u64, positions, "{id}: {condition}");
            assert_eq!(
                count(&solved, &format!("{condition} AND moves >= 0")),
                positions,
                "{id}: {condition}, by moves"
            );
        }
    }
}

#[test]
fn every_column_of_every_position_of_tic_tac_toe() {
    let game = TicTacToe;
    let (mut seen, mut all) = (HashSet::new(), vec![game.initial()]);
    let mut next = 0;
    while let Some(&position) = all.get(next) {
        next += 1;
        if game.ended(position).is_none() {
            game.moves(position, &mut |_, child| {
                let child = game.canonical(child);
                if seen.insert(game.pack(child)) {
                    all.push(child);
                }
            });
        }
    }
    let solver = kanzen_solve::RulesOnly::new(catalogue::find("tictactoe").unwrap().forecast());
    every_column("tictactoe", &game, &solver, all);
}

#[test]
fn every_column_of_every_position_of_nocca() {
    let game = Nocca::new(3, 3).unwrap();
    let (mut seen, mut all) = (HashSet::new(), Vec::new());
    game.roots(&mut |board| {
        let board = game.canonical(board);
        if game.counted(board) && seen.insert(game.pack(board).wide()) {
            all.push(board);
        }
    });
    every_column("nocca-3x3", &game, &Sweeps, all);
}

#[test]
fn every_column_of_every_position_of_five_mens_morris() {
    let game = Morris::new(5).unwrap();
    let (mut seen, mut all) = (HashSet::new(), Vec::new());
    let men = |board: u32| Men { board, hand: 0 };
    for own in (0..=game.board().all()).filter(|own| (3..=5).contains(&own.count_ones())) {
        let free = game.board().all() & !own;
        let mut other = free;
        while other != 0 {
            if (3..=5).contains(&other.count_ones()) {
                let position =
                    game.canonical(Position { to_move: Colour::White, mover: men(own), opponent: men(other) });
                if seen.insert(game.pack(position)) {
                    all.push(position);
                }
            }
            other = (other - 1) & free;
        }
    }
    every_column("morris-5", &game, &MorrisSolver::WHOLE, all);
}

#[test]
fn counts_are_those_of_the_census_in_every_class() {
    let data = tempfile::tempdir().unwrap();
    for id in ["tictactoe", "stones-21", "nocca-3x2", "nocca-4x2", "morris-3", "othello-4x4"] {
        let solved = solved(id, data.path());
        let stats = solved.stats().unwrap();
        for (value, positions) in [("win", stats.wins), ("loss", stats.losses), ("draw", stats.draws)] {
            let condition = format!("value = '{value}'");
            assert_eq!(count(&solved, &condition), positions, "{id}: {condition}");
            let rows = run(&solved, &query(&condition), 2).unwrap().0;
            assert_eq!(rows.len() as u64, positions, "{id}: {condition}");
        }
        for class in stats.classes {
            let fields: Vec<String> = class.class.iter().map(|(name, number)| format!("{name} = {number}")).collect();
            let condition = fields.join(" AND ");
            let positions = class.wins + class.losses + class.draws;
            assert_eq!(count(&solved, &condition), positions, "{id}: {condition}");
            assert_eq!(run(&solved, &query(&condition), 2).unwrap().0.len() as u64, positions, "{id}: {condition}");
        }
    }
}

#[test]
fn scores_are_searched_like_distances() {
    let data = tempfile::tempdir().unwrap();
    let solved = solved("othello-4x4", data.path());
    let all = run(&solved, &Find { columns: Some("score, value".into()), ..query("") }, 2).unwrap().0;
    let scores: Vec<i64> = all.iter().map(|row| row.split(';').next().unwrap().parse().unwrap()).collect();
    assert_eq!(count(&solved, "score = -10"), scores.iter().filter(|score| **score == -10).count() as u64);
    assert_eq!(count(&solved, "score > 0"), count(&solved, "value = 'win'"));
    assert!(count(&solved, "score > 0") > 0 && count(&solved, "moves('pass') = 1") > 0);
    let first = Find { order: Some("-score".into()), limit: Some(3), columns: Some("score".into()), ..query("") };
    let mut best = scores.clone();
    best.sort_unstable_by_key(|score| -score);
    let expected: Vec<String> = best.iter().take(3).map(i64::to_string).collect();
    assert_eq!(run(&solved, &first, 2).unwrap().0, expected);
}

#[test]
fn a_sample_is_the_same_for_a_seed_and_uniform() {
    let data = tempfile::tempdir().unwrap();
    let solved = solved("nocca-3x3", data.path());
    let sample = |seed: u64, count: u64| {
        let find = Find { sample: Some((count, seed)), ..query("value = 'win'") };
        run(&solved, &find, 2).unwrap()
    };
    assert_eq!(sample(7, 1000), sample(7, 1000));
    assert_ne!(sample(7, 1000).0, sample(8, 1000).0);
    assert_eq!(sample(7, 1000).1.sampled, Some(1000));
    let stats = solved.stats().unwrap();
    let share = |part: u64, whole: u64| part as f64 / whole as f64;
    let found = share(sample(3, 4000).1.count, 4000);
    assert!((found - share(stats.wins, stats.positions)).abs() < 0.03, "{found}");
    // More than there are are all there are, each once.
    let all = sample(1, 1 << 40);
    assert_eq!((all.1.count, all.1.sampled), (stats.wins, Some(stats.positions)));
    let distinct: HashSet<&String> = all.0.iter().collect();
    assert_eq!(distinct.len() as u64, stats.wins);
}

#[test]
fn an_interrupted_search_returns_complete_rows() {
    let data = tempfile::tempdir().unwrap();
    let solved = solved("nocca-3x3", data.path());
    let stop = StopFlag::default();
    stop.raise();
    let (mut heading, mut row) = (|_: &[(String, Kind)]| Ok(()), |_: Row| Ok(()));
    let mut rows = Rows { heading: &mut heading, row: &mut row };
    let report = solved.find(&query("moves > 1"), &BUDGET, &stop, &mut rows).unwrap();
    assert!(report.stopped && !report.complete);
}

#[test]
fn queries_without_an_answer_are_refused_with_a_reason() {
    let data = tempfile::tempdir().unwrap();
    let searched = solved("othello-4x5", data.path());
    for find in [query("value = 'win'"), Find { count: true, ..query("value = 'win'") }] {
        let refused = run(&searched, &find, 1).unwrap_err().to_string();
        assert!(refused.starts_with("othello-4x5 is solved by search"), "{refused}");
    }
    let solved = solved("tictactoe", data.path());
    let refused = run(&solved, &query("zugzwang"), 1).unwrap_err().to_string();
    assert_eq!(refused, "tictactoe does not define passing, at character 1: [here]zugzwang");
    let refused = run(&solved, &Find { part: Some((5, 4)), ..query("moves = 1") }, 1).unwrap_err().to_string();
    assert_eq!(refused, "there is no part 5 of 4");
}

#[test]
fn an_explanation_lists_what_is_read() {
    let data = tempfile::tempdir().unwrap();
    let solved = solved("nocca-4x3", data.path());
    let explain = |find: Find| solved.explain(&find, &BUDGET).unwrap();
    let counted = explain(Find { count: true, ..query("distance > 5") });
    assert_eq!((counted.tier, counted.read), ("census", 0));
    let longest = solved.stats().unwrap().histogram.last().unwrap().distance;
    let rare = explain(query(&format!("distance = {longest}")));
    assert_eq!(rare.tier, "stored");
    assert!(rare.read > 0 && rare.read < rare.stretches, "{rare:?}");
    assert_eq!(explain(query("wins = 1")).tier, "moves");
}

#[test]
fn an_entry_behind_another_catalogue_keeps_every_ability() {
    /// A catalogue of one game that another part of the program holds too.
    struct One(Arc<Entry>);
    impl Catalogue for One {
        fn all(&self) -> Vec<Arc<Entry>> {
            vec![self.0.clone()]
        }
    }
    let shared = One(catalogue::find("othello-8x8").unwrap()).find("othello-8x8").unwrap();
    assert!(shared.unsolved().is_some(), "positions near the end are answered without a database");
    // One process alone: the solver takes part, and leaves a database and a report.
    let data = tempfile::tempdir().unwrap();
    let entry = One(catalogue::find("stones-9").unwrap()).find("stones-9").unwrap();
    let run = Run { budget: BUDGET, checkpoint_every: Duration::MAX, observer: &Silent };
    let report = entry.solve_together(data.path(), &run, &kanzen_core::mesh::Alone).unwrap().unwrap();
    assert_eq!((report.positions, entry.is_solved(data.path())), (10, true));
}
