//! The board of Ostle in the terminal.
//!
//! ```text
//! 5  A  A  A  A  A      A began and B came second, whoever is to move: a position's text is seen by its mover, so
//! 4  .  .  .  .  .      that its digits change places with every ply, and a board that did the same could not be
//! 3  .  .  #  .  .      followed. # is the hole.
//! ```

use kanzen::{Game, drawing};

use super::rules::{Ostle, Position};
use super::text::show_move;

const PLAYERS: [char; 2] = ['A', 'B'];
const HOLE: char = '#';

/// The board so many plies into a game, whose turn it is, and which move is forbidden.
pub fn draw(game: &Ostle, position: Position, ply: u64) -> String {
    let [mover, opponent] = if ply.is_multiple_of(2) { PLAYERS } else { [PLAYERS[1], PLAYERS[0]] };
    let board = position.board;
    let letter = |square: usize| match 1 << square {
        bit if bit & board.mover != 0 => mover,
        bit if bit & board.opponent != 0 => opponent,
        bit if bit & board.pit() != 0 => HOLE,
        _ => '.',
    };
    let mut text = drawing::board(&kanzen::notation::show_rows([5; 5], letter));
    text += &format!("\n\n{mover} to move; {HOLE} is the hole");
    for name in forbidden(game, position) {
        text += &format!("\nforbidden: {name}, which would bring back the board of two plies before");
    }
    text
}

/// The moves that the board allows and the one before it forbids: one at most.
fn forbidden(game: &Ostle, position: Position) -> Vec<String> {
    if game.ended(position).is_some() {
        return Vec::new();
    }
    let mut allowed = Vec::new();
    game.moves(position, &mut |mv, _| allowed.push(mv));
    let mut forbidden = Vec::new();
    game.board_moves(&position.board, |mv, _, _| {
        if !allowed.contains(&mv) {
            forbidden.push(show_move(mv));
        }
    });
    forbidden
}
