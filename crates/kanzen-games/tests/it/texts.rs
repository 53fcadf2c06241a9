//! Fuzzes every text parser of the command and the API with arbitrary and nearly valid texts.
//!
//! No text may cause a panic. An accepted text is a valid position: it has one canonical text, which parses to the same
//! position, and so do the positions after each move.
//!
//! `tests/data/texts.txt` is the corpus: every run tries each text on every game.

use kanzen::Game;
use kanzen_core::rules::AnyGame;
use kanzen_games::dobutsu::Dobutsu;
use kanzen_games::morris::Morris;
use kanzen_games::musashi::Musashi;
use kanzen_games::nocca::Nocca;
use kanzen_games::ostle::{Army, Ko, Ostle};
use kanzen_games::othello::{Othello, Start};
use kanzen_games::stones::Stones;
use kanzen_games::tictactoe::TicTacToe;
use kanzen_games::{catalogue, nocca};
use proptest::prelude::*;

const CORPUS: &str = include_str!("../data/texts.txt");

/// Tries a text: whether it was accepted, or what is wrong with how it was.
fn try_text(game: &dyn AnyGame, text: &str) -> Result<bool, String> {
    let position = match game.read(text) {
        Ok(position) => position,
        Err(wrong) => {
            let message = wrong.to_string();
            let sentence = !message.is_empty() && message.len() < 400 + 8 * text.len();
            return if sentence { Ok(false) } else { Err(format!("refused with {message:?}")) };
        }
    };
    let shown = game.show(position);
    reads_back(game, position, &shown)?;
    let canonical = game.canonical(position);
    if game.canonical(canonical) != canonical {
        return Err(format!("{shown} has a canonical form that is not its own"));
    }
    if game.draw_at(position, 0).is_empty()
        || game.to_move(position).is_empty()
        || game.class_label(game.class(position)).is_empty()
    {
        return Err(format!("{shown} cannot be drawn"));
    }
    let mut children = Vec::new();
    if game.expand(position, &mut children).is_none() {
        for (mv, child) in game.move_texts(position).into_iter().zip(children) {
            reads_back(game, child, &game.show(child)).map_err(|wrong| format!("{shown}: {mv}: {wrong}"))?;
        }
    }
    Ok(true)
}

/// The text of a position some moves from the start.
fn some_text(game: &dyn AnyGame, moves: &[u16]) -> String {
    let mut position = game.initial();
    for &choice in moves {
        let mut children = Vec::new();
        game.expand(position, &mut children);
        match children.len() {
            0 => break,
            count => position = children[usize::from(choice) % count],
        }
    }
    game.show(position)
}

/// A text read back is the same position, packing and unpacking included.
fn reads_back(game: &dyn AnyGame, position: u128, shown: &str) -> Result<(), String> {
    match game.read(shown) {
        Ok(read) if read == position => Ok(()),
        Ok(read) => Err(format!("{shown} is read as {}", game.show(read))),
        Err(refused) => Err(format!("{shown} is shown and refused: {refused}")),
    }
}

/// A member of each family, including the limits of its parameters.
fn games() -> Vec<(&'static str, Box<dyn AnyGame>)> {
    let ostle = |pieces, ko| Box::new(Ostle::new(pieces, ko).unwrap());
    let othello = |rows, columns, start| Box::new(Othello::new(rows, columns, start).unwrap());
    let nocca = |rows, columns| Box::new(nocca::Nocca::new(rows, columns).unwrap()) as Box<Nocca>;
    vec![
        ("tictactoe", Box::new(TicTacToe)),
        ("stones-21", Box::new(Stones::new(21).unwrap())),
        ("dobutsu", Box::new(Dobutsu)),
        ("musashi-25", Box::new(Musashi::new(25).unwrap())),
        ("musashi-31", Box::new(Musashi::new(31).unwrap())),
        ("musashi-33", Box::new(Musashi::new(33).unwrap())),
        ("nocca-3x2", nocca(3, 2)),
        ("nocca-4x3", nocca(4, 3)),
        ("nocca-6x5", nocca(6, 5)),
        ("morris-3", Box::new(Morris::new(3).unwrap())),
        ("morris-5", Box::new(Morris::new(5).unwrap())),
        ("morris-7", Box::new(Morris::new(7).unwrap())),
        ("morris-9", Box::new(Morris::new(9).unwrap())),
        ("morris-12", Box::new(Morris::new(12).unwrap())),
        ("othello-3x3", othello(3, 3, Start::Cross)),
        ("othello-4x4", othello(4, 4, Start::Parallel)),
        ("othello-3x21", othello(3, 21, Start::Cross)),
        ("othello-8x8", othello(8, 8, Start::Cross)),
        ("ostle-8", ostle(8, Ko::Literal)),
        ("ostle", ostle(10, Ko::Literal)),
        ("ostle-symmetric", ostle(10, Ko::Symmetric)),
        ("small ostle", Box::new(Ostle::with_army(Army { least: 1, most: 2 }, 4, Ko::Symmetric).unwrap())),
    ]
}

