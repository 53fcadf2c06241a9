//! The rules of animal shogi, checked on single positions and against a plain implementation.

use kanzen::{Game, Notation, Value, conformance};

use super::*;

mod plain;

fn board(text: &str) -> Position {
    Dobutsu.read(text).unwrap_or_else(|illegal| panic!("{text}: {illegal}"))
}

/// The moves of a position by name, sorted, each with its child.
fn moves(text: &str) -> Vec<(String, String)> {
    let board = board(text);
    let mut moves = Vec::new();
    Dobutsu.moves(board, &mut |action, next| moves.push((Dobutsu.show_move(board, action), Dobutsu.show(next))));
    moves.sort();
    moves
}

fn names(text: &str) -> Vec<String> {
    moves(text).into_iter().map(|(name, _)| name).collect()
}

/// The targets of the piece on a square.
fn targets(text: &str, from: &str) -> String {
    let names = names(text).into_iter();
    names.filter_map(|name| Some(name.strip_prefix(from)?.strip_prefix('-')?.to_owned())).collect::<Vec<_>>().join(" ")
}

fn after(text: &str, name: &str) -> String {
    let found = moves(text).into_iter().find(|(known, _)| known == name);
    found.unwrap_or_else(|| panic!("{name} is not legal in {text}")).1
}

#[test]
fn the_rules_conform() {
    let report = conformance::check(&Dobutsu, 60_000).unwrap();
    assert!(report.positions >= 60_000 && report.moves > report.positions);
}

/// The chick captures, or the giraffe or the lion steps. Two lion moves mirror each other, but the board does not, so all
/// four children differ.
#[test]
fn the_first_player_has_four_moves() {
    assert_eq!(Dobutsu.show(Dobutsu.initial()), "gle/.c./.C./ELG b -");
    assert_eq!(names("gle/.c./.C./ELG b -"), ["b1-a2", "b1-c2", "b2-b3", "c1-c2"]);
}

#[test]
fn every_animal_has_its_steps() {
    assert_eq!(targets("..l/.../.L./... b GGEECC", "b2"), "a1 a2 a3 b1 b3 c1 c2 c3");
    assert_eq!(targets("L.l/.../.G./... b GEECC", "b2"), "a2 b1 b3 c2");
    assert_eq!(targets("L.l/.../.E./... b GGECC", "b2"), "a1 a3 c1 c3");
    assert_eq!(targets("L.l/.../.C./... b GGEEC", "b2"), "b3");
    assert_eq!(targets("L.l/.../.H./... b GGEEC", "b2"), "a2 a3 b1 b3 c2 c3");
}

#[test]
fn the_second_player_steps_the_other_way() {
    assert_eq!(targets(".../.g./.../l.L w GEECC", "b3"), "a3 b2 b4 c3");
    assert_eq!(targets(".../.c./.../l.L w GGEEC", "b3"), "b2");
    assert_eq!(targets(".../.h./.../l.L w GGEEC", "b3"), "a2 a3 b2 b4 c2 c3");
}

#[test]
fn no_animal_leaves_the_board_or_takes_its_own_side() {
    assert_eq!(targets("..l/.../C../LG. b GEEC", "a1"), "b2");
    assert_eq!(targets("..l/.../C../LG. b GEEC", "b1"), "b2 c1");
    assert_eq!(targets("C.l/.../.../L.. b GGEEC", "a4"), ""); // dropped on the far row, it never moves
}

#[test]
fn a_chick_that_steps_onto_the_far_row_is_a_hen() {
    assert_eq!(after("l../..C/.../L.. b GGEEC", "c3-c4"), "l.H/.../.../L.. w GGEEC");
    assert_eq!(after("l../.../..c/L.. w GGEEC", "c2-c1"), "l../.../.../L.h b GGEEC");
    assert_eq!(after("l../.../..C/L.. b GGEEC", "c2-c3"), "l../..C/.../L.. w GGEEC");
}

#[test]
fn a_captured_animal_changes_sides_and_a_hen_reverts_to_a_chick() {
    assert_eq!(after("l../.../h../L.. b GGEEC", "a1-a2"), "l../.../L../... w GGEECC");
    assert_eq!(after("l../.../g../L.. b GEECC", "a1-a2"), "l../.../L../... w GGEECC");
    assert_eq!(after("l../.../E../L.. w GGECC", "a4-a3"), ".../l../E../L.. b GGECC");
    assert_eq!(after("l../E../.../L.. w GGECC", "a4-a3"), ".../l../.../L.. b GGECCe");
}

