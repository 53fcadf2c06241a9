//! Drawing the board in the terminal.

use kanzen::Board as _;

use kanzen::{Game, Notation};

use crate::ostle::{Ko, Ostle};

fn ostle() -> Ostle {
    Ostle::new(10, Ko::Literal).unwrap()
}

#[test]
fn the_drawn_sides_do_not_swap_with_the_mover() {
    let game = ostle();
    let before = game.initial();
    let mut after = None;
    game.moves(before, &mut |mv, next| {
        if game.show_move(before, mv) == "c5-c4" {
            after = Some(next);
        }
    });
    let after = after.unwrap();
    let [first, second] = [game.draw_at(before, 0), game.draw_at(after, 1)];
    assert_eq!(
        first,
        "5  A  A  A  A  A\n4  .  .  .  .  .\n3  .  .  #  .  .\n2  .  .  .  .  .\n1  B  B  B  B  B\n   a  b  c  d  e\n\n\
         A to move; # is the hole"
    );
    assert_eq!(
        second,
        "5  A  A  .  A  A\n4  .  .  A  .  .\n3  .  .  #  .  .\n2  .  .  .  .  .\n1  B  B  B  B  B\n   a  b  c  d  e\n\n\
         B to move; # is the hole"
    );
}

#[test]
fn the_forbidden_move_is_named() {
    let game = ostle();
    let position = game.read("00100-11200-00001-31022-20020/00000-22200-00102-32011-10010").unwrap();
    let mut names = Vec::new();
    game.moves(position, &mut |mv, _| names.push(game.show_move(position, mv)));
    let drawn = game.draw(position);
    let forbidden =
        drawn.lines().find_map(|line| line.strip_prefix("forbidden: ")).unwrap_or_else(|| panic!("{drawn}"));
    let name = forbidden.split(',').next().unwrap();
    assert!(!names.iter().any(|legal| legal == name), "{name} is legal");
    let board = game.read("00100-11200-00001-31022-20020").unwrap();
    let mut free = Vec::new();
    game.moves(board, &mut |mv, _| free.push(game.show_move(board, mv)));
    assert!(free.iter().any(|legal| legal == name), "{name} is not a move at all");
    assert!(!game.draw(board).contains("forbidden"));
}
