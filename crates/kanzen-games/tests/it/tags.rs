//! The tags of moves match the terms of each game.

use kanzen::{Game, Notation};
use kanzen_core::rules::{Tag, Tags};
use kanzen_games::dobutsu::Dobutsu;
use kanzen_games::morris::Morris;
use kanzen_games::musashi::Musashi;
use kanzen_games::nocca::Nocca;
use kanzen_games::ostle::{Ko, Ostle};
use kanzen_games::othello::{Othello, Start};

/// The tags of a move, by its text.
fn tags<G: Notation>(game: &G, position: &str, text: &str) -> Tags {
    let position = game.read(position).unwrap();
    let (mut found, mut others) = (None, Vec::new());
    game.moves(position, &mut |mv, child| {
        others.push(game.show_move(position, mv));
        if game.show_move(position, mv) == text {
            found = Some(game.tags(position, mv, child));
        }
    });
    found.unwrap_or_else(|| panic!("no move {text} among {others:?}"))
}

#[test]
fn in_ostle_pieces_are_taken_and_given_and_the_hole_moves() {
    let game = Ostle::new(10, Ko::Literal).unwrap();
    let position = "12002-00000-00310-00000-11122";
    assert_eq!(tags(&game, position, "c3-c4"), Tags::of(&[Tag::Hole]));
    assert_eq!(tags(&game, position, "a5-off-left"), Tags::of(&[Tag::Gives]));
    assert_eq!(tags(&game, position, "d3-c3"), Tags::of(&[Tag::Gives]));
    assert_eq!(tags(&game, position, "c1-d1"), Tags::of(&[Tag::Takes]));
    assert_eq!(tags(&game, position, "a5-b5"), Tags::NONE);
}

#[test]
fn in_morris_mills_take_and_the_last_three_fly() {
    let game = Morris::new(9).unwrap();
    assert_eq!(tags(&game, "ww....../b.b...../........ w 7-7", "g7xb6"), Tags::of(&[Tag::Takes, Tag::Drop, Tag::Mill]));
    let three = "ww..w.../b.b.b.../......b. w 0-0";
    assert_eq!(tags(&game, three, "g1-g7xb6"), Tags::of(&[Tag::Takes, Tag::Mill, Tag::Flies]));
    assert_eq!(tags(&game, three, "g1-g4"), Tags::of(&[Tag::Flies]));
    assert!(!Morris::new(6).unwrap().known_tags().has(Tag::Flies));
    assert!(game.passed(game.initial()).is_none());
}

#[test]
fn in_animal_shogi_animals_are_taken_dropped_and_promoted() {
    let game = Dobutsu;
    assert_eq!(tags(&game, "gle/.c./.C./ELG b -", "b2-b3"), Tags::of(&[Tag::Takes]));
    assert_eq!(tags(&game, "g.l/C../..E/.LG b ce", "a3-a4"), Tags::of(&[Tag::Takes, Tag::Promotes]));
    assert_eq!(tags(&game, "g.l/.../.../ELG b Cec", "C@b3"), Tags::of(&[Tag::Drop]));
}

#[test]
fn pieces_walk_off_the_board_of_nocca_and_black_takes_in_musashi() {
    let nocca = Nocca::new(3, 2).unwrap();
    assert_eq!(tags(&nocca, "w,./.,w/b,b w", "a3-off"), Tags::of(&[Tag::Off]));
    assert_eq!(tags(&nocca, "w,./.,w/b,b w", "a3-b3"), Tags::NONE);
    let musashi = Musashi::new(25).unwrap();
    let position = "ooooo/.o.o./..X../...../..... X";
    let position = musashi.read(position).unwrap();
    let mut takes = Vec::new();
    musashi.moves(position, &mut |mv, child| {
        takes.push((musashi.tags(position, mv, child).has(Tag::Takes), child.brown.count_ones()));
    });
    assert!(takes.iter().all(|&(takes, left)| takes == (left < position.brown.count_ones())));
    assert!(takes.iter().any(|(takes, _)| *takes) && takes.iter().any(|(takes, _)| !takes));
}

#[test]
fn a_forced_pass_is_tagged_in_othello() {
    let game = Othello::new(4, 4, Start::Cross).unwrap();
    assert_eq!(tags(&game, "OXX./..../..../.... O", "d1"), Tags::NONE);
    assert_eq!(tags(&game, "OXX./..../..../.... X", "pass"), Tags::of(&[Tag::Pass]));
}

#[test]
fn passing_leaves_the_board_unchanged() {
    let ostle = Ostle::new(10, Ko::Literal).unwrap();
    let passed = ostle.passed(ostle.read("12002-00000-00310-00000-11122").unwrap()).unwrap();
    assert_eq!(ostle.show(passed), "21001-00000-00320-00000-22211");
    let nocca = Nocca::new(3, 2).unwrap();
    assert_eq!(nocca.show(nocca.passed(nocca.initial()).unwrap()), "b,b/.,./w,w b");
}
