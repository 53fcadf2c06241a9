//! The board of NOCCA x NOCCA: squares with stacks, and a way off at either end.

use kanzen::view::{Shape, Side, Tone, View};

use super::rules::Nocca;

pub fn view(game: &Nocca) -> View {
    let (white, black) = (Some(0), Some(1));
    View::grid(game.rows, game.columns)
        .stacks(3)
        .sides(Side::new("w", "White", "白", Tone::Light), Side::new("b", "Black", "黒", Tone::Dark))
        .piece('w', white, Shape::Drum)
        .piece('b', black, Shape::Drum)
        .exit("off", white, 0.0, -1.0)
        .exit("off", black, 0.0, 1.0)
        .japanese(
            format!("ノッカノッカ {}×{}", game.rows, game.columns),
            "自分の一番上の駒を周囲8マスのどこかへ1歩動かす。高さ2までの山には乗れる。一番上の駒を相手側の端から盤の外へ\
             出せば勝ち。動かせなければ負け。終わらない場合は引き分け。",
        )
}
