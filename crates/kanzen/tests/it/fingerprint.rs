//! A fingerprint notices every change of the rules and of the numbering.

use crate::toy::{Board, Skirmish};
use kanzen::conformance::{self, mutations};
use kanzen::{Error, Game};
use kanzen_core::index::{Class, Index, Place};
use kanzen_core::rules::fingerprint;
use kanzen_core::{ClassId, Slot};

fn every_mutation_is_noticed<G: Game>(id: &str, game: &G) -> Vec<String> {
    let own = fingerprint(id, game, 0);
    let mutations = mutations(id, game);
    for (change, other) in &mutations {
        assert_ne!(*other, own, "{id}: not noticed: {change}");
    }
    mutations.into_iter().map(|(change, _)| change).collect()
}

#[test]
fn the_rules_of_the_toy_hold_together() {
    let report = conformance::check(&Skirmish, 100_000).unwrap();
    assert!(report.values_compared && report.ends > 0 && report.stuck > 0 && report.classes.len() > 3, "{report}");
}

#[test]
fn every_changed_rule_gives_another_fingerprint() {
    let changes = every_mutation_is_noticed("skirmish", &Skirmish);
    for expected in [
        "an end with w to move, loss(0), is worth something else",
        "an end with b to move, loss(0), is worth something else",
        "an end with b to move, loss(0), has another score",
        "an end with b to move, loss(0), counts or not",
        "w without a move gets something else",
        "there is no move a0-a0xa0 into another class",
        "there is no move a0-off into another class",
        "a move a0-a0xa0 into another class has another name",
        "no position stands for another",
        "endless play is worth something else",
        "classes come in another order",
        "classes have other labels",
        "another numbering",
    ] {
        assert!(changes.iter().any(|change| change == expected), "never tried: {expected}, only {changes:#?}");
    }
}

#[test]
fn changes_differ_from_each_other_too() {
    let mutations = mutations("skirmish", &Skirmish);
    for (at, (change, one)) in mutations.iter().enumerate() {
        for (other, another) in &mutations[..at] {
            assert_ne!(one, another, "{change} and {other} look the same");
        }
    }
}

/// Databases carry this number: if it changes here, they are all refused.
#[test]
fn a_fingerprint_is_the_same_on_every_machine() {
    assert_eq!(fingerprint("skirmish", &Skirmish, 0), 0x66b859ebd3b0492d);
}

/// Positions with white to move, a class for each number of pieces, in some order.
struct Numbered {
    classes: Vec<Class>,
    boards: Vec<Vec<Board>>,
}

impl Numbered {
    fn new(change: impl Fn(&mut Vec<(String, Vec<Board>)>)) -> Numbered {
        let of_class = |pieces: u32| -> Vec<Board> {
            let boards = (0..1u32 << 20).filter(|key| key & key >> 10 == 0).map(|key| Skirmish.unpack(key));
            let boards = boards.filter(|board| Skirmish.canonical(*board) == *board);
            boards.filter(|board| Skirmish.class(*board) == pieces).collect()
        };
        let mut classes: Vec<(String, Vec<Board>)> = (1..5).map(|n| (format!("class-{n}"), of_class(n))).collect();
        change(&mut classes);
        let names = classes.iter().map(|(name, boards)| Class::new(name.clone(), boards.len() as u64)).collect();
        Numbered { classes: names, boards: classes.into_iter().map(|(_, boards)| boards).collect() }
    }

    fn layout(change: impl Fn(&mut Vec<(String, Vec<Board>)>)) -> u64 {
        Index::<Skirmish>::layout(&Numbered::new(change), &Skirmish).unwrap()
    }
}

impl Index<Skirmish> for Numbered {
    fn classes(&self) -> &[Class] {
        &self.classes
    }

    fn place(&self, game: &Skirmish, board: Board) -> Result<Place, Error> {
        let board = game.canonical(board);
        let slot = |boards: &Vec<Board>| boards.iter().position(|other| *other == board);
        let found = self.boards.iter().enumerate().find_map(|(class, boards)| Some((class, slot(boards)?)));
        Ok(found.map_or(Place::Nowhere, |(class, slot)| Place::At(ClassId::from(class), Slot(slot as u64))))
    }

    fn position(&self, _: &Skirmish, class: ClassId, slot: Slot) -> Result<Option<Board>, Error> {
        Ok(self.boards[class.index()].get(slot.index()).copied())
    }

    fn positions(&self) -> u64 {
        self.classes.iter().map(|class| class.slots).sum()
    }

    fn numbered(&self, _: &Skirmish, number: u64) -> Result<Option<Board>, Error> {
        Ok(self.boards.iter().flatten().nth(number as usize).copied())
    }
}

#[test]
fn every_changed_numbering_gives_another_layout() {
    let own = Numbered::layout(|_| ());
    assert_eq!(own, Numbered::layout(|_| ()));
    let others = [
        ("another name", Numbered::layout(|classes| classes[2].0.push('?'))),
        ("another order of classes", Numbered::layout(|classes| classes.swap(1, 2))),
        ("another order of slots", Numbered::layout(|classes| classes[3].1.reverse())),
        ("a slot less", Numbered::layout(|classes| assert!(classes[3].1.pop().is_some()))),
        ("slots moved by one", Numbered::layout(|classes| classes[3].1.rotate_left(1))),
        ("a class less", Numbered::layout(|classes| classes.truncate(3))),
    ];
    for (change, other) in others {
        assert_ne!(other, own, "not noticed: {change}");
        let prints = [own, other].map(|layout| fingerprint("skirmish", &Skirmish, layout));
        assert_ne!(prints[0], prints[1]);
    }
}