/// As in the printed rules, a chick may be dropped in the column of another chick, on the far row, or to end the game.
#[test]
fn an_animal_in_hand_is_dropped_on_any_empty_square() {
    let position = "l../.../.C./..L b Cggee";
    let drops: Vec<String> = names(position).into_iter().filter(|name| name.contains('@')).collect();
    assert_eq!(drops.join(" "), "C@a1 C@a2 C@a3 C@b1 C@b3 C@b4 C@c2 C@c3 C@c4");
    assert_eq!(after(position, "C@b4"), "lC./.../.C./..L w ggee");
    // Two animals of a kind give one drop per square; the opponent's hand does not change.
    let two = "l../.../.../..L b CCggee";
    assert_eq!(names(two).iter().filter(|name| name.contains('@')).count(), 10);
    assert_eq!(after(two, "C@b3"), "l../.C./.../..L w Cggee");
    assert_eq!(after("l../.../.../..L w CCggee", "G@b3"), "l../.g./.../..L b CCgee");
}

#[test]
fn a_lion_that_can_be_captured_is_captured() {
    assert_eq!(moves(".l./.C./.../L.. b GGEEC"), [("b3-b4".to_owned(), ".H./.../.../L.. w GGEEC".to_owned())]);
    let over = board(".H./.../.../L.. w GGEEC");
    assert_eq!(Dobutsu.ended(over), Some(Value::loss(0)));
    assert!(!Dobutsu.counted(over));
    assert!(Dobutsu.counted(Dobutsu.initial()));
}

#[test]
fn a_lion_on_the_far_row_wins_unless_it_can_be_taken() {
    let safe = board("L.e/.../..g/.l. w CCGE");
    let attacked = board("Lg./.../..e/.l. w CCGE");
    for (safe, attacked) in
        [(safe, attacked), (safe.mirrored(), attacked.mirrored()), (safe.turned(), attacked.turned())]
    {
        assert_eq!(Dobutsu.ended(safe), Some(Value::loss(0)));
        assert_eq!(Dobutsu.ended(attacked), None);
    }
    assert_eq!(moves("Lg./.../..e/.l. w CCGE"), [("b4-a4".to_owned(), "g../.../..e/.l. b GECC".to_owned())]);
    // A lion on its first row or in the middle has not arrived.
    assert_eq!(Dobutsu.ended(board("..l/L../.../... w CCGGEE")), None);
}

#[test]
fn mirror_images_and_the_other_players_view_are_one_position() {
    for text in ["gle/.c./.C./ELG b -", "g.e/.cl/.C./ELG b -", "l.H/.../.g./L.. w GEec"] {
        let board = board(text);
        let canonical = Dobutsu.canonical(board);
        assert_eq!(Dobutsu.to_move(canonical), "b");
        for image in [board.mirrored(), board.turned(), board.turned().mirrored()] {
            assert_ne!(image, board, "{text}");
            assert_eq!(Dobutsu.canonical(image), canonical, "{text}");
        }
    }
    assert_ne!(
        Dobutsu.canonical(board("g.l/.../.../L.. b GEECC")),
        Dobutsu.canonical(board(".gl/.../.../L.. b GEECC"))
    );
}

#[test]
fn positions_are_written_as_they_are_read() {
    for text in
        ["gle/.c./.C./ELG b -", "l.H/.../h../L.. w GGEE", "..l/.../.../L.. b GECgec", ".../.../L../... w GGEECC"]
    {
        assert_eq!(Dobutsu.show(board(text)), text);
        assert_eq!(Dobutsu.unpack(Dobutsu.pack(board(text))), board(text));
    }
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    for (text, reason) in [
        (
            "gle/.c./.C./ELG b",
            "expected rows joined by '/', the side to move and the hands, such as gle/.c./.C./ELG b -",
        ),
        ("gle/.c./.C./ELG x -", "expected b or w to move, found \"x\""),
        ("gle/.c./ELG b -", "expected 4 rows, found 3"),
        ("gle/.c./.C./EL b -", "row 4 has 2 squares, expected 3"),
        ("gle/.c./.X./ELG b -", "unknown letter 'X' in row 3"),
        ("gle/.c./.../ELG b -", "1 chicks, expected 2"),
        ("gle/.c./.../ELG b H", "'H' cannot be in a hand"),
        ("gle/.c./.../ELG b ?", "unknown letter '?' in the hands"),
        (".l./.../.../.L. b CCCggee", "more than 2 'C' in a hand"),
        ("g.e/.c./.C./ELG b -", "0 lions 'l', expected 1"),
        ("gle/.L./.C./ELG b c", "2 lions 'L', expected 1"),
    ] {
        assert_eq!(Dobutsu.read(text).unwrap_err().to_string(), reason);
    }
}
