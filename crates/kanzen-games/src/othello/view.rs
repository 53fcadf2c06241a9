//! The board of Othello: discs on squares, rows numbered from the top.

use kanzen::view::{Shape as Look, Side, Tone, View};

use super::shape::Shape;

pub fn view(shape: &Shape) -> View {
    let (rows, columns) = (shape.rows as usize, shape.columns as usize);
    View::grid_from_the_top(rows, columns)
        .felt()
        .sides(Side::new("X", "Black", "黒", Tone::Dark), Side::new("O", "White", "白", Tone::Light))
        .piece('X', Some(0), Look::Disc)
        .piece('O', Some(1), Look::Disc)
        .japanese(
            format!("オセロ {rows}×{columns}"),
            "相手の石をはさむように石を置き、はさんだ石を裏返す。置ける所がなければパス。両者とも置けなければ終わり、\
             石の多い方が勝ち。空いたマスは勝った方の石に数える。",
        )
}
