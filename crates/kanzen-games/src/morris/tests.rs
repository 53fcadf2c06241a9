//! Tests of morris: the rules against published results, the index against its definition, the engine against the
//! rules.

mod board;
mod index;
mod single_class;
mod solve;

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::Board as _;

use kanzen::progress::{Event, Observer, Silent};
use kanzen::{Budget, Colour, Error, Game, Key, Notation, Outcome, Value, conformance};
use kanzen_core::index::{Index, Listed};
use kanzen_core::machine::Codes;
use kanzen_core::{ClassId, Ledger, Slot};
use kanzen_query::{Extent, Opener};
use kanzen_solve::retrograde::{self, Earlier, Graph, Node, RulesGraph, SlotInit};
use kanzen_solve::{Job, Solver, WorkFolder, plane_file};
use kanzen_store::Manifest;

use super::index::position;
use super::*;

#[test]
fn the_rules_are_consistent() {
    for men in Morris::MEN {
        conformance::check(&Morris::new(men).unwrap(), 3_000).unwrap();
    }
}

#[test]
fn three_men_by_rules_alone_equal_the_plain_solver() {
    let game = Morris::new(3).unwrap();
    let budget = Budget::new(2, 1 << 30);
    let index = Listed::list(&game, &Ledger::new(budget), &Silent).unwrap();
    let store = solved(&RulesGraph::new(&game, &index));
    let planes: Vec<Codes> =
        (0..index.classes().len()).map(|class| store.get_plane(&plane_file(class)).unwrap()).collect();
    let value = |position: Position| {
        let canonical = game.canonical(position);
        let class = index.place_of_class(game.class(canonical)).unwrap();
        Value::from_code(planes[class][index.rank(class, game.pack(canonical)).unwrap() as usize]).unwrap()
    };
    for (key, expected) in conformance::reference::solve(&game) {
        assert_eq!(value(game.unpack(Key::from_wide(key))), expected);
    }
    assert_eq!(value(after(&game, 8)).before().outcome(), Outcome::Win);
    let (corners, sides) = ([0, 2, 4, 6], [1, 3, 5, 7]);
    let outcomes = [corners, sides].map(|points| points.map(|to| value(after(&game, to)).before().outcome()));
    assert!(outcomes.contains(&[Outcome::Draw; 4]) && outcomes.contains(&[Outcome::Loss; 4]), "{outcomes:?}");
}

fn after(game: &Morris, to: u32) -> Position {
    let mut after = None;
    game.moves(game.initial(), &mut |play, child| {
        if play.to == to {
            after = Some(child);
        }
    });
    after.unwrap()
}

#[test]
fn wrong_positions_are_refused_with_a_reason() {
    let game = Morris::new(9).unwrap();
    let empty = "......../......../........";
    for (text, reason) in [
        ("", "expected the rings joined by '/', w or b to move, and pieces in hand such as 9-9"),
        (&format!("{empty} w"), "expected the rings joined by '/', w or b to move, and pieces in hand such as 9-9"),
        (&format!("{empty} x 9-9"), "expected w or b to move, found \"x\""),
        (&format!("{empty} w 9"), "expected pieces in hand such as 9-9, white's first"),
        (&format!("{empty} w 09-9"), "expected pieces in hand such as 9-9, white's first"),
        (&format!("{empty} w 10-10"), "white has 0 men on the board and 10 in hand, of 9"),
        (&format!("{empty} b 9-9"), "9-9 in hand with b to move: white places first, then each in turn"),
        (&format!("{empty} w 8-9"), "8-9 in hand with w to move: white places first, then each in turn"),
        (&format!("{empty} w 2-2"), "both sides have fewer than three men: only one can have lost"),
        ("......../........ w 9-9", "expected 3 rings, found 2"),
        ("......../......./........ w 9-9", "ring 2 has 7 points, expected 8"),
        ("......../..x...../........ w 9-9", "unknown letter 'x' at f6 (ring 2)"),
        ("wwwwwwww/ww....../........ w 0-0", "white has 10 men on the board and 0 in hand, of 9"),
        ("......../bb....../........ w 8-8", "black has 2 men on the board and 8 in hand, of 9"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason, "{text}");
    }
}

#[test]
fn positions_and_moves_are_written_as_documented() {
    let game = Morris::new(9).unwrap();
    assert_eq!(game.show(game.initial()), "......../......../........ w 9-9");
    let texts = |position: &str| {
        let position = game.read(position).unwrap();
        let mut texts = Vec::new();
        game.moves(position, &mut |play, _| texts.push(game.show_move(position, play)));
        texts
    };
    assert_eq!(texts("ww....../b......./........ w 7-7")[0], "g7xb6");
    assert_eq!(texts("ww.w..../bbb...b./........ w 0-0")[0], "a7-g7", "three men fly");
    assert!(texts("ww.w..../bbb...b./........ w 0-0").contains(&"g4-g7xb2".to_owned()), "not out of the mill");
    assert!(!texts("ww.w..../bbb...b./........ w 0-0").contains(&"g4-g7xb6".to_owned()));
    assert!(texts("ww.w..../bbb...../........ w 0-0").contains(&"g4-g7xb6".to_owned()), "all are in mills");
    assert_eq!(Morris::new(3).unwrap().show(Morris::new(3).unwrap().initial()), "......../. w 3-3");
    assert_eq!(Morris::new(7).unwrap().show(Morris::new(7).unwrap().initial()), "......../......../. w 7-7");
}

