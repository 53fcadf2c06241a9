//! Reads and writes morris positions and moves as text, and draws the board.
//!
//! ```text
//! w....... /b.......   w 8-8     rings from the outermost, clockwise from the top-left corner, joined by '/';
//!                                the side to move; pieces in hand, white's first
//! d2, d2xa1, a1-a4, a1-a4xd7     placing, placing with a piece taken, moving
//! ```

use kanzen::notation::{read_rows, read_side, show_rows};
use kanzen::view::{Hands, Shape, Side, Tone, View};
use kanzen::{BadPosition, Colour, drawing};

use super::rules::{Men, Morris, Play, Position};

/// The description of the notation for users.
pub const NOTATION: &str = "Points ring by ring from the outermost, clockwise from the top left corner, rings joined by '/', a \
    centre last: w white, b black, '.' empty; a space, the side to move, a space, and the men in hand, white's first. A \
    move is the point a man is placed on, or from-to; xPOINT after it takes the man there. Columns are a, b, c from the \
    left, rows 1, 2, 3 from the bottom.";

/// Returns the lengths of the rings, with the centre as a last ring.
fn rings(game: &Morris) -> Vec<usize> {
    let mut rings = vec![8; game.board().rings as usize];
    rings.extend((game.board().points % 8 == 1).then_some(1));
    rings
}

pub fn show(game: &Morris, position: Position) -> String {
    let (white, black) = (position.of(Colour::White), position.of(Colour::Black));
    let [white_at, black_at] = [white, black].map(|men| game.board().by_place(men.board));
    let letter_at = |place: usize| match (white_at >> place & 1, black_at >> place & 1) {
        (1, _) => 'w',
        (_, 1) => 'b',
        _ => '.',
    };
    let board = show_rows(rings(game), letter_at);
    format!("{board} {} {}-{}", position.to_move.letter(), white.hand, black.hand)
}

pub fn read(game: &Morris, text: &str) -> Result<Position, BadPosition> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [board, side, hands] = parts[..] else {
        return Err(BadPosition::new(
            "expected the rings joined by '/', w or b to move, and pieces in hand such as 9-9",
        ));
    };
    let to_move = read_side(side, [("w", Colour::White), ("b", Colour::Black)])?;
    let (white, black) = read_board(game, board)?;
    let hands = hands.split_once('-').and_then(|(white, black)| Some((hand(white)?, hand(black)?)));
    let Some((white_hand, black_hand)) = hands else {
        return Err(BadPosition::new("expected pieces in hand such as 9-9, white's first"));
    };
    let (white, black) = (Men { board: white, hand: white_hand }, Men { board: black, hand: black_hand });
    for (name, men) in [("white", white), ("black", black)] {
        if men.board.count_ones() > game.men() || men.count() > game.men() {
            let (on_board, hand, all) = (men.board.count_ones(), men.hand, game.men());
            return Err(BadPosition::new(format!(
                "{name} has {on_board} men on the board and {hand} in hand, of {all}"
            )));
        }
    }
    let in_turn = match to_move {
        Colour::White => white.hand == black.hand,
        Colour::Black => white.hand + 1 == black.hand || white.hand + black.hand == 0,
    };
    if !in_turn {
        return Err(BadPosition::new(format!(
            "{white_hand}-{black_hand} in hand with {} to move: white places first, then each in turn",
            to_move.letter()
        )));
    }
    if white.count() < 3 && black.count() < 3 {
        return Err(BadPosition::new("both sides have fewer than three men: only one can have lost"));
    }
    let (mover, opponent) = if to_move == Colour::White { (white, black) } else { (black, white) };
    Ok(Position { to_move, mover, opponent })
}

fn read_board(game: &Morris, text: &str) -> Result<(u32, u32), BadPosition> {
    let (mut white, mut black) = (0, 0);
    for (place, (ring, letter)) in (0..).zip(read_rows(text, ["ring", "points"], rings(game))?) {
        let point = game.board().point_at(place);
        match letter {
            'w' => white |= 1 << point,
            'b' => black |= 1 << point,
            '.' => {}
            other => {
                let at = game.board().name(point);
                return Err(BadPosition::new(format!("unknown letter {other:?} at {at} (ring {ring})")));
            }
        }
    }
    Ok((white, black))
}

/// Parses a small number without sign or leading zeros.
fn hand(text: &str) -> Option<u32> {
    let number: u8 = text.parse().ok()?;
    (number.to_string() == text).then_some(number.into())
}

pub fn show_play(game: &Morris, play: Play) -> String {
    let name = |point| game.board().name(point);
    let from = play.from.map(|from| name(from) + "-").unwrap_or_default();
    let take = play.take.map(|take| "x".to_owned() + &name(take)).unwrap_or_default();
    format!("{from}{}{take}", name(play.to))
}

/// The title in Japanese, which borrows the English number.
fn japanese_title(men: u32) -> String {
    let number = match men {
        3 => "スリー",
        5 => "ファイブ",
        6 => "シックス",
        7 => "セブン",
        9 => "ナイン",
        11 => "イレブン",
        12 => "トゥエルブ",
        _ => return format!("{men}メンズモリス"),
    };
    format!("{number}メンズモリス")
}

pub fn view(game: &Morris) -> View {
    let board = game.board();
    let rings = board.rings as usize;
    let flying = if game.has_flying() { "駒が三つになった側はどこへでも飛べます。" } else { "" };
    // The rings' own lines exist already; these connect rings to each other and to the centre.
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
            japanese_title(game.men()),
            format!(
                "駒を{}個ずつ交互に置き、置き終えたら線に沿って隣の点へ動かします。{flying}三つ並べるとミルとなり、ミルに\
                 入っていない相手の駒を一つ取ります（すべてミルの中ならどれでもかまいません）。駒が三つより少なくなるか、\
                 動けなくなった側の負けです。千日手は引き分けです。",
                game.men()
            ),
        )
}

/// Draws the board with lines, coordinates and pieces in hand.
pub fn draw(game: &Morris, position: Position) -> String {
    let mut text = drawing::points(&view(game), &show(game, position));
    if position.in_hand() > 0 {
        let (white, black) = (position.of(Colour::White), position.of(Colour::Black));
        text += &format!("\n\nin hand: white {}, black {}", white.hand, black.hand);
    }
    text
}
