//! The boards of morris as people see them, on the page and in the terminal: rings of points, and men in hand.

use kanzen::view::{Hands, Shape, Side, Tone, View};
use kanzen::{Colour, drawing};

use super::{Morris, Position, text};

pub fn view(game: &Morris) -> View {
    let board = game.board();
    let rings = board.rings as usize;
    let flying = if game.has_flying() { "駒が三つになった側はどこへでも飛べる。" } else { "" };
    // The rings' own lines are there; these join them to each other and to the centre.
    let across = |[one, other]: &[usize; 2]| one / 8 != other / 8;
    let lines = (0..board.points as usize).flat_map(|one| {
        let neighbours = board.by_place(board.neighbours[board.point_at(one as u32) as usize]);
        (one + 1..board.points as usize)
            .filter(move |other| neighbours >> other & 1 == 1)
            .map(move |other| [one, other])
    });
    View::rings(rings, board.points % 8 == 1, lines.filter(across))
        .named(|place| board.name(board.point_at(place as u32)))
        .hands(Hands::Counts)
        .sides(Side::new("w", "White", "白", Tone::Light), Side::new("b", "Black", "黒", Tone::Dark))
        .piece('w', Some(0), Shape::Disc)
        .piece('b', Some(1), Shape::Disc)
        .japanese(
            format!("{}メンズ・モリス", game.men()),
            format!(
                "駒を{}個ずつ交互に置き、置き終えたら線に沿って隣の点へ動かす。{flying}三つ並べるとミルとなり、ミルに入って\
                 いない相手の駒を一つ取る（すべてミルの中ならどれでもよい）。駒が三つより少なくなるか、動けなくなった側の\
                 負け。終わらない場合は引き分け。",
                game.men()
            ),
        )
}

/// The board drawn with its lines and coordinates, and what is in hand.
pub fn draw(game: &Morris, position: Position) -> String {
    let mut text = drawing::points(&view(game), &text::show(game, position));
    if position.in_hand() > 0 {
        let (white, black) = (position.of(Colour::White), position.of(Colour::Black));
        text += &format!("\n\nin hand: white {}, black {}", white.hand, black.hand);
    }
    text
}
