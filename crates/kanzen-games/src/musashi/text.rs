//! Reads and writes positions and squares as text, and describes the boards for drawings.
//!
//! ```text
//! ooooo./o...o../o.X.o../o...o../ooooo. o      rows from the top, only points that exist; then the side to move
//! a1, c3                                       columns a, b, c from the left, rows 1, 2, 3 from the bottom
//! ```

use kanzen::notation::{read_rows, show_rows, split_side};
use kanzen::view::{Point, Shape, Side, Tone, View};
use kanzen::{BadPosition, notation};

use super::rules::{Board, Position};

/// The description of the notation for users.
pub const NOTATION: &str = "Rows of points from the top joined by '/': o brown, X black, '.' empty; a space, and the side to move. \
    A move is from-to: columns a, b, c from the left, rows 1, 2, 3 from the bottom.";

/// Returns the points row by row from the top, left to right.
pub fn rows(board: &Board) -> Vec<Vec<u8>> {
    let mut points: Vec<u8> = (0..board.points() as u8).collect();
    points.sort_by_key(|&point| (board.xy(point).1, board.xy(point).0));
    points.chunk_by(|&p, &q| board.xy(p).1 == board.xy(q).1).map(<[u8]>::to_vec).collect()
}

/// Returns the name of a point.
pub fn square(board: &Board, point: u8) -> String {
    let (x, y) = board.xy(point);
    let bottom = (0..board.points() as u8).map(|point| board.xy(point).1).max().unwrap_or(y);
    notation::square(x.into(), usize::from(bottom - y) + 1)
}

pub fn show(board: &Board, position: Position) -> String {
    let rows = rows(board);
    let points = rows.concat();
    let letter = |place: usize| match points[place] {
        point if point == position.black => 'X',
        point if position.brown >> point & 1 == 1 => 'o',
        _ => '.',
    };
    let text = show_rows(rows.iter().map(Vec::len), letter);
    format!("{text} {}", if position.brown_to_move { 'o' } else { 'X' })
}

pub fn read(board: &Board, text: &str) -> Result<Position, BadPosition> {
    let (lines, brown_to_move) = split_side(text, [("o", true), ("X", false)])?;
    let rows = rows(board);
    let letters = read_rows(lines, ["row", "points"], rows.iter().map(Vec::len))?;
    let (mut black, mut brown) = (None, 0);
    for (point, (row, letter)) in rows.concat().into_iter().zip(letters) {
        let at = || format!("{} (row {row})", square(board, point));
        match letter {
            '.' => {}
            'o' => brown |= 1 << point,
            'X' if black.is_none() => black = Some(point),
            'X' => return Err(BadPosition::new(format!("a second black piece at {}, expected one", at()))),
            other => return Err(BadPosition::new(format!("unknown letter {other:?} at {}", at()))),
        }
    }
    let black = black.ok_or_else(|| BadPosition::new("no black piece, expected one X"))?;
    Ok(Position { black, brown, brown_to_move })
}

pub fn view(board: &Board) -> View {
    let order: Vec<u8> = rows(board).concat();
    let place = |&point: &u8| {
        let (x, y) = board.xy(point);
        Point { name: square(board, point), x: x.into(), y: y.into() }
    };
    let at = |point: u8| order.iter().position(|&other| other == point).expect("every point is in a row");
    let lines = board.edges().iter().map(|&(one, other)| [at(one), at(other)]);
    View::points(order.iter().map(place).collect(), lines.collect())
        .sides(Side::new("o", "Brown", "茶色", Tone::Brown), Side::new("X", "Black", "黒", Tone::Dark))
        .piece('o', Some(0), Shape::Disc)
        .piece('X', Some(1), Shape::Disc)
        .japanese(
            format!("十六むさし（{}点）", board.points()),
            "茶色の駒16個が先手です。駒は線に沿って隣の空いた点へ動きます。黒が動いた点の両隣に並ぶ茶色の駒の組は\
             取られます。黒が動けなくなれば茶色の勝ち、茶色が動けないか同じ局面が繰り返されれば黒の勝ちです。",
        )
}