#[test]
fn the_board_is_drawn_with_its_lines_and_coordinates() {
    let game = Morris::new(3).unwrap();
    let drawn = game.draw(game.read("w.b.w.../b w 1-1").unwrap());
    let expected = "\
3  w---.---b
   | \\ | / |
2  .---b---.
   | / | \\ |
1  .---.---w
   a   b   c

in hand: white 1, black 1";
    assert_eq!(drawn, expected, "{drawn}");
}

/// Every point is drawn where its column and its row cross.
#[test]
fn a_point_is_where_its_name_places_it() {
    for men in Morris::MEN {
        let game = Morris::new(men).unwrap();
        for point in 0..game.board().points {
            let own = Men { board: 1 << point, hand: men - 1 };
            let other = Men { board: 0, hand: men };
            let drawn = game.draw(Position { to_move: Colour::Black, mover: other, opponent: own });
            let rows: Vec<&str> = drawn.lines().collect();
            let row = rows.iter().find(|row| row.contains('w')).unwrap();
            let column = row.find('w').unwrap();
            let letters = rows.iter().find(|row| row.starts_with("   a")).unwrap();
            let name = format!("{}{}", &letters[column..=column], row.split(' ').next().unwrap());
            assert_eq!(name, game.board().name(point), "{drawn}");
        }
    }
}

/// The same graph by the rules alone: children expanded one by one, parents stored.
struct ByRules<'a>(MorrisGraph<'a>);

impl Graph for ByRules<'_> {
    fn classes(&self) -> usize {
        self.0.classes()
    }
    fn name(&self, class: usize) -> String {
        self.0.name(class)
    }
    fn slots(&self, class: usize) -> u64 {
        self.0.slots(class)
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        (0..class).collect()
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        self.0.expand(class, slot, earlier, node);
    }
    fn parents(&self, _: usize, _: u64, _: &mut Vec<u64>) -> bool {
        false
    }
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.0.endless(class, slot)
    }
}

fn solved(graph: &impl Graph) -> WorkFolder {
    let store = WorkFolder::in_memory();
    retrograde::solve(graph, &Job::new(&store, Budget::new(2, 4 << 30), &Silent).unwrap()).unwrap();
    store
}

fn same(graph: &MorrisGraph<'_>, one: &WorkFolder, other: &WorkFolder, classes: impl Iterator<Item = usize>) {
    for class in classes {
        let [one, other] = [one, other].map(|store| store.get_plane(&plane_file(class)).unwrap());
        let differing = (0..graph.slots(class) as usize).find(|&slot| one[slot] != other[slot]);
        assert_eq!(differing, None, "class {}", graph.name(class));
    }
}

#[test]
fn the_hot_loops_agree_with_the_rules() {
    for men in [3, 5] {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        let graph = MorrisGraph::new(&index);
        let fast = solved(&graph);
        same(&graph, &fast, &solved(&ByRules(MorrisGraph::new(&index))), 0..graph.classes());
        same(&graph, &fast, &solved(&MorrisGraph::new(&index).portable()), 0..graph.classes());
    }
}

/// The first classes of a game only.
struct First<G>(G, usize);

impl<G: Graph> Graph for First<G> {
    fn classes(&self) -> usize {
        self.1
    }
    fn name(&self, class: usize) -> String {
        self.0.name(class)
    }
    fn slots(&self, class: usize) -> u64 {
        self.0.slots(class)
    }
    fn needs(&self, class: usize) -> Vec<usize> {
        self.0.needs(class)
    }
    fn expand(&self, class: usize, slot: u64, earlier: &Earlier, node: &mut Node) {
        self.0.expand(class, slot, earlier, node);
    }
    fn parents(&self, class: usize, slot: u64, parents: &mut Vec<u64>) -> bool {
        self.0.parents(class, slot, parents)
    }
    fn endless(&self, class: usize, slot: u64) -> Value {
        self.0.endless(class, slot)
    }
    fn init_slots(&self, class: usize, slots: Range<u64>, earlier: &Earlier, inits: &mut Vec<SlotInit>) -> bool {
        self.0.init_slots(class, slots, earlier, inits)
    }
}

fn combinations(points: u32, chosen: u32) -> impl Iterator<Item = u32> {
    kanzen_core::index::Combinations::new(points, chosen).iter().map(|mask| mask as u32)
}

