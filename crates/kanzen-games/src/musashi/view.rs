//! The boards of Sixteen Musashi: points and lines as the rules have them.

use kanzen::view::{Point, Shape, Side, Tone, View};

use super::board::Board;
use super::text;

pub fn view(board: &Board) -> View {
    let order: Vec<u8> = text::rows(board).concat();
    let place = |&point: &u8| {
        let (x, y) = board.xy(point);
        Point { name: text::square(board, point), x: x.into(), y: y.into() }
    };
    let at = |point: u8| order.iter().position(|&other| other == point).expect("every point is in a row");
    let lines = board.edges().iter().map(|&(one, other)| [at(one), at(other)]);
    View::points(order.iter().map(place).collect(), lines.collect())
        .sides(Side::new("o", "Brown", "茶", Tone::Brown), Side::new("X", "Black", "黒", Tone::Dark))
        .piece('o', Some(0), Shape::Disc)
        .piece('X', Some(1), Shape::Disc)
        .japanese(
            format!("十六むさし（{}点）", board.points()),
            "茶の駒16個が先手。駒は線に沿って隣の空いた点へ動く。黒が動いた点の両隣に並ぶ茶の駒の組は取られる。黒が\
             動けなくなれば茶の勝ち、茶が動けないか同じ局面が繰り返されれば黒の勝ち。",
        )
}
