//! The boards of morris as people see them, on the page and in the terminal: rings of points, and men in hand.

use kanzen::Colour;
use kanzen::index::points;
use kanzen::view::{Hands, Shape, Side, Tone, View};

use super::{Morris, Position};

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

/// The board drawn with its lines, as wide as the rings are.
pub fn draw(game: &Morris, position: Position) -> String {
    let board = game.board();
    let size = 2 * board.rings as usize + 1;
    let (white, black) = (position.of(Colour::White), position.of(Colour::Black));
    // Two columns and one row for each step between rings.
    let mut rows = vec![vec![' '; 4 * size - 3]; 2 * size - 1];
    let at = |point: u32| {
        let name = board.name(point).into_bytes();
        let (x, y) = (usize::from(name[0] - b'a'), usize::from(name[1] - b'1'));
        (4 * x, 2 * (size - 1 - y))
    };
    for point in 0..board.points {
        for other in points(board.neighbours[point as usize]).filter(|&other| other > point) {
            let ((x, y), (to_x, to_y)) = (at(point), at(other));
            let steps = to_y.abs_diff(y).max(to_x.abs_diff(x) / 2).max(1);
            let line = match (x == to_x, y == to_y, (x < to_x) == (y < to_y)) {
                (true, _, _) => '|',
                (_, true, _) => '-',
                (_, _, true) => '\\',
                _ => '/',
            };
            // Level lines are drawn in each column, the others once in each row.
            let steps = if line == '-' { to_x.abs_diff(x) } else { steps };
            for step in 1..steps {
                let between = |from: usize, to: usize| (from * (steps - step) + to * step) / steps;
                rows[between(y, to_y)][between(x, to_x)] = line;
            }
        }
    }
    for point in 0..board.points {
        let (x, y) = at(point);
        rows[y][x] = match (white.board >> point & 1, black.board >> point & 1) {
            (1, _) => 'w',
            (_, 1) => 'b',
            _ => '.',
        };
    }
    let lines = rows.into_iter().map(|row| row.into_iter().collect::<String>().trim_end().to_owned());
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if position.in_hand() > 0 {
        text += &format!("\n\nin hand: white {}, black {}", white.hand, black.hand);
    }
    text
}