#[test]
fn every_text_of_the_corpus_is_read_or_refused_by_every_game() {
    let mut accepted = 0;
    for (name, game) in games() {
        for line in CORPUS.lines().filter(|line| !line.starts_with('#')) {
            let text: String = serde_json::from_str(line).unwrap_or_else(|_| line.to_owned());
            accepted +=
                usize::from(try_text(&*game, &text).unwrap_or_else(|wrong| panic!("{name}, {text:?}: {wrong}")));
        }
    }
    assert!(accepted > 40, "the corpus has sound texts too: {accepted}");
}

/// A small change to a text, at a place counted from its start.
#[derive(Clone, Debug)]
enum Edit {
    Put(u16, char),
    Insert(u16, char),
    Remove(u16),
    Swap(u16, u16),
    Repeat(u16, u8),
    Cut(u16),
}

const SIGNS: &str = "XOowb.wWB/ -,0123456789LGECHlgech\u{7f}é完\u{0}\n\t+_xX\u{202e}";

fn edit() -> impl Strategy<Value = Edit> {
    let sign = || prop::sample::select(SIGNS.chars().collect::<Vec<_>>());
    prop_oneof![
        4 => (any::<u16>(), sign()).prop_map(|(at, sign)| Edit::Put(at, sign)),
        2 => (any::<u16>(), sign()).prop_map(|(at, sign)| Edit::Insert(at, sign)),
        2 => any::<u16>().prop_map(Edit::Remove),
        2 => any::<(u16, u16)>().prop_map(|(one, other)| Edit::Swap(one, other)),
        1 => any::<(u16, u8)>().prop_map(|(at, times)| Edit::Repeat(at, times)),
        1 => any::<u16>().prop_map(Edit::Cut),
    ]
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for edit in edits {
        let length = signs.len();
        let within = |at: u16| usize::from(at) % length.max(1);
        match *edit {
            Edit::Insert(at, sign) => signs.insert(within(at), sign),
            _ if length == 0 => {}
            Edit::Put(at, sign) => signs[within(at)] = sign,
            Edit::Remove(at) => drop(signs.remove(within(at))),
            Edit::Swap(one, other) => signs.swap(within(one), within(other)),
            Edit::Repeat(at, times) => {
                let sign = signs[within(at)];
                let place = within(at);
                signs.splice(place..place, std::iter::repeat_n(sign, times.into()));
            }
            Edit::Cut(at) => signs.truncate(within(at)),
        }
    }
    signs.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn texts_that_are_nearly_right_are_read_or_refused(
        moves in prop::collection::vec(any::<u16>(), 0..30),
        edits in prop::collection::vec(edit(), 0..4),
    ) {
        for (name, game) in games() {
            let text = edited(&some_text(&*game, &moves), &edits);
            let tried = try_text(&*game, &text);
            prop_assert!(tried.is_ok(), "{}, {:?}: {}", name, text, tried.unwrap_err());
            prop_assert!(!edits.is_empty() || tried == Ok(true), "{} refuses its own {}", name, text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        for (name, game) in games() {
            let tried = try_text(&*game, &text);
            prop_assert!(tried.is_ok(), "{}, {:?}: {}", name, text, tried.unwrap_err());
        }
    }

    #[test]
    fn any_name_is_a_game_of_that_name_or_none(
        family in prop::sample::select(vec!["", "stones-", "musashi-", "nocca-", "othello-", "morris-", "ostle", "x"]),
        rest in "[-+0-9x]{0,8}(-parallel|-symmetric)?|.{0,12}",
    ) {
        let id = format!("{family}{rest}");
        match catalogue::find(&id) {
            Ok(entry) => {
                prop_assert_eq!(&entry.info().id, &id);
                prop_assert!(entry.moves(None).unwrap().position == entry.initial());
            }
            Err(unknown) => prop_assert!(unknown.kind() == kanzen::ErrorKind::UnknownGame),
        }
    }

    /// A key list may contain any number: unpacking must not panic.
    #[test]
    fn any_number_can_be_unpacked(key in any::<u128>(), shift in 0u32..128) {
        fn unpacked<G: Game>(game: &G, key: u128) {
            use kanzen::Key;
            let position = game.unpack(G::Key::from_wide(key));
            let _ = (game.pack(position), game.class(position), game.canonical(position));
        }
        let key = key >> shift;
        unpacked(&TicTacToe, key);
        unpacked(&Stones::new(21).unwrap(), key);
        unpacked(&Dobutsu, key);
        unpacked(&Othello::new(4, 4, Start::Cross).unwrap(), key);
        unpacked(&Othello::new(8, 8, Start::Cross).unwrap(), key);
    }
}
