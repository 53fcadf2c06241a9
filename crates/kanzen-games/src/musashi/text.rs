//! Positions and squares as text.
//!
//! ```text
//! ooooo./o...o../o.X.o../o...o../ooooo. o      rows from the top, only points that exist; then the side to move
//! a1, c3                                       columns a, b, c from the left, rows 1, 2, 3 from the bottom
//! ```

use kanzen::BadPosition;

use super::board::Board;
use super::rules::Position;

/// The points row by row from the top, from left to right.
pub fn rows(board: &Board) -> Vec<Vec<u8>> {
    let mut points: Vec<u8> = (0..board.points() as u8).collect();
    points.sort_by_key(|&point| (board.xy(point).1, board.xy(point).0));
    points.chunk_by(|&p, &q| board.xy(p).1 == board.xy(q).1).map(<[u8]>::to_vec).collect()
}

/// A point as people name it.
pub fn square(board: &Board, point: u8) -> String {
    let (x, y) = board.xy(point);
    let bottom = (0..board.points() as u8).map(|point| board.xy(point).1).max().unwrap_or(y);
    format!("{}{}", char::from(b'a' + x), bottom - y + 1)
}

pub fn show(board: &Board, position: Position) -> String {
    let letter = |&point: &u8| match () {
        () if point == position.black => 'X',
        () if position.brown >> point & 1 == 1 => 'o',
        () => '.',
    };
    let rows: Vec<String> = rows(board).iter().map(|row| row.iter().map(letter).collect()).collect();
    format!("{} {}", rows.join("/"), if position.brown_to_move { 'o' } else { 'X' })
}

pub fn read(board: &Board, text: &str) -> Result<Position, BadPosition> {
    let (lines, side) = text
        .split_once(' ')
        .ok_or_else(|| BadPosition::new("expected rows joined by '/', a space and o or X to move"))?;
    let brown_to_move = match side {
        "o" => true,
        "X" => false,
        other => return Err(BadPosition::new(format!("expected o or X to move, found {other:?}"))),
    };
    let (rows, lines): (_, Vec<&str>) = (rows(board), lines.split('/').collect());
    if lines.len() != rows.len() {
        return Err(BadPosition::new(format!("expected {} rows, found {}", rows.len(), lines.len())));
    }
    let (mut black, mut brown) = (None, 0);
    for (number, (row, line)) in rows.iter().zip(lines).enumerate() {
        let found = line.chars().count();
        if found != row.len() {
            return Err(BadPosition::new(format!("row {} has {found} points, expected {}", number + 1, row.len())));
        }
        for (&point, letter) in row.iter().zip(line.chars()) {
            let at = || format!("{} (row {})", square(board, point), number + 1);
            match letter {
                '.' => {}
                'o' => brown |= 1 << point,
                'X' if black.is_none() => black = Some(point),
                'X' => return Err(BadPosition::new(format!("a second black piece at {}, expected one", at()))),
                other => return Err(BadPosition::new(format!("unknown letter {other:?} at {}", at()))),
            }
        }
    }
    let black = black.ok_or_else(|| BadPosition::new("no black piece, expected one X"))?;
    Ok(Position { black, brown, brown_to_move })
}
