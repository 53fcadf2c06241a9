use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use kanzen::catalogue::{Run, Solver};
use kanzen::index::Listed;
use kanzen::progress::{Event, Observer, Silent};
use kanzen::query::Extent;
use kanzen::solve::{Earlier, Graph, MemoryStore, Node, Retrograde, RulesGraph, SlotInit};
use kanzen::store::WorkFolder;
use kanzen::{Budget, Error, Game, Key, Outcome, Value, conformance};

use super::*;

#[test]
fn the_rules_hold_together() {
    for men in Morris::MEN {
        conformance::check(&Morris::new(men).unwrap(), 3_000).unwrap();
    }
}

#[test]
fn three_men_by_rules_alone_equal_the_plain_solver() {
    let game = Morris::new(3).unwrap();
    let budget = Budget::new(2, 1 << 30);
    let index = Listed::list(&game, &budget, &Silent).unwrap();
    let mut shelf = MemoryStore::default();
    Retrograde::new(budget).solve(&RulesGraph::new(&game, &index), &mut shelf, &Silent).unwrap();
    let value = |position: Position| {
        let canonical = game.canonical(position);
        let class = index.place_of_class(game.class(canonical)).unwrap();
        shelf.value(class, index.rank(class, game.pack(canonical)).unwrap())
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
        ("......../........ w 9-9", "expected 3 rings joined by '/', found 2"),
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
fn counting_agrees_with_listing() {
    for men in [3, 5] {
        let game = Morris::new(men).unwrap();
        assert_eq!(Placements::new(&game).pseudo_reachable(), super::count::listed(&game));
    }
}

#[test]
fn the_printed_tables_up_to_nine_men_and_their_slips() {
    let mut slips = Vec::new();
    for (men, total) in [(3, 183), (5, 470_793), (6, 1_107_656), (7, 9_043_341), (9, 7_673_755_215)] {
        let game = Morris::new(men).unwrap();
        let counted = Placements::new(&game);
        let cells = counted.pseudo_reachable();
        assert_eq!(cells.values().sum::<u64>(), total);
        assert_eq!(printed(men).iter().filter(|cell| cell.pair.is_some()).count(), cells.len());
        slips.extend(
            differences(&game, &cells, &counted.all())
                .into_iter()
                .map(|slip| (slip.table, slip.cell, slip.printed, slip.computed, slip.why)),
        );
    }
    let slip =
        |table, cell: &str, printed, computed, why: &str| (table, cell.to_owned(), printed, computed, why.to_owned());
    assert_eq!(
        slips,
        [
            slip(6, "5-3", 89_218, 90_540, "the number of cell 5-3 of table 5"),
            slip(
                7,
                "3-3",
                30_494,
                31_360,
                "no count up to symmetry: all placements divided by the symmetries are 30940 already"
            ),
            slip(7, "total", 9_042_475, 9_043_341, "the sum of the printed cells, with the one that differs"),
            slip(8, "8-6", 73_588_174, 735_881_740, "a digit lost or added in print or in reading"),
        ]
    );
}

#[test]
fn the_first_numbering_has_the_known_sizes() {
    for (men, universe) in [(3, 1_680), (5, 8_204_196), (6, 19_207_188), (7, 79_605_084)] {
        assert_eq!(Placements::new(&Morris::new(men).unwrap()).universe(), universe);
    }
}

#[test]
fn the_board_is_drawn_with_its_lines() {
    let game = Morris::new(3).unwrap();
    let drawn = game.draw(game.read("w.b.w.../b w 1-1").unwrap());
    assert_eq!(
        drawn, "w---.---b\n| \\ | / |\n.---b---.\n| / | \\ |\n.---.---w\n\nin hand: white 1, black 1",
        "{drawn}"
    );
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

fn solved(graph: &impl Graph) -> MemoryStore {
    let mut shelf = MemoryStore::default();
    Retrograde::new(Budget::new(2, 4 << 30)).solve(graph, &mut shelf, &Silent).unwrap();
    shelf
}

fn same(graph: &MorrisGraph<'_>, one: &MemoryStore, other: &MemoryStore, classes: impl Iterator<Item = usize>) {
    for class in classes {
        let differing = (0..graph.slots(class)).find(|&slot| one.value(class, slot) != other.value(class, slot));
        assert_eq!(differing, None, "class {}", graph.name(class));
    }
}

#[test]
fn the_hot_loops_agree_with_the_rules() {
    for men in [3, 5] {
        let game = Morris::new(men).unwrap();
        let graph = MorrisGraph::new(&game);
        let fast = solved(&graph);
        same(&graph, &fast, &solved(&ByRules(MorrisGraph::new(&game))), 0..graph.classes());
        same(&graph, &fast, &solved(&MorrisGraph::new(&game).portable()), 0..graph.classes());
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
    fn look(&self, class: usize, slots: Range<u64>, earlier: &Earlier, sights: &mut Vec<SlotInit>) -> bool {
        self.0.look(class, slots, earlier, sights)
    }
}

fn combinations(points: u32, chosen: u32) -> impl Iterator<Item = u32> {
    kanzen::index::Combinations::new(points, chosen).iter().map(|mask| mask as u32)
}

#[test]
fn three_against_three_of_nine_men_has_the_published_shares() {
    let game = Morris::new(9).unwrap();
    let graph = First(MorrisGraph::new(&game), 1);
    let shelf = solved(&graph);
    let tally = shelf.tally(0);
    let positions = Placements::new(&Morris::new(9).unwrap()).all()[&(3, 3)];
    assert_eq!(positions, 56_922);
    // Mirror images apart, as the shares were published.
    let mut outcomes = [0u64; 3];
    for mover in combinations(24, 3) {
        for opponent in combinations(24, 3).filter(|opponent| mover & opponent == 0) {
            let (class, slot) = graph.0.slot(graph::position(0, mover, opponent)).unwrap();
            outcomes[shelf.value(class, slot).outcome() as usize] += 1;
        }
    }
    let all: u64 = outcomes.iter().sum();
    let per_mille = outcomes.map(|part| (1000.0 * part as f64 / all as f64).round());
    assert_eq!((all, per_mille), (2024 * 1330, [169.0, 2.0, 829.0]));
    assert_eq!(tally.longest().map(|(plies, _)| plies), Some(26));
    // Flying, and all 48 symmetries, against the rules.
    let by_rules = First(ByRules(MorrisGraph::new(&game)), 1);
    same(&graph.0, &shelf, &solved(&by_rules), 0..1);
}

#[test]
fn both_zdds_are_as_large_as_printed_and_inverse() {
    let budget = Budget::new(1, 1 << 30);
    for (men, total) in [(3, 183), (5, 470_793), (6, 1_107_656)] {
        let game = Morris::new(men).unwrap();
        let hash = PlacementHash::new(&game, &budget, &Silent).unwrap();
        assert_eq!(hash.first().len(), Placements::new(&game).universe());
        assert_eq!(hash.second().len(), total);
        if men != 3 {
            assert_eq!(Some(hash.second().nodes()), printed_second_nodes(men));
        }
        for number in (0..total).step_by(if men == 6 { 13 } else { 1 }) {
            let (white, black) = hash.unrank(number).unwrap();
            assert_eq!(hash.rank(white, black), Some(number));
        }
        assert_eq!(hash.unrank(total), None);
    }
}

#[test]
fn a_database_answers_every_position_and_is_proven_in_full() {
    let data = tempfile::tempdir().unwrap();
    let budget = Budget::new(2, 4 << 30);
    for (id, outcome) in [("morris-3", Outcome::Win), ("morris-5", Outcome::Draw)] {
        let entry = crate::catalogue::find(id).unwrap();
        let run = Run { budget, checkpoint_every: Duration::ZERO, observer: &Silent };
        let report = entry.solve(data.path(), &run).unwrap();
        assert_eq!((report.initial.value, Some(report.positions)), (outcome, entry.info().positions));
        let solved = entry.open(data.path()).unwrap();
        let verified = solved.verify(Extent::Full, &budget, &Silent).unwrap();
        assert_eq!(verified.mismatches, 0, "{:?}", verified.examples);
        assert!(verified.checked > report.positions, "placing positions are checked too");
    }
}

#[test]
fn the_moving_phase_alone_is_the_same_and_asks_for_no_more() {
    let data = tempfile::tempdir().unwrap();
    let game = Morris::new(5).unwrap();
    let run = Run { budget: Budget::new(2, 4 << 30), checkpoint_every: Duration::ZERO, observer: &Silent };
    let open = |method: MorrisMethod, id: &str| {
        let work = WorkFolder::open_or_create(data.path(), id, 1).unwrap();
        let manifest = method.solve(&game, &work, &run).unwrap();
        method.open(&game, work.finish(&manifest).unwrap()).unwrap()
    };
    let [whole, moving] = [open(MorrisMethod::WHOLE, "whole"), open(MorrisMethod::MOVING, "moving")];
    assert_eq!(moving.census().unwrap(), whole.census().unwrap());
    assert_eq!(moving.positions(), whole.census().unwrap().total().positions());
    let last = game.read("wwbb.w.w/b...b... b 0-1").unwrap();
    assert_eq!(moving.answer(&game, last).unwrap(), whole.answer(&game, last).unwrap());
    let refused = moving.answer(&game, game.initial()).unwrap_err();
    assert!(matches!(refused, Error::NotStored { .. }), "{refused}");
}

#[test]
fn a_solve_killed_at_any_checkpoint_ends_with_the_same_bytes() {
    let bytes = |data: &Path| {
        let mut files: Vec<_> =
            std::fs::read_dir(data.join("morris-3")).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files
            .into_iter()
            .map(|file| (file.file_name().unwrap().to_owned(), std::fs::read(file).unwrap()))
            .collect::<Vec<_>>()
    };
    let entry = crate::catalogue::find("morris-3").unwrap();
    let budget = Budget::new(1, 1 << 30);
    let solve = |data: &Path, observer: &dyn Observer| {
        entry.solve(data, &Run { budget, checkpoint_every: Duration::ZERO, observer })
    };
    let whole = tempfile::tempdir().unwrap();
    solve(whole.path(), &Silent).unwrap();
    /// Asks to stop at its second look.
    #[derive(Default)]
    struct Impatient(AtomicU32);
    impl Observer for Impatient {
        fn event(&self, _: Event<'_>) {}
        fn stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) == 1
        }
    }
    let broken = tempfile::tempdir().unwrap();
    let mut stops = 0;
    while solve(broken.path(), &Impatient::default()).is_err() {
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(bytes(broken.path()), bytes(whole.path()));
}