#[test]
fn three_against_three_of_nine_men_has_the_published_shares() {
    let game = Morris::new(9).unwrap();
    let index = MorrisIndex::new(&game);
    let graph = First(MorrisGraph::new(&index), 1);
    let store = solved(&graph);
    // Mirror images are counted apart, as in the published shares.
    let plane = store.get_plane(&plane_file(0)).unwrap();
    let mut outcomes = [0u64; 3];
    for mover in combinations(24, 3) {
        for opponent in combinations(24, 3).filter(|opponent| mover & opponent == 0) {
            let (_, slot) = index.slot(position(0, mover, opponent)).unwrap();
            outcomes[Value::from_code(plane[slot as usize]).unwrap().outcome() as usize] += 1;
        }
    }
    let all: u64 = outcomes.iter().sum();
    let per_mille = outcomes.map(|part| (1000.0 * part as f64 / all as f64).round());
    assert_eq!((all, per_mille), (2024 * 1330, [169.0, 2.0, 829.0]));
    assert_eq!(store.tally(&plane_file(0)).unwrap().longest().map(|(plies, _)| plies), Some(26));
    // Flying, and all 48 symmetries, against the rules.
    let by_rules = First(ByRules(MorrisGraph::new(&index)), 1);
    same(&graph.0, &store, &solved(&by_rules), 0..1);
}

#[test]
fn slots_lead_to_positions_and_back() {
    for men in Morris::MEN {
        let game = Morris::new(men).unwrap();
        let index = MorrisIndex::new(&game);
        // The same by tables.
        let quick = MorrisIndex::new(&game);
        if men < 11 {
            quick.tables();
        }
        let (mut positions, mut holes) = (0, 0);
        for (class, entry) in index.classes().iter().enumerate() {
            for slot in (0..40).map(|part| part * (entry.slots / 40) + part * 7919 % (entry.slots / 40 + 1)) {
                let slot = slot.min(entry.slots - 1);
                let position = index.position(&game, ClassId::from(class), Slot(slot)).unwrap();
                assert_eq!(quick.position(&game, ClassId::from(class), Slot(slot)).unwrap(), position);
                let Some(position) = position else {
                    holes += 1;
                    continue;
                };
                positions += 1;
                assert_eq!([&index, &quick].map(|index| index.slot(position)), [Some((class, slot)); 2]);
            }
            let past = index.position(&game, ClassId::from(class), Slot(entry.slots)).unwrap();
            assert_eq!(past, None);
        }
        assert!(positions > holes && holes > 0, "{men} men: {positions} positions, {holes} holes");
    }
}

#[test]
fn numbered_positions_are_canonical_and_each_has_one_number() {
    let game = Morris::new(3).unwrap();
    let index = MorrisIndex::new(&game);
    let numbered: Vec<Position> =
        (0..index.positions()).map(|number| index.numbered(&game, number).unwrap().unwrap()).collect();
    assert!(numbered.iter().all(|&position| game.canonical(position) == position));
    let different: std::collections::BTreeSet<u64> = numbered.iter().map(|&position| game.pack(position)).collect();
    assert_eq!(different.len(), numbered.len());
    assert_eq!(index.numbered(&game, index.positions()).unwrap(), None);
    let mut roots = std::collections::BTreeSet::new();
    game.roots(&mut |root| _ = roots.insert(game.pack(game.canonical(root))));
    assert_eq!(roots, different);
}

#[test]
fn the_moving_phase_alone_is_the_same_and_needs_no_placing_class() {
    let data = tempfile::tempdir().unwrap();
    let game = Morris::new(5).unwrap();
    let open = |solver: MorrisSolver, id: &str| {
        let work = WorkFolder::open_or_create(data.path(), id, 1).unwrap();
        let solution = solver.solve(&game, &Job::new(&work, Budget::new(2, 4 << 30), &Silent).unwrap()).unwrap();
        let manifest = Manifest::of(&work, solution).unwrap();
        solver.open(&std::sync::Arc::new(game.clone()), work.finish(&manifest).unwrap()).unwrap()
    };
    let [whole, moving] = [open(MorrisSolver::WHOLE, "whole"), open(MorrisSolver::MOVING, "moving")];
    assert_eq!(moving.contents().unwrap().census, whole.contents().unwrap().census);
    assert_eq!(moving.positions(), whole.contents().unwrap().census.total().positions());
    let last = game.read("wwbb.w.w/b...b... b 0-1").unwrap();
    assert_eq!(
        moving.answer(kanzen_core::rules::key(&game, last)).unwrap(),
        whole.answer(kanzen_core::rules::key(&game, last)).unwrap()
    );
    for text in ["......../........ w 5-5", "wwbb...w/b....... b 1-2"] {
        let pending = game.read(text).unwrap();
        match moving.answer(kanzen_core::rules::key(&game, pending)) {
            Err(Error::NotStored { game, position }) => assert_eq!((&*game, &*position), ("moving", text)),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_layout_differs_by_game_and_not_by_stored_classes() {
    let layouts: std::collections::BTreeSet<u64> = Morris::MEN
        .into_iter()
        .map(|men| {
            let game = Morris::new(men).unwrap();
            let layout = MorrisIndex::new(&game).layout(&game).unwrap();
            assert_eq!(MorrisIndex::new(&game).holding(|class| !class.optional).layout(&game).unwrap(), layout);
            layout
        })
        .collect();
    assert_eq!(layouts.len(), Morris::MEN.len());
}
