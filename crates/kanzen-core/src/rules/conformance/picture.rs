//! Checks a game's view against its texts.

use super::{Fault, fault};
use crate::rules::Board;
use crate::rules::view::{Ground, Turn, View};

/// The view reads and writes the position, knows whose turn it is, and finds each move on the board.
pub fn check<G: Board>(game: &G, view: &View, position: G::Position) -> Result<(), Fault> {
    if matches!(view.ground, Ground::Text | Ground::Pile) {
        return Ok(());
    }
    let content = view.read(&game.show(position)).map_err(|wrong| fault(game, position, wrong))?;
    if view.write(&content) != game.show(position) {
        return Err(fault(game, position, format!("its view writes it as {}", view.write(&content))));
    }
    if view.notation.turn == Turn::Letter && content.turn != game.to_move(position) {
        let what = format!("{} is to move, its view finds {}", game.to_move(position), content.turn);
        return Err(fault(game, position, what));
    }
    if game.ended(position).is_some() {
        return Ok(());
    }
    let turn = view.side(&content.turn);
    let mut texts = Vec::new();
    game.moves(position, &mut |mv, _| texts.push(game.show_move(position, mv)));
    let mut seen = Vec::new();
    for text in &texts {
        match view.clicks(turn, text) {
            Some(steps) if seen.contains(&steps) => {
                return Err(fault(game, position, format!("another move is clicked like {text}")));
            }
            Some(steps) => seen.push(steps),
            // A word such as `pass` becomes a button.
            None if text.chars().all(char::is_alphabetic) => {}
            None => return Err(fault(game, position, format!("its view does not find the move {text}"))),
        }
    }
    Ok(())
}
