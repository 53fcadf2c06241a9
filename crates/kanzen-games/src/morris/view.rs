//! The boards of morris: rings of points, and men in hand beside them.

use kanzen::view::{Hands, Shape, Side, Tone, View};

use super::rules::Morris;

pub fn view(game: &Morris) -> View {
    let board = game.board();
    let rings = board.rings as usize;
    // The rings' own lines are there; these join them to each other and to the centre.
    let across = |[one, other]: &[usize; 2]| one / 8 != other / 8;
    let lines = (0..board.points as usize).flat_map(|one| {
        let neighbours = board.neighbours[one];
        (one + 1..board.points as usize)
            .filter(move |other| neighbours >> other & 1 == 1)
            .map(move |other| [one, other])
    });
    View::rings(rings, board.points % 8 == 1, lines.filter(across))
        .named(|point| board.name(point as u32))
        .hands(Hands::Counts)
        .sides(Side::new("w", "White", "白", Tone::Light), Side::new("b", "Black", "黒", Tone::Dark))
        .piece('w', Some(0), Shape::Disc)
        .piece('b', Some(1), Shape::Disc)
        .japanese(
            format!("{}メンズ・モリス", game.men()),
            "交互に駒を置き、置き終えたら線に沿って動かす。三つ並べるとミルとなり、相手の駒を一つ取る。相手の駒が\
             二つになるか、動けなくなれば勝ち。",
        )
}
