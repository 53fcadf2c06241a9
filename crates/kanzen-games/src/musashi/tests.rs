use kanzen::{Game, conformance};

use super::*;

/// Parts of the smallest board, each closed under the flip: three rows of three and of four, five without two, a cross.
pub fn parts() -> Vec<Musashi> {
    let board = Board::of_points(25).unwrap();
    let within = |keep: &dyn Fn(u8, u8) -> bool| {
        let points: Vec<u8> = (0..25).filter(|&p| keep(board.xy(p).0, board.xy(p).1)).collect();
        Musashi::on(board.part(&points))
    };
    vec![
        within(&|x, y| x < 3 && (1..4).contains(&y)),
        within(&|x, y| (1..4).contains(&y) && x < 4),
        within(&|x, y| (1..4).contains(&y) && (x, y) != (2, 1) && (x, y) != (2, 3)),
        within(&|x, y| x == 2 || y == 2 || (x, y) == (3, 1) || (x, y) == (3, 3)),
    ]
}

#[test]
fn the_rules_hold_together() {
    for points in [25, 31, 33] {
        conformance::check(&Musashi::new(points).unwrap(), 5_000).unwrap();
    }
    for part in parts() {
        conformance::check(&part, 100_000).unwrap();
    }
}

#[test]
fn the_boards_are_drawn_as_published() {
    for (points, initial, symmetries) in [
        (25, "ooooo/o...o/o.X.o/o...o/ooooo o", 8),
        (31, "ooooo./o...o./o.X.o../o...o./ooooo. o", 2),
        (33, "ooooo./o...o../o.X.o../o...o../ooooo. o", 2),
    ] {
        let game = Musashi::new(points).unwrap();
        assert_eq!(game.show(game.initial()), initial);
        assert_eq!(game.board().symmetries().len(), symmetries);
        assert!(game.board().symmetries().contains(game.board().flip()));
        assert_eq!(game.initial().brown.count_ones(), 16);
    }
}

#[test]
fn black_takes_every_pair_at_once() {
    let game = Musashi::new(25).unwrap();
    let position = game.read("..o../.o.o./o.Xo./.o.o./..o.. X").unwrap();
    let mut children = Vec::new();
    game.moves(position, &mut |step, child| children.push((game.show_move(position, step), game.show(child))));
    assert_eq!(
        children,
        [
            ("c3-b3".into(), "..o../...o./oX.o./...o./..o.. o".to_owned()),
            ("c3-c4".into(), "..o../..X../o..o./.o.o./..o.. o".to_owned()),
            ("c3-c2".into(), "..o../.o.o./o..o./..X../..o.. o".to_owned()),
        ]
    );
}

#[test]
fn wrong_boards_are_refused_with_a_reason() {
    let game = Musashi::new(31).unwrap();
    for (text, reason) in [
        ("ooooo./o...o./o.X.o../o...o./ooooo.", "expected rows joined by '/', a space and o or X to move"),
        ("ooooo./o...o./o.X.o../o...o./ooooo. x", "expected o or X to move, found \"x\""),
        ("ooooo./o...o./o.X.o../o...o./ooooo. o ", "expected o or X to move, found \"o \""),
        ("ooooo./o...o./o.X.o../o...o. o", "expected 5 rows, found 4"),
        ("ooooo./o...o./o.X.o../o...o../ooooo. o", "row 4 has 7 points, expected 6"),
        ("ooooo./o...o./o.X.o../o...oX/ooooo. o", "a second black piece at f2 (row 4), expected one"),
        ("ooooo./o...o./o...o../o...o./ooooo. o", "no black piece, expected one X"),
        ("ooooo./o...o./o.X.b../o...o./ooooo. o", "unknown letter 'b' at e3 (row 3)"),
        ("", "expected rows joined by '/', a space and o or X to move"),
    ] {
        assert_eq!(game.read(text).unwrap_err().to_string(), reason, "{text}");
    }
}
