//! The board of tic-tac-toe as the page draws it.

use kanzen::view::{Shape, Side, Tone, View};

pub fn view() -> View {
    View::grid(3, 3)
        .sides(Side::new("X", "Crosses", "×", Tone::Dark), Side::new("O", "Noughts", "○", Tone::Light))
        .piece('X', Some(0), Shape::Cross)
        .piece('O', Some(1), Shape::Ring)
        .japanese(
            "三目並べ",
            "3×3の盤の空いたマスに交互に印を置き、縦・横・斜めに三つ並べると勝ち。盤が埋まれば引き分け。",
        )
}
